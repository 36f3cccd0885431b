/* The meshes of a world in a file: /meshes/0 ..., each with its def as attributes and its vertices and triangles as datasets. */
#ifndef DLP_IO_MESH_GROUPS_H
#define DLP_IO_MESH_GROUPS_H

#include "io/item_groups.h"

dlp_Result dlp__mesh_groups_write(hid_t file, const dlp_World *world, dlp_Error *error);

/* What is read goes to `take` one by one, checked, and is gone after it; what `take` returns ends the reading unless it is
 * DLP_OK. A file without the group has no meshes. */
typedef dlp_Result (*dlp__TakeMesh)(void *context, int index, const dlp_MeshDef *def, const dlp_Mesh *mesh);
dlp_Result dlp__mesh_groups_read(hid_t file, int64_t file_bytes, dlp__Memory *memory, dlp__TakeMesh take, void *context,
                                 dlp_Error *error);

#endif
