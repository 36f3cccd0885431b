/* Meshes that are kept: checked, copied and given back. Normals and fields are not part of it. */
#ifndef DLP_GEOMETRY_MESH_COPY_H
#define DLP_GEOMETRY_MESH_COPY_H

#include "base/memory.h"

#include <dollop/mesh.h>

/* That there are triangles, that their corners are vertices and that these are at places that can be worked with. */
dlp_Result dlp__mesh_check(const dlp_Mesh *mesh, dlp_Error *error);

/* To be released even if it fails. */
dlp_Result dlp__mesh_copy(const dlp_Mesh *mesh, dlp__Memory *memory, dlp_Mesh *copy, dlp_Error *error);
void dlp__mesh_release(dlp_Mesh *mesh, dlp__Memory *memory);

#endif
