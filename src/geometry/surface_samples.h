/* Points spread evenly over the surface of a mesh, without rows: boundary particles. */
#ifndef DLP_GEOMETRY_SURFACE_SAMPLES_H
#define DLP_GEOMETRY_SURFACE_SAMPLES_H

#include "base/memory.h"

#include <dollop/mesh.h>

#define DLP_SAMPLES_MOST ((int64_t)1 << 20) /* 1 GiB while they are found */

typedef struct dlp__SurfaceSamples {
    dlp__Memory *memory;
    int64_t count;
    float *position;    /* m, x y z */
    uint32_t *triangle; /* on which each lies */
} dlp__SurfaceSamples;

/* About one for each spacing^2 (m2), and no point of the surface much farther than 0.8 spacings from one. The mesh must have been
 * checked. To be released even if it fails. */
dlp_Result dlp__surface_samples_make(dlp__SurfaceSamples *samples, const dlp_Mesh *mesh, double spacing, uint64_t seed,
                                     dlp__Memory *memory, dlp_Error *error);
void dlp__surface_samples_release(dlp__SurfaceSamples *samples);

#endif
