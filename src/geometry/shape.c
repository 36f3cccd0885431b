/* Signed distances to the shapes, computed in each shape's local frame. */
#include "geometry/shape.h"

dlp__Shape dlp__shape_place(const dlp_ShapeDef *def, const dlp__MeshList *meshes)
{
    const dlp__MeshItem *mesh = dlp__mesh_list_find(meshes, def);
    const dlp__DeformingMesh *frames = mesh != NULL ? mesh->frames : NULL;
    dlp__Shape shape = {
        .kind = (dlp_ShapeKind)def->kind,
        .position = def->position,
        .rotation = dlp__rotation(def->rotation),
        .half = dlp__scale(def->size, 0.5),
        .radius = def->radius,
        .half_length = 0.5 * def->length,
        .field = {.from = mesh != NULL ? &mesh->field : NULL},
        .frames = frames,
    };
    if (frames != NULL) {
        dlp__shape_deform(&shape, meshes->now);
    }
    return shape;
}

/* Distance to a box from the excess over each pair of faces (negative: inside); `normal` receives the absolute
 * components. */
static double box_distance_from_excess(dlp_Vec3 excess, dlp_Vec3 *normal)
{
    if (excess.x > 0.0 || excess.y > 0.0 || excess.z > 0.0) {
        dlp_Vec3 outside = dlp__vec3(excess.x > 0.0 ? excess.x : 0.0, excess.y > 0.0 ? excess.y : 0.0,
                                     excess.z > 0.0 ? excess.z : 0.0);
        double distance = dlp__length(outside);
        if (distance > 0.0) { /* squares of tiny numbers underflow */
            *normal = dlp__scale(outside, 1.0 / distance);
            return distance;
        }
    }
    if (excess.z >= excess.x && excess.z >= excess.y) {
        *normal = dlp__vec3(0.0, 0.0, 1.0);
        return excess.z;
    }
    if (excess.y >= excess.x) {
        *normal = dlp__vec3(0.0, 1.0, 0.0);
        return excess.y;
    }
    *normal = dlp__vec3(1.0, 0.0, 0.0);
    return excess.x;
}

static double box_distance(dlp_Vec3 half, dlp_Vec3 p, dlp_Vec3 *normal)
{
    double distance = box_distance_from_excess(dlp__vec3(fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z),
                                               normal);
    *normal = dlp__vec3(copysign(normal->x, p.x), copysign(normal->y, p.y), copysign(normal->z, p.z));
    return distance;
}

/* At the center the normal is sideways, which is also right for the axis of a capsule. */
static double ball_distance(double radius, dlp_Vec3 p, dlp_Vec3 *normal)
{
    double from_center = dlp__length(p);
    *normal = from_center > 0.0 ? dlp__scale(p, 1.0 / from_center) : dlp__vec3(1.0, 0.0, 0.0);
    return from_center - radius;
}

static double cylinder_distance(double radius, double half_length, dlp_Vec3 p, dlp_Vec3 *normal)
{
    double from_axis = sqrt(p.x * p.x + p.y * p.y);
    dlp_Vec3 axes;
    double distance = box_distance_from_excess(dlp__vec3(from_axis - radius, -INFINITY, fabs(p.z) - half_length),
                                               &axes);
    double along_x = from_axis > 0.0 ? p.x / from_axis : 1.0;
    double along_y = from_axis > 0.0 ? p.y / from_axis : 0.0;
    *normal = dlp__vec3(axes.x * along_x, axes.x * along_y, copysign(axes.z, p.z));
    return distance;
}

double dlp__shape_distance(const dlp__Shape *shape, dlp_Vec3 point, dlp_Vec3 *normal)
{
    dlp_Vec3 p = dlp__unrotate(&shape->rotation, dlp__sub(point, shape->position));
    dlp_Vec3 local = dlp__vec3(0.0, 0.0, 1.0);
    double distance = p.z;
    switch (shape->kind) {
    case DLP_SHAPE_PLANE: break;
    case DLP_SHAPE_BOX: distance = box_distance(shape->half, p, &local); break;
    case DLP_SHAPE_CONTAINER:
        distance = -box_distance(shape->half, p, &local);
        local = dlp__scale(local, -1.0);
        break;
    case DLP_SHAPE_SPHERE: distance = ball_distance(shape->radius, p, &local); break;
    case DLP_SHAPE_CAPSULE:
        p.z -= fmax(-shape->half_length, fmin(p.z, shape->half_length));
        distance = ball_distance(shape->radius, p, &local);
        break;
    case DLP_SHAPE_MESH: distance = dlp__interpolated_distance(&shape->field, p, &local); break;
    case DLP_SHAPE_CYLINDER: distance = cylinder_distance(shape->radius, shape->half_length, p, &local); break;
    }
    if (normal != NULL) {
        *normal = dlp__rotate(&shape->rotation, local);
    }
    return distance;
}

dlp_Vec3 dlp__shape_velocity(const dlp__Shape *shape, dlp_Vec3 point)
{
    if (shape->frames == NULL) {
        return dlp__vec3(0.0, 0.0, 0.0);
    }
    const dlp_Vec3 p = dlp__unrotate(&shape->rotation, dlp__sub(point, shape->position));
    return dlp__rotate(&shape->rotation, dlp__interpolated_velocity(&shape->field, p));
}

double dlp__shape_radius(const dlp__Shape *shape)
{
    switch (shape->kind) {
    case DLP_SHAPE_PLANE: break;
    case DLP_SHAPE_BOX:
    case DLP_SHAPE_CONTAINER: return dlp__length(shape->half);
    case DLP_SHAPE_SPHERE: return shape->radius;
    case DLP_SHAPE_CAPSULE: return shape->half_length + shape->radius;
    case DLP_SHAPE_CYLINDER: return hypot(shape->half_length, shape->radius);
    case DLP_SHAPE_MESH: {
        dlp_Vec3 low, high;
        dlp__interpolated_bounds(&shape->field, &low, &high);
        return dlp__length(dlp__vec3(fmax(fabs(low.x), fabs(high.x)), fmax(fabs(low.y), fabs(high.y)),
                                     fmax(fabs(low.z), fabs(high.z))));
    }
    }
    return INFINITY;
}

static const double MESH_MARGIN = 2.0; /* cells of the distance field */

dlp__Box dlp__shape_box(const dlp__Shape *shape)
{
    const bool is_infinite = shape->kind == DLP_SHAPE_PLANE || shape->kind == DLP_SHAPE_CONTAINER;
    double radius = is_infinite ? (double)INFINITY : dlp__shape_radius(shape);
    if (shape->kind == DLP_SHAPE_MESH) {
        radius += MESH_MARGIN * shape->field.from->cell;
    }
    return dlp__box_around(shape->position, dlp__vec3(radius, radius, radius));
}

static int container_walls(const dlp__Shape *shape, dlp_Vec3 point, double reach, dlp__Wall walls[DLP_SHAPE_WALLS])
{
    dlp_Vec3 p = dlp__unrotate(&shape->rotation, dlp__sub(point, shape->position));
    const dlp_Vec3 axis[3] = {shape->rotation.x, shape->rotation.y, shape->rotation.z};
    const double at[3] = {p.x, p.y, p.z};
    const double half[3] = {shape->half.x, shape->half.y, shape->half.z};
    int count = 0;
    for (int a = 0; a < 3; a++) {
        if (half[a] + at[a] < reach) {
            walls[count++] = (dlp__Wall){half[a] + at[a], axis[a]};
        }
        if (half[a] - at[a] < reach) {
            walls[count++] = (dlp__Wall){half[a] - at[a], dlp__scale(axis[a], -1.0)};
        }
    }
    return count;
}

int dlp__shape_walls(const dlp__Shape *shape, dlp_Vec3 point, double reach, dlp__Wall walls[DLP_SHAPE_WALLS])
{
    if (shape->kind == DLP_SHAPE_CONTAINER) {
        return container_walls(shape, point, reach, walls);
    }
    walls[0].distance = dlp__shape_distance(shape, point, &walls[0].normal);
    return walls[0].distance < reach ? 1 : 0;
}
