/* The rows of large arrays that all ranks write into one file together, with parallel HDF5.
 *
 * The file exists: its arrays are contiguous and empty. So writing changes no metadata of HDF5, and each rank writes one range of
 * bytes of each array. The arrays are not compressed: the filters of HDF5 halve a checkpoint of two million particles, but two ranks
 * take seven times as long to write it. */
#ifndef DLP_IO_RANK_ROWS_H
#define DLP_IO_RANK_ROWS_H

#include "io/hdf5_tools.h"

/* Lack of memory is the failure of all ranks. If MPI or HDF5 fails on one, for instance because its disk does, the others wait for it in
 * MPI, so all of them are ended with a message; the file has not replaced an older one then. */
dlp_Result dlp__rank_rows_write(const dlp__Hdf5Pending *pending, const char *path, const dlp__ParticleParts *parts,
                                const dlp__Parallel *parallel, dlp__Memory *memory, dlp_Error *error);

#endif
