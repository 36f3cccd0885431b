/* Lets memory run out in a program that loads it through LD_PRELOAD, also within the libraries that the program uses.
 *   FAILING_MALLOC_AT=K            the K-th allocation fails
 *   FAILING_MALLOC_FROM=K          the K-th and all later ones fail
 *   FAILING_MALLOC_INSIDE=A:B      only allocations by libraries whose names contain A or B count
 *   FAILING_MALLOC_OUTSIDE=A:B     only those by the program and by other libraries count
 *   FAILING_MALLOC_COUNT=FILE      the number of allocations is written to the file when the program ends
 * Allocations are counted from the start of main() on. Uses the names under which the GNU C library exports its own functions. */
#define _GNU_SOURCE /* dl_iterate_phdr */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* NOLINTBEGIN(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp, readability-inconsistent-declaration-parameter-name) */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

#define VISIBLE __attribute__((visibility("default")))

typedef struct Library {
    uintptr_t begin, end; /* of its code */
} Library;

static Library libraries[32]; /* that are listed */
static int library_count;
static bool started, inside, outside;
static long at, from; /* 0: none fails */
static atomic_long calls;

static bool is_listed(const char *path, const char *list)
{
    while (list != NULL && *list != 0) {
        const size_t length = strcspn(list, ":");
        char name[64] = "";
        memcpy(name, list, length < sizeof name - 1 ? length : sizeof name - 1);
        if (strstr(path, name) != NULL) {
            return true;
        }
        list += length + (list[length] == ':');
    }
    return false;
}

static int note_library(struct dl_phdr_info *info, size_t size, void *list)
{
    (void)size;
    for (int n = 0; n < info->dlpi_phnum && is_listed(info->dlpi_name, list); n++) {
        const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[n].p_vaddr;
        if ((info->dlpi_phdr[n].p_flags & PF_X) != 0 && library_count < 32) {
            libraries[library_count++] = (Library){begin, begin + info->dlpi_phdr[n].p_memsz};
        }
    }
    return 0;
}

static long read_number(const char *name)
{
    const char *text = getenv(name);
    return text != NULL ? strtol(text, NULL, 10) : 0;
}

__attribute__((constructor)) static void start(void)
{
    char *within = getenv("FAILING_MALLOC_INSIDE"), *without = getenv("FAILING_MALLOC_OUTSIDE");
    dl_iterate_phdr(note_library, within != NULL ? within : without);
    inside = within != NULL;
    outside = !inside && without != NULL;
    at = read_number("FAILING_MALLOC_AT");
    from = read_number("FAILING_MALLOC_FROM");
    started = true;
}

__attribute__((destructor)) static void report(void)
{
    const char *path = getenv("FAILING_MALLOC_COUNT");
    char text[32];
    const int length = snprintf(text, sizeof text, "%ld\n", (long)calls);
    const int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644) : -1;
    if (file >= 0 && write(file, text, (size_t)length) == length) {
        close(file);
    }
}

static bool counts(const void *caller)
{
    bool found = false;
    for (int n = 0; n < library_count && !found; n++) {
        found = (uintptr_t)caller >= libraries[n].begin && (uintptr_t)caller < libraries[n].end;
    }
    return started && (inside ? found : outside ? !found : true);
}

static bool fails(const void *caller)
{
    const long call = counts(caller) ? atomic_fetch_add(&calls, 1) + 1 : 0;
    if (call > 0 && (call == at || (from > 0 && call >= from))) {
        errno = ENOMEM;
        return true;
    }
    return false;
}

#define FAILS() fails(__builtin_return_address(0))

VISIBLE void *malloc(size_t size)
{
    return FAILS() ? NULL : __libc_malloc(size);
}

VISIBLE void *calloc(size_t count, size_t size)
{
    return FAILS() ? NULL : __libc_calloc(count, size);
}

VISIBLE void *realloc(void *block, size_t size)
{
    return FAILS() ? NULL : __libc_realloc(block, size);
}

VISIBLE void *memalign(size_t alignment, size_t size)
{
    return FAILS() ? NULL : __libc_memalign(alignment, size);
}

VISIBLE void *aligned_alloc(size_t alignment, size_t size)
{
    return FAILS() ? NULL : __libc_memalign(alignment, size);
}

VISIBLE int posix_memalign(void **block, size_t alignment, size_t size)
{
    *block = FAILS() ? NULL : __libc_memalign(alignment, size);
    return *block != NULL ? 0 : ENOMEM;
}

/* Otherwise they would be allocations of the C library. */
VISIBLE char *strdup(const char *text)
{
    const size_t size = strlen(text) + 1;
    char *copy = FAILS() ? NULL : __libc_malloc(size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}
/* NOLINTEND(bugprone-reserved-identifier, cert-dcl37-c, cert-dcl51-cpp, readability-inconsistent-declaration-parameter-name) */
