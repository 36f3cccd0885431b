/* Expected speeds from what a world holds: emitters, solids, and the height that fluid can fall. */
#include "safe_step.h"

#include <math.h>

static double dot(dlp_Vec3 a, dlp_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length_of(dlp_Vec3 a)
{
    return sqrt(dot(a, a));
}

/* `v` turned by `rotation`, axis times angle (Rodrigues). */
static dlp_Vec3 turn(dlp_Vec3 v, dlp_Vec3 rotation)
{
    const double angle = length_of(rotation);
    if (angle < 1e-12) {
        return v;
    }
    const dlp_Vec3 k = {rotation.x / angle, rotation.y / angle, rotation.z / angle};
    const dlp_Vec3 cross = {k.y * v.z - k.z * v.y, k.z * v.x - k.x * v.z, k.x * v.y - k.y * v.x};
    const double c = cos(angle), s = sin(angle), along = dot(k, v) * (1 - c);
    return (dlp_Vec3){v.x * c + cross.x * s + k.x * along, v.y * c + cross.y * s + k.y * along,
                      v.z * c + cross.z * s + k.z * along};
}

/* How far the shape reaches from its position along the unit vector `direction`, m. */
static double reach(const dlp_ShapeDef *shape, dlp_Vec3 direction)
{
    const double x = fabs(dot(turn((dlp_Vec3){1, 0, 0}, shape->rotation), direction));
    const double y = fabs(dot(turn((dlp_Vec3){0, 1, 0}, shape->rotation), direction));
    const double z = fabs(dot(turn((dlp_Vec3){0, 0, 1}, shape->rotation), direction));
    switch ((dlp_ShapeKind)shape->kind) {
    case DLP_SHAPE_MESH: /* which a scene does not know before it is built */
    case DLP_SHAPE_PLANE: return 0;
    case DLP_SHAPE_BOX:
    case DLP_SHAPE_CONTAINER: return (x * shape->size.x + y * shape->size.y + z * shape->size.z) / 2;
    case DLP_SHAPE_SPHERE: return shape->radius;
    case DLP_SHAPE_CAPSULE: return shape->radius + z * shape->length / 2;
    case DLP_SHAPE_CYLINDER: return shape->radius * sqrt(fmax(0, 1 - z * z)) + z * shape->length / 2;
    }
    return 0;
}

/* Distance of the shape's farthest point from its centre, m; a plane turns about its position and has none. */
static double shape_radius(const dlp_ShapeDef *shape)
{
    switch ((dlp_ShapeKind)shape->kind) {
    case DLP_SHAPE_MESH: /* which a scene does not know before it is built */
    case DLP_SHAPE_PLANE: return 0;
    case DLP_SHAPE_BOX:
    case DLP_SHAPE_CONTAINER: return length_of(shape->size) / 2;
    case DLP_SHAPE_SPHERE: return shape->radius;
    case DLP_SHAPE_CAPSULE: return shape->radius + shape->length / 2;
    case DLP_SHAPE_CYLINDER: return hypot(shape->radius, shape->length / 2);
    }
    return 0;
}

static double solid_speed(const dlp_SolidDef *solid)
{
    return length_of(solid->velocity) + length_of(solid->amplitude) * 2 * M_PI * solid->frequency +
           length_of(solid->spin) * shape_radius(&solid->shape);
}

/* The keys of a solid or emitter, if it has any. */
typedef struct Path {
    const dlp_PoseKey *keys;
    int count;
} Path;

static Path path_of_solid(const dlp_World *world, int i)
{
    Path path = {NULL, 0};
    return dlp_world_get_solid_keys(world, i, &path.keys, &path.count) == DLP_OK ? path : (Path){NULL, 0};
}

static Path path_of_emitter(const dlp_World *world, int i)
{
    Path path = {NULL, 0};
    return dlp_world_get_emitter_keys(world, i, &path.keys, &path.count) == DLP_OK ? path : (Path){NULL, 0};
}

/* About the fastest of a point that far (m) from the centre: what starts and stops gently is half as fast again between
 * two keys as on average. */
static double path_speed(Path path, double radius)
{
    double most = 0;
    for (int k = 1; k < path.count; k++) {
        const dlp_PoseKey *a = &path.keys[k - 1], *b = &path.keys[k];
        const dlp_Vec3 way = {b->position.x - a->position.x, b->position.y - a->position.y,
                              b->position.z - a->position.z};
        const dlp_Vec3 turned = {b->rotation.x - a->rotation.x, b->rotation.y - a->rotation.y,
                                 b->rotation.z - a->rotation.z};
        const double moved = length_of(way) + fmin(length_of(turned), M_PI) * radius;
        most = fmax(most, 1.5 * moved / (b->time - a->time));
    }
    return most;
}

/* How far (m) something gets along `down`, or against it if `sign` is -1, from its own position or on its path. */
static double farthest(Path path, dlp_Vec3 position, dlp_Vec3 down, double sign)
{
    double most = path.count > 0 ? -INFINITY : sign * dot(position, down);
    for (int k = 0; k < path.count; k++) {
        most = fmax(most, sign * dot(path.keys[k].position, down));
    }
    return sign * most;
}

/* Where fluid starts to fall: the highest particle or nozzle, measured along `down`; infinite without any. */
static double fall_begin(const dlp_World *world, dlp_Vec3 down)
{
    dlp_WorldStats stats;
    double highest = INFINITY;
    if (dlp_world_stats(world, &stats) == DLP_OK && stats.particles > 0) {
        const dlp_Vec3 top = {down.x > 0 ? stats.lower.x : stats.upper.x, down.y > 0 ? stats.lower.y : stats.upper.y,
                              down.z > 0 ? stats.lower.z : stats.upper.z};
        highest = dot(top, down);
    }
    for (int i = 0; i < dlp_world_emitter_count(world); i++) {
        dlp_EmitterDef emitter;
        if (dlp_world_get_emitter(world, i, &emitter) == DLP_OK) {
            highest = fmin(highest, farthest(path_of_emitter(world, i), emitter.position, down, -1));
        }
    }
    return highest;
}

/* Where it ends: on the lowest plane or container. Fluid runs off other solids, so they count only if there is no such
 * floor. Minus infinity without any solid. */
static double fall_end(const dlp_World *world, dlp_Vec3 down)
{
    double floor = -INFINITY, other = -INFINITY;
    for (int i = 0; i < dlp_world_solid_count(world); i++) {
        dlp_SolidDef solid;
        if (dlp_world_get_solid(world, i, &solid) != DLP_OK) {
            continue;
        }
        const double lowest = farthest(path_of_solid(world, i), solid.shape.position, down, 1) +
                              reach(&solid.shape, down);
        if (solid.shape.kind == DLP_SHAPE_PLANE || solid.shape.kind == DLP_SHAPE_CONTAINER) {
            floor = fmax(floor, lowest);
        } else {
            other = fmax(other, lowest);
        }
    }
    return isinf(floor) ? other : floor;
}

static double drop_height(const dlp_World *world, dlp_Vec3 down)
{
    const double begin = fall_begin(world, down), end = fall_end(world, down);
    if (isinf(begin)) {
        return 0; /* no fluid, now or later */
    }
    return isinf(end) ? INFINITY : fmax(0, end - begin);
}

/* m, how far the rim of a nozzle is from the point that it turns about. */
static double opening_radius(const dlp_World *world, int index)
{
    dlp_EmitterDef emitter;
    dlp_MeshDef def;
    dlp_Mesh mesh;
    double most = 0;
    if (dlp_world_get_emitter(world, index, &emitter) != DLP_OK) {
        return 0;
    }
    if (emitter.nozzle != DLP_NOZZLE_MESH) {
        return emitter.nozzle == DLP_NOZZLE_DISC ? emitter.radius : 0.5 * hypot(emitter.width, emitter.height);
    }
    if (dlp_world_get_mesh(world, emitter.mesh, &def, &mesh) == DLP_OK) {
        for (int64_t n = 0; n < mesh.vertex_count; n++) {
            const float *p = mesh.position + 3 * n;
            most = fmax(most, length_of((dlp_Vec3){(double)p[0], (double)p[1], (double)p[2]}));
        }
    }
    return most;
}

/* m/s, the fastest that a nozzle pushes out. */
static double emitter_speed(const dlp_World *world, int index)
{
    const dlp_FlowKey *keys = NULL;
    int count = 0;
    double speed = 0, most = 0;
    if (dlp_world_emitter_speed(world, index, &speed) != DLP_OK ||
        dlp_world_get_emitter_flow(world, index, &keys, &count) != DLP_OK) {
        return 0;
    }
    for (int k = 0; k < count; k++) {
        most = fmax(most, keys[k].factor);
    }
    return count > 0 ? most * speed : speed;
}

ExpectedSpeed expected_speed(const dlp_World *world, double speed_seen, double duration)
{
    const dlp_Vec3 gravity = dlp_world_def(world).gravity;
    const double g = length_of(gravity);
    ExpectedSpeed speed = {.fluid = speed_seen, .cause = "the fluid as it starts"};
    for (int i = 0; i < dlp_world_emitter_count(world); i++) {
        const double moving = path_speed(path_of_emitter(world, i), opening_radius(world, i));
        speed.fluid = fmax(speed.fluid, emitter_speed(world, i) + moving);
    }
    for (int i = 0; i < dlp_world_solid_count(world); i++) {
        dlp_SolidDef solid;
        if (dlp_world_get_solid(world, i, &solid) == DLP_OK) {
            const double along = path_speed(path_of_solid(world, i), shape_radius(&solid.shape));
            speed.solids = fmax(speed.solids, solid_speed(&solid) + along);
        }
    }
    speed.most = speed.fluid;
    if (g > 0) {
        speed.drop = drop_height(world, (dlp_Vec3){gravity.x / g, gravity.y / g, gravity.z / g});
        /* Nothing falls for longer than the scene lasts, floor or no floor. */
        speed.falling = fmin(sqrt(speed.fluid * speed.fluid + 2 * g * speed.drop), speed.fluid + g * duration);
        if (speed.falling > speed.most) {
            speed.most = speed.falling;
            speed.cause = isinf(speed.drop) ? "falling freely, for there is no floor" : "falling through the scene";
        }
    }
    if (speed.solids > speed.most) {
        speed.most = speed.solids;
        speed.cause = "a moving solid";
    }
    return speed;
}

double safe_time_step(const ExpectedSpeed *speed, double spacing)
{
    return speed->most > 0 ? SAFE_COURANT * spacing / speed->most : INFINITY;
}
