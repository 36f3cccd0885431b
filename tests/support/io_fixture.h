/* Shared by the tests of files: small worlds with one of everything, whole files in memory, and forged headers. */
#ifndef DLP_TESTS_IO_FIXTURE_H
#define DLP_TESTS_IO_FIXTURE_H

#include <dollop/dollop.h>

/* About 30 particles of two materials, a moving solid, a running emitter and a sink, after `steps` steps. */
dlp_World *io_small_world(int steps);
/* The same with an additional block of `edge`^3 particles, so that arrays are chunked and compressed beyond edge 16. */
dlp_World *io_block_world(int edge, int steps);

typedef struct IoBytes {
    unsigned char *data;
    size_t size;
} IoBytes;

IoBytes io_read_file(const char *path);
void io_write_file(const char *path, const void *data, size_t size);
bool io_exists(const char *path);

/* Write a valid header to a file that was changed. */
void io_write_header(const char *path, dlp_FileKind kind);

/* The number of files, groups, datasets, attributes and stored types that are open in HDF5. */
int64_t io_open_ids(void);
/* Bytes allocated by malloc (always 0 under a sanitizer): equal before and after means that nothing leaked. */
int64_t io_heap_bytes(void);

#endif
