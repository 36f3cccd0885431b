/* Points spread evenly, but not in rows, over the surface of a mesh: boundary particles. */
#ifndef DLP_GEOMETRY_SURFACE_SAMPLES_H
#define DLP_GEOMETRY_SURFACE_SAMPLES_H

#include "base/memory.h"

#include <dollop/mesh.h>

#define DLP_MAX_SURFACE_SAMPLES ((int64_t)1 << 20) /* needs 1 GiB while sampling */

typedef struct dlp__SurfaceSamples {
    dlp__Memory *memory;
    int64_t count;
    float *position;    /* m, x y z */
    uint32_t *triangle; /* of each sample */
} dlp__SurfaceSamples;

/* About one sample per spacing^2 (m2); no point of the surface is much farther than 0.8 spacings from a sample. The
 * mesh must have passed dlp__mesh_check. Release the samples even if it fails. */
dlp_Result dlp__surface_samples_make(dlp__SurfaceSamples *samples, const dlp_Mesh *mesh, double spacing, uint64_t seed,
                                     dlp__Memory *memory, dlp_Error *error);
void dlp__surface_samples_release(dlp__SurfaceSamples *samples);

#endif
