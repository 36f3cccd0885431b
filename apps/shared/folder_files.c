/* Opens, checks and cleans up files of output folders. */
#include "folder_files.h"

#include "messages.h"

#include <dirent.h>
#include <dollop/files.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { TEXT_MOST = 1 << 26, PATH_BYTES = 4096 };

/* Why a file cannot be used: 0, or one of the values of errno that file_fail() explains. */
static int fault_of(const struct stat *status, FileUse use)
{
    if (S_ISLNK(status->st_mode)) {
        return ELOOP;
    }
    if (S_ISDIR(status->st_mode)) {
        return EISDIR;
    }
    if (!S_ISREG(status->st_mode)) {
        return ENXIO;
    }
    return use == FILE_CONTINUE && status->st_nlink > 1 ? EMLINK : 0;
}

static const char *explain(int number)
{
    switch (number) {
    case ELOOP: return "it is a symbolic link, not a regular file; remove it or choose another folder";
    case EISDIR: return "it is a folder; rename it or choose another folder";
    case ENXIO: return "it is not a regular file; remove it or choose another folder";
    case EMLINK: return "it has a second name (hard link), which would change too; replace it by a copy";
    case EWOULDBLOCK: return "another process is writing it; wait for that or choose another folder";
    default: return strerror(number);
    }
}

ExitCode file_fail(const char *action, const char *path, int number)
{
    message_error("cannot %s %s: %s", action, path, explain(number));
    return number == EWOULDBLOCK ? EXIT_REFUSED : exit_code_of_errno(number);
}

static int find_status(const char *path, FileUse use, struct stat *status)
{
    return use == FILE_GIVEN ? stat(path, status) : lstat(path, status);
}

int file_descriptor(const char *path, FileUse use)
{
    static const int flags[] = {[FILE_GIVEN] = O_RDONLY,
                                [FILE_READ] = O_RDONLY | O_NOFOLLOW,
                                [FILE_CONTINUE] = O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW,
                                [FILE_CREATE] = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW};
    struct stat status;
    const bool exists = find_status(path, use, &status) == 0;
    int fault = exists ? fault_of(&status, use) : 0; /* before opening, which has effects on some devices */
    if (fault == 0 && exists && use == FILE_CREATE && unlink(path) != 0) {
        fault = errno;
    }
    int descriptor = -1;
    if (fault == 0) {
        descriptor = open(path, flags[use] | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0666);
        fault = descriptor < 0 || fstat(descriptor, &status) != 0 ? errno : fault_of(&status, use);
    }
    if (fault != 0 && descriptor >= 0) {
        close(descriptor);
    }
    errno = fault;
    return fault == 0 ? descriptor : -1;
}

FILE *file_open(const char *path, FileUse use)
{
    static const char *const modes[] = {
        [FILE_GIVEN] = "r", [FILE_READ] = "r", [FILE_CONTINUE] = "r+", [FILE_CREATE] = "w"};
    const int descriptor = file_descriptor(path, use);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, modes[use]) : NULL;
    if (descriptor >= 0 && !file) {
        const int failure = errno;
        close(descriptor);
        errno = failure;
    }
    return file;
}

static char *read_bytes(FILE *file, size_t *length)
{
    struct stat status;
    if (fstat(fileno(file), &status) != 0) {
        return NULL;
    }
    if (status.st_size > TEXT_MOST) {
        errno = EFBIG;
        return NULL;
    }
    char *text = malloc((size_t)status.st_size + 1);
    if (!text) {
        return NULL;
    }
    *length = fread(text, 1, (size_t)status.st_size, file);
    text[*length] = 0;
    if (ferror(file)) {
        free(text);
        errno = EIO;
        return NULL;
    }
    return text;
}

char *file_read_bytes(const char *path, FileUse use, size_t *length)
{
    FILE *file = file_open(path, use);
    if (!file) {
        return NULL;
    }
    char *text = read_bytes(file, length);
    const int failure = errno;
    fclose(file);
    errno = failure;
    return text;
}

char *file_read_text(const char *path, FileUse use)
{
    size_t length = 0;
    return file_read_bytes(path, use, &length);
}

ExitCode file_write_text(const char *path, const char *text)
{
    dlp_Error error = {0};
    const dlp_Result result = dlp_file_write(path, text, strlen(text), &error);
    if (result != DLP_OK) {
        message_error("%s", error.text);
    }
    return exit_code_of(result);
}

ExitCode file_write_and_free(const char *path, char *text)
{
    if (!text) {
        message_error("out of memory");
        return EXIT_MEMORY;
    }
    const ExitCode code = file_write_text(path, text);
    free(text);
    return code;
}

ExitCode file_check(const char *path)
{
    struct stat status;
    const int fault = lstat(path, &status) == 0 ? fault_of(&status, FILE_READ) : 0;
    return fault == 0 ? EXIT_DONE : file_fail("use", path, fault);
}

void file_lock(int descriptor)
{
    flock(descriptor,
          LOCK_EX | LOCK_NB); /* without locks on this file system it works as long as there is one process */
}

/* Remove a temporary file unless its writer, which holds a lock on it, is alive. */
static ExitCode remove_leftover(const char *path)
{
    const int descriptor = file_descriptor(path, FILE_READ);
    if (descriptor < 0) { /* if it is gone, its writer has just finished */
        return errno == ENOENT ? EXIT_DONE : file_fail("remove", path, errno);
    }
    const bool in_use = flock(descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    const int failure = in_use ? EWOULDBLOCK : unlink(path) == 0 ? 0 : errno;
    close(descriptor);
    return failure == 0 ? EXIT_DONE : file_fail("remove", path, failure);
}

static bool matches(const char *name, const char *const *patterns)
{
    for (; *patterns; patterns++) {
        if (fnmatch(*patterns, name, 0) == 0) {
            return true;
        }
    }
    return false;
}

/* Whether it is the temporary name of such a file. */
static bool is_leftover(const char *name, const char *const *patterns)
{
    char base[256];
    const char *dot = strrchr(name, '.');
    if (!dot || (strcmp(dot, ".part") != 0 && strcmp(dot, ".new") != 0) || (size_t)(dot - name) >= sizeof base) {
        return false;
    }
    snprintf(base, sizeof base, "%.*s", (int)(dot - name), name);
    return matches(base, patterns);
}

ExitCode folder_clean(const char *folder, const char *const *patterns)
{
    DIR *directory = opendir(folder);
    if (!directory) {
        return file_fail("read the folder", folder, errno);
    }
    ExitCode code = EXIT_DONE;
    for (const struct dirent *entry; code == EXIT_DONE && (entry = readdir(directory));) {
        char path[PATH_BYTES + sizeof entry->d_name];
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        if (is_leftover(entry->d_name, patterns)) {
            code = remove_leftover(path);
        } else if (matches(entry->d_name, patterns)) {
            code = file_check(path);
        }
    }
    closedir(directory);
    return code;
}
