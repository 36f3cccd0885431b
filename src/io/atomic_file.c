/* Atomic writing: temporary file, fsync, rename, fsync of the folder. A lock on the temporary file excludes a second
 * writer of the same path; the lock ends with its process, so a file left by a killed run is reused. */
#include "io/atomic_file.h"

#include "io/system_files.h"

#include <dollop/files.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *hint_for(int number)
{
    switch (number) {
    case ENOSPC:
    case EDQUOT: return "free space on that disk or choose another";
    case EFBIG: return "raise the limit on file sizes (ulimit -f) or choose another disk";
    case EACCES:
    case EPERM: return "check the permissions of the file and of its folder";
    case EROFS: return "that disk is read-only: choose another folder";
    case ENOENT: return "check the name, and that its folder exists";
    case ENOTDIR: return "a part of the path is a file, not a folder";
    case EISDIR: return "that is a folder: give the name of a file";
    case ENAMETOOLONG: return "choose a shorter name";
    case EMFILE:
    case ENFILE: return "too many files are open: close some or raise the limit (ulimit -n)";
    case ELOOP: return "that is a symbolic link, which is not followed: remove it";
    case ENXIO: return "that is not a regular file: remove it";
    case EMLINK: return "that file has a second name (hard link), which would change too: remove it";
    case EWOULDBLOCK: return "another process is writing this file: wait for it or choose another name";
    case EIO: return "the disk reports an error: check it";
    default: return NULL;
    }
}

/* Whether there is too little of something, rather than an error of the file itself. */
static bool is_exhausted(int number)
{
    return number == ENOSPC || number == EDQUOT || number == EFBIG || number == EMFILE || number == ENFILE ||
           number == ENOMEM;
}

dlp_Result dlp__file_fail(dlp_Error *error, const char *what, const char *path, int number)
{
    char reason[128];
    if (strerror_r(number, reason, sizeof reason) != 0) {
        snprintf(reason, sizeof reason, "error %d", number);
    }
    const char *hint = hint_for(number);
    return dlp__fail(error, is_exhausted(number) ? DLP_ERROR_RESOURCE : DLP_ERROR_FILE, "cannot %s '%.512s': %s%s%s",
                     what, path, reason, hint != NULL ? "; " : "", hint != NULL ? hint : "");
}

int dlp__write_at(int descriptor, const void *bytes, size_t size, int64_t offset)
{
    const char *next = bytes;
    while (size > 0) {
        ssize_t written = pwrite(descriptor, next, size, (off_t)offset);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return written < 0 ? errno : ENOSPC;
        }
        next += written;
        offset += written;
        size -= (size_t)written;
    }
    return 0;
}

int dlp__read_at(int descriptor, void *bytes, size_t size, int64_t offset)
{
    char *next = bytes;
    while (size > 0) {
        ssize_t count = pread(descriptor, next, size, (off_t)offset);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            return errno;
        }
        if (count == 0) {
            memset(next, 0, size);
            return 0;
        }
        next += count;
        offset += count;
        size -= (size_t)count;
    }
    return 0;
}

/* Whether the descriptor is still the file of that name: another writer may have renamed it meanwhile. */
static bool still_named(int descriptor, const char *path)
{
    struct stat opened, named;
    return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0 && opened.st_dev == named.st_dev &&
           opened.st_ino == named.st_ino;
}

/* Only a regular file without a second name may be emptied: 0, or errno. */
static int check_temporary(int descriptor)
{
    struct stat status;
    if (fstat(descriptor, &status) != 0) {
        return errno;
    }
    return !S_ISREG(status.st_mode) ? ENXIO : status.st_nlink > 1 ? EMLINK : 0;
}

static int lock_temporary(int descriptor)
{
    const int failure = flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
    const bool no_locks = failure == ENOLCK || failure == ENOTSUP || failure == EINVAL || failure == ENOSYS;
    return no_locks ? 0 : failure; /* a file system may not support locks */
}

/* An empty, locked temporary file, or -1 with errno. */
static int open_temporary(const char *path)
{
    for (;;) {
        int descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
        if (descriptor < 0) {
            return -1;
        }
        int failure = check_temporary(descriptor);
        failure = failure == 0 ? lock_temporary(descriptor) : failure;
        if (failure == 0 && !still_named(descriptor, path)) {
            close(descriptor);
            continue;
        }
        if (failure == 0 && ftruncate(descriptor, 0) == 0) {
            return descriptor;
        }
        failure = failure != 0 ? failure : errno;
        close(descriptor);
        errno = failure;
        return -1;
    }
}

static dlp_Result set_names(dlp__AtomicFile *file, const char *path, dlp_Error *error)
{
    file->ranks = NULL;
    file->descriptor = -1;
    file->length = 0;
    file->failure = 0;
    file->filled = 0;
    if (path == NULL || path[0] == 0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "no name was given for the file to write");
    }
    size_t length = strlen(path);
    if (length + sizeof ".part" > sizeof file->temporary) {
        return dlp__file_fail(error, "write", path, ENAMETOOLONG);
    }
    memcpy(file->path, path, length + 1);
    memcpy(file->temporary, path, length);
    memcpy(file->temporary + length, ".part", sizeof ".part");
    return DLP_OK;
}

dlp_Result dlp__atomic_file_create(dlp__AtomicFile *file, const char *path, dlp_Error *error)
{
    const dlp_Result named = set_names(file, path, error);
    if (named != DLP_OK) {
        return named;
    }
    struct stat old;
    if (stat(path, &old) == 0 && !S_ISREG(old.st_mode)) { /* do not replace a device by a file */
        if (S_ISDIR(old.st_mode)) {
            return dlp__file_fail(error, "write", path, EISDIR);
        }
        return dlp__fail(error, DLP_ERROR_FILE, "cannot write '%.512s': it is not a regular file (choose another name)",
                         path);
    }
    file->descriptor = open_temporary(file->temporary);
    if (file->descriptor >= 0) {
        return DLP_OK;
    }
    const int failure = errno;
    const bool is_obstacle = failure == ELOOP || failure == ENXIO || failure == EMLINK || failure == EISDIR;
    return dlp__file_fail(error, "write", is_obstacle ? file->temporary : path, failure);
}

static bool is_first_rank(const dlp__AtomicFile *file)
{
    return dlp_ranks_number(file->ranks) == 0;
}

/* Open the temporary file that the first rank has created, which has this number on its disk. */
static dlp_Result join_temporary(dlp__AtomicFile *file, const char *path, uint64_t number, dlp_Error *error)
{
    const dlp_Result named = set_names(file, path, error);
    if (named != DLP_OK) {
        return named;
    }
    struct stat status = {0};
    file->descriptor = open(file->temporary, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    const int failure = file->descriptor < 0 || fstat(file->descriptor, &status) != 0 ? errno : 0;
    if (failure == ENOENT || (failure == 0 && (uint64_t)status.st_ino != number)) {
        return dlp__fail(
            error, DLP_ERROR_FILE,
            "cannot write '%.512s': this rank does not see the file that the first rank has created; choose "
            "a folder that all machines share",
            path);
    }
    return failure == 0 ? DLP_OK : dlp__file_fail(error, "write", path, failure);
}

dlp_Result dlp__atomic_file_create_shared(dlp__AtomicFile *file, dlp_Ranks *ranks, const char *path, dlp_Error *error)
{
    if (dlp__ranks_count(ranks) == 1) {
        return dlp__atomic_file_create(file, path, error);
    }
    const bool is_first = dlp_ranks_number(ranks) == 0;
    uint64_t number = 0;
    file->descriptor = -1;
    dlp_Result result = is_first ? dlp__atomic_file_create(file, path, error) : DLP_OK;
    result = dlp__ranks_agree(ranks, result, error);
    if (result != DLP_OK) {
        return result;
    }
    if (is_first) {
        struct stat status;
        number = fstat(file->descriptor, &status) == 0 ? (uint64_t)status.st_ino : 0;
    }
    dlp_ranks_broadcast(ranks, 0, &number, sizeof number);
    result = is_first ? DLP_OK : join_temporary(file, path, number, error);
    file->ranks = ranks;
    result = dlp__ranks_agree(ranks, result, error);
    if (result != DLP_OK) {
        dlp__atomic_file_discard(file);
    }
    return result;
}

void dlp__atomic_file_flush(dlp__AtomicFile *file)
{
    if (file->failure == 0 && file->filled > 0) {
        file->failure = dlp__write_at(file->descriptor, file->buffer, file->filled,
                                      file->length - (int64_t)file->filled);
    }
    file->filled = 0;
}

void dlp__atomic_file_append(dlp__AtomicFile *file, const void *bytes, size_t size)
{
    const char *next = bytes;
    while (size > 0) {
        size_t space = sizeof file->buffer - file->filled;
        size_t piece = size < space ? size : space;
        memcpy(file->buffer + file->filled, next, piece);
        file->filled += piece;
        file->length += (int64_t)piece;
        next += piece;
        size -= piece;
        if (file->filled == sizeof file->buffer) {
            dlp__atomic_file_flush(file);
        }
    }
}

dlp_Result dlp__atomic_file_reserve(const dlp__AtomicFile *file, dlp_Error *error)
{
    const int failure = dlp__reserve_disk(file->descriptor);
    return is_exhausted(failure) ? dlp__file_fail(error, "write", file->path, failure) : DLP_OK;
}

/* Make the new name itself durable. Folders that cannot be flushed (on some network disks) are ignored. */
static int flush_folder(const char *path)
{
    char folder[DLP_PATH_SIZE];
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : (size_t)(slash - path);
    memcpy(folder, path, length);
    folder[length] = 0;
    const char *name = slash == NULL ? "." : length == 0 ? "/" : folder;

    int descriptor = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return errno == EACCES ? 0 : errno; /* a folder may be writable but not readable */
    }
    int failure = fsync(descriptor) == 0 ? 0 : errno;
    close(descriptor);
    return failure == EINVAL || failure == ENOTSUP ? 0 : failure;
}

/* Whether all ranks have written without a failure. */
static dlp_Result agree_on_writing(const dlp__AtomicFile *file, dlp_Error *error)
{
    const dlp_Result result = file->failure == 0 ? DLP_OK : dlp__file_fail(error, "write", file->path, file->failure);
    return dlp__ranks_agree(file->ranks, result, error);
}

dlp_Result dlp__atomic_file_settle(dlp__AtomicFile *file, dlp_Error *error)
{
    if (dlp__ranks_count(file->ranks) == 1) {
        return DLP_OK;
    }
    if (file->failure == 0 && fsync(file->descriptor) != 0) {
        file->failure = errno;
    }
    return agree_on_writing(file, error);
}

dlp_Result dlp__atomic_file_commit(dlp__AtomicFile *file, dlp_Error *error)
{
    dlp__atomic_file_flush(file);
    if (file->failure == 0 && fsync(file->descriptor) != 0) {
        file->failure = errno;
    }
    dlp_Result result = agree_on_writing(file, error);
    if (result == DLP_OK) {
        if (is_first_rank(file) && rename(file->temporary, file->path) != 0) {
            file->failure = errno;
        }
        result = agree_on_writing(file, error);
    }
    if (result != DLP_OK) {
        dlp__atomic_file_discard(file);
        return result;
    }
    const int failure = is_first_rank(file) ? flush_folder(file->path) : 0;
    close(file->descriptor); /* last, because it releases the lock */
    file->descriptor = -1;
    result = failure == 0 ? DLP_OK : dlp__file_fail(error, "flush the folder of", file->path, failure);
    return dlp__ranks_agree(file->ranks, result, error);
}

void dlp__atomic_file_discard(dlp__AtomicFile *file)
{
    if (file->descriptor >= 0) {
        if (is_first_rank(file)) {
            unlink(file->temporary);
        }
        close(file->descriptor);
        file->descriptor = -1;
    }
}

dlp_Result dlp_file_write(const char *path, const void *bytes, size_t size, dlp_Error *error)
{
    dlp__AtomicFile file;
    if (path == NULL || bytes == NULL) {
        return dlp__fail_null(error);
    }
    const dlp_Result result = dlp__atomic_file_create(&file, path, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp__atomic_file_append(&file, bytes, size);
    return dlp__atomic_file_commit(&file, error);
}
