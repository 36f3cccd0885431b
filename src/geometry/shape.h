/* Shapes as exact signed distance functions, and the particles that fill them. */
#ifndef DLP_GEOMETRY_SHAPE_H
#define DLP_GEOMETRY_SHAPE_H

#include "base/memory.h"
#include "base/vector.h"
#include "geometry/mesh_list.h"

#include <dollop/world.h>

/* A shape in place: its definition with the rotation worked out. */
typedef struct dlp__Shape {
    dlp_ShapeKind kind;
    dlp_Vec3 position; /* m */
    dlp__Rotation rotation;
    dlp_Vec3 half;                 /* m, half the size      */
    double radius;                 /* m                     */
    double half_length;            /* m                     */
    dlp__Moment moment;            /* of a mesh, at the time of its list; good until the list is placed twice more */
    const dlp__MeshFrames *frames; /* of a mesh that deforms, else null */
    double time;                   /* s, which moment that is           */
} dlp__Shape;

/* A shape that is a mesh must be one of the list's; for others the list may be null. */
dlp__Shape dlp__shape_place(const dlp_ShapeDef *def, const dlp__MeshList *meshes);

/* Distance from the surface, negative inside the solid, and the unit normal that points out of it (may be null; never
 * zero: where several surface points are equally near, one of them is picked). */
double dlp__shape_distance(const dlp__Shape *shape, dlp_Vec3 point, dlp_Vec3 *normal);

/* The same shape, of a mesh that deforms, at another time (s) between those that its list was brought from and to. */
static inline void dlp__shape_deform(dlp__Shape *shape, double time)
{
    shape->time = time;
    shape->moment = dlp__mesh_frames_moment(shape->frames, time);
}

/* m/s, of the matter nearest to a point by which the shape deforms, without what it moves as a whole. */
dlp_Vec3 dlp__shape_velocity(const dlp__Shape *shape, dlp_Vec3 point);

/* m, how far from its position the surface reaches; infinite for a plane. */
double dlp__shape_radius(const dlp__Shape *shape);

/* The walls closer than `reach` to a point: distance (may be negative) and normal of each; a container shows its faces
 * one by one, everything else has at most one. Returns how many, at most DLP_SHAPE_WALLS. */
#define DLP_SHAPE_WALLS 6
typedef struct dlp__Wall {
    double distance; /* m */
    dlp_Vec3 normal;
} dlp__Wall;
int dlp__shape_walls(const dlp__Shape *shape, dlp_Vec3 point, double reach, dlp__Wall walls[DLP_SHAPE_WALLS]);

/* How many particles of that spacing fill the shape, on a cubic lattice that is centred in it and turned with it; -1
 * for shapes that cannot be filled (plane, container), and never 0. Along straight edges there are
 * round(length / spacing) layers, at least one; round parts take the lattice points inside them. The answer is quick
 * for any size: counts beyond some 4e9 in round shapes, and beyond 63 bits in boxes, come out as INT64_MAX. */
int64_t dlp__shape_fill_count(const dlp__Shape *shape, double spacing);
/* Write their positions, as many as counted. */
void dlp__shape_fill(const dlp__Shape *shape, double spacing, float *x, float *y, float *z);

/* The same in a plane, about the origin: points of a square lattice in a disc or a rectangle. Returns how many;
 * `u` and `v` may be null to count only. */
int64_t dlp__disc_fill(double radius, double spacing, float *u, float *v);
int64_t dlp__rectangle_fill(double width, double height, double spacing, float *u, float *v);

#endif
