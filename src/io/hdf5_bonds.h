/* Bonds in a checkpoint: /bonds/pairs, two ids each, and /bonds/lengths. Every bond is stored twice, once for each
 * end. */
#ifndef DLP_IO_HDF5_BONDS_H
#define DLP_IO_HDF5_BONDS_H

#include "io/hdf5_tools.h"
#include "world/world_state.h"

/* The bonds of all ranks: of companions, and of the method. */
void dlp__hdf5_count_bonds(const dlp_World *world, int64_t counts[2]);
/* Nothing is written if there are no bonds, and then nothing is read. Over several ranks those of this one are added to `pending`. */
dlp_Result dlp__hdf5_write_bonds(hid_t file, dlp__Hdf5Pending *pending, const dlp_World *world, const int64_t counts[2],
                                 dlp_Error *error);
/* Reading needs world->next_id. Over several ranks each keeps the bonds of its particles, which it must have read before. */
dlp_Result dlp__hdf5_read_bonds(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error);

#endif
