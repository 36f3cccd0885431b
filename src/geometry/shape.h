/* Shapes as exact signed distance functions, and lattices of particles that fill them. */
#ifndef DLP_GEOMETRY_SHAPE_H
#define DLP_GEOMETRY_SHAPE_H

#include "base/memory.h"
#include "base/vector.h"
#include "geometry/box_tree.h"
#include "geometry/mesh_list.h"

#include <dollop/world.h>

/* A shape in place: its definition with the rotation as a matrix. */
typedef struct dlp__Shape {
    dlp_ShapeKind kind;
    dlp_Vec3 position; /* m */
    dlp__Rotation rotation;
    dlp_Vec3 half;                    /* m, half the size */
    double radius;                    /* m */
    double half_length;               /* m */
    dlp__InterpolatedField field;     /* of a mesh, at the current time; valid until the list has advanced twice */
    const dlp__DeformingMesh *frames; /* of a mesh that deforms, else null */
    double time;                      /* s, of that field */
} dlp__Shape;

/* If the shape is a mesh, it must be in the list; otherwise the list may be null. */
dlp__Shape dlp__shape_place(const dlp_ShapeDef *def, const dlp__MeshList *meshes);

/* Distance from the surface, negative inside the solid, and the unit normal pointing outwards (may be null; never zero:
 * where several surface points are equally close, one of them is chosen). */
double dlp__shape_distance(const dlp__Shape *shape, dlp_Vec3 point, dlp_Vec3 *normal);

/* Move a shape of a deforming mesh to another time (s) within the list's last advance. */
static inline void dlp__shape_deform(dlp__Shape *shape, double time)
{
    shape->time = time;
    shape->field = dlp__deforming_mesh_field(shape->frames, time);
}

/* m/s, velocity of deformation at the surface point closest to `point`, without the rigid motion. */
dlp_Vec3 dlp__shape_velocity(const dlp__Shape *shape, dlp_Vec3 point);

/* m, largest distance of the surface from the shape's position; infinite for a plane. */
double dlp__shape_radius(const dlp__Shape *shape);

/* A box around the inside of the shape: infinite for a plane and a container, which fill all space beyond their surface; for a mesh
 * enlarged by the error of its interpolated distances. */
dlp__Box dlp__shape_box(const dlp__Shape *shape);

/* The walls closer than `reach` to a point: distance (may be negative) and normal of each. A container reports each
 * face separately, every other shape at most one wall. Returns the count, at most DLP_SHAPE_WALLS. */
#define DLP_SHAPE_WALLS 6
typedef struct dlp__Wall {
    double distance; /* m */
    dlp_Vec3 normal;
} dlp__Wall;
int dlp__shape_walls(const dlp__Shape *shape, dlp_Vec3 point, double reach, dlp__Wall walls[DLP_SHAPE_WALLS]);

/* The number of particles that fill the shape on a cubic lattice that is centered in it and rotated with it; -1 for
 * shapes that cannot be filled (plane, container), and never 0. Along straight edges there are round(length / spacing)
 * layers, at least one; round parts take the lattice points inside them. Fast for any size: counts above about 4e9 in
 * round shapes, and above 63 bits in boxes, are returned as INT64_MAX. */
int64_t dlp__shape_fill_count(const dlp__Shape *shape, double spacing);
/* Write that many positions. */
void dlp__shape_fill(const dlp__Shape *shape, double spacing, float *x, float *y, float *z);

/* The same in a plane, around the origin: points of a square lattice in a disc or a rectangle. Returns the count; `u`
 * and `v` may be null to count only. */
int64_t dlp__disc_fill(double radius, double spacing, float *u, float *v);
int64_t dlp__rectangle_fill(double width, double height, double spacing, float *u, float *v);

#endif
