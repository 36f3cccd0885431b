/* Lofting, which all procedural meshes are made with: closed loops of points, each joined to the next by a band of
 * triangles. */
#ifndef DLP_GEOMETRY_MESH_LOFT_H
#define DLP_GEOMETRY_MESH_LOFT_H

#include "base/vector.h"
#include "geometry/mesh_builder.h"

/* Points of a full circle on a round form: the sagitta of a chord is then 0.05 % of the radius. */
#define DLP_CIRCLE_POINTS 96

/* `count` vertices of a model from `first` on, in a circle; a single vertex closes the end of a form. */
typedef struct dlp__Loop {
    int64_t first, count;
} dlp__Loop;

/* The point of a loop at `turn` from 0 to 1. */
typedef dlp_Vec3 (*dlp__LoopPoint)(const void *context, double turn);

dlp__Loop dlp__loft_loop(dlp_Model *model, int64_t count, dlp__LoopPoint point, const void *context);

/* A band from `a` to `b`, which may have different counts. It faces outwards if both run counterclockwise seen from b
 * towards a: for a tower along z, from the lower to the upper loop. */
void dlp__loft_join(dlp_Model *model, dlp__Loop a, dlp__Loop b);

/* Adds loops one by one, each joined to the one before. */
typedef struct dlp__Loft {
    dlp_Model *model;
    dlp__Loop first, last;
    bool started;
} dlp__Loft;

void dlp__loft_add(dlp__Loft *loft, int64_t count, dlp__LoopPoint point, const void *context);
void dlp__loft_close(const dlp__Loft *loft); /* joins the last loop to the first */

/* A point of a profile that is revolved about the z axis. */
typedef struct dlp__ProfilePoint {
    double radius, z; /* m */
} dlp__ProfilePoint;

/* Number of points of a circle on a form with DLP_CIRCLE_POINTS at its `outer` radius: halved repeatedly towards the
 * axis, so that triangles stay about the same size, and 1 on the axis. */
int64_t dlp__circle_points(double radius, double outer);

/* Add a circle around z. */
void dlp__loft_circle(dlp__Loft *loft, int64_t count, double radius, double z);

/* Revolve a profile about z, with its straight parts divided into segments about as long as the triangles are wide. The
 * profile runs counterclockwise around the solid, with the axis on the left: upwards on the outer side. It starts and
 * ends on the axis, or is closed from its last point to its first. */
void dlp__loft_revolve(dlp_Model *model, const dlp__ProfilePoint *outline, int count, bool closed);

/* Number of segments of a length so that none is longer than `pitch`: at least 1, at most `max`. */
int64_t dlp__segment_count(double length, double pitch, int64_t max);

/* Cubic step from 0 to 1. */
double dlp__smoothstep(double x);

/* A tube along a polyline with `ring_points` points per ring and flat ends. The radius of bends must be larger than
 * that of the tube. */
void dlp__loft_tube(dlp_Model *model, const dlp_Vec3 *points, int64_t count, double radius, int64_t ring_points);

#endif
