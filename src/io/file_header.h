/* The header of our HDF5 files: 512 bytes before the HDF5 data (its 'user block') with the kind of the file, its length
 * and a checksum of every byte. It is verified before HDF5 reads the file, because HDF5 trusts its input. */
#ifndef DLP_IO_FILE_HEADER_H
#define DLP_IO_FILE_HEADER_H

#include "base/error.h"
#include "base/rank_agreement.h"

#include <dollop/files.h>

#define DLP_FILE_HEADER_SIZE 512
#define DLP_FILE_FORMAT      1 /* increase it when older files can no longer be read */

/* Write the header of a finished file: 0, or errno. Of several ranks (null: one process) each reads a share of the file for the checksum,
 * and the first writes the header. */
int dlp__file_header_write(int descriptor, dlp_FileKind kind, dlp_Ranks *ranks);

/* Open a file for reading and check its length and checksum. On success the caller closes `descriptor`, and must read
 * only through it: the name may refer to another file by then. All ranks open it, and each verifies a share of it. */
dlp_Result dlp__open_verified(const char *path, dlp_Ranks *ranks, int *descriptor, dlp_FileKind *kind, int64_t *bytes,
                              dlp_Error *error);

#endif
