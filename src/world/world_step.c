/* One step of the world: substeps, each of which runs emitters, moves solids, runs the method and checks the result. */
#include "base/rank_agreement.h"
#include "world/emitters.h"
#include "world/step_length.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_SUBSTEPS = 64 };

/* The NaN guard: names the field, the particle and the step. */
static dlp_Result check_finite(dlp_World *world, const char *when)
{
    double started = dlp__clock();
    for (int d = 0; d < world->domains.count; d++) {
        const dlp__Particles *p = &world->domains.part[d].particles;
        int field = 0;
        int64_t i = 0;
        if (dlp__particles_find_bad(p, &world->parallel, NULL, &field, &i)) {
            return dlp__fail(
                &world->error, DLP_ERROR_NOT_FINITE,
                "%s of particle %llu is not finite %s step %lld (t = %g s; the particle is at %g %g %g%s%s): "
                "use a smaller time step, or go back to the last checkpoint",
                dlp__field_info(p, field)->name, (unsigned long long)p->id[0][i], when, (long long)world->step,
                world->time, (double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i],
                world->domains.bad_stage != NULL ? "; first seen after stage " : "",
                world->domains.bad_stage != NULL ? world->domains.bad_stage : "");
        }
    }
    dlp__profile_add(&world->domains, "check", started);
    return DLP_OK;
}

/* Write a message to the host's log, if there is one. */
__attribute__((format(printf, 3, 4))) static void log_message(const dlp_World *world, dlp_LogLevel level,
                                                              const char *format, ...)
{
    const dlp_Hooks *hooks = &world->def.hooks;
    if (hooks->log != NULL) {
        char text[512];
        const int head = snprintf(text, sizeof text, "step %lld: ", (long long)world->step);
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text + head, sizeof text - (size_t)head, format, arguments);
        va_end(arguments);
        hooks->log(hooks->log_user, level, text);
    }
}

/* Warn when the solver starts to run out of iterations, not in every step in which it does. */
static void log_unfinished(dlp_World *world, const dlp__StepContext *step)
{
    if (step->unfinished && !world->unfinished) {
        log_message(world, DLP_LOG_WARNING,
                    "the solver stopped at its limit of %lld iterations: allow more, or use a smaller time step",
                    (long long)step->iterations);
    }
    world->unfinished = step->unfinished;
}

/* Log the note of the method when it changes. */
static void log_note(dlp_World *world, const dlp__StepContext *step)
{
    if (strcmp(world->note, step->note) != 0) {
        memcpy(world->note, step->note, sizeof world->note);
        log_message(world, DLP_LOG_INFO, "%s", world->note);
    }
}

dlp__StepContext dlp__world_step_context(dlp_World *world, double dt, double requested_dt)
{
    return (dlp__StepContext){
        .domains = &world->domains,
        .solids = &world->solids,
        .companions = &world->companions,
        .bonds = &world->bonds,
        .kernel = &world->kernel,
        .heat = &world->heat,
        .materials = world->materials,
        .material_count = world->material_count,
        .material_params = world->material_params,
        .material_params_size = world->method->material_params != NULL ? world->method->material_params->size : 0,
        .params = world->method_params,
        .spacing = (float)world->def.spacing,
        .gravity = {(float)world->def.gravity.x, (float)world->def.gravity.y, (float)world->def.gravity.z},
        .dt = (float)dt,
        .dt_last = (float)world->dt_last,
        .requested_dt = requested_dt,
        .flow_speed = world->flow_speed,
        .flow_acceleration = world->flow_acceleration,
        .time = world->time + dt,
        .is_sunk = world->sink_count > 0 ? dlp__sinks_take : NULL,
        .sinks = &world->sink_shapes,
        .conduction = dlp__world_heat_step(world, (double)(float)dt), /* rounded as for the method */
    };
}

/* Before the method's step, in which walls report their impulses if a probe needs them. */
static dlp_Result begin_probes(dlp_World *world, double dt)
{
    world->solids.impulses.wanted = world->probes.has_force;
    if (!dlp__wall_impulses_begin(&world->solids.impulses, &world->memory, world->solids.count)) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for the forces on solids");
    }
    const dlp__ProbeInput input = dlp__world_probe_input(world, dt);
    return dlp__probes_begin(&world->probes, &input, &world->error);
}

/* After a substep; samples are taken at the end of the whole step. */
static dlp_Result end_probes(dlp_World *world, double dt, bool is_last)
{
    const double started = dlp__clock();
    const bool lacks_gradient = !dlp__particles_have(&world->domains.part[0].particles, DLP_FIELD_velocity_gradient);
    dlp_Result result = is_last && world->probes.has_shear_rate && lacks_gradient
                            ? dlp_world_derive(world, DLP_DERIVED_SHEAR_RATE)
                            : DLP_OK;
    const dlp__ProbeInput input = dlp__world_probe_input(world, dt);
    result = result != DLP_OK ? result : dlp__probes_end(&world->probes, &input, &world->error);
    if (result == DLP_OK && is_last) {
        result = dlp__probes_sample(&world->probes, &input, &world->error);
    }
    dlp__profile_add(&world->domains, "probes", started);
    return result;
}

/* A part of a step; only the last one increments the step counter. */
typedef struct Substep {
    double dt, requested_dt; /* s, its length and that of the whole step */
    double end;              /* s, time at its end */
    int64_t number;
    bool is_last;
    bool adaptive; /* as in dlp__StepContext */
} Substep;

/* Move solids and sinks, emit fluid, and fill the input of the method. */
static dlp_Result begin_substep(dlp_World *world, const Substep *substep, dlp__StepContext *step)
{
    const double dt = substep->dt;
    const dlp__Nozzle *nozzles = NULL;
    int nozzle_count = dlp__emitters_nozzles(world, dt, &nozzles);
    if (nozzle_count < 0) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for %d nozzles", world->emitter_count);
    }
    dlp_Result result = dlp__solids_begin_step(&world->solids, substep->end, dt, world->def.gravity, &world->error);
    if (result != DLP_OK) {
        return result;
    }
    const bool sinks_changed = world->sink_shapes.count != world->sink_count || dlp__mesh_list_deforms(&world->meshes);
    if (sinks_changed &&
        !dlp__sinks_place(&world->sink_shapes, &world->memory, world->sinks, world->sink_count, &world->meshes)) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for %d sinks", world->sink_count);
    }
    const dlp__WettingMaterials fluids = {world->method->wets ? world->materials : NULL, world->material_count};
    if (!dlp__solids_build_contact_laws(&world->solids, world->contacts, world->contact_count, &fluids)) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for the contact laws of solids and materials");
    }
    result = dlp__emitters_run(world, dt);
    if (result != DLP_OK) {
        return result;
    }
    *step = dlp__world_step_context(world, dt, substep->requested_dt);
    step->time = substep->end;
    step->adaptive = substep->adaptive;
    step->nozzles = nozzles;
    step->nozzle_count = nozzle_count;
    step->nozzle_tree = &world->nozzle_tree;
    dlp__domains_begin_step(&world->domains);
    return world->probes.count > 0 ? begin_probes(world, dt) : DLP_OK;
}

/* A failure of one rank becomes one of all. */
static dlp_Result agree(dlp_World *world, dlp_Result own)
{
    return dlp__ranks_agree(world->parallel.ranks, own, &world->error);
}

/* Images across the z faces of a sheared box move as far as particles at their velocity. */
static void advance_shear(dlp__CellFrame *frame, double dt)
{
    if (frame->shear.rate != 0.0) {
        dlp__cell_frame_shear(frame, frame->shear.rate, frame->shear.strain + frame->shear.rate * dt);
    }
}

static dlp_Result run_substep(dlp_World *world, const Substep *substep)
{
    const double dt = substep->dt;
    const uint64_t next_id = world->next_id;
    dlp__StepContext step;
    world->derived = 0; /* of the state before */
    dlp_Result result = agree(world, check_finite(world, "before"));
    if (result == DLP_OK) {
        result = agree(world, begin_substep(world, substep, &step));
    }
    if (result != DLP_OK) {
        /* A step that has not changed the particles may be tried again. */
        world->failed = substep->number > 0 || world->next_id != next_id;
        return result;
    }
    world->method->step(&step);
    result = world->domains.failure;
    world->removed += step.removed;
    if (result == DLP_OK) {
        result = dlp__solids_end_step(&world->solids,
                                      (int64_t)((uint64_t)world->step * MAX_SUBSTEPS + (uint64_t)substep->number), dt,
                                      world->def.gravity, &world->error);
    }
    if (result == DLP_OK) {
        log_unfinished(world, &step);
        log_note(world, &step);
        world->iterations += step.iterations;
        world->residual = step.residual > world->residual ? step.residual : world->residual;
        world->step += substep->is_last;
        advance_shear(&world->domains.frame, (double)step.dt);
        world->time = substep->end;
        world->dt_last = dt;
        world->dt_next = step.next_dt;
        world->flow_speed = step.flow_speed;
        world->flow_acceleration = step.flow_acceleration;
        result = agree(world, check_finite(world, "after"));
    }
    if (result == DLP_OK && world->probes.count > 0) {
        result = end_probes(world, dt, substep->is_last);
    }
    world->failed = result != DLP_OK;
    return result;
}

/* Number of equal substeps so that no particle exceeds its Courant limit in one of them. */
static int64_t count_substeps(const dlp_World *world, double dt)
{
    const double gain = dt * dlp__length(world->def.gravity), spacing = world->def.spacing;
    double substeps = 1.0;
    if (world->def.cfl > 0.0) {
        substeps = ceil((dlp__world_max_speed(world, false) + gain) * dt / (world->def.cfl * spacing));
    }
    if (world->companions.count > world->companions.rigid) {
        substeps = fmax(substeps, ceil((dlp__world_max_speed(world, true) + gain) * dt / (DLP_SOFT_CFL * spacing)));
    }
    return (int64_t)fmin(fmax(substeps, 1.0), MAX_SUBSTEPS);
}

/* Raises the number of substeps to satisfy the step limit of the method; warns when that starts to matter. */
static dlp_Result apply_step_limit(dlp_World *world, double dt, int64_t *substeps)
{
    if (world->method->limit == NULL) {
        return DLP_OK;
    }
    const dlp__StepContext step = dlp__world_step_context(world, dt, dt);
    const dlp__LongestStep limit = world->method->limit(&step);
    /* The factor keeps a rounding error from splitting a step that just fits. */
    const double needed = ceil(dt / limit.longest * (1.0 - 1e-6));
    const bool is_substepped = needed > 1.0;
    if (needed > MAX_SUBSTEPS) {
        return dlp__fail(
            &world->error, DLP_ERROR_ARGUMENT,
            "a step of %.3g s would have to be split into %.0f substeps, but at most %d are possible: method %s allows at "
            "most %.3g s with %s; lower it, or use a shorter time step",
            dt, needed, MAX_SUBSTEPS, world->method->name, limit.longest, limit.cause);
    }
    if (is_substepped && !world->is_substepped) {
        log_message(
            world, DLP_LOG_WARNING,
            "steps of %.3g s are split into %.0f substeps: method %s allows at most %.3g s with %s; lower it, or set "
            "run.time_step=%.2g",
            dt, needed, world->method->name, limit.longest, limit.cause, limit.longest);
    }
    world->is_substepped = is_substepped;
    *substeps = *substeps > (int64_t)needed ? *substeps : (int64_t)needed;
    return DLP_OK;
}

/* Checks before a step that change nothing. */
static dlp_Result begin_step(dlp_World *world)
{
    if (world->failed) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                         "an earlier step failed and left the world in an invalid state: load its last checkpoint");
    }
    const dlp_Result checked = dlp__is_sheared(&world->domains.frame) ? dlp__world_check_shear(world) : DLP_OK;
    return checked == DLP_OK ? dlp__world_check_materials(world) : checked;
}

dlp_Result dlp_world_step(dlp_World *world, double dt)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    if (!(dt >= DLP_MIN_STEP && dt <= DLP_MAX_STEP)) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "a time step must be between %g and %g s, not %g s",
                         DLP_MIN_STEP, DLP_MAX_STEP, dt);
    }
    int64_t substeps = count_substeps(world, dt);
    dlp_Result result = begin_step(world);
    result = result == DLP_OK ? apply_step_limit(world, dt, &substeps) : result;
    world->iterations = 0;
    world->residual = 0.0;
    for (int64_t n = 0; n < substeps && result == DLP_OK; n++) {
        const double part = dt / (double)substeps;
        result = run_substep(
            world,
            &(Substep){
                .dt = part, .requested_dt = dt, .end = world->time + part, .number = n, .is_last = n == substeps - 1});
    }
    world->substeps = substeps;
    world->dt_most = result == DLP_OK ? world->dt_last : world->dt_most;
    world->step_length = dt;
    world->step_limit = DLP_LIMIT_NONE;
    world->is_between_ends = false;
    return result;
}

dlp_Result dlp_world_next_step(dlp_World *world, double end, double *length)
{
    if (world == NULL || length == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp__StepChoice choice = {0};
    dlp_Result result = begin_step(world);
    result = result == DLP_OK ? dlp__choose_step(world, end, &choice) : result;
    *length = choice.dt;
    return result;
}

dlp_Result dlp_world_advance(dlp_World *world, double end)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp__StepChoice choice;
    dlp_Result result = begin_step(world);
    result = result == DLP_OK ? dlp__choose_step(world, end, &choice) : result;
    if (result != DLP_OK) {
        return result;
    }
    const Substep whole = {.dt = choice.dt,
                           .requested_dt = choice.dt,
                           .end = choice.lands ? end : world->time + choice.dt,
                           .is_last = true,
                           .adaptive = true};
    world->iterations = 0;
    world->residual = 0.0;
    world->substeps = 1;
    result = run_substep(world, &whole);
    world->dt_most = result == DLP_OK ? choice.most : world->dt_most;
    world->step_length = choice.dt;
    world->step_limit = choice.limit;
    world->is_between_ends = !choice.lands;
    return result;
}
