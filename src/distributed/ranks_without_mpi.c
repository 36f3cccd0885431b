/* Ranks in a build without MPI: there are none. */
#include "base/error.h"
#include "distributed/rank_files.h"

#include <dollop/ranks.h>

static dlp_Result unsupported(dlp_Ranks **ranks, dlp_Error *error)
{
    if (ranks == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the place for the ranks is null");
    }
    *ranks = NULL;
    return dlp__fail(
        error, DLP_ERROR_UNSUPPORTED,
        "this dollop was built without MPI: install OpenMPI, Zoltan and parallel HDF5 (Debian: libopenmpi-dev, "
        "libtrilinos-zoltan-dev, libhdf5-openmpi-dev) and build it with -DDOLLOP_MPI=ON");
}

bool dlp_ranks_supported(void)
{
    return false;
}

dlp_Result dlp_ranks_start(dlp_Ranks **ranks, dlp_Error *error)
{
    return unsupported(ranks, error);
}

dlp_Result dlp_ranks_from_communicator(int communicator, dlp_Ranks **ranks, dlp_Error *error)
{
    (void)communicator;
    return unsupported(ranks, error);
}

void dlp_ranks_end(dlp_Ranks *ranks)
{
    (void)ranks;
}

/* Never called, because there are no other ranks. */

dlp_Result dlp__ranks_check_files(dlp_Error *error)
{
    return dlp__fail(error, DLP_ERROR_UNSUPPORTED, "this dollop was built without MPI");
}

bool dlp__hdf5_share_files(hid_t access, dlp_Ranks *ranks)
{
    (void)access;
    (void)ranks;
    return false;
}

bool dlp__hdf5_set_collective(hid_t transfer)
{
    (void)transfer;
    return false;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the version with MPI writes the name */
bool dlp__rank_file_name(const char *path, char *name, size_t size)
{
    (void)path;
    (void)name;
    (void)size;
    return false;
}
