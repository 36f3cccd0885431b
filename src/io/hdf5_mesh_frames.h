/* The frames of deforming meshes in a checkpoint: in the group of each mesh, such as /meshes/0, a dataset `frame_times`
 * and a dataset `frame_vertices` with the vertices of all frames in sequence. */
#ifndef DLP_IO_HDF5_MESH_FRAMES_H
#define DLP_IO_HDF5_MESH_FRAMES_H

#include "io/hdf5_items.h"

/* Called after the groups of the meshes were written, or the meshes of the world were loaded. Values pass the checks of
 * the public calls. */
dlp_Result dlp__hdf5_write_mesh_frames(hid_t file, const dlp_World *world, dlp_Error *error);
dlp_Result dlp__hdf5_read_mesh_frames(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error);

#endif
