/* The closest point of a triangle mesh, and on which side of the mesh the query point lies. Embree finds the candidate
 * triangles; distances are computed in double precision. */
#ifndef DLP_GEOMETRY_NEAREST_H
#define DLP_GEOMETRY_NEAREST_H

#include "base/memory.h"

#include <dollop/mesh.h>

typedef struct dlp__ClosestPointQuery dlp__ClosestPointQuery;

typedef struct dlp__ClosestPoint {
    double distance; /* m, negative inside a closed mesh */
    dlp_Vec3 point;
    uint32_t triangle;
} dlp__ClosestPoint;

/* The mesh must outlive the query. DLP_ERROR_UNSUPPORTED in a build without Embree. */
dlp_Result dlp__closest_point_create(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__ClosestPointQuery **query,
                                     dlp_Error *error);
void dlp__closest_point_destroy(dlp__ClosestPointQuery *query); /* may be null */

/* False if the mesh is farther than `max_distance` (m). A triangle known to be close speeds up the search: `hint`, or
 * DLP_CLOSEST_POINT_NO_HINT. Thread-safe. */
#define DLP_CLOSEST_POINT_NO_HINT UINT32_MAX
bool dlp__closest_point_find(const dlp__ClosestPointQuery *query, dlp_Vec3 point, double max_distance, uint32_t hint,
                             dlp__ClosestPoint *result);

#endif
