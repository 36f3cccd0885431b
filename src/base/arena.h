/* Scratch memory of one step: blocks are taken one after the other and all returned at once. The arena keeps its memory from
 * step to step, so that a warmed-up step allocates nothing. */
#ifndef DLP_BASE_ARENA_H
#define DLP_BASE_ARENA_H

#include "base/memory.h"

#define DLP_ARENA_BLOCKS 32

typedef struct dlp__Arena {
    dlp__Memory *memory;
    dlp__Buffer block[DLP_ARENA_BLOCKS]; /* only the last one in use has free space */
    int used_blocks;
    int64_t used;  /* bytes of the last block in use */
    int64_t total; /* bytes taken since the last reset */
    int64_t least; /* bytes of new blocks: what was taken when it last needed several */
} dlp__Arena;

void dlp__arena_init(dlp__Arena *arena, dlp__Memory *memory);
void dlp__arena_release(dlp__Arena *arena);

/* Return everything that was taken. What needed several blocks will fit into one from now on. */
void dlp__arena_reset(dlp__Arena *arena);

/* Uninitialised memory for count * size bytes, aligned to DLP_ALIGNMENT, until the next reset; null without memory. */
void *dlp__arena_take(dlp__Arena *arena, int64_t count, size_t size);

#endif
