/* Vertex normals of a mesh: weighted sums over the adjacent triangles. */
#ifndef DLP_GEOMETRY_MESH_NORMALS_H
#define DLP_GEOMETRY_MESH_NORMALS_H

#include "base/vector.h"

#include <dollop/mesh.h>

typedef enum dlp__NormalWeights {
    /* By the angle at the vertex: the only weights for which the sign of the distance is right where the closest point
     * is a vertex (Baerentzen and Aanaes 2005). */
    DLP_NORMALS_BY_ANGLE,
    /* By angle and area, for smooth shading: independent of how flat faces are triangulated, and slivers have little
     * weight. */
    DLP_NORMALS_BY_ANGLE_AND_AREA,
} dlp__NormalWeights;

/* `normal`: one per vertex, not normalized, zero where triangles cancel out. */
void dlp__mesh_vertex_normals(const dlp_Mesh *mesh, dlp__NormalWeights weights, dlp_Vec3 *normal);

#endif
