/* Counted allocation through the host's allocator, and buffers that grow. */
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

#define HUGE_PAGE ((size_t)1 << 21) /* bytes, on x86-64 and on ARM with pages of 4 KiB */

/* Stages read dozens of arrays side by side. With pages of 4 KiB address translation costs about a tenth of a step, so large blocks ask for
 * huge pages. */
static void *default_allocate(void *user, size_t size, size_t alignment)
{
    (void)user;
    alignment = size >= HUGE_PAGE ? HUGE_PAGE : alignment;
    void *block = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
#if defined(MADV_HUGEPAGE)
    if (block != NULL && size >= HUGE_PAGE) {
        (void)madvise(block, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE); /* a hint */
    }
#endif
    return block;
}

static void default_release(void *user, void *memory, size_t size)
{
    (void)user;
    (void)size;
    free(memory);
}

void dlp__memory_init(dlp__Memory *memory, const dlp_Allocator *allocator)
{
    *memory = (dlp__Memory){.allocator = {default_allocate, default_release, NULL}};
    if (allocator != NULL && allocator->allocate != NULL) {
        memory->allocator = *allocator;
    }
}

static bool total_size(int64_t count, size_t size, size_t *total)
{
    if (count > 0 && !__builtin_mul_overflow((uint64_t)count, size, total) && *total <= (size_t)INT64_MAX / 2) {
        return true;
    }
    *total = 0;
    return false;
}

void *dlp__memory_get(dlp__Memory *memory, int64_t count, size_t size)
{
    size_t total = 0;
    if (!total_size(count, size, &total)) {
        return NULL;
    }
    void *block = memory->allocator.allocate(memory->allocator.user, total, DLP_ALIGNMENT);
    if (block != NULL) {
        memory->bytes += (int64_t)total;
        memory->peak = memory->bytes > memory->peak ? memory->bytes : memory->peak;
    }
    return block;
}

void dlp__memory_release(dlp__Memory *memory, void *block, int64_t count, size_t size)
{
    if (block != NULL) {
        memory->bytes -= count * (int64_t)size;
        memory->allocator.release(memory->allocator.user, block, (size_t)count * size);
    }
}

int64_t dlp__spare_for(int64_t count, int64_t large)
{
    const int64_t eighth = (count < large ? count : large) / 8, part = count / 64;
    return part > eighth ? part : eighth;
}

static int64_t padded_capacity(int64_t bytes)
{
    enum { LARGE = 1 << 22 };
    return (bytes + dlp__spare_for(bytes, LARGE) + DLP_ALIGNMENT - 1) / DLP_ALIGNMENT * DLP_ALIGNMENT;
}

bool dlp__buffer_reserve(dlp__Memory *memory, dlp__Buffer *buffer, int64_t count, size_t size)
{
    size_t total = 0;
    if (count == 0 || (total_size(count, size, &total) && (int64_t)total <= buffer->capacity)) {
        return true;
    }
    dlp__buffer_release(memory, buffer);
    if (total == 0) {
        return false;
    }
    int64_t capacity = padded_capacity((int64_t)total);
    buffer->data = dlp__memory_get(memory, capacity, 1);
    buffer->capacity = buffer->data != NULL ? capacity : 0;
    return buffer->data != NULL;
}

bool dlp__buffer_grow(dlp__Memory *memory, dlp__Buffer *buffer, int64_t kept, int64_t count, size_t size)
{
    size_t total = 0;
    if (count == 0 || (total_size(count, size, &total) && (int64_t)total <= buffer->capacity)) {
        return true;
    }
    int64_t capacity = total != 0 ? padded_capacity((int64_t)total) : 0;
    void *block = dlp__memory_get(memory, capacity, 1);
    if (block == NULL) {
        return false;
    }
    if (kept > 0) {
        memcpy(block, buffer->data, (size_t)kept);
    }
    dlp__buffer_release(memory, buffer);
    *buffer = (dlp__Buffer){block, capacity};
    return true;
}

void dlp__buffer_release(dlp__Memory *memory, dlp__Buffer *buffer)
{
    dlp__memory_release(memory, buffer->data, buffer->capacity, 1);
    *buffer = (dlp__Buffer){NULL, 0};
}
