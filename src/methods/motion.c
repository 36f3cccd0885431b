#include "methods/motion.h"

#include "boundary/wall_watch.h"
#include "methods/squeeze_limit.h"

#include <math.h>

static bool is_within(const dlp__Nozzle *nozzle, double u, double v)
{
    if (nozzle->opening != NULL) {
        return dlp__flat_opening_contains(nozzle->opening, u, v);
    }
    return nozzle->radius > 0.0 ? u * u + v * v < nozzle->radius * nozzle->radius
                                : fabs(u) < nozzle->width && fabs(v) < nozzle->height;
}

/* 1 + the first open nozzle that contains this position, or 0. */
static uint16_t carrier_at(const dlp__StepContext *step, float x, float y, float z)
{
    const dlp__Box place = {{(double)x, (double)y, (double)z}, {(double)x, (double)y, (double)z}};
    if (step->nozzle_count == 0) {
        return 0;
    }
    for (int n = -1; (n = dlp__box_tree_next(step->nozzle_tree, &place, n)) < step->nozzle_count;) {
        const dlp__Nozzle *nozzle = &step->nozzles[n];
        dlp_Vec3 from = dlp__sub(dlp__vec3((double)x, (double)y, (double)z), nozzle->position);
        double along = dlp__dot(from, nozzle->flow), u = dlp__dot(from, nozzle->u), v = dlp__dot(from, nozzle->v);
        if (along > nozzle->behind && along < nozzle->length && is_within(nozzle, u, v)) {
            return (uint16_t)(n + 1);
        }
    }
    return 0;
}

/* Give particle i the prescribed velocity of nozzle number `carrier` - 1 at `place`. */
static void set_nozzle_velocity(const dlp__StepContext *step, int carrier, dlp__Particles *p, float *const place[3],
                                int64_t i)
{
    const dlp__Nozzle *nozzle = &step->nozzles[carrier - 1];
    const dlp_Vec3 at = dlp__vec3((double)place[0][i], (double)place[1][i], (double)place[2][i]);
    const dlp_Vec3 rotational = dlp__rotate(&nozzle->turning, dlp__sub(at, nozzle->position));
    p->velocity[0][i] = (float)((double)nozzle->velocity[0] + rotational.x);
    p->velocity[1][i] = (float)((double)nozzle->velocity[1] + rotational.y);
    p->velocity[2][i] = (float)((double)nozzle->velocity[2] + rotational.z);
}

bool dlp__motion_follow_nozzle(const dlp__StepContext *step, dlp__Particles *p, int64_t i)
{
    if (p->carrier[0][i] == 0) {
        return false;
    }
    set_nozzle_velocity(step, p->carrier[0][i], p, p->start, i);
    return true;
}

/* Give particles in nozzles the prescribed velocity, less the change by gravity in `gravity_time` (s). */
static void apply_nozzle_velocities(const dlp__StepContext *step, dlp__Particles *p, float gravity_time, int64_t begin,
                                    int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        uint16_t carrier = carrier_at(step, p->position[0][i], p->position[1][i], p->position[2][i]);
        p->carrier[0][i] = carrier;
        if (carrier > 0) {
            set_nozzle_velocity(step, carrier, p, p->position, i);
        }
        for (int a = 0; a < 3 && carrier > 0; a++) {
            p->velocity[a][i] -= gravity_time * step->gravity[a];
        }
    }
}

static void apply_nozzles(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    apply_nozzle_velocities(c->arguments, c->particles, 0.0f, begin, end);
}

void dlp__motion_apply_nozzles(dlp__StepContext *step)
{
    static const dlp__Stage stage = {.name = "nozzles",
                                     .function = apply_nozzles,
                                     .reads = {DLP_FIELD_position},
                                     .writes = {DLP_FIELD_velocity, DLP_FIELD_carrier}};
    dlp__run(step->domains, &stage, step);
}

static void predict(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    apply_nozzle_velocities(step, p, step->dt, begin, end);
    for (int a = 0; a < 3; a++) {
        float gain = step->dt * step->gravity[a];
        float *velocity = p->velocity[a], *position = p->position[a], *correction = p->correction[a];
        float *start = p->start[a];
        for (int64_t i = begin; i < end; i++) {
            velocity[i] += gain;
            start[i] = position[i];
            position[i] += step->dt * velocity[i];
            correction[i] = 0.0f;
        }
    }
}

/* Contact with predicted bodies needs the mass of particles, which are not sorted yet. */
static void predict_bodies(dlp__StepContext *step)
{
    dlp__solids_predict_bodies(step->solids);
    if (step->solids->bodies_predicted) {
        dlp__motion_prepare(step);
    }
}

void dlp__motion_apply_adhesion(dlp__StepContext *step)
{
    const dlp_Vec3 gravity = dlp__vec3((double)step->gravity[0], (double)step->gravity[1], (double)step->gravity[2]);
    dlp__wall_watch_begin(step->solids, step->domains, DLP_WATCH_VELOCITY);
    dlp__boundary_apply_adhesion(step->solids, step->domains, step->materials, gravity, step->dt);
    dlp__wall_watch_end(step->solids, step->domains, step->materials, DLP_WATCH_VELOCITY);
}

void dlp__motion_predict(dlp__StepContext *step)
{
    static const dlp__Stage stage = {
        .name = "predict",
        .function = predict,
        .writes = {DLP_FIELD_velocity, DLP_FIELD_position, DLP_FIELD_correction, DLP_FIELD_start, DLP_FIELD_carrier}};
    step->solids->impulses.moves_are_speed = true;
    dlp__run(step->domains, &stage, step);
    dlp__companions_predict(step->companions, step->domains, step->dt);
    predict_bodies(step);
}

/* Displacements by walls are impulses on them where they become velocity, which is until dlp__motion_finish(). */
static void watch_moves(dlp__StepContext *step)
{
    if (step->solids->impulses.moves_are_speed) {
        dlp__wall_watch_begin(step->solids, step->domains, DLP_WATCH_MOVES);
    }
}

static void record_moves(dlp__StepContext *step)
{
    if (step->solids->impulses.moves_are_speed) {
        dlp__wall_watch_end(step->solids, step->domains, step->materials, DLP_WATCH_MOVES);
    }
}

void dlp__motion_sweep(dlp__StepContext *step)
{
    double started = dlp__clock();
    watch_moves(step);
    dlp__boundary_sweep(step->solids, step->domains);
    record_moves(step);
    dlp__profile_add(step->domains, "sweep", started);
}

void dlp__motion_push_out(dlp__StepContext *step)
{
    double started = dlp__clock();
    watch_moves(step);
    dlp__boundary_push_out(step->solids, step->domains);
    record_moves(step);
    dlp__profile_add(step->domains, "contact", started);
}

void dlp__motion_resolve_contact(dlp__StepContext *step)
{
    const dlp__CompanionStep held = {step->spacing, step->dt, DLP_COMPANION_ITERATIONS};
    const int64_t rounds = step->companions->count > 0 ? DLP_COMPANION_ITERATIONS : 0;
    for (int64_t n = 0; n <= rounds; n++) {
        dlp__motion_push_out(step);
        dlp__solids_exchange_impulses(step->solids, step->domains);
        dlp__companions_constrain(step->companions, step->domains, &held, n);
    }
}

static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        p->specific_volume[0][i] = (float)(1.0 / step->materials[p->material[0][i]].density);
    }
}

void dlp__motion_prepare(dlp__StepContext *step)
{
    static const dlp__Stage stage = {
        .name = "prepare", .function = prepare, .reads = {DLP_FIELD_material}, .writes = {DLP_FIELD_specific_volume}};
    dlp__run(step->domains, &stage, step);
}

/* Pa: `tensile` times the weight of one layer of the lightest material, so that it does not depend on the time step. */
static float artificial_pressure(const dlp__StepContext *step, double tensile)
{
    double density = step->material_count > 0 ? step->materials[0].density : 0.0;
    for (int i = 1; i < step->material_count; i++) {
        density = fmin(density, step->materials[i].density);
    }
    const float *g = step->gravity;
    double weight = sqrt((double)(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])) * (double)step->spacing;
    return (float)(tensile * density * weight);
}

typedef struct IterationHook {
    dlp__StepContext *step;
    dlp__IterationFunction function;
    const void *arguments;
} IterationHook;

static void after_iteration(void *context, int64_t iteration)
{
    const IterationHook *hook = context;
    const dlp__CompanionStep held = {hook->step->spacing, hook->step->dt, DLP_COMPANION_ITERATIONS};
    dlp__motion_push_out(hook->step);
    dlp__solids_exchange_impulses(hook->step->solids, hook->step->domains);
    dlp__companions_constrain(hook->step->companions, hook->step->domains, &held, iteration);
    if (iteration > 0 && hook->function != NULL) {
        hook->function(hook->step, iteration, hook->arguments);
    }
}

void dlp__motion_project_density(dlp__StepContext *step, const dlp__DensityParams *params, int64_t least,
                                 dlp__IterationFunction function, const void *arguments)
{
    if (step->companions->count > 0 && least < DLP_COMPANION_ITERATIONS) {
        least = DLP_COMPANION_ITERATIONS;
    }
    int64_t most = params->iterations > least ? params->iterations : least;
    int64_t wanted = params->iterations_least > least ? params->iterations_least : least;
    const dlp__DensitySolver solver = {
        .kernel = *step->kernel,
        .spacing = step->spacing,
        .dt = step->dt,
        .dt_last = step->dt_last,
        .relaxation = (float)params->relaxation,
        .softness = (float)params->softness,
        .tensile = artificial_pressure(step, params->tensile),
        .keep = (float)params->keep,
        .recovery = (float)params->recovery,
        .tolerance = params->tolerance,
        .least = wanted < most ? wanted : most,
        .most = most,
        .walls = params->walls,
    };
    IterationHook hook = {step, function, arguments};
    step->iterations = dlp__density_solve(step->domains, &solver, after_iteration, &hook);
    step->unfinished = step->iterations == solver.most && solver.least < solver.most;
}

static void finish(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    float per_dt = 1.0f / step->dt;
    for (int a = 0; a < 3; a++) {
        float *velocity = p->velocity[a];
        const float *correction = p->correction[a];
        for (int64_t i = begin; i < end; i++) {
            velocity[i] += correction[i] * per_dt;
        }
    }
    for (int64_t i = begin; i < end; i++) {
        const bool carried = dlp__motion_follow_nozzle(step, p, i);
        for (int a = 0; a < 3 && carried; a++) {
            p->position[a][i] = p->start[a][i] + step->dt * p->velocity[a][i];
        }
    }
}

void dlp__motion_finish(dlp__StepContext *step)
{
    static const dlp__Stage stage = {.name = "finish",
                                     .function = finish,
                                     .reads = {DLP_FIELD_correction, DLP_FIELD_start, DLP_FIELD_carrier},
                                     .writes = {DLP_FIELD_velocity, DLP_FIELD_position}};
    dlp__motion_sweep(step);
    watch_moves(step);
    dlp__limit_squeezing(step);
    record_moves(step);
    dlp__wall_watch_samples(step->solids, step->domains, step->materials);
    step->solids->impulses.moves_are_speed = false;
    dlp__run(step->domains, &stage, step);
    if (step->nozzle_count > 0) {
        dlp__motion_sweep(step);
        dlp__motion_push_out(step);
    }
}

void dlp__motion_apply_wall_friction(dlp__StepContext *step)
{
    dlp__wall_watch_begin(step->solids, step->domains, DLP_WATCH_VELOCITY);
    dlp__boundary_apply_wall_friction(step->solids, step->domains);
    dlp__wall_watch_end(step->solids, step->domains, step->materials, DLP_WATCH_VELOCITY);
}

void dlp__motion_apply_friction_left(dlp__StepContext *step)
{
    dlp__wall_watch_begin(step->solids, step->domains, DLP_WATCH_VELOCITY);
    dlp__boundary_apply_friction_left(step->solids, step->domains);
    dlp__wall_watch_end(step->solids, step->domains, step->materials, DLP_WATCH_VELOCITY);
}
