/* Small vectors and rotations in double precision, for geometry and setup; particle loops use simd.h. */
#ifndef DLP_BASE_VECTOR_H
#define DLP_BASE_VECTOR_H

#include <dollop/types.h>
#include <math.h>

static inline dlp_Vec3 dlp__vec3(double x, double y, double z)
{
    return (dlp_Vec3){x, y, z};
}

static inline dlp_Vec3 dlp__add(dlp_Vec3 a, dlp_Vec3 b)
{
    return dlp__vec3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline dlp_Vec3 dlp__sub(dlp_Vec3 a, dlp_Vec3 b)
{
    return dlp__vec3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline dlp_Vec3 dlp__scale(dlp_Vec3 a, double s)
{
    return dlp__vec3(a.x * s, a.y * s, a.z * s);
}

static inline double dlp__dot(dlp_Vec3 a, dlp_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline dlp_Vec3 dlp__cross(dlp_Vec3 a, dlp_Vec3 b)
{
    return dlp__vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline double dlp__length(dlp_Vec3 a)
{
    return sqrt(dlp__dot(a, a));
}

/* The unit vector; a zero vector is returned unchanged. */
static inline dlp_Vec3 dlp__unit(dlp_Vec3 a)
{
    const double size = dlp__length(a);
    return size > 0.0 ? dlp__scale(a, 1.0 / size) : a;
}

/* The unit vector; +z for a zero vector. */
static inline dlp_Vec3 dlp__unit_or_up(dlp_Vec3 a)
{
    return dlp__length(a) > 0.0 ? dlp__unit(a) : dlp__vec3(0.0, 0.0, 1.0);
}

/* A rotation matrix as its columns: the images of the x, y and z axes. */
typedef struct dlp__Rotation {
    dlp_Vec3 x, y, z;
} dlp__Rotation;

/* Rotation by |v| radians about v (Rodrigues). */
static inline dlp__Rotation dlp__rotation(dlp_Vec3 v)
{
    double angle = dlp__length(v);
    if (angle == 0.0) {
        return (dlp__Rotation){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    }
    dlp_Vec3 a = dlp__scale(v, 1.0 / angle);
    double c = cos(angle), s = sin(angle), t = 1.0 - c;
    return (dlp__Rotation){
        {c + t * a.x * a.x, t * a.x * a.y + s * a.z, t * a.x * a.z - s * a.y},
        {t * a.x * a.y - s * a.z, c + t * a.y * a.y, t * a.y * a.z + s * a.x},
        {t * a.x * a.z + s * a.y, t * a.y * a.z - s * a.x, c + t * a.z * a.z},
    };
}

static inline dlp_Vec3 dlp__rotate(const dlp__Rotation *r, dlp_Vec3 v)
{
    return dlp__add(dlp__add(dlp__scale(r->x, v.x), dlp__scale(r->y, v.y)), dlp__scale(r->z, v.z));
}

static inline dlp_Vec3 dlp__unrotate(const dlp__Rotation *r, dlp_Vec3 v)
{
    return dlp__vec3(dlp__dot(r->x, v), dlp__dot(r->y, v), dlp__dot(r->z, v));
}

/* Rotation by b, then by a. */
static inline dlp__Rotation dlp__rotation_product(const dlp__Rotation *a, const dlp__Rotation *b)
{
    return (dlp__Rotation){dlp__rotate(a, b->x), dlp__rotate(a, b->y), dlp__rotate(a, b->z)};
}

static inline dlp__Rotation dlp__rotation_inverse(const dlp__Rotation *r)
{
    return (dlp__Rotation){{r->x.x, r->y.x, r->z.x}, {r->x.y, r->y.y, r->z.y}, {r->x.z, r->y.z, r->z.z}};
}

/* The inverse of dlp__rotation: axis times angle, 0 to pi. */
static inline dlp_Vec3 dlp__rotation_vector(const dlp__Rotation *r)
{
    /* Select the largest component of the quaternion, to avoid dividing by a small number. */
    const double trace = r->x.x + r->y.y + r->z.z;
    double w = 1.0 + trace, x = 1.0 + 2.0 * r->x.x - trace, y = 1.0 + 2.0 * r->y.y - trace,
           z = 1.0 + 2.0 * r->z.z - trace;
    const dlp_Vec3 twist = {r->y.z - r->z.y, r->z.x - r->x.z, r->x.y - r->y.x};
    if (w >= x && w >= y && w >= z) {
        x = twist.x, y = twist.y, z = twist.z;
    } else if (x >= y && x >= z) {
        w = twist.x, y = r->y.x + r->x.y, z = r->z.x + r->x.z;
    } else if (y >= z) {
        w = twist.y, x = r->y.x + r->x.y, z = r->z.y + r->y.z;
    } else {
        w = twist.z, x = r->z.x + r->x.z, y = r->z.y + r->y.z;
    }
    const double sine = sqrt(x * x + y * y + z * z), sign = w < 0.0 ? -1.0 : 1.0;
    return sine > 0.0 ? dlp__scale(dlp__vec3(x, y, z), sign * 2.0 * atan2(sine, sign * w) / sine) : dlp__vec3(0, 0, 0);
}

#endif
