/* Writes an HDF5 file with our header, atomically, and opens it again after verification. */
#ifndef DLP_IO_VERIFIED_FILE_H
#define DLP_IO_VERIFIED_FILE_H

#include "io/hdf5_tools.h"

#include <dollop/files.h>

/* A file that is being written, in two parts: `begin` reads the world, `finish` only the particles, perhaps on another thread. */
typedef struct dlp__FileInWork {
    dlp__AtomicFile atomic;
    dlp__Hdf5File hdf5;
    dlp__Hdf5Pending pending;
} dlp__FileInWork;

typedef dlp_Result (*dlp__ContentFunction)(hid_t file, dlp__Hdf5Pending *pending, const dlp_World *world,
                                           dlp_Error *error);

/* Open the file; `content` adds its contents, but leaves the values of large fields pending. After success exactly one of finish and
 * discard must follow. */
dlp_Result dlp__verified_file_begin(dlp__FileInWork *file, const dlp_World *world, const char *path,
                                    dlp__ContentFunction content, dlp_Error *error);
dlp_Result dlp__verified_file_finish(dlp__FileInWork *file, dlp_FileKind kind, const dlp__ParticleParts *parts,
                                     const dlp__Parallel *parallel, dlp__Memory *memory, dlp_Error *error);
void dlp__verified_file_discard(dlp__FileInWork *file);

typedef struct dlp__VerifiedFile {
    dlp__Hdf5File hdf5;
    int descriptor;
    dlp_FileKind kind;
    int64_t bytes;
} dlp__VerifiedFile;

/* After success it must be closed. */
dlp_Result dlp__verified_file_open(dlp__VerifiedFile *file, const char *path, dlp_Error *error);
/* `result` and `error` are those of reading it, and get the name of the file. Returns that result, or the failure of disk or memory
 * that was its cause: what could not be read must not be taken for damaged. */
dlp_Result dlp__verified_file_close(dlp__VerifiedFile *file, dlp_Result result, dlp_Error *error);

/* The summary of the file. */
dlp_Result dlp__file_info_read(const dlp__VerifiedFile *file, dlp_FileInfo *info, dlp_Error *error);

#endif
