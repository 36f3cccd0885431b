/* Loaded with LD_PRELOAD: makes one system call that changes files fail, or kills the process there. SYSTEM_FAULT says what:
 *
 *   count        only count the calls
 *   kill:N       SIGKILL at call N; a write is done half before
 *   fail:N:E     call N fails with errno E, once
 *   space:N      a disk with N bytes left: writes fail with ENOSPC after them
 *   readonly     every call that creates or changes a file fails with EROFS
 *   read:N       reading from a file fails with EIO at call N (these are counted separately)
 *   memory:N:B   allocation N of at least B bytes fails
 *
 * SYSTEM_FAULT_COUNT names a file that gets the number of calls at the end. Standard streams, and files that are only read, do not
 * count. Writes of stdio inside the C library cannot be intercepted; its fflush() counts instead. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The next function of that name, cast to the type of `name`. */
#define REAL(name) ((__typeof__(&name))(uintptr_t)dlsym(RTLD_NEXT, #name))

static long calls, reads, allocations;
static long long written;

static bool mode_is(const char *name, long *number, int *error)
{
    const char *fault = getenv("SYSTEM_FAULT");
    const size_t length = strlen(name);
    *number = 0;
    *error = 0;
    if (!fault || strncmp(fault, name, length) != 0) {
        return false;
    }
    sscanf(fault + length, ":%ld:%d", number, error);
    return true;
}

/* Whether this call, the next one that changes files, shall fail; errno is set. Does not return where the process is to be killed. */
static bool fails(void)
{
    long number;
    int error;
    ++calls;
    if (mode_is("kill", &number, &error) && calls == number) {
        kill(getpid(), SIGKILL);
    }
    if (mode_is("fail", &number, &error) && calls == number) {
        errno = error;
        return true;
    }
    if (mode_is("readonly", &number, &error)) {
        errno = EROFS;
        return true;
    }
    return false;
}

static bool is_killed_next(void)
{
    long number;
    int error;
    return mode_is("kill", &number, &error) && calls + 1 == number;
}

/* The bytes of a write that still have space; -1: none. */
static long limited(size_t size)
{
    long space;
    int error;
    if (!mode_is("space", &space, &error)) {
        return (long)size;
    }
    const long long left = space - written;
    if (left <= 0) {
        errno = ENOSPC;
        return -1;
    }
    return (long long)size < left ? (long)size : (long)left;
}

__attribute__((destructor)) static void save_count(void)
{
    const char *path = getenv("SYSTEM_FAULT_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld %ld %ld\n", calls, reads, allocations);
        fclose(file);
    }
}

/* MPI writes to pipes, too, before main() has begun a file. */
static bool is_file(int descriptor)
{
    struct stat status;
    return descriptor > STDERR_FILENO && fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t size, off_t offset)
{
    const ssize_t half = is_killed_next() ? REAL(pwrite)(descriptor, bytes, size / 2, offset) : 0;
    const long allowed = fails() || half < 0 ? -1 : limited(size);
    const ssize_t done = allowed < 0 ? -1 : REAL(pwrite)(descriptor, bytes, (size_t)allowed, offset);
    written += done > 0 ? done : 0;
    return done;
}

ssize_t write(int descriptor, const void *bytes, size_t size)
{
    if (!is_file(descriptor)) {
        return REAL(write)(descriptor, bytes, size);
    }
    const long allowed = fails() ? -1 : limited(size);
    return allowed < 0 ? -1 : REAL(write)(descriptor, bytes, (size_t)allowed);
}

ssize_t pread(int descriptor, void *bytes, size_t size, off_t offset)
{
    long number;
    int error;
    ++reads;
    if (mode_is("read", &number, &error) && reads == number) {
        errno = EIO;
        return -1;
    }
    return REAL(pread)(descriptor, bytes, size, offset);
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    const bool changes = (flags & (O_CREAT | O_TRUNC)) != 0 && strncmp(path, "/dev/", 5) != 0 &&
                         strstr(path, "/ompi.") == NULL; /* folder of OpenMPI */
    return changes && fails() ? -1 : REAL(open)(path, flags, mode);
}

int rename(const char *from, const char *to)
{
    return fails() ? -1 : REAL(rename)(from, to);
}

int unlink(const char *path)
{
    return fails() ? -1 : REAL(unlink)(path);
}

int link(const char *from, const char *to)
{
    return fails() ? -1 : REAL(link)(from, to);
}

int mkdir(const char *path, mode_t mode)
{
    const bool exists = access(path, F_OK) == 0; /* which is reported even on a read-only disk */
    return !exists && fails() ? -1 : REAL(mkdir)(path, mode);
}

int fsync(int descriptor)
{
    return fails() ? -1 : REAL(fsync)(descriptor);
}

int ftruncate(int descriptor, off_t length)
{
    return fails() ? -1 : REAL(ftruncate)(descriptor, length);
}

int fflush(FILE *stream)
{
    const bool standard = !stream || stream == stdout || stream == stderr;
    return !standard && fileno(stream) > STDERR_FILENO && fails() ? EOF : REAL(fflush)(stream);
}

/* The functions of the C library itself, because dlsym() allocates. */
extern void *__libc_malloc(size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static bool lacks_memory(size_t size)
{
    long number;
    int least;
    return mode_is("memory", &number, &least) && size >= (size_t)least && ++allocations == number;
}

void *malloc(size_t size)
{
    if (lacks_memory(size)) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_malloc(size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    if (lacks_memory(size)) {
        errno = ENOMEM;
        return NULL;
    }
    return __libc_memalign(alignment, size);
}
