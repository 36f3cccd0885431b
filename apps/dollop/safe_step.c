/* Estimates the maximum speed in a world from emitters, solids, and the height that fluid can fall. */
#include "safe_step.h"

#include "apps/shared/human.h"
#include "apps/shared/messages.h"

#include <math.h>

static double dot(dlp_Vec3 a, dlp_Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static double length_of(dlp_Vec3 a)
{
    return sqrt(dot(a, a));
}

/* `v` rotated by `rotation`, axis times angle (Rodrigues). */
static dlp_Vec3 rotate(dlp_Vec3 v, dlp_Vec3 rotation)
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

/* Extent of the shape from its position along the unit vector `direction`, m. */
static double extent_along(const dlp_ShapeDef *shape, dlp_Vec3 direction)
{
    const double x = fabs(dot(rotate((dlp_Vec3){1, 0, 0}, shape->rotation), direction));
    const double y = fabs(dot(rotate((dlp_Vec3){0, 1, 0}, shape->rotation), direction));
    const double z = fabs(dot(rotate((dlp_Vec3){0, 0, 1}, shape->rotation), direction));
    switch ((dlp_ShapeKind)shape->kind) {
    case DLP_SHAPE_MESH: /* not estimated */
    case DLP_SHAPE_PLANE: return 0;
    case DLP_SHAPE_BOX:
    case DLP_SHAPE_CONTAINER: return (x * shape->size.x + y * shape->size.y + z * shape->size.z) / 2;
    case DLP_SHAPE_SPHERE: return shape->radius;
    case DLP_SHAPE_CAPSULE: return shape->radius + z * shape->length / 2;
    case DLP_SHAPE_CYLINDER: return shape->radius * sqrt(fmax(0, 1 - z * z)) + z * shape->length / 2;
    }
    return 0;
}

/* Maximum distance of a point of the shape from its centre, m; 0 for planes, which are unbounded. */
static double shape_radius(const dlp_ShapeDef *shape)
{
    switch ((dlp_ShapeKind)shape->kind) {
    case DLP_SHAPE_MESH: /* not estimated */
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

/* Estimated maximum speed of a point at distance `radius` (m) from the centre. Smooth interpolation between two keys peaks at 1.5
 * times the average speed. */
static double path_speed(Path path, double radius)
{
    double maximum = 0;
    for (int k = 1; k < path.count; k++) {
        const dlp_PoseKey *a = &path.keys[k - 1], *b = &path.keys[k];
        const dlp_Vec3 moved = {b->position.x - a->position.x, b->position.y - a->position.y,
                                b->position.z - a->position.z};
        const dlp_Vec3 rotated = {b->rotation.x - a->rotation.x, b->rotation.y - a->rotation.y,
                                  b->rotation.z - a->rotation.z};
        const double distance = length_of(moved) + fmin(length_of(rotated), M_PI) * radius;
        maximum = fmax(maximum, 1.5 * distance / (b->time - a->time));
    }
    return maximum;
}

/* Extreme coordinate (m) along `down` of a position or path: the lowest if `sign` is 1, the highest if it is -1. */
static double extreme_depth(Path path, dlp_Vec3 position, dlp_Vec3 down, double sign)
{
    double maximum = path.count > 0 ? -INFINITY : sign * dot(position, down);
    for (int k = 0; k < path.count; k++) {
        maximum = fmax(maximum, sign * dot(path.keys[k].position, down));
    }
    return sign * maximum;
}

/* Coordinate along `down` at which fluid starts to fall: the highest particle or emitter; infinite without any. */
static double fall_start(const dlp_World *world, dlp_Vec3 down)
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
            highest = fmin(highest, extreme_depth(path_of_emitter(world, i), emitter.position, down, -1));
        }
    }
    return highest;
}

/* Coordinate along `down` at which it ends: the lowest plane or container. Fluid can run off other solids, so they are used only if
 * there is no plane or container. Minus infinity without any solid. */
static double fall_end(const dlp_World *world, dlp_Vec3 down)
{
    double floor = -INFINITY, other = -INFINITY;
    for (int i = 0; i < dlp_world_solid_count(world); i++) {
        dlp_SolidDef solid;
        if (dlp_world_get_solid(world, i, &solid) != DLP_OK) {
            continue;
        }
        const double lowest = extreme_depth(path_of_solid(world, i), solid.shape.position, down, 1) +
                              extent_along(&solid.shape, down);
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
    const double start = fall_start(world, down), end = fall_end(world, down);
    if (isinf(start)) {
        return 0; /* no fluid, now or later */
    }
    return isinf(end) ? INFINITY : fmax(0, end - start);
}

/* m, maximum distance of the opening of an emitter from its centre of rotation. */
static double opening_radius(const dlp_World *world, int index)
{
    dlp_EmitterDef emitter;
    dlp_MeshDef def;
    dlp_Mesh mesh;
    double maximum = 0;
    if (dlp_world_get_emitter(world, index, &emitter) != DLP_OK) {
        return 0;
    }
    if (emitter.nozzle != DLP_NOZZLE_MESH) {
        return emitter.nozzle == DLP_NOZZLE_DISC ? emitter.radius : 0.5 * hypot(emitter.width, emitter.height);
    }
    if (dlp_world_get_mesh(world, emitter.mesh, &def, &mesh) == DLP_OK) {
        for (int64_t n = 0; n < mesh.vertex_count; n++) {
            const float *p = mesh.position + 3 * n;
            maximum = fmax(maximum, length_of((dlp_Vec3){(double)p[0], (double)p[1], (double)p[2]}));
        }
    }
    return maximum;
}

/* m/s, maximum speed of the emitted fluid. */
static double emitter_speed(const dlp_World *world, int index)
{
    const dlp_FlowKey *keys = NULL;
    int count = 0;
    double speed = 0, maximum = 0;
    if (dlp_world_emitter_speed(world, index, &speed) != DLP_OK ||
        dlp_world_get_emitter_flow(world, index, &keys, &count) != DLP_OK) {
        return 0;
    }
    for (int k = 0; k < count; k++) {
        maximum = fmax(maximum, keys[k].factor);
    }
    return count > 0 ? maximum * speed : speed;
}

ExpectedSpeed expected_speed(const dlp_World *world, double probe_speed, double duration)
{
    const dlp_Vec3 gravity = dlp_world_def(world).gravity;
    const double g = length_of(gravity);
    ExpectedSpeed speed = {.fluid = probe_speed, .cause = "initial or emitted fluid"};
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
    speed.maximum = speed.fluid;
    if (g > 0) {
        speed.drop = drop_height(world, (dlp_Vec3){gravity.x / g, gravity.y / g, gravity.z / g});
        /* The duration of the scene limits the fall, with or without a floor. */
        speed.falling = fmin(sqrt(speed.fluid * speed.fluid + 2 * g * speed.drop), speed.fluid + g * duration);
        if (speed.falling > speed.maximum) {
            speed.maximum = speed.falling;
            speed.cause = isinf(speed.drop) ? "free fall without a floor" : "fall from the highest fluid to the floor";
        }
    }
    if (speed.solids > speed.maximum) {
        speed.maximum = speed.solids;
        speed.cause = "a moving solid";
    }
    return speed;
}

double safe_time_step(const ExpectedSpeed *speed, double spacing)
{
    return speed->maximum > 0 ? SAFE_COURANT * spacing / speed->maximum : INFINITY;
}

int warn_of_long_step(const dlp_World *world, const ExpectedSpeed *speed, double time_step)
{
    const dlp_WorldDef def = dlp_world_def(world);
    const double safe = safe_time_step(speed, def.spacing);
    /* The estimate is rough, so a few percent do not matter. With a Courant limit, long steps are split and safe. */
    if (time_step <= 1.05 * safe || def.cfl > 0.0) {
        return 0;
    }
    message_warning(
        "the time step of %s is longer than the estimated safe step of %s: at %.3g m/s (%s) a particle moves "
        "%.2g spacings per step; set run.time_step=auto, or run.time_step=%.2g",
        human_seconds(time_step).text, human_seconds(safe).text, speed->maximum, speed->cause,
        speed->maximum * time_step / def.spacing, safe);
    return 1;
}
