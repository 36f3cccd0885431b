/* Smoothing of a closed mesh that neither shrinks it nor rounds its edges: Taubin's two steps, one in and one out, with
 * neighbours counted less the more their normal differs; in the end the volume is put back by moving all vertices along
 * their normals. Every vertex gathers from its neighbours, in one fixed order. */
#ifndef DLP_SURFACE_MESH_SMOOTH_H
#define DLP_SURFACE_MESH_SMOOTH_H

#include "surface/marching.h"

typedef struct dlp__MeshSmoother {
    dlp__Memory *memory;
    dlp__Buffer start, link, other; /* where a vertex's links begin; the links; the other positions */
} dlp__MeshSmoother;

void dlp__mesh_smoother_init(dlp__MeshSmoother *smoother, dlp__Memory *memory);
void dlp__mesh_smoother_release(dlp__MeshSmoother *smoother);

/* Smooth positions `rounds` times and make the normals anew. False without memory. */
bool dlp__mesh_smooth(dlp__MeshSmoother *smoother, dlp__MarchedMesh *mesh, const dlp__Parallel *parallel, int rounds);

#endif
