/* The keys of solids and emitters in a checkpoint: a dataset `keys` in the group of each item that has some, such as
 * /solids/0/keys, with a row of time, position and rotation per key. Likewise `flow` of emitters, rows of time and
 * factor, and `viscosity_at` of materials, rows of temperature and viscosity. */
#ifndef DLP_IO_HDF5_KEYS_H
#define DLP_IO_HDF5_KEYS_H

#include "io/hdf5_items.h"

/* Called after the groups of the items were written, or the items of the world were loaded. Values pass the checks of
 * the public calls. */
dlp_Result dlp__hdf5_write_keys(hid_t file, const dlp_World *world, dlp_Error *error);
dlp_Result dlp__hdf5_read_keys(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error);

#endif
