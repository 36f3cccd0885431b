/* Emitters: which layers leave in a step, and where their particles start. */
#include "world/emitters.h"

static const double PARTICLES_MOST = 2147483648.0; /* in one step: local indices are 32 bits */

int64_t dlp__emitter_lattice(const dlp_EmitterDef *def, double spacing, float *u, float *v)
{
    return def->nozzle == DLP_NOZZLE_DISC ? dlp__disc_fill(def->radius, spacing, u, v)
                                          : dlp__rectangle_fill(def->width, def->height, spacing, u, v);
}

void dlp__emitter_set(dlp__Emitter *emitter, const dlp_EmitterDef *def, double spacing, double time)
{
    const dlp_EmitterDef *old = &emitter->def;
    double next = time; /* s, of the first layer to come */
    if (old->speed > 0.0) {
        double due = old->start + (double)emitter->layers * spacing / old->speed;
        double to_go = (due - time) * old->speed; /* m, that the fluid still has to move by */
        if (to_go > 0.0 && to_go <= spacing * (1.0 + 1e-9)) {
            next = time + to_go / def->speed;
        }
    }
    emitter->def = *def;
    emitter->def.start = fmax(def->start, next);
    emitter->layers = 0;
}

/* Layers that have left before `time` (s), as a real number: there may be more than any integer holds. One that is due
 * at that very moment waits, whatever the rounding, so that 0.05 s at 1 m/s are five layers of 1 cm and not six. */
static double layers_by(const dlp_EmitterDef *def, double spacing, double time)
{
    double open = fmin(time, def->stop) - def->start;
    return fmax(ceil(open * def->speed / spacing - 1e-9), 0.0);
}

static double layers_to_come(const dlp__Emitter *emitter, double spacing, double time)
{
    return fmax(layers_by(&emitter->def, spacing, time) - (double)emitter->layers, 0.0);
}

/* How many particles all emitters add until `time`. Refuses what no world can hold. */
static dlp_Result count_new(dlp_World *world, double time, int64_t *count)
{
    double spacing = world->def.spacing, held = (double)dlp__domains_particles(&world->domains);
    *count = 0;
    for (int e = 0; e < world->emitter_count; e++) {
        const dlp__Emitter *emitter = &world->emitters[e];
        double layers = layers_to_come(emitter, spacing, time);
        if (layers == 0.0) {
            continue;
        }
        double added = layers * (double)dlp__emitter_lattice(&emitter->def, spacing, NULL, NULL);
        if (held + (double)*count + added > PARTICLES_MOST) {
            return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                             "emitter %d would push out %g particles in the step at %g s, and the world holds %g of at "
                             "most %g: lower its speed, narrow it, take smaller steps or a larger spacing",
                             e, added, world->time, held + (double)*count, PARTICLES_MOST);
        }
        *count += (int64_t)added;
    }
    return DLP_OK;
}

/* The axes of the opening: u is level, v stands on it and on the flow. For flow straight up or down u is x. */
static void opening_axes(dlp_Vec3 flow, dlp_Vec3 *u, dlp_Vec3 *v)
{
    dlp_Vec3 level = dlp__cross(dlp__vec3(0.0, 0.0, 1.0), flow);
    double length = dlp__length(level);
    *u = length > 1e-9 ? dlp__scale(level, 1.0 / length) : dlp__vec3(1.0, 0.0, 0.0);
    *v = dlp__cross(flow, *u);
}

/* Direction at unit length, also where squares of its components would overflow or vanish. */
static dlp_Vec3 unit_direction(dlp_Vec3 direction)
{
    double largest = fmax(fmax(fabs(direction.x), fabs(direction.y)), fabs(direction.z));
    if (!(largest > 0.0)) {
        return dlp__vec3(0.0, 0.0, -1.0);
    }
    direction = dlp__scale(direction, 1.0 / largest);
    return dlp__unit(direction);
}

/* The opening of a nozzle at one moment, and what leaves it. */
typedef struct Opening {
    dlp_Vec3 position;   /* m                                    */
    dlp_Vec3 flow, u, v; /* directions: of the flow, and its axes */
    dlp_Vec3 velocity;   /* m/s, of the fluid in it              */
} Opening;

static Opening opening_of(const dlp_EmitterDef *def)
{
    Opening opening = {.position = def->position, .flow = unit_direction(def->direction)};
    opening_axes(opening.flow, &opening.u, &opening.v);
    opening.velocity = dlp__scale(opening.flow, def->speed);
    return opening;
}

static dlp__Pose pose_at(const dlp__Emitter *emitter, double time)
{
    return dlp__pose_path_at(&emitter->path, (dlp_PathKind)emitter->def.path, time);
}

static Opening opening_in(const dlp__Emitter *emitter, const dlp__Pose *pose)
{
    Opening opening = opening_of(&emitter->def);
    opening.position = pose->position;
    opening.flow = dlp__rotate(&pose->rotation, opening.flow);
    opening.u = dlp__rotate(&pose->rotation, opening.u);
    opening.v = dlp__rotate(&pose->rotation, opening.v);
    opening.velocity = dlp__add(dlp__scale(opening.flow, emitter->def.speed), pose->velocity);
    return opening;
}

/* The opening as a step of dt (s) begins at `time` (s). A nozzle on a path has its mean velocity over the step, so that the
 * fluid it guides is still in it at the end. */
static Opening opening_in_step(const dlp__Emitter *emitter, double time, double dt)
{
    if (emitter->path.count == 0) {
        return opening_of(&emitter->def);
    }
    dlp__Pose pose = pose_at(emitter, time);
    pose.velocity = dlp__scale(dlp__sub(pose_at(emitter, time + dt).position, pose.position), 1.0 / dt);
    return opening_in(emitter, &pose);
}

/* The next layer's opening, moved to where the layer's centre is when the step of dt (s) begins, which is before it comes
 * out. What a moving nozzle guides stays in line with it; without a guide the layer flies off from where the nozzle is at
 * the moment when it comes out, as fast as the nozzle moves then. */
static Opening layer_start(const dlp_World *world, const dlp__Emitter *emitter, double dt)
{
    const dlp_EmitterDef *def = &emitter->def;
    const double spacing = world->def.spacing;
    if (emitter->path.count == 0 || def->guide > 0.0) {
        Opening opening = opening_in_step(emitter, world->time, dt);
        const double ahead = def->speed * (world->time - def->start) - (double)emitter->layers * spacing; /* m */
        opening.position = dlp__add(opening.position, dlp__scale(opening.flow, ahead));
        return opening;
    }
    const double due = def->start + (double)emitter->layers * spacing / def->speed; /* s */
    const dlp__Pose pose = pose_at(emitter, due);
    Opening opening = opening_in(emitter, &pose);
    opening.position = dlp__add(opening.position, dlp__scale(opening.velocity, world->time - due));
    return opening;
}

/* Write one layer's particles from index `first` on. */
static int64_t write_layer(dlp_World *world, const dlp_EmitterDef *def, const Opening *opening, int64_t first)
{
    dlp__Particles *particles = &world->domains.part[0].particles;
    const dlp_Vec3 velocity = opening->velocity;
    float *x = particles->position[0] + first, *y = particles->position[1] + first, *z = particles->position[2] + first;
    int64_t count = dlp__emitter_lattice(def, world->def.spacing, x, y);
    for (int64_t i = 0; i < count; i++) {
        dlp_Vec3 place = dlp__add(opening->position,
                                  dlp__add(dlp__scale(opening->u, (double)x[i]), dlp__scale(opening->v, (double)y[i])));
        x[i] = (float)place.x;
        y[i] = (float)place.y;
        z[i] = (float)place.z;
        particles->velocity[0][first + i] = (float)velocity.x;
        particles->velocity[1][first + i] = (float)velocity.y;
        particles->velocity[2][first + i] = (float)velocity.z;
        particles->density[0][first + i] = (float)world->materials[def->material].density;
        particles->material[0][first + i] = (uint16_t)def->material;
        particles->id[0][first + i] = world->next_id++;
    }
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
    int64_t next = dlp__particles_add(&world->domains.part[0].particles, count);
    if (next < 0) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY,
                         "no memory for %lld particles from emitters at %g s: narrow them or take a larger spacing",
                         (long long)count, world->time);
    }
    for (int e = 0; e < world->emitter_count; e++) {
        dlp__Emitter *emitter = &world->emitters[e];
        int64_t layers = (int64_t)layers_to_come(emitter, spacing, end);
        for (int64_t k = 0; k < layers; k++, emitter->layers++) {
            const Opening opening = layer_start(world, emitter, dt);
            next += write_layer(world, &emitter->def, &opening, next);
        }
    }
    return DLP_OK;
}

static dlp__Nozzle nozzle_of(const dlp__Emitter *emitter, double spacing, double time, double dt)
{
    const dlp_EmitterDef *def = &emitter->def;
    const Opening opening = opening_in_step(emitter, time, dt);
    bool disc = def->nozzle == DLP_NOZZLE_DISC;
    double margin = 0.5 * spacing; /* particles have a size */
    return (dlp__Nozzle){
        .position = opening.position,
        .flow = opening.flow,
        .u = opening.u,
        .v = opening.v,
        .behind = -(spacing + def->speed * dt),
        .length = def->guide * spacing,
        .radius = disc ? def->radius + margin : 0.0,
        .width = 0.5 * def->width + margin,
        .height = 0.5 * def->height + margin,
        .velocity = {(float)opening.velocity.x, (float)opening.velocity.y, (float)opening.velocity.z},
    };
}

int dlp__emitters_nozzles(dlp_World *world, double dt, const dlp__Nozzle **nozzles)
{
    if (!dlp__buffer_reserve(&world->memory, &world->nozzle_buffer, world->emitter_count + 1, sizeof **nozzles)) {
        return -1;
    }
    dlp__Nozzle *nozzle = world->nozzle_buffer.data;
    int count = 0;
    for (int e = 0; e < world->emitter_count; e++) {
        const dlp_EmitterDef *def = &world->emitters[e].def;
        bool begun = world->time + dt > def->start - world->def.spacing / def->speed; /* also just after a change */
        if (def->guide > 0.0 && begun && world->time < def->stop) {
            nozzle[count++] = nozzle_of(&world->emitters[e], world->def.spacing, world->time, dt);
        }
    }
    *nozzles = nozzle;
    return count;
}
