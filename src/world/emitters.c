/* Emitters: which layers leave in a step, and where their particles start. */
#include "world/emitters.h"

static const double MAX_PARTICLES = 2147483648.0; /* of a rank: local indices have 32 bits */

/* Number of layers that have left before `time` (s), as a real number because it may overflow an integer. A layer that is due
 * exactly then has not left, regardless of rounding, so that 0.05 s at 1 m/s give five layers of 1 cm and not six. */
static double layers_by(const dlp__Emitter *emitter, double spacing, double time)
{
    return fmax(ceil(dlp__emitter_pushed(emitter, fmin(time, emitter->def.stop)) / spacing - 1e-9), 0.0);
}

static double layers_to_come(const dlp__Emitter *emitter, double spacing, double time)
{
    return fmax(layers_by(emitter, spacing, time) - (double)emitter->layers, 0.0);
}

/* Number of particles that all emitters add until `time`. Fails if the world cannot hold them. */
static dlp_Result count_new(dlp_World *world, double time, int64_t *count)
{
    double spacing = world->def.spacing, held = (double)dlp__domains_particles(&world->domains),
           most = MAX_PARTICLES * dlp__ranks_count(world->parallel.ranks);
    *count = 0;
    for (int e = 0; e < world->emitter_count; e++) {
        const dlp__Emitter *emitter = &world->emitters[e];
        double layers = layers_to_come(emitter, spacing, time);
        if (layers == 0.0) {
            continue;
        }
        double added = layers * (double)dlp__emitter_lattice(emitter, spacing, NULL, NULL);
        if (held + (double)*count + added > most) {
            return dlp__fail(
                &world->error, DLP_ERROR_ARGUMENT,
                "emitter %d would emit %g particles in the step at %g s, but the world already holds %g of at "
                "most %g: use a lower speed, a smaller opening, shorter steps or a larger spacing",
                e, added, world->time, held + (double)*count, most);
        }
        *count += (int64_t)added;
    }
    return DLP_OK;
}

/* Normalized direction, also if the squares of its components would overflow or underflow. */
static dlp_Vec3 unit_direction(dlp_Vec3 direction)
{
    double largest = fmax(fmax(fabs(direction.x), fabs(direction.y)), fabs(direction.z));
    if (!(largest > 0.0)) {
        return dlp__vec3(0.0, 0.0, -1.0);
    }
    direction = dlp__scale(direction, 1.0 / largest);
    return dlp__unit(direction);
}

/* The opening of a nozzle at one time, and the velocity of the fluid that leaves it. */
typedef struct Opening {
    dlp_Vec3 center;       /* m, about which it rotates */
    dlp_Vec3 flow, u, v;   /* directions: of the flow, and of the opening's axes */
    dlp_Vec3 velocity;     /* m/s, of the fluid at the centre */
    dlp__Rotation turning; /* 1/s, as in dlp__Nozzle */
} Opening;

/* A nozzle without a path. */
static Opening opening_at_rest(const dlp__Emitter *emitter, double speed)
{
    Opening opening = {.center = emitter->def.position, .flow = unit_direction(emitter->def.direction)};
    dlp__opening_axes(opening.flow, &opening.u, &opening.v);
    opening.velocity = dlp__scale(opening.flow, speed);
    return opening;
}

static dlp__Pose pose_at(const dlp__Emitter *emitter, double time)
{
    return dlp__pose_path_at(&emitter->path, (dlp_PathKind)emitter->def.path, time);
}

/* An opening that moves with `pose`; `push` (m/s) is the flow velocity relative to it. */
static Opening opening_with_pose(const dlp__Emitter *emitter, const dlp__Pose *pose, dlp_Vec3 push,
                                 dlp__Rotation turning)
{
    Opening opening = opening_at_rest(emitter, 0.0);
    opening.center = pose->position;
    opening.flow = dlp__rotate(&pose->rotation, opening.flow);
    opening.u = dlp__rotate(&pose->rotation, opening.u);
    opening.v = dlp__rotate(&pose->rotation, opening.v);
    opening.velocity = dlp__add(push, pose->velocity);
    opening.turning = turning;
    return opening;
}

/* The opening at `time` (s). */
static Opening opening_at(const dlp__Emitter *emitter, double time)
{
    const double speed = emitter->speed * dlp__flow_curve_at(&emitter->flow, time);
    if (emitter->path.count == 0) {
        return opening_at_rest(emitter, speed);
    }
    const dlp__Pose pose = pose_at(emitter, time);
    const dlp_Vec3 s = pose.spin;
    const dlp_Vec3 flow = dlp__rotate(&pose.rotation, unit_direction(emitter->def.direction));
    return opening_with_pose(emitter, &pose, dlp__scale(flow, speed),
                             (dlp__Rotation){{0.0, s.z, -s.y}, {-s.z, 0.0, s.x}, {s.y, -s.x, 0.0}});
}

/* m/s, mean flow speed over the step of dt (s) that begins at `time` (s). */
static double mean_speed(const dlp__Emitter *emitter, double time, double dt)
{
    return emitter->flow.count == 0 ? emitter->speed
                                    : emitter->speed * dlp__flow_curve_between(&emitter->flow, time, time + dt) / dt;
}

/* The opening at the start `time` (s) of a step of dt (s), with its mean motion over the step, so that guided fluid is still inside
 * it at the end: x' = P' + T (x - P + flow * push), where T is the rotation in the step, P and P' the centre before and after. */
static Opening opening_in_step(const dlp__Emitter *emitter, double time, double dt)
{
    const double speed = mean_speed(emitter, time, dt);
    if (emitter->path.count == 0) {
        return opening_at_rest(emitter, speed);
    }
    dlp__Pose pose = pose_at(emitter, time);
    const dlp__Pose end = pose_at(emitter, time + dt);
    const dlp__Rotation back = dlp__rotation_inverse(&pose.rotation);
    dlp__Rotation turning = dlp__rotation_product(&end.rotation, &back);
    turning.x = dlp__scale(dlp__sub(turning.x, dlp__vec3(1.0, 0.0, 0.0)), 1.0 / dt);
    turning.y = dlp__scale(dlp__sub(turning.y, dlp__vec3(0.0, 1.0, 0.0)), 1.0 / dt);
    turning.z = dlp__scale(dlp__sub(turning.z, dlp__vec3(0.0, 0.0, 1.0)), 1.0 / dt);
    pose.velocity = dlp__scale(dlp__sub(end.position, pose.position), 1.0 / dt);
    const dlp_Vec3 flow = dlp__rotate(&end.rotation, unit_direction(emitter->def.direction));
    return opening_with_pose(emitter, &pose, dlp__scale(flow, speed), turning);
}

/* The next layer that leaves in a step: the opening, the distance of the layer past it (m), and the time (s) since it left,
 * negative if it leaves later in the step. */
typedef struct Layer {
    Opening opening;
    double ahead, since;
} Layer;

/* With a guide, a layer stays aligned with the nozzle and is placed by the mean motion of the nozzle over the step. Without a guide,
 * the layer leaves from the position of the nozzle at the time it is due, with the velocity of nozzle and flow at that time. */
static Layer next_layer(const dlp_World *world, const dlp__Emitter *emitter, double dt)
{
    const double layers = (double)emitter->layers * world->def.spacing; /* m */
    if (emitter->def.guide > 0.0 || (emitter->path.count == 0 && emitter->flow.count == 0)) {
        return (Layer){opening_in_step(emitter, world->time, dt),
                       dlp__emitter_pushed(emitter, world->time) - layers + emitter->opening.depth, 0.0};
    }
    const double when = dlp__flow_curve_when(&emitter->flow, emitter->def.start,
                                             (layers + emitter->offset) / emitter->speed);
    const double due = fmin(when,
                            world->time + dt); /* s; by rounding, a flow may end just before its last layer is due */
    return (Layer){opening_at(emitter, due), emitter->opening.depth, world->time - due};
}

/* Write the particles of one layer, starting at index `first`. */
static int64_t write_layer(dlp_World *world, const dlp__Emitter *emitter, const Layer *layer, int64_t first)
{
    dlp__Particles *particles = &world->domains.part[0].particles;
    const Opening *opening = &layer->opening;
    const dlp_Vec3 middle = dlp__add(opening->center, dlp__scale(opening->flow, layer->ahead));
    float *x = particles->position[0] + first, *y = particles->position[1] + first, *z = particles->position[2] + first;
    int64_t count = dlp__emitter_lattice(emitter, world->def.spacing, x, y);
    for (int64_t i = 0; i < count; i++) {
        dlp_Vec3 place = dlp__add(middle,
                                  dlp__add(dlp__scale(opening->u, (double)x[i]), dlp__scale(opening->v, (double)y[i])));
        const dlp_Vec3 turned = dlp__rotate(&opening->turning, dlp__sub(place, opening->center));
        const dlp_Vec3 velocity = dlp__add(opening->velocity, turned);
        place = dlp__add(place, dlp__scale(velocity, layer->since));
        x[i] = (float)place.x;
        y[i] = (float)place.y;
        z[i] = (float)place.z;
        particles->velocity[0][first + i] = (float)velocity.x;
        particles->velocity[1][first + i] = (float)velocity.y;
        particles->velocity[2][first + i] = (float)velocity.z;
        particles->density[0][first + i] = (float)world->materials[emitter->def.material].density;
        particles->material[0][first + i] = (uint16_t)emitter->def.material;
        particles->id[0][first + i] = world->next_id++;
    }
    dlp__world_warm_new(world, first, count, emitter->def.temperature);
    return count;
}

dlp_Result dlp__emitters_run(dlp_World *world, double dt)
{
    double spacing = world->def.spacing, end = world->time + dt;
    int64_t count = 0;
    dlp_Result result = count_new(world, end, &count);
    if (result != DLP_OK || count == 0) {
        return result;
    }
    /* With several ranks the first makes the particles. */
    const bool makes = dlp_ranks_number(world->parallel.ranks) == 0;
    int64_t next = makes ? dlp__particles_add(&world->domains.part[0].particles, count) : 0;
    if (!makes) {
        world->domains.remote_count += count;
        world->next_id += (uint64_t)count;
    }
    if (next < 0) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY,
                         "no memory for %lld particles from emitters at %g s: use smaller openings or a larger spacing",
                         (long long)count, world->time);
    }
    for (int e = 0; e < world->emitter_count; e++) {
        dlp__Emitter *emitter = &world->emitters[e];
        int64_t layers = (int64_t)layers_to_come(emitter, spacing, end);
        for (int64_t k = 0; k < layers; k++, emitter->layers++) {
            const Layer layer = next_layer(world, emitter, dt);
            next += makes ? write_layer(world, emitter, &layer, next) : 0;
        }
    }
    return DLP_OK;
}

static dlp__Nozzle nozzle_of(const dlp__Emitter *emitter, double spacing, double time, double dt)
{
    const dlp_EmitterDef *def = &emitter->def;
    const Opening opening = opening_in_step(emitter, time, dt);
    const double margin = 0.5 * spacing; /* particles have a size */
    return (dlp__Nozzle){
        .position = opening.center,
        .flow = opening.flow,
        .u = opening.u,
        .v = opening.v,
        .behind = emitter->opening.depth - (spacing + mean_speed(emitter, time, dt) * dt),
        .length = emitter->opening.depth + def->guide * spacing,
        .radius = def->nozzle == DLP_NOZZLE_DISC ? def->radius + margin : 0.0,
        .width = 0.5 * def->width + margin,
        .height = 0.5 * def->height + margin,
        .opening = def->nozzle == DLP_NOZZLE_MESH ? &emitter->opening : NULL,
        .velocity = {(float)opening.velocity.x, (float)opening.velocity.y, (float)opening.velocity.z},
        .turning = opening.turning,
    };
}

/* The box around the section of a nozzle. */
static dlp__Box nozzle_box(const dlp__Nozzle *nozzle)
{
    const dlp__FlatOpening *mesh = nozzle->opening;
    const double along = 0.5 * fmax(nozzle->length - nozzle->behind, 0.0);
    double width = fmax(nozzle->width, nozzle->radius), height = fmax(nozzle->height, nozzle->radius);
    if (mesh != NULL) { /* cells extend half a spacing around their centres */
        width = fmax(fabs(mesh->u), fabs(mesh->u + (double)mesh->columns * mesh->spacing)) + mesh->spacing;
        height = fmax(fabs(mesh->v), fabs(mesh->v + (double)mesh->rows * mesh->spacing)) + mesh->spacing;
    }
    const dlp_Vec3 f = nozzle->flow, u = nozzle->u, v = nozzle->v;
    const dlp_Vec3 half = dlp__vec3(fabs(f.x) * along + fabs(u.x) * width + fabs(v.x) * height,
                                    fabs(f.y) * along + fabs(u.y) * width + fabs(v.y) * height,
                                    fabs(f.z) * along + fabs(u.z) * width + fabs(v.z) * height);
    return dlp__box_around(dlp__add(nozzle->position, dlp__scale(f, 0.5 * (nozzle->length + nozzle->behind))), half);
}

int dlp__emitters_nozzles(dlp_World *world, double dt, const dlp__Nozzle **nozzles)
{
    if (!dlp__buffer_reserve(&world->memory, &world->nozzle_buffer, world->emitter_count + 1, sizeof **nozzles) ||
        !dlp__buffer_reserve(&world->memory, &world->nozzle_box_buffer, world->emitter_count + 1, sizeof(dlp__Box))) {
        return -1;
    }
    dlp__Nozzle *nozzle = world->nozzle_buffer.data;
    dlp__Box *boxes = world->nozzle_box_buffer.data;
    int count = 0;
    for (int e = 0; e < world->emitter_count; e++) {
        const dlp_EmitterDef *def = &world->emitters[e].def;
        if (def->guide > 0.0 && world->time + dt > def->start && world->time < def->stop) {
            nozzle[count] = nozzle_of(&world->emitters[e], world->def.spacing, world->time, dt);
            boxes[count] = nozzle_box(&nozzle[count]);
            count++;
        }
    }
    *nozzles = nozzle;
    return dlp__box_tree_build(&world->nozzle_tree, &world->memory, boxes, count) ? count : -1;
}

/* m, distance of the farthest point of the opening from the centre about which it rotates. */
static double opening_radius(const dlp__Emitter *emitter)
{
    const dlp_EmitterDef *def = &emitter->def;
    const dlp__FlatOpening *mesh = &emitter->opening;
    switch ((dlp_NozzleKind)def->nozzle) {
    case DLP_NOZZLE_DISC: return def->radius;
    case DLP_NOZZLE_RECTANGLE: return 0.5 * hypot(def->width, def->height);
    case DLP_NOZZLE_MESH: break;
    }
    const double u = fmax(fabs(mesh->u), fabs(mesh->u + (double)mesh->columns * mesh->spacing));
    const double v = fmax(fabs(mesh->v), fabs(mesh->v + (double)mesh->rows * mesh->spacing));
    return hypot(hypot(u, v), mesh->depth);
}

double dlp__emitters_speed(const dlp_World *world, double from, double to)
{
    double fastest = 0.0;
    for (int e = 0; e < world->emitter_count; e++) {
        const dlp__Emitter *emitter = &world->emitters[e];
        if (to <= emitter->def.start || from >= emitter->def.stop) {
            continue;
        }
        const double times[] = {from, 0.5 * (from + to), to}; /* flow and path may change within the interval */
        for (int n = 0; n < 3; n++) {
            const Opening opening = opening_at(emitter, times[n]);
            double speed = dlp__length(opening.velocity);
            if (emitter->path.count > 0) {
                speed += dlp__length(pose_at(emitter, times[n]).spin) * opening_radius(emitter);
            }
            fastest = fmax(fastest, speed);
        }
    }
    return fastest;
}
