/* Smoothing of a closed mesh that preserves its volume and its edges: Taubin's two steps, shrinking and inflating,
 * where neighbors with a different normal have less weight; finally all vertices move along their normals to restore
 * the volume. Every vertex gathers from its neighbors in a fixed order. */
#ifndef DLP_SURFACE_MESH_SMOOTH_H
#define DLP_SURFACE_MESH_SMOOTH_H

#include "surface/marching_cubes.h"

typedef struct dlp__MeshSmoother {
    dlp__Memory *memory;
    dlp__Buffer start, adjacent, other; /* first entry of each vertex; adjacent vertices; second position buffer */
} dlp__MeshSmoother;

void dlp__mesh_smoother_init(dlp__MeshSmoother *smoother, dlp__Memory *memory);
void dlp__mesh_smoother_release(dlp__MeshSmoother *smoother);

/* Smooth positions and recompute normals. False when out of memory. */
bool dlp__mesh_smooth(dlp__MeshSmoother *smoother, dlp__MarchedMesh *mesh, const dlp__Parallel *parallel,
                      int iterations);

#endif
