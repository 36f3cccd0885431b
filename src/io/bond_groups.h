/* Bonds in a checkpoint: /bonds/pairs, two ids for each, and /bonds/lengths. Every bond stands in it twice, once for
 * each end. */
#ifndef DLP_IO_BOND_GROUPS_H
#define DLP_IO_BOND_GROUPS_H

#include "io/hdf5_tools.h"
#include "world/world_state.h"

/* Nothing is written where there are no bonds, and then nothing is read. Reading needs the number of ids given so far. */
dlp_Result dlp__bond_groups_write(hid_t file, const dlp_World *world, dlp_Error *error);
dlp_Result dlp__bond_groups_read(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error);

#endif
