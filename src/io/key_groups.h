/* The keys of solids and emitters in a checkpoint: a dataset `keys` in the group of each that has some, such as /solids/0/keys,
 * a row of time, position and rotation for each key. Likewise `flow` of emitters, rows of time and factor,
 * and `viscosity_at` of materials, rows of temperature and viscosity. */
#ifndef DLP_IO_KEY_GROUPS_H
#define DLP_IO_KEY_GROUPS_H

#include "io/item_groups.h"

/* Both when the groups of the items and the items of the world are there. What is read meets the checks of the public calls. */
dlp_Result dlp__key_groups_write(hid_t file, const dlp_World *world, dlp_Error *error);
dlp_Result dlp__key_groups_read(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error);

#endif
