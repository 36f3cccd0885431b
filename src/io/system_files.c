#ifdef __linux__
#define _GNU_SOURCE 1 /* fallocate(), memfd_create() */
#endif
#include "io/system_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

int dlp__reserve_disk(int descriptor)
{
    struct stat status;
    struct rlimit limit;
    if (fstat(descriptor, &status) != 0) {
        return errno;
    }
    if (getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < (rlim_t)status.st_size) {
        return EFBIG;
    }
#ifdef __linux__
    while (status.st_size > 0 && fallocate(descriptor, 0, 0, status.st_size) != 0) {
        if (errno != EINTR) {
            return errno;
        }
    }
#endif
    return 0;
}

int dlp__open_memory_file(void)
{
#ifdef __linux__
    return memfd_create("dollop", MFD_CLOEXEC);
#else
    FILE *file = tmpfile();
    const int descriptor = file != NULL ? dup(fileno(file)) : -1;
    if (file != NULL) {
        fclose(file);
    }
    return descriptor;
#endif
}
