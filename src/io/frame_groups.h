/* The frames of meshes that deform in a checkpoint: in the group of each, such as /meshes/0, a dataset `frame_times` and a dataset
 * `frame_vertices` with the vertices of one frame after the other. */
#ifndef DLP_IO_FRAME_GROUPS_H
#define DLP_IO_FRAME_GROUPS_H

#include "io/item_groups.h"

/* Both when the groups of the meshes and the meshes of the world are there. What is read meets the checks of the public calls. */
dlp_Result dlp__frame_groups_write(hid_t file, const dlp_World *world, dlp_Error *error);
dlp_Result dlp__frame_groups_read(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error);

#endif
