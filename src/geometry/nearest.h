/* The point of a triangle mesh that is nearest to a given one, and on which side of the mesh that one lies. Embree finds the
 * triangles that come into question; the rest is done in double. */
#ifndef DLP_GEOMETRY_NEAREST_H
#define DLP_GEOMETRY_NEAREST_H

#include "base/memory.h"

#include <dollop/mesh.h>

typedef struct dlp__Nearest dlp__Nearest;

typedef struct dlp__NearestPoint {
    double distance; /* m, negative inside a closed mesh */
    dlp_Vec3 point;
    uint32_t triangle;
} dlp__NearestPoint;

/* The mesh must stay where it is. DLP_ERROR_UNSUPPORTED in a build without Embree. */
dlp_Result dlp__nearest_create(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__Nearest **nearest, dlp_Error *error);
void dlp__nearest_destroy(dlp__Nearest *nearest); /* null is fine */

/* False if the mesh is farther than `within` (m). A triangle known to be near makes the search short: `hint`, or
 * DLP_NEAREST_NO_HINT. May be called from many threads. */
#define DLP_NEAREST_NO_HINT UINT32_MAX
bool dlp__nearest_find(const dlp__Nearest *nearest, dlp_Vec3 point, double within, uint32_t hint,
                       dlp__NearestPoint *found);

#endif
