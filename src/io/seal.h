/* The seal of our HDF5 files: 512 bytes in front of what HDF5 wrote (its 'user block') with the kind of the file, its
 * length and a checksum of every byte. It is verified before HDF5 sees the file, because HDF5 trusts what it parses. */
#ifndef DLP_IO_SEAL_H
#define DLP_IO_SEAL_H

#include "base/error.h"

#include <dollop/files.h>

#define DLP_SEAL_SIZE   512
#define DLP_SEAL_FORMAT 1 /* raise it when a file of the old form can no longer be read */

/* Write the seal of a finished file: 0, or errno. */
int dlp__seal_write(int descriptor, dlp_FileKind kind);

/* Open a file for reading and check its length and checksum. On success `descriptor` is the caller's to close, and all
 * reading must go through it: the name may mean another file by then. */
dlp_Result dlp__seal_open(const char *path, int *descriptor, dlp_FileKind *kind, int64_t *bytes, dlp_Error *error);

#endif
