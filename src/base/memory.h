/* Memory of one world: every block comes from the host's allocator, is aligned to a cache line and is counted. */
#ifndef DLP_BASE_MEMORY_H
#define DLP_BASE_MEMORY_H

#include <dollop/types.h>

#define DLP_ALIGNMENT 64 /* bytes: a cache line, and the widest vector */

typedef struct dlp__Memory {
    dlp_Allocator allocator;
    int64_t bytes; /* held now     */
    int64_t peak;  /* held at most */
} dlp__Memory;

/* A null or empty allocator means malloc. */
void dlp__memory_init(dlp__Memory *memory, const dlp_Allocator *allocator);

/* Null when there is none left or when count * size overflows; zero bytes give null too. */
void *dlp__memory_get(dlp__Memory *memory, int64_t count, size_t size);
void dlp__memory_release(dlp__Memory *memory, void *block, int64_t count, size_t size);

/* An array that keeps its block between steps and only ever grows, so that a warmed-up step allocates nothing. */
typedef struct dlp__Buffer {
    void *data;
    int64_t capacity; /* bytes */
} dlp__Buffer;

/* Room for count * size bytes. What was in it is lost when it grows. False when memory is out: the old block is gone
 * then and `data` is null. */
bool dlp__buffer_reserve(dlp__Memory *memory, dlp__Buffer *buffer, int64_t count, size_t size);
/* The same, but the first `kept` bytes survive, and on failure the old block stays. */
bool dlp__buffer_grow(dlp__Memory *memory, dlp__Buffer *buffer, int64_t kept, int64_t count, size_t size);
void dlp__buffer_release(dlp__Memory *memory, dlp__Buffer *buffer);

#endif
