/* Writes an HDF5 file with our header, atomically, and opens it again after verification. */
#ifndef DLP_IO_VERIFIED_FILE_H
#define DLP_IO_VERIFIED_FILE_H

#include "io/file_summary.h"

#include <dollop/files.h>

/* A file that is being written, in two parts: `begin` reads the world, `finish` only the particles, perhaps on another thread.
 *
 * Several ranks write one file together. In `begin` each makes the groups, attributes, small arrays and empty large ones by itself, the
 * first in the file, the others in memory, so that all know what the file contains, and nothing that fails on one of them keeps others
 * waiting. In `finish` all write their rows of the large arrays into the file of the first (rank_rows.h). */
typedef struct dlp__FileInWork {
    dlp__AtomicFile atomic;
    dlp__Hdf5File hdf5;
    dlp__Hdf5Pending pending;
    dlp__Summary summary;
    int64_t bonds[2]; /* of all ranks, in a checkpoint: see hdf5_bonds.h */
    int in_memory;    /* descriptor of the file in memory of the other ranks, or -1 */
} dlp__FileInWork;

/* Adds the contents; all ranks call it, but it must not communicate. */
typedef dlp_Result (*dlp__ContentFunction)(dlp__FileInWork *file, const dlp_World *world, dlp_Error *error);

/* Open the file; `content` adds its contents, but leaves the values of large fields pending. After success exactly one of finish and
 * discard must follow. */
dlp_Result dlp__verified_file_begin(dlp__FileInWork *file, dlp_World *world, const char *path,
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

/* After success it must be closed. All ranks (null: one process) open a file together, and each verifies a share of it; then each reads what
 * it needs by itself. */
dlp_Result dlp__verified_file_open(dlp__VerifiedFile *file, const char *path, dlp_Ranks *ranks, dlp_Error *error);
/* `result` and `error` are those of reading it, and get the name of the file. Returns that result, or the failure of disk or memory
 * that was its cause: what could not be read must not be taken for damaged. */
dlp_Result dlp__verified_file_close(dlp__VerifiedFile *file, dlp_Result result, dlp_Error *error);

/* The summary of the file. */
dlp_Result dlp__file_info_read(const dlp__VerifiedFile *file, dlp_FileInfo *info, dlp_Error *error);

#endif
