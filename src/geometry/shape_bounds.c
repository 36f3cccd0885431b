/* The axis-aligned box around a shape in place. */
#include "base/vector.h"

#include <dollop/files.h>

static dlp_Vec3 box_half(const dlp__Rotation *r, dlp_Vec3 half)
{
    return dlp__vec3(fabs(r->x.x) * half.x + fabs(r->y.x) * half.y + fabs(r->z.x) * half.z,
                     fabs(r->x.y) * half.x + fabs(r->y.y) * half.y + fabs(r->z.y) * half.z,
                     fabs(r->x.z) * half.x + fabs(r->y.z) * half.y + fabs(r->z.z) * half.z);
}

/* A disc extends sin(angle between the coordinate axis and its normal) times its radius. */
static dlp_Vec3 disc_half(dlp_Vec3 normal, double radius)
{
    return dlp__vec3(radius * sqrt(fmax(1.0 - normal.x * normal.x, 0.0)),
                     radius * sqrt(fmax(1.0 - normal.y * normal.y, 0.0)),
                     radius * sqrt(fmax(1.0 - normal.z * normal.z, 0.0)));
}

static bool mesh_bounds(const dlp_Mesh *mesh, const dlp__Rotation *rotation, dlp_Vec3 *lower, dlp_Vec3 *upper)
{
    *lower = dlp__vec3(HUGE_VAL, HUGE_VAL, HUGE_VAL);
    *upper = dlp__scale(*lower, -1.0);
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const float *at = mesh->position + 3 * v;
        const dlp_Vec3 p = dlp__rotate(rotation, dlp__vec3((double)at[0], (double)at[1], (double)at[2]));
        *lower = dlp__vec3(fmin(lower->x, p.x), fmin(lower->y, p.y), fmin(lower->z, p.z));
        *upper = dlp__vec3(fmax(upper->x, p.x), fmax(upper->y, p.y), fmax(upper->z, p.z));
    }
    return mesh->vertex_count > 0;
}

bool dlp_shape_bounds(const dlp_ShapeDef *shape, const dlp_Mesh *meshes, int mesh_count, dlp_Vec3 *lower,
                      dlp_Vec3 *upper)
{
    if (shape == NULL || lower == NULL || upper == NULL) {
        return false;
    }
    const dlp__Rotation rotation = dlp__rotation(shape->rotation);
    const double radius = shape->radius;
    const dlp_Vec3 ball = {radius, radius, radius}, axis = dlp__scale(rotation.z, 0.5 * shape->length);
    const dlp_Vec3 axis_half = {fabs(axis.x), fabs(axis.y), fabs(axis.z)};
    dlp_Vec3 half = {0, 0, 0};
    switch ((dlp_ShapeKind)shape->kind) {
    case DLP_SHAPE_BOX:
    case DLP_SHAPE_CONTAINER: half = box_half(&rotation, dlp__scale(shape->size, 0.5)); break;
    case DLP_SHAPE_SPHERE: half = ball; break;
    case DLP_SHAPE_CAPSULE: half = dlp__add(axis_half, ball); break;
    case DLP_SHAPE_CYLINDER: half = dlp__add(axis_half, disc_half(rotation.z, radius)); break;
    case DLP_SHAPE_MESH:
        if (meshes == NULL || shape->mesh < 0 || shape->mesh >= mesh_count ||
            !mesh_bounds(&meshes[shape->mesh], &rotation, lower, upper)) {
            return false;
        }
        *lower = dlp__add(*lower, shape->position);
        *upper = dlp__add(*upper, shape->position);
        return true;
    case DLP_SHAPE_PLANE: return false;
    }
    *lower = dlp__sub(shape->position, half);
    *upper = dlp__add(shape->position, half);
    return true;
}
