/* One way to write an HDF5 file of ours, from the temporary file to the seal, and one way to open it again. */
#ifndef DLP_IO_SEALED_FILE_H
#define DLP_IO_SEALED_FILE_H

#include "io/hdf5_tools.h"

#include <dollop/files.h>

typedef dlp_Result (*dlp__ContentFunction)(hid_t file, const dlp_World *world, dlp_Error *error);

/* Write a file whose contents `content` puts in. What goes wrong is in the world's error. */
dlp_Result dlp__sealed_write(dlp_World *world, const char *path, dlp_FileKind kind, dlp__ContentFunction content);

typedef struct dlp__SealedFile {
    dlp__Hdf5File hdf5;
    int descriptor;
    dlp_FileKind kind;
    int64_t bytes;
} dlp__SealedFile;

/* After success the close must follow. */
dlp_Result dlp__sealed_open(dlp__SealedFile *file, const char *path, dlp_Error *error);
void dlp__sealed_close(dlp__SealedFile *file);

/* What the file says of itself. */
dlp_Result dlp__file_info_read(const dlp__SealedFile *file, dlp_FileInfo *info, dlp_Error *error);

#endif
