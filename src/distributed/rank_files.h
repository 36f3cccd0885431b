/* Files that all ranks write together with the parallel build of HDF5. */
#ifndef DLP_DISTRIBUTED_RANK_FILES_H
#define DLP_DISTRIBUTED_RANK_FILES_H

#include "base/rank_calls.h"

#include <hdf5.h>

/* Whether MPI can be trusted with files: DLP_ERROR_UNSUPPORTED if it uses a component that is known to damage them. */
dlp_Result dlp__ranks_check_files(dlp_Error *error);

/* Files opened with this access property list are shared by the ranks, who open and close them together. False on failure. */
bool dlp__hdf5_share_files(hid_t access, dlp_Ranks *ranks);
/* With this transfer property list all ranks write to a dataset together, each its own rows. False on failure. */
bool dlp__hdf5_set_collective(hid_t transfer);

/* The name by which MPI opens a file: false if it is too long. */
bool dlp__rank_file_name(const char *path, char *name, size_t size);

#endif
