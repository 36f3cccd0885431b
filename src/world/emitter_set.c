/* Setting the parameters of an emitter: checks, the speed that gives a requested rate, and continuity of layers across a change. */
#include "world/emitters.h"

static const double MIN_SPEED = 1e-9, MAX_SPEED = 1e6; /* m/s */

/* Checks that exactly one of speed, rate and mass_rate is given. */
static dlp_Result check_speed_given(const dlp_EmitterDef *def, dlp_Error *error)
{
    const int given = (def->speed > 0.0) + (def->rate > 0.0) + (def->mass_rate > 0.0);
    if (given == 1) {
        return DLP_OK;
    }
    if (given == 0) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the emitter has neither speed nor rate nor mass_rate: give one of them; a flow of 0 closes it");
    }
    return dlp__fail(error, DLP_ERROR_ARGUMENT,
                     "the emitter has both %s and %s, but one follows from the other: give only one",
                     def->speed > 0.0 ? "speed" : "rate", def->mass_rate > 0.0 ? "mass_rate" : "rate");
}

static dlp_Result check_def(dlp_World *world, const dlp_EmitterDef *def)
{
    dlp_Result checked = dlp__check_def(dlp_emitter_params(), def, &world->error);
    if (checked != DLP_OK) {
        return checked;
    }
    if (def->material < 0 || def->material >= world->material_count) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "there is no material %d: the world has %d", def->material,
                         world->material_count);
    }
    if (def->direction.x == 0.0 && def->direction.y == 0.0 && def->direction.z == 0.0) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                         "emitter.direction is zero: give the direction of the flow");
    }
    if (def->nozzle == DLP_NOZZLE_MESH && (def->mesh < 0 || def->mesh >= world->meshes.count)) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                         def->mesh < 0 ? "the nozzle is a mesh, but does not say which: set 'mesh'"
                                       : "there is no mesh %d for the nozzle: the world has %d",
                         def->mesh, world->meshes.count);
    }
    return check_speed_given(def, &world->error);
}

int64_t dlp__emitter_lattice(const dlp__Emitter *emitter, double spacing, float *u, float *v)
{
    const dlp_EmitterDef *def = &emitter->def;
    switch ((dlp_NozzleKind)def->nozzle) {
    case DLP_NOZZLE_DISC: return dlp__disc_fill(def->radius, spacing, u, v);
    case DLP_NOZZLE_RECTANGLE: return dlp__rectangle_fill(def->width, def->height, spacing, u, v);
    case DLP_NOZZLE_MESH: break;
    }
    return dlp__flat_opening_points(&emitter->opening, u, v);
}

/* m/s, at which the layers, with as many particles as fit into the opening, give the requested rate. */
static double speed_of(const dlp_World *world, const dlp__Emitter *emitter)
{
    const dlp_EmitterDef *def = &emitter->def;
    const double spacing = world->def.spacing;
    if (def->speed > 0.0) {
        return def->speed;
    }
    const double rate = def->rate > 0.0 ? def->rate : def->mass_rate / world->materials[def->material].density;
    return rate / ((double)dlp__emitter_lattice(emitter, spacing, NULL, NULL) * spacing * spacing);
}

static dlp_Result check_speed(const dlp_World *world, double speed, dlp_Error *error)
{
    if (speed >= MIN_SPEED && speed <= MAX_SPEED) {
        return DLP_OK;
    }
    return dlp__fail(
        error, DLP_ERROR_ARGUMENT,
        "the emitter would emit fluid at %g m/s, but only %g to %g are possible: change its speed or rate, or the "
        "size of its opening (particles are %g m apart)",
        speed, MIN_SPEED, MAX_SPEED, world->def.spacing);
}

double dlp__emitter_pushed(const dlp__Emitter *emitter, double time)
{
    return emitter->speed * dlp__flow_curve_between(&emitter->flow, emitter->def.start, time) - emitter->offset;
}

/* m, distance that the fluid still has to move until the next layer leaves; 0 if it may leave at once. */
static double distance_to_next_layer(const dlp__Emitter *emitter, double spacing, double time)
{
    if (!(emitter->speed > 0.0)) {
        return 0.0;
    }
    const double distance = (double)emitter->layers * spacing - dlp__emitter_pushed(emitter, time);
    return distance > 0.0 && distance <= spacing * (1.0 + 1e-9) ? distance : 0.0;
}

/* Restart the layer count at `start`, or now if that is past. */
static void restart(dlp__Emitter *emitter, double start, double offset, double time)
{
    emitter->def.start = fmax(start, time);
    emitter->offset = start > time ? 0.0 : offset;
    emitter->layers = 0;
}

dlp_Result dlp__emitter_set(dlp_World *world, dlp__Emitter *emitter, const dlp_EmitterDef *def)
{
    dlp_Result result = check_def(world, def);
    if (result != DLP_OK) {
        return result;
    }
    dlp__Emitter changed = *emitter;
    changed.def = *def;
    changed.opening = (dlp__FlatOpening){.inside = NULL};
    if (def->nozzle == DLP_NOZZLE_MESH) {
        result = dlp__flat_opening_make(&changed.opening, &world->meshes.item[def->mesh]->mesh, world->def.spacing,
                                        &world->memory, &world->error);
    }
    if (result == DLP_OK) {
        changed.speed = speed_of(world, &changed);
        result = check_speed(world, changed.speed, &world->error);
    }
    if (result != DLP_OK) {
        dlp__flat_opening_release(&changed.opening, &world->memory);
        return result;
    }
    restart(&changed, def->start, distance_to_next_layer(emitter, world->def.spacing, world->time), world->time);
    dlp__flat_opening_release(&emitter->opening, &world->memory);
    *emitter = changed;
    return DLP_OK;
}

dlp_Result dlp__emitter_set_flow(dlp_World *world, dlp__Emitter *emitter, const dlp_FlowKey *keys, int count)
{
    const double offset = distance_to_next_layer(emitter, world->def.spacing, world->time);
    dlp_Result result = dlp__flow_curve_set(&emitter->flow, &world->memory, keys, count, &world->error);
    if (result == DLP_OK) {
        restart(emitter, emitter->def.start, offset, world->time);
    }
    return result;
}

void dlp__emitters_material_changed(dlp_World *world, dlp_MaterialId material)
{
    for (int e = 0; e < world->emitter_count; e++) {
        dlp__Emitter *emitter = &world->emitters[e];
        const double speed = fmin(fmax(speed_of(world, emitter), MIN_SPEED), MAX_SPEED);
        if (emitter->def.material == material && speed != emitter->speed) {
            const double offset = distance_to_next_layer(emitter, world->def.spacing, world->time);
            emitter->speed = speed;
            restart(emitter, emitter->def.start, offset, world->time);
        }
    }
}

void dlp__emitter_release(dlp__Emitter *emitter, dlp__Memory *memory)
{
    dlp__pose_path_release(&emitter->path, memory);
    dlp__flow_curve_release(&emitter->flow, memory);
    dlp__flat_opening_release(&emitter->opening, memory);
}
