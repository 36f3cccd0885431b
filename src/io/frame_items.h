/* What a frame contains beside its particles, so that rendering needs nothing else: materials, solids in their current
 * pose, their meshes, cameras. They are stored next to the group that ParaView reads, as in a checkpoint. */
#ifndef DLP_IO_FRAME_ITEMS_H
#define DLP_IO_FRAME_ITEMS_H

#include "io/hdf5_items.h"

#include <dollop/files.h>

#define DLP_FRAME_LISTS 3

typedef struct dlp__FrameItems {
    dlp__Memory *memory;
    dlp__Buffer list[DLP_FRAME_LISTS];
    int count[DLP_FRAME_LISTS];
    dlp__Buffer meshes; /* dlp_Mesh */
    int mesh_count;
} dlp__FrameItems;

dlp_Result dlp__frame_items_write(hid_t file, const dlp_World *world, dlp_Error *error);
/* `items` must be zeroed. Frames of older versions have none. */
dlp_Result dlp__frame_items_read(hid_t file, int64_t file_bytes, dlp__FrameItems *items, dlp__Memory *memory,
                                 dlp_Error *error);
void dlp__frame_items_release(dlp__FrameItems *items);
dlp_FrameScene dlp__frame_items_scene(const dlp__FrameItems *items);

#endif
