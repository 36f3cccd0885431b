/* Memory of one world: every block comes from the host's allocator, is aligned to a cache line, and is counted. */
#ifndef DLP_BASE_MEMORY_H
#define DLP_BASE_MEMORY_H

#include <dollop/types.h>

#define DLP_ALIGNMENT 64 /* bytes: a cache line, and the widest vector */

typedef struct dlp__Memory {
    dlp_Allocator allocator;
    int64_t bytes; /* allocated now */
    int64_t peak;  /* maximum       */
} dlp__Memory;

/* Uses aligned_alloc if `allocator` is null or empty. */
void dlp__memory_init(dlp__Memory *memory, const dlp_Allocator *allocator);

/* Null if the allocator fails, if count * size overflows, or if it is zero. */
void *dlp__memory_get(dlp__Memory *memory, int64_t count, size_t size);
void dlp__memory_release(dlp__Memory *memory, void *block, int64_t count, size_t size);

/* An array that keeps its block between steps and never shrinks, so that later steps do not allocate. */
typedef struct dlp__Buffer {
    void *data;
    int64_t capacity; /* bytes */
} dlp__Buffer;

/* The spare room of a store of `count` items, so that one that grows slowly is not replaced at every step: an eighth of up to `large`
 * items, and at least a sixty-fourth, because a large store grows by a smaller part in a step. */
int64_t dlp__spare_for(int64_t count, int64_t large);

/* Reserve count * size bytes. The contents are lost if the block must be replaced. False without memory: the old block is
 * released then and `data` is null. */
bool dlp__buffer_reserve(dlp__Memory *memory, dlp__Buffer *buffer, int64_t count, size_t size);
/* The same, but the first `kept` bytes are preserved, and the old block is kept on failure. */
bool dlp__buffer_grow(dlp__Memory *memory, dlp__Buffer *buffer, int64_t kept, int64_t count, size_t size);
void dlp__buffer_release(dlp__Memory *memory, dlp__Buffer *buffer);

#endif
