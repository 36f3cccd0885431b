#include "methods/mps/mps_pressure.h"

#include "methods/motion.h"
#include "methods/mps/mps_fields.h"
#include "methods/mps/mps_walls.h"
#include "poisson/poisson.h"

#include <math.h>

typedef struct Solve {
    dlp__StepContext *step;
    const dlp__MpsPlan *plan;
    const dlp__MpsPressureStages *stages;
} Solve;

/* Divergence of the accelerations by a pressure. */
static bool apply_operator(void *context)
{
    const Solve *solve = context;
    dlp__run(solve->step->domains, &solve->stages->push, solve->plan);
    dlp__run(solve->step->domains, &solve->stages->divergence, solve->plan);
    return dlp__step_is_ok(solve->step->domains);
}

/* Unknowns are pressure times time step squared; the initial guess is the pressure of the last step, and zero for particles that
 * nothing touches. */
static void guess(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__MpsFields *f = dlp__own_fields(c->particles);
    for (int64_t i = begin; i < end; i++) {
        const bool free = plan->by_pressure && f->push_mobility[0][i] == 0.0f;
        c->particles->change[0][i] = free ? 0.0f : plan->dt * plan->dt * c->particles->pressure[0][i];
    }
}

/* The pressure, which becomes the search direction, so that the stage `push` applies it. */
static void take_pressure(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    for (int64_t i = begin; i < end; i++) {
        const float change = c->particles->change[0][i], p = plan->by_pressure ? change : fmaxf(change, 0.0f);
        c->particles->search[0][i] = p;
        c->particles->pressure[0][i] = p / (plan->dt * plan->dt);
    }
}

/* Pressure moves no particle farther than this in a step, in spacings: a limit for particles on top of each other. */
static const float FARTHEST = 0.5f;

/* Factor of a displacement by pressure that keeps it within the limit. */
static float limit_of(const dlp__MpsFields *f, const dlp__MpsPlan *plan, int64_t i)
{
    const float x = f->push[0][i], y = f->push[1][i], z = f->push[2][i];
    const float length = sqrtf(x * x + y * y + z * z), most = FARTHEST * plan->spacing;
    return length <= most ? 1.0f : isfinite(length) ? most / length : 0.0f;
}

static void apply_push(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        const float factor = limit_of(f, plan, i);
        for (int a = 0; a < 3 && factor > 0.0f; a++) {
            p->position[a][i] += factor * f->push[a][i];
            p->correction[a][i] += factor * f->push[a][i];
        }
    }
}

/* Compression in a step that is a rounding error of positions. */
static const double LEAST_COMPRESSION = 1e-6;

/* The paper's scheme solves the Laplacian model itself. */
static dlp__PoissonReport solve_equation(Solve *solve, double tolerance, int64_t iterations)
{
    dlp__StepContext *step = solve->step;
    const dlp__MpsParams *own = step->params;
    const dlp__PoissonParams params = {.tolerance = fmax(tolerance, DLP_MPS_TIGHTEST),
                                       .least = LEAST_COMPRESSION,
                                       .iterations = iterations,
                                       .preconditioner = own->preconditioner,
                                       .apply = solve->plan->by_pressure ? apply_operator : NULL,
                                       .context = solve,
                                       .mobility = OWN_push_mobility};
    const dlp__PoissonReport report = dlp__poisson_solve(step->domains, &params);
    step->iterations += report.iterations;
    return report;
}

/* Exchange the two right sides, and start from zero. */
static void exchange_sources(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        const float source = p->poisson_source[0][i];
        p->poisson_source[0][i] = f->density_source[0][i];
        f->density_source[0][i] = source;
        p->change[0][i] = 0.0f;
    }
}

static void take_solution(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        c->particles->search[0][i] = c->particles->change[0][i];
    }
}

static void take_shift(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    const dlp__MpsFields *f = dlp__own_fields(c->particles);
    for (int64_t i = begin; i < end; i++) {
        const float factor = limit_of(f, plan, i);
        for (int a = 0; a < 3; a++) {
            f->shift[a][i] = factor > 0.0f ? factor * f->push[a][i] : 0.0f;
        }
    }
}

/* Of the density correction, which a step does in small part anyhow. */
static const double DENSITY_TOLERANCE = 0.05;
static const int64_t DENSITY_ITERATIONS = 20;

/* Displacements that correct the density at the rate of the regularization; they give no velocity, so that they give no energy. */
static void find_density_shift(Solve *solve)
{
    static const dlp__Stage exchange = {.name = "mps density sources",
                                        .function = exchange_sources,
                                        .writes = {DLP_FIELD_poisson_source, OWN_density_source, DLP_FIELD_change}};
    static const dlp__Stage solution = {.name = "mps density solution",
                                        .function = take_solution,
                                        .reads = {DLP_FIELD_change},
                                        .writes = {DLP_FIELD_search}};
    static const dlp__Stage shift = {
        .name = "mps density shift", .function = take_shift, .reads = {OWN_push}, .writes = {OWN_shift}};
    dlp__Domains *domains = solve->step->domains;
    const dlp__MpsParams *own = solve->step->params;
    dlp__run(domains, &exchange, solve->plan);
    solve_equation(solve, DENSITY_TOLERANCE,
                   own->iterations < DENSITY_ITERATIONS ? own->iterations : DENSITY_ITERATIONS);
    dlp__run(domains, &solution, solve->plan);
    dlp__run(domains, &solve->stages->push, solve->plan);
    dlp__run(domains, &shift, solve->plan);
    dlp__run(domains, &exchange, solve->plan);
}

static bool is_regularized(const dlp__MpsPlan *plan)
{
    return plan->by_pressure && plan->flows && plan->regularization > 0.0f;
}

void dlp__mps_project(dlp__StepContext *step, const dlp__MpsPlan *plan, const dlp__MpsPressureStages *stages)
{
    static const dlp__Stage first = {.name = "mps pressure",
                                     .function = guess,
                                     .reads = {DLP_FIELD_pressure, OWN_push_mobility},
                                     .writes = {DLP_FIELD_change}};
    static const dlp__Stage last = {.name = "mps pressure",
                                    .function = take_pressure,
                                    .reads = {DLP_FIELD_change},
                                    .writes = {DLP_FIELD_search, DLP_FIELD_pressure}};
    static const dlp__Stage move = {.name = "mps pressure move",
                                    .function = apply_push,
                                    .reads = {OWN_push},
                                    .writes = {DLP_FIELD_position, DLP_FIELD_correction}};
    const dlp__MpsParams *own = step->params;
    Solve solve = {step, plan, stages};
    dlp__mps_compress_at_walls(step, plan);
    dlp__run(step->domains, &stages->equation, plan);
    if (is_regularized(plan)) {
        find_density_shift(&solve);
    }
    dlp__run(step->domains, &first, plan);
    const dlp__PoissonReport report = solve_equation(&solve, own->tolerance, own->iterations);
    step->residual = report.residual;
    step->unfinished = step->unfinished || report.iterations == own->iterations;
    dlp__run(step->domains, &last, plan);
    dlp__run(step->domains, &stages->push, plan);
    dlp__mps_record_wall_push(step, plan);
    dlp__run(step->domains, &move, plan);
}

static void apply_shift(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsFields *f = dlp__own_fields(c->particles);
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            c->particles->position[a][i] += f->shift[a][i];
        }
    }
}

void dlp__mps_shift(dlp__StepContext *step, const dlp__MpsPlan *plan, const dlp__MpsPressureStages *stages)
{
    static const dlp__Stage apply = {
        .name = "mps shift", .function = apply_shift, .reads = {OWN_shift}, .writes = {DLP_FIELD_position}};
    if (is_regularized(plan)) {
        dlp__run(step->domains, &stages->shift, plan);
        dlp__run(step->domains, &apply, plan);
        dlp__motion_push_out(step);
    }
}
