/* What the tests of files share: small worlds that hold one of everything, whole files in memory, and forged seals. */
#ifndef DLP_TESTS_IO_FIXTURE_H
#define DLP_TESTS_IO_FIXTURE_H

#include <dollop/dollop.h>

/* About 30 particles of two materials, a moving solid, a running emitter and a sink, after `steps` steps. */
dlp_World *io_small_world(int steps);
/* The same, but with a block of `edge`^3 particles more, so that arrays are chunked and compressed beyond edge 16. */
dlp_World *io_block_world(int edge, int steps);

typedef struct IoBytes {
    unsigned char *data;
    size_t size;
} IoBytes;

IoBytes io_read_file(const char *path);
void io_write_file(const char *path, const void *data, size_t size);
bool io_exists(const char *path);

/* Put a right seal on a file that was changed behind our back. */
void io_reseal(const char *path, dlp_FileKind kind);

/* Files, groups, datasets, attributes and stored types that are open in HDF5 at this moment. */
int64_t io_open_ids(void);
/* Bytes that malloc has given out (always 0 under a sanitizer): equal before and after means that nothing leaked. */
int64_t io_heap_bytes(void);

#endif
