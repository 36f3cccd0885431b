/* A file that appears completely or not at all: written under a temporary name, flushed to disk, then renamed. A killed
 * run leaves its old file and at most one '.part' file, which the next run reuses. Independent of the content of the
 * file. */
#ifndef DLP_IO_ATOMIC_FILE_H
#define DLP_IO_ATOMIC_FILE_H

#include "base/error.h"
#include "base/rank_agreement.h"

#define DLP_PATH_SIZE   4096
#define DLP_SAFE_BUFFER 16384

typedef struct dlp__AtomicFile {
    dlp_Ranks *ranks; /* that write it together; null: one process */
    int descriptor;
    int64_t length; /* bytes appended so far, including those still in `buffer` */
    int failure;    /* errno of the first failed write, or 0; later writes do nothing */
    size_t filled;  /* bytes of `buffer` to be written */
    char path[DLP_PATH_SIZE];
    char temporary[DLP_PATH_SIZE];
    char buffer[DLP_SAFE_BUFFER];
} dlp__AtomicFile;

/* Report in `error` what could not be done with a file, why, and what to do about it. Returns DLP_ERROR_FILE, or
 * DLP_ERROR_RESOURCE if the disk is full or a limit is exceeded. */
dlp_Result dlp__file_fail(dlp_Error *error, const char *what, const char *path, int number);

/* Open the temporary file. After success exactly one of commit and discard must follow. */
dlp_Result dlp__atomic_file_create(dlp__AtomicFile *file, const char *path, dlp_Error *error);
/* The same file for all ranks: the first creates it, and the others open it. Each has its own `length` and `failure`. All ranks commit or
 * discard it together; it is committed if none has failed. */
dlp_Result dlp__atomic_file_create_shared(dlp__AtomicFile *file, dlp_Ranks *ranks, const char *path, dlp_Error *error);

/* Append bytes. Failures are kept in `failure` until the commit, so callers need not check. */
void dlp__atomic_file_append(dlp__AtomicFile *file, const void *bytes, size_t size);
/* Write what has been appended, so that others can see it. */
void dlp__atomic_file_flush(dlp__AtomicFile *file);
/* Reserve disk space for the present length of the file. Disks that cannot are ignored. */
dlp_Result dlp__atomic_file_reserve(const dlp__AtomicFile *file, dlp_Error *error);
/* Of several ranks each flushes to disk what it has written, so that the others can read it. Fails on all ranks if it does on one. */
dlp_Result dlp__atomic_file_settle(dlp__AtomicFile *file, dlp_Error *error);

/* Flush to disk and rename. On failure the temporary file is removed and the old file unchanged. */
dlp_Result dlp__atomic_file_commit(dlp__AtomicFile *file, dlp_Error *error);
void dlp__atomic_file_discard(dlp__AtomicFile *file);

/* Complete reads and writes at an offset: 0, or errno. Reading past the end of the file gives zeros. */
int dlp__write_at(int descriptor, const void *bytes, size_t size, int64_t offset);
int dlp__read_at(int descriptor, void *bytes, size_t size, int64_t offset);

#endif
