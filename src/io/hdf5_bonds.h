/* Bonds in a checkpoint: /bonds/pairs, two ids each, and /bonds/lengths. Every bond is stored twice, once for each
 * end. */
#ifndef DLP_IO_HDF5_BONDS_H
#define DLP_IO_HDF5_BONDS_H

#include "io/hdf5_tools.h"
#include "world/world_state.h"

/* Nothing is written if there are no bonds, and then nothing is read. Reading needs world->next_id. */
dlp_Result dlp__hdf5_write_bonds(hid_t file, const dlp_World *world, dlp_Error *error);
dlp_Result dlp__hdf5_read_bonds(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error);

#endif
