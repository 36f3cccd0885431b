/* Check, copy and release meshes. Normals and fields are not copied. */
#ifndef DLP_GEOMETRY_MESH_COPY_H
#define DLP_GEOMETRY_MESH_COPY_H

#include "base/memory.h"

#include <dollop/mesh.h>

/* Check that there are triangles, that their corners are vertices and that all positions are finite and in range. */
dlp_Result dlp__mesh_check(const dlp_Mesh *mesh, dlp_Error *error);

/* Release the copy even if it fails. */
dlp_Result dlp__mesh_copy(const dlp_Mesh *mesh, dlp__Memory *memory, dlp_Mesh *copy, dlp_Error *error);
void dlp__mesh_release(dlp_Mesh *mesh, dlp__Memory *memory);

#endif
