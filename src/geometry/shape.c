/* Signed distances to the shapes, worked out in each shape's own frame, where it is centred and its axes are x, y, z. */
#include "geometry/shape.h"

dlp__Shape dlp__shape_place(const dlp_ShapeDef *def, const dlp__MeshList *meshes)
{
    const dlp__MeshItem *mesh = dlp__mesh_list_find(meshes, def);
    const dlp__MeshFrames *frames = mesh != NULL ? mesh->frames : NULL;
    dlp__Shape shape = {
        .kind = (dlp_ShapeKind)def->kind,
        .position = def->position,
        .rotation = dlp__rotation(def->rotation),
        .half = dlp__scale(def->size, 0.5),
        .radius = def->radius,
        .half_length = 0.5 * def->length,
        .moment = {.from = mesh != NULL ? &mesh->field : NULL},
        .frames = frames,
    };
    if (frames != NULL) {
        dlp__shape_deform(&shape, meshes->now);
    }
    return shape;
}

/* Distance to a box from how far a point lies beyond each pair of faces (negative: within); `normal` gets the shares of
 * the three axes, not yet signed. */
static double beyond_faces(dlp_Vec3 beyond, dlp_Vec3 *normal)
{
    if (beyond.x > 0.0 || beyond.y > 0.0 || beyond.z > 0.0) {
        dlp_Vec3 outside = dlp__vec3(beyond.x > 0.0 ? beyond.x : 0.0, beyond.y > 0.0 ? beyond.y : 0.0,
                                     beyond.z > 0.0 ? beyond.z : 0.0);
        double distance = dlp__length(outside);
        if (distance > 0.0) { /* squares of tiny numbers vanish */
            *normal = dlp__scale(outside, 1.0 / distance);
            return distance;
        }
    }
    if (beyond.z >= beyond.x && beyond.z >= beyond.y) {
        *normal = dlp__vec3(0.0, 0.0, 1.0);
        return beyond.z;
    }
    if (beyond.y >= beyond.x) {
        *normal = dlp__vec3(0.0, 1.0, 0.0);
        return beyond.y;
    }
    *normal = dlp__vec3(1.0, 0.0, 0.0);
    return beyond.x;
}

static double box_distance(dlp_Vec3 half, dlp_Vec3 p, dlp_Vec3 *normal)
{
    double distance = beyond_faces(dlp__vec3(fabs(p.x) - half.x, fabs(p.y) - half.y, fabs(p.z) - half.z), normal);
    *normal = dlp__vec3(copysign(normal->x, p.x), copysign(normal->y, p.y), copysign(normal->z, p.z));
    return distance;
}

/* Sideways from the centre, which is the nearest way out of a capsule's axis too. */
static double ball_distance(double radius, dlp_Vec3 p, dlp_Vec3 *normal)
{
    double from_center = dlp__length(p);
    *normal = from_center > 0.0 ? dlp__scale(p, 1.0 / from_center) : dlp__vec3(1.0, 0.0, 0.0);
    return from_center - radius;
}

static double cylinder_distance(double radius, double half_length, dlp_Vec3 p, dlp_Vec3 *normal)
{
    double from_axis = sqrt(p.x * p.x + p.y * p.y);
    dlp_Vec3 share;
    double distance = beyond_faces(dlp__vec3(from_axis - radius, -INFINITY, fabs(p.z) - half_length), &share);
    double along_x = from_axis > 0.0 ? p.x / from_axis : 1.0;
    double along_y = from_axis > 0.0 ? p.y / from_axis : 0.0;
    *normal = dlp__vec3(share.x * along_x, share.x * along_y, copysign(share.z, p.z));
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
    case DLP_SHAPE_MESH: distance = dlp__moment_distance(&shape->moment, p, &local); break;
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
    return dlp__rotate(&shape->rotation, dlp__moment_velocity(&shape->moment, p));
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
        dlp__moment_bounds(&shape->moment, &low, &high);
        return dlp__length(dlp__vec3(fmax(fabs(low.x), fabs(high.x)), fmax(fabs(low.y), fabs(high.y)),
                                     fmax(fabs(low.z), fabs(high.z))));
    }
    }
    return INFINITY;
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
