/* What sums over the triangles of a mesh are made of. */
#ifndef DLP_GEOMETRY_MESH_TRIANGLE_H
#define DLP_GEOMETRY_MESH_TRIANGLE_H

#include "base/vector.h"

/* Twice its area, along its normal, m2. */
static inline dlp_Vec3 dlp__triangle_area(const float *position, const uint32_t *triangle)
{
    dlp_Vec3 corner[3];
    for (int k = 0; k < 3; k++) {
        const float *p = position + 3 * (int64_t)triangle[k];
        corner[k] = dlp__vec3((double)p[0], (double)p[1], (double)p[2]);
    }
    return dlp__cross(dlp__sub(corner[1], corner[0]), dlp__sub(corner[2], corner[0]));
}

/* m3, of the cone from the origin to it; over a closed mesh the volume inside. */
static inline double dlp__triangle_volume(const float *position, const uint32_t *triangle)
{
    const float *p = position + 3 * (int64_t)triangle[0];
    return dlp__dot(dlp__vec3((double)p[0], (double)p[1], (double)p[2]), dlp__triangle_area(position, triangle)) / 6.0;
}

#endif
