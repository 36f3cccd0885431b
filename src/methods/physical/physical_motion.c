/* Velocities and positions at the end of a step: the solution is added, particles are shifted and moved, companions and solids
 * constrain them. */
#include "boundary/wall_watch.h"
#include "methods/motion.h"
#include "methods/physical/image_forces.h"
#include "methods/physical/physical_fields.h"
#include "methods/physical/physical_solver.h"

#include <math.h>

/* No force moves a particle farther than the support in a step. */
static void advance(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const float most = arguments->kernel.support / arguments->dt, per_dt = 1.0f / arguments->dt;
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        float x = p->change[0][i], y = p->change[1][i], z = p->change[2][i];
        float size = sqrtf(x * x + y * y + z * z), part = most / fmaxf(size, most);
        for (int a = 0; a < 3; a++) {
            p->velocity[a][i] += part * p->change[a][i];
            f->acceleration[a][i] = part * p->change[a][i] * per_dt;
        }
    }
}

void dlp__physical_advance_velocities(const dlp__PhysicalSolver *solver)
{
    static const dlp__Stage stage = {.name = "physical advance",
                                     .function = advance,
                                     .reads = {DLP_FIELD_change},
                                     .writes = {DLP_FIELD_velocity, OWN_acceleration}};
    dlp__physical_run(solver, &stage);
}

/* Momentum that the shift adds along an axis, relative to the flow of a sheared box. */
typedef struct Gain {
    const dlp__Domains *domains;
    int axis;
    float shear_rate; /* 1/s, of velocity along this axis with height */
} Gain;

static void add_gain(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const Gain *gain = context;
    const dlp__Particles *p = &gain->domains->part[part].particles;
    for (int64_t i = begin; i < end; i++) {
        const float change = p->change[gain->axis][i] - gain->shear_rate * p->correction[2][i];
        dlp__exact_add(sum, (double)(change / p->specific_volume[0][i]));
    }
}

static void add_mass(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Domains *domains = context;
    const dlp__Particles *p = &domains->part[part].particles;
    for (int64_t i = begin; i < end; i++) {
        dlp__exact_add(sum, 1.0 / (double)p->specific_volume[0][i]);
    }
}

/* Shifted particles take the velocity of their new place; the mean of that change would add momentum. Walls take up momentum. */
static void find_shift_mean(dlp__PhysicalSolver *solver)
{
    const dlp__Domains *domains = solver->step->domains;
    double mass = dlp__physical_has_walls(solver) ? 0.0 : dlp__physical_sum(domains, add_mass, domains);
    for (int a = 0; a < 3; a++) {
        Gain gain = {domains, a, a == 0 ? (float)domains->frame.shear.rate : 0.0f};
        solver->arguments.shift_mean[a] = mass > 0.0 ? (float)(dlp__physical_sum(domains, add_gain, &gain) / mass)
                                                     : 0.0f;
    }
}

static void move(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            p->start[a][i] = p->position[a][i];
            if (p->carrier[0][i] > 0) {
                p->position[a][i] += arguments->dt * p->velocity[a][i];
                continue;
            }
            p->position[a][i] += arguments->dt * p->velocity[a][i] + p->correction[a][i];
            p->velocity[a][i] += p->change[a][i] - arguments->shift_mean[a];
            p->correction[a][i] = 0.0f;
        }
    }
}

/* Particles of rigid companions are not shifted. */
static void cancel_shift(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        for (int a = 0; a < 3 && dlp__companion_rigid_index(c->arguments, p, i) >= 0; a++) {
            p->correction[a][i] = 0.0f;
            p->change[a][i] = 0.0f;
        }
    }
}

void dlp__physical_shift_and_move(dlp__PhysicalSolver *solver)
{
    static const dlp__Stage cancel_shift_stage = {.name = "physical cancel shift",
                                                  .function = cancel_shift,
                                                  .reads = {DLP_FIELD_companion},
                                                  .writes = {DLP_FIELD_correction, DLP_FIELD_change}};
    static const dlp__Stage stage = {
        .name = "physical move",
        .function = move,
        .reads = {DLP_FIELD_carrier, DLP_FIELD_change},
        .writes = {DLP_FIELD_position, DLP_FIELD_velocity, DLP_FIELD_correction, DLP_FIELD_start}};
    const dlp__StepContext *step = solver->step;
    dlp__physical_run(solver, &solver->shape->shift);
    if (step->companions->rigid > 0) {
        dlp__run(step->domains, &cancel_shift_stage, step->companions);
    }
    find_shift_mean(solver);
    dlp__physical_record_shift(solver);
    dlp__physical_run(solver, &stage);
}

/* Displacements of companions by bonds and solids are velocity too. */
static void convert_to_velocity(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            p->velocity[a][i] += p->correction[a][i] / arguments->dt;
            p->correction[a][i] = 0.0f;
        }
    }
}

/* Companions are fluid to the solver, and are constrained after it: rigid ones move as rigid bodies with their
 * momentum, soft ones are held by bonds. */
void dlp__physical_constrain_companions(const dlp__PhysicalSolver *solver)
{
    static const dlp__Stage stage = {.name = "physical companions",
                                     .function = convert_to_velocity,
                                     .writes = {DLP_FIELD_velocity, DLP_FIELD_correction}};
    dlp__StepContext *step = solver->step;
    const dlp__CompanionStep held = {step->spacing, step->dt, DLP_COMPANION_ITERATIONS};
    if (step->companions->count == 0) {
        return;
    }
    dlp__companions_predict(step->companions, step->domains, step->dt);
    for (int k = 0; dlp__step_is_ok(step->domains) && k <= DLP_COMPANION_ITERATIONS; k++) {
        dlp__companions_constrain(step->companions, step->domains, &held, k);
        dlp__wall_watch_begin(step->solids, step->domains, DLP_WATCH_MOVES);
        dlp__companions_push_from_solids(step->companions, step->solids, step->domains);
        dlp__wall_watch_end(step->solids, step->domains, step->materials, DLP_WATCH_MOVES);
    }
    dlp__companions_match_shapes(step->companions, step->domains);
    dlp__physical_run(solver, &stage);
}

/* A particle that was pushed out of a solid stops moving into it. */
static void stop_at_solids(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        float x = p->correction[0][i], y = p->correction[1][i], z = p->correction[2][i], size = x * x + y * y + z * z;
        float speed = x * p->velocity[0][i] + y * p->velocity[1][i] + z * p->velocity[2][i];
        if (size > 0.0f && speed < 0.0f && p->carrier[0][i] == 0) {
            p->velocity[0][i] -= x * speed / size;
            p->velocity[1][i] -= y * speed / size;
            p->velocity[2][i] -= z * speed / size;
        }
    }
}

void dlp__physical_resolve_contact(const dlp__PhysicalSolver *solver)
{
    static const dlp__Stage stage = {.name = "physical stop",
                                     .function = stop_at_solids,
                                     .reads = {DLP_FIELD_correction, DLP_FIELD_carrier},
                                     .writes = {DLP_FIELD_velocity}};
    dlp__StepContext *step = solver->step;
    const float *g = step->gravity;
    dlp__wall_watch_begin(step->solids, step->domains, DLP_WATCH_VELOCITY);
    dlp__motion_sweep(step);
    dlp__motion_push_out(step);
    dlp__boundary_update_attachment(step->solids, step->domains, step->dt,
                                    sqrt((double)(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])));
    if (step->solids->count > 0) {
        dlp__physical_run(solver, &stage);
    }
    dlp__wall_watch_end(step->solids, step->domains, step->materials, DLP_WATCH_VELOCITY);
}
