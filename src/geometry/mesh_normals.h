/* Normals at the vertices of a mesh: sums over the triangles around each, weighted for what they are asked for. */
#ifndef DLP_GEOMETRY_MESH_NORMALS_H
#define DLP_GEOMETRY_MESH_NORMALS_H

#include "base/vector.h"

#include <dollop/mesh.h>

typedef enum dlp__NormalUse {
    /* Tell the side on which a point lies whose nearest point is the vertex: each triangle by its angle there, which is the only
     * weight that never tells wrong (Baerentzen and Aanaes 2005). */
    DLP_NORMALS_OF_SIDES,
    /* Show a smooth surface: by angle and area, so that neither how a flat face is cut up nor a sliver beside it turns them. */
    DLP_NORMALS_SEEN,
} dlp__NormalUse;

/* `normal`: one for each vertex, of any length, zero where triangles cancel each other out. */
void dlp__mesh_normals(const dlp_Mesh *mesh, dlp__NormalUse use, dlp_Vec3 *normal);

#endif
