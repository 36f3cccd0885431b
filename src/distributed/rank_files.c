/* Parallel HDF5 over MPI-IO, and which component of OpenMPI provides it. */
#include "distributed/rank_files.h"

#include "base/error.h"
#include "distributed/mpi_ranks.h"

#include <stdio.h>
#include <string.h>

enum { TEXT_SIZE = 2048 }; /* of a parameter of OpenMPI, which states its size as 2048 */

/* The value of a parameter of MPI, such as a list of components; empty if there is none of that name. */
static void read_parameter(const char *name, char text[TEXT_SIZE])
{
    int index, count = 0;
    MPI_T_cvar_handle handle;
    memset(text, 0, TEXT_SIZE);
    if (MPI_T_cvar_get_index(name, &index) != MPI_SUCCESS ||
        MPI_T_cvar_handle_alloc(index, NULL, &handle, &count) != MPI_SUCCESS) {
        return;
    }
    if (count <= TEXT_SIZE) {
        MPI_T_cvar_read(handle, text);
    }
    text[TEXT_SIZE - 1] = 0;
    MPI_T_cvar_handle_free(&handle);
}

/* Whether OpenMPI may choose a component, given its list: "a,b" are the only ones, "^a,b" all others, and "" all. */
static bool may_choose(const char *list, const char *component)
{
    const bool excludes = list[0] == '^';
    const size_t length = strlen(component);
    bool listed = false;
    for (const char *next = excludes ? list + 1 : list; *next != 0; next += *next == ',') {
        const size_t size = strcspn(next, ",");
        listed = listed || (size == length && memcmp(next, component, size) == 0);
        next += size;
    }
    return list[0] == 0 || listed != excludes;
}

dlp_Result dlp__ranks_check_files(dlp_Error *error)
{
#ifdef OPEN_MPI
    int level;
    char io[TEXT_SIZE], fcoll[TEXT_SIZE];
    if (MPI_T_init_thread(MPI_THREAD_SINGLE, &level) != MPI_SUCCESS) {
        return DLP_OK;
    }
    read_parameter("io", io);
    read_parameter("fcoll", fcoll);
    MPI_T_finalize();
    if (may_choose(io, "ompio") && may_choose(fcoll, "vulcan")) {
        return dlp__fail(
            error, DLP_ERROR_UNSUPPORTED,
            "files over several ranks need another component of OpenMPI: 'vulcan' of 'ompio' damages them or "
            "waits for ever. Set OMPI_MCA_io=^ompio in the environment before MPI starts, or give mpirun "
            "--mca io ^ompio");
    }
#endif
    return DLP_OK;
}

bool dlp__hdf5_share_files(hid_t access, dlp_Ranks *ranks)
{
    return H5Pset_fapl_mpio(access, dlp__mpi_of(ranks)->world, MPI_INFO_NULL) >= 0 &&
           H5Pset_all_coll_metadata_ops(access, true) >= 0;
}

bool dlp__hdf5_set_collective(hid_t transfer)
{
    return H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE) >= 0;
}

/* ROMIO takes the text before a colon for the kind of file system. */
bool dlp__rank_file_name(const char *path, char *name, size_t size)
{
    const char *system = strchr(path, ':') != NULL ? "ufs:" : "";
    const int length = snprintf(name, size, "%s%s", system, path);
    return length >= 0 && (size_t)length < size;
}
