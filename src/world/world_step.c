/* One step of the world: what comes in, where solids are, the method's own step, and a look at the result. */
#include "world/emitters.h"
#include "world/world_state.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { PARTS_MOST = 64 }; /* of a step */

static const double LEAST_STEP = 1e-9; /* s: its square must be a normal single-precision number */

/* Spacings that the particles of soft companions may move at once: a layer that an obstacle stops must not be
 * overtaken by the next, for distances alone do not tell inside from outside. Above one spacing bodies that hit a
 * floor were seen to burst. */
static const double SOFT_CFL = 0.5;

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

/* Say in the host's log, if there is one, what happens in this step. */
__attribute__((format(printf, 3, 4))) static void tell(const dlp_World *world, dlp_LogLevel level, const char *format,
                                                       ...)
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

/* Warn when the solver begins to run out of iterations, not at every step in which it does. */
static void tell_unfinished(dlp_World *world, const dlp__StepContext *step)
{
    if (step->unfinished && !world->unfinished) {
        tell(world, DLP_LOG_WARNING,
             "the solver stopped at its limit of %lld iterations: allow more, or use a smaller time step",
             (long long)step->iterations);
    }
    world->unfinished = step->unfinished;
}

/* What the method has to say, when it is something new. */
static void tell_note(dlp_World *world, const dlp__StepContext *step)
{
    if (strcmp(world->note, step->note) != 0) {
        memcpy(world->note, step->note, sizeof world->note);
        tell(world, DLP_LOG_INFO, "%s", world->note);
    }
}

static dlp__StepContext context_of(dlp_World *world, double dt, double requested_dt)
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
        .time = world->time + dt,
        .is_sunk = world->sink_count > 0 ? dlp__sinks_take : NULL,
        .sinks = &world->sink_shapes,
        .conduction = dlp__world_heat_step(world, (double)(float)dt), /* as the method sees it */
    };
}

/* The step, or a part of it; the last one counts. */
static dlp_Result advance(dlp_World *world, double dt, double requested_dt, int64_t part, bool last)
{
    dlp_Result result = check_finite(world, "before");
    if (result != DLP_OK) {
        return result;
    }
    result = dlp__emitters_run(world, dt);
    if (result != DLP_OK) {
        return result;
    }
    const dlp__Nozzle *nozzles = NULL;
    int nozzle_count = dlp__emitters_nozzles(world, dt, &nozzles);
    if (nozzle_count < 0) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for %d nozzles", world->emitter_count);
    }
    result = dlp__solids_begin_step(&world->solids, world->time + dt, dt, world->def.gravity, &world->error);
    if (result != DLP_OK) {
        return result;
    }
    if (world->sink_count > 0 && dlp__mesh_list_deforms(&world->meshes)) {
        dlp__sinks_place(&world->sink_shapes, &world->memory, world->sinks, world->sink_count, &world->meshes);
    }
    if (!dlp__solids_build_contact_laws(&world->solids, world->contacts, world->contact_count, world->material_count)) {
        return dlp__fail(&world->error, DLP_ERROR_MEMORY, "no memory for what solids do to materials");
    }
    dlp__StepContext step = context_of(world, dt, requested_dt);
    step.nozzles = nozzles;
    step.nozzle_count = nozzle_count;
    dlp__domains_begin_step(&world->domains);
    world->method->step(&step);
    result = world->domains.failure;
    world->removed += step.removed;
    if (result == DLP_OK) {
        result = dlp__solids_end_step(&world->solids, (int64_t)((uint64_t)world->step * PARTS_MOST + (uint64_t)part),
                                      dt, world->def.gravity, &world->error);
    }
    if (result == DLP_OK) {
        tell_unfinished(world, &step);
        tell_note(world, &step);
        world->iterations += step.iterations;
        world->residual = step.residual > world->residual ? step.residual : world->residual;
        world->step += last;
        world->time += dt;
        world->dt_last = dt;
        result = check_finite(world, "after");
    }
    world->spoiled = result != DLP_OK;
    return result;
}

/* m/s, of the fastest particle, or of the fastest in a soft companion. */
static double fastest(const dlp_World *world, bool soft)
{
    float most = 0.0f;
    for (int d = 0; d < world->domains.count; d++) {
        const dlp__Particles *p = &world->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            if (soft && !dlp__companion_is_soft(&world->companions, p, i)) {
                continue;
            }
            float x = p->velocity[0][i], y = p->velocity[1][i], z = p->velocity[2][i];
            most = fmaxf(most, x * x + y * y + z * z);
        }
    }
    return sqrt((double)most);
}

/* Into how many equal parts a step is cut so that nothing moves farther than allowed in one of them. */
static int64_t parts_of(const dlp_World *world, double dt)
{
    const double gain = dt * dlp__length(world->def.gravity), spacing = world->def.spacing;
    double parts = 1.0;
    if (world->def.cfl > 0.0) {
        parts = ceil((fastest(world, false) + gain) * dt / (world->def.cfl * spacing));
    }
    if (world->companions.count > world->companions.rigid) {
        parts = fmax(parts, ceil((fastest(world, true) + gain) * dt / (SOFT_CFL * spacing)));
    }
    return (int64_t)fmin(fmax(parts, 1.0), PARTS_MOST);
}

/* The same so that the method bears them, told when that begins. */
static dlp_Result cut_for_method(dlp_World *world, double dt, int64_t *parts)
{
    if (world->method->limit == NULL) {
        return DLP_OK;
    }
    const dlp__StepContext step = context_of(world, dt, dt);
    const dlp__StepLimit limit = world->method->limit(&step);
    const double wanted = ceil(dt / limit.longest * (1.0 - 1e-6)); /* what just fits is not cut for a rounding error */
    const bool cut = wanted > 1.0;
    if (wanted > PARTS_MOST) {
        return dlp__fail(
            &world->error, DLP_ERROR_ARGUMENT,
            "a step of %.3g s would have to be cut into %.0f parts, and %d are the most: method %s bears at most "
            "%.3g s for %s; lower that, or use a shorter time step",
            dt, wanted, PARTS_MOST, world->method->name, limit.longest, limit.cause);
    }
    if (cut && !world->cut) {
        tell(world, DLP_LOG_WARNING,
             "steps of %.3g s are cut into %.0f parts: method %s bears at most %.3g s for %s; lower that, or set "
             "run.time_step=%.2g",
             dt, wanted, world->method->name, limit.longest, limit.cause, limit.longest);
    }
    world->cut = cut;
    *parts = *parts > (int64_t)wanted ? *parts : (int64_t)wanted;
    return DLP_OK;
}

dlp_Result dlp_world_step(dlp_World *world, double dt)
{
    if (!(dt >= LEAST_STEP && dt <= 1.0)) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT, "a time step must be between %g and 1 s, not %g s",
                         LEAST_STEP, dt);
    }
    if (world->spoiled) {
        return dlp__fail(&world->error, DLP_ERROR_ARGUMENT,
                         "an earlier step failed half-way and left the world unfit: load its last checkpoint");
    }
    int64_t parts = parts_of(world, dt);
    dlp_Result result = dlp__world_check_materials(world);
    result = result == DLP_OK ? cut_for_method(world, dt, &parts) : result;
    world->iterations = 0;
    world->residual = 0.0;
    for (int64_t n = 0; n < parts && result == DLP_OK; n++) {
        result = advance(world, dt / (double)parts, dt, n, n == parts - 1);
    }
    world->substeps = parts;
    return result;
}
