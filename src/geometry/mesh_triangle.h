/* Vertices and triangles of a mesh as vectors, and their contributions to area and volume. */
#ifndef DLP_GEOMETRY_MESH_TRIANGLE_H
#define DLP_GEOMETRY_MESH_TRIANGLE_H

#include "base/vector.h"

static inline dlp_Vec3 dlp__mesh_vertex(const float *position, uint32_t vertex)
{
    const float *p = position + 3 * (int64_t)vertex;
    return dlp__vec3((double)p[0], (double)p[1], (double)p[2]);
}

/* Twice the area times the unit normal, m2. */
static inline dlp_Vec3 dlp__triangle_area(const float *position, const uint32_t *triangle)
{
    const dlp_Vec3 first = dlp__mesh_vertex(position, triangle[0]);
    return dlp__cross(dlp__sub(dlp__mesh_vertex(position, triangle[1]), first),
                      dlp__sub(dlp__mesh_vertex(position, triangle[2]), first));
}

/* m3, signed volume of the tetrahedron with the origin; the sum over a closed mesh is its volume. */
static inline double dlp__triangle_volume(const float *position, const uint32_t *triangle)
{
    return dlp__dot(dlp__mesh_vertex(position, triangle[0]), dlp__triangle_area(position, triangle)) / 6.0;
}

#endif
