#include "methods/mps/mps_pressure.h"

#include "krylov/conjugate_gradients.h"
#include "methods/mps/mps_fields.h"
#include "methods/mps/mps_walls.h"

#include <math.h>

typedef struct Solve {
    dlp__StepContext *step;
    const dlp__MpsPlan *plan;
    const dlp__MpsPressureStages *stages;
} Solve;

static bool apply_operator(void *context)
{
    const Solve *solve = context;
    dlp__Domains *domains = solve->step->domains;
    if (solve->plan->by_pressure) {
        dlp__run(domains, &solve->stages->push, solve->plan);
        dlp__run(domains, &solve->stages->divergence, solve->plan);
    } else {
        dlp__run(domains, &solve->stages->laplacian, solve->plan);
    }
    return dlp__step_is_ok(domains);
}

/* Unknowns are pressure times time step squared; the initial guess is the pressure of the last step. */
static void guess(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    for (int64_t i = begin; i < end; i++) {
        const float p = plan->dt * plan->dt * c->particles->pressure[0][i];
        c->particles->change[0][i] = p;
        c->particles->search[0][i] = p;
    }
}

static void set_residual(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsFields *f = dlp__own_fields(c->particles);
    for (int64_t i = begin; i < end; i++) {
        c->particles->residual[0][i] = f->source[0][i] - c->particles->product[0][i];
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

static void apply_push(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__MpsPlan *plan = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        const float x = f->push[0][i], y = f->push[1][i], z = f->push[2][i];
        const float length = sqrtf(x * x + y * y + z * z), most = FARTHEST * plan->spacing;
        const float factor = length > most ? most / length : 1.0f;
        for (int a = 0; a < 3; a++) {
            p->position[a][i] += factor * f->push[a][i];
            p->correction[a][i] += factor * f->push[a][i];
        }
    }
}

static void add_sources(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Domains *domains = context;
    const dlp__Particles *p = &domains->part[part].particles;
    const dlp__MpsFields *f = dlp__own_fields(p);
    for (int64_t i = begin; i < end; i++) {
        dlp__exact_add(sum, (double)p->mobility[0][i] * (double)f->source[0][i] * (double)f->source[0][i]);
    }
}

static void solve_equation(Solve *solve)
{
    dlp__StepContext *step = solve->step;
    const dlp__MpsParams *own = step->params;
    dlp__Krylov krylov = {.parallel = step->domains->parallel,
                          .parts = step->domains->count,
                          .components = 1,
                          .apply = apply_operator,
                          .context = solve,
                          .max_iterations = own->iterations};
    int64_t counts[DLP_DOMAINS_MOST];
    for (int d = 0; d < step->domains->count; d++) {
        krylov.part[d] = &step->domains->part[d].particles;
        counts[d] = krylov.part[d]->count;
    }
    if (!dlp__step_is_ok(step->domains)) {
        return;
    }
    double scale = 1.0;
    const double sources = dlp__exact_sum(step->domains->parallel, step->domains->count, counts, add_sources,
                                          step->domains, &scale);
    const dlp__KrylovReport report = dlp__conjugate_gradients(&krylov, own->tolerance * own->tolerance * sources);
    step->iterations += report.iterations;
    step->residual = sources > 0.0 ? sqrt(report.residual / sources) : 0.0;
    step->unfinished = step->unfinished || report.iterations == own->iterations;
}

void dlp__mps_project(dlp__StepContext *step, const dlp__MpsPlan *plan, const dlp__MpsPressureStages *stages)
{
    static const dlp__Stage first = {.name = "mps pressure",
                                     .function = guess,
                                     .reads = {DLP_FIELD_pressure},
                                     .writes = {DLP_FIELD_change, DLP_FIELD_search}};
    static const dlp__Stage residual = {.name = "mps pressure",
                                        .function = set_residual,
                                        .reads = {OWN_source, DLP_FIELD_product},
                                        .writes = {DLP_FIELD_residual}};
    static const dlp__Stage last = {.name = "mps pressure",
                                    .function = take_pressure,
                                    .reads = {DLP_FIELD_change},
                                    .writes = {DLP_FIELD_search, DLP_FIELD_pressure}};
    static const dlp__Stage move = {.name = "mps pressure move",
                                    .function = apply_push,
                                    .reads = {OWN_push},
                                    .writes = {DLP_FIELD_position, DLP_FIELD_correction}};
    Solve solve = {step, plan, stages};
    dlp__mps_compress_at_walls(step, plan);
    dlp__run(step->domains, &stages->equation, plan);
    dlp__run(step->domains, &first, plan);
    apply_operator(&solve);
    dlp__run(step->domains, &residual, plan);
    solve_equation(&solve);
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
    if (plan->by_pressure && plan->flows && plan->regularization > 0.0f) {
        dlp__run(step->domains, &stages->shift, plan);
        dlp__run(step->domains, &apply, plan);
    }
}
