#include "base/arena.h"

#include <string.h>

enum { LEAST_BLOCK = 1 << 16 }; /* bytes */

void dlp__arena_init(dlp__Arena *arena, dlp__Memory *memory)
{
    memset(arena, 0, sizeof *arena);
    arena->memory = memory;
}

void dlp__arena_release(dlp__Arena *arena)
{
    for (int n = 0; n < DLP_ARENA_BLOCKS; n++) {
        dlp__buffer_release(arena->memory, &arena->block[n]);
    }
    arena->used_blocks = 0;
    arena->used = arena->total = 0;
}

void dlp__arena_reset(dlp__Arena *arena)
{
    if (arena->used_blocks > 1) {
        arena->least = arena->total;
        dlp__arena_release(arena);
    }
    arena->used_blocks = 0;
    arena->used = arena->total = 0;
}

/* Begin a block that holds at least `bytes`. */
static bool open_block(dlp__Arena *arena, int64_t bytes)
{
    if (arena->used_blocks == DLP_ARENA_BLOCKS) {
        return false;
    }
    const int64_t sizes[] = {LEAST_BLOCK, arena->least, arena->total};
    for (int n = 0; n < 3; n++) {
        bytes = sizes[n] > bytes ? sizes[n] : bytes;
    }
    dlp__Buffer *block = &arena->block[arena->used_blocks];
    if (!dlp__buffer_reserve(arena->memory, block, bytes, 1)) {
        return false;
    }
    arena->used_blocks++;
    arena->used = 0;
    return true;
}

void *dlp__arena_take(dlp__Arena *arena, int64_t count, size_t size)
{
    if (count < 0 || (size > 0 && count > (INT64_MAX - DLP_ALIGNMENT) / (int64_t)size)) {
        return NULL;
    }
    const int64_t bytes = (count * (int64_t)size + DLP_ALIGNMENT) / DLP_ALIGNMENT *
                          DLP_ALIGNMENT; /* at least one line */
    const bool fits = arena->used_blocks > 0 && arena->block[arena->used_blocks - 1].capacity - arena->used >= bytes;
    if (!fits && !open_block(arena, bytes)) {
        return NULL;
    }
    char *taken = (char *)arena->block[arena->used_blocks - 1].data + arena->used;
    arena->used += bytes;
    arena->total += bytes;
    return taken;
}
