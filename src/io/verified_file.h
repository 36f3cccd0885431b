/* Writes an HDF5 file with our header, atomically, and opens it again after verification. */
#ifndef DLP_IO_VERIFIED_FILE_H
#define DLP_IO_VERIFIED_FILE_H

#include "io/hdf5_tools.h"

#include <dollop/files.h>

typedef dlp_Result (*dlp__ContentFunction)(hid_t file, const dlp_World *world, dlp_Error *error);

/* Write a file; `content` adds its contents. Errors are in the world's error. */
dlp_Result dlp__verified_file_write(dlp_World *world, const char *path, dlp_FileKind kind,
                                    dlp__ContentFunction content);

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
