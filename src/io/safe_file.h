/* A file that appears whole or not at all: written beside its place, flushed to disk, then renamed into it. A run that
 * is killed leaves its old file and at most one '.part' file, which the next one takes over. Nothing here knows what
 * is in the file. */
#ifndef DLP_IO_SAFE_FILE_H
#define DLP_IO_SAFE_FILE_H

#include "base/error.h"

#define DLP_PATH_SIZE   4096
#define DLP_SAFE_BUFFER 16384

typedef struct dlp__SafeFile {
    int descriptor;
    int64_t length; /* bytes appended so far, those still in `buffer` included */
    int failure;    /* errno of the first write that failed, or 0; later writes do nothing */
    size_t filled;  /* bytes of `buffer` that wait to be written */
    char path[DLP_PATH_SIZE];
    char temporary[DLP_PATH_SIZE];
    char buffer[DLP_SAFE_BUFFER];
} dlp__SafeFile;

/* Say in `error` what could not be done with a file, why, and what to do about it. Returns DLP_ERROR_FILE. */
dlp_Result dlp__file_fail(dlp_Error *error, const char *what, const char *path, int number);

/* Open the temporary file. After success exactly one of commit and discard must follow. */
dlp_Result dlp__safe_create(dlp__SafeFile *file, const char *path, dlp_Error *error);

/* Write behind what is there. Failures are kept in `failure` until the commit, so callers need not look. */
void dlp__safe_append(dlp__SafeFile *file, const void *bytes, size_t size);

/* Flush to disk and rename into place. On failure the temporary file is gone and the old file untouched. */
dlp_Result dlp__safe_commit(dlp__SafeFile *file, dlp_Error *error);
void dlp__safe_discard(dlp__SafeFile *file);

/* Whole reads and writes at an offset, whatever the system cuts them into: 0, or errno. Reading past the end of the
 * file gives zeros. */
int dlp__write_at(int descriptor, const void *bytes, size_t size, int64_t offset);
int dlp__read_at(int descriptor, void *bytes, size_t size, int64_t offset);

#endif
