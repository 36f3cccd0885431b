/* The meshes of a world in a file: /meshes/0 ..., each with its def as attributes and its vertices and triangles as
 * datasets. */
#ifndef DLP_IO_HDF5_MESHES_H
#define DLP_IO_HDF5_MESHES_H

#include "io/hdf5_items.h"

dlp_Result dlp__hdf5_write_meshes(hid_t file, const dlp_World *world, dlp_Error *error);

/* Reading calls `callback` for each mesh, which is checked before and released afterwards, and stops at the first
 * result other than DLP_OK. A file without the group has no meshes. */
typedef dlp_Result (*dlp__MeshCallback)(void *context, int index, const dlp_MeshDef *def, const dlp_Mesh *mesh);
dlp_Result dlp__hdf5_read_meshes(hid_t file, int64_t file_bytes, dlp__Memory *memory, dlp__MeshCallback callback,
                                 void *context, dlp_Error *error);

#endif
