/* One step of heat. The explicit one goes by the temperatures at its beginning. The implicit one finds those at its end by
 * Newton's method on enthalpies, each round a linear system solved by conjugate gradients; where something melts its temperature
 * stands still in a round. Both end alike: enthalpies gain by what temperatures conduct, so that energy is kept whether or not the
 * solver came to its end. What it leaves of temperatures is then conducted as many times as the step is stiff, so it must leave less. */
#include "heat/heat_stages.h"
#include "heat/heat_exchange.h"

#include "base/simd.h"

#include <math.h>

enum {
    PARTS_MOST = 1000,     /* of an explicit step                          */
    ROUNDS_MOST = 12,      /* of Newton's method                           */
    ITERATIONS_MOST = 400, /* of conjugate gradients in each               */
};
static const double TOLERANCE = 1e-4;        /* of what the first round begins with, as a change of temperature  */
static const double STALLED = 0.25;          /* of the norm: a round that leaves more has come down to rounding */
static const double PART_OF_ONE = 0.1;       /* of what a particle exchanges, that may be with one neighbour      */
static const double STEFAN = 5.670374419e-8; /* W/m2/K4 */

typedef struct Solver {
    const dlp__HeatStep *step;
    const dlp__HeatStages *stages;
    dlp__HeatArguments arguments;
    dlp__WarmBodies bodies;
    double dt;     /* s, of the part at hand */
    double factor; /* of the step and of that part: dt of the step over this one */
} Solver;

const dlp__HeatStages *dlp__heat_stages(int width)
{
    static const dlp__HeatStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__heat_stages);
    return versions[dlp__width_index(width)];
}

static bool run(const Solver *solver, const dlp__Stage *stage)
{
    return dlp__run(solver->step->domains, stage, &solver->arguments);
}

/* For stages that look at one particle at a time. */
static bool run_each(const Solver *solver, const char *name, dlp__StageFunction function, uint64_t writes)
{
    const dlp__Stage stage = {.name = name, .function = function, .writes = writes};
    return dlp__run(solver->step->domains, &stage, solver);
}

/* Radiation goes with the fourth power of temperature; over a step it is a conductance to the air. */
static void meet_air(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    const double air = solver->step->air;
    for (int64_t i = begin; i < end; i++) {
        const dlp_MaterialDef *material = dlp__heat_def(solver->step, p, i);
        const double t = fmax((double)p->temperature[0][i], 0.0);
        const double shine = material->emissivity * STEFAN * (t * t + air * air) * (t + air);
        const double outlet = fmin((double)p->conduction[DLP_HEAT_SURFACE][i] * (material->convection + shine),
                                   dlp__heat_most(solver->step, material));
        p->conduction[DLP_HEAT_OUTLET][i] += (float)outlet;
        p->conduction[DLP_HEAT_INFLOW][i] += (float)(outlet * air);
    }
}

/* Particles that almost coincide would exchange without limit. */
static void bear(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const double most = dlp__heat_most(solver->step, dlp__heat_def(solver->step, p, i));
        p->conduction[DLP_HEAT_BEARABLE][i] = (float)fmin(PART_OF_ONE * most, 1e30);
    }
}

static bool some_meet_air(const dlp__HeatStep *step)
{
    for (int m = 0; m < step->material_count; m++) {
        if (step->materials[m].emissivity > 0.0 || step->materials[m].convection > 0.0) {
            return true;
        }
    }
    return false;
}

/* Parts that an explicit step must be cut into so that no particle gives away more than it has above its neighbours. */
static double parts_needed(const Solver *solver)
{
    const dlp__HeatStep *step = solver->step;
    double most = 0.0;
    for (int d = 0; d < step->domains->count; d++) {
        const dlp__Particles *p = &step->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const dlp_MaterialDef *material = dlp__heat_def(solver->step, p, i);
            if (material->heat_capacity > 0.0) {
                const double all = (double)(p->conduction[DLP_HEAT_SUM][i] + p->conduction[DLP_HEAT_OUTLET][i] +
                                            p->conduction[DLP_HEAT_TO_BODY][i]);
                most = fmax(most, all / (material->density * material->heat_capacity));
            }
        }
    }
    most *= step->dt;
    for (int n = 0; n < solver->bodies.count; n++) {
        most = fmax(most, solver->bodies.body[n].conductance / solver->bodies.body[n].capacity);
    }
    return ceil(most);
}

/* W/m3, that particle i gains by temperatures as they are; `product` is what it conducts to its neighbours. */
static double gain_of(const Solver *solver, const dlp__Particles *p, int64_t i)
{
    const dlp__WarmBody *body = dlp__warm_body_of(&solver->bodies, p, i);
    const double t = (double)p->temperature[0][i];
    const double given = body != NULL ? (double)p->conduction[DLP_HEAT_TO_BODY][i] * (body->temperature - t) : 0.0;
    return (double)p->conduction[DLP_HEAT_INFLOW][i] - (double)p->conduction[DLP_HEAT_OUTLET][i] * t -
           (double)p->product[0][i] + given;
}

static void gain(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const dlp_MaterialDef *material = dlp__heat_def(solver->step, p, i);
        if (material->heat_capacity > 0.0) {
            const double enthalpy = dlp__heat_enthalpy(p, i) + solver->dt / material->density * gain_of(solver, p, i);
            p->enthalpy[0][i] = (float)enthalpy;
            p->enthalpy[1][i] = (float)(enthalpy - (double)p->enthalpy[0][i]);
            p->temperature[0][i] = (float)dlp__thermal_temperature(material, enthalpy);
        }
    }
}

/* W/m3 over the volume of a particle, that free body n gains by temperatures as they are. */
static double gain_of_body(const Solver *solver, int n)
{
    const dlp__WarmBody *body = &solver->bodies.body[n];
    return dlp__warm_bodies_sum(solver->step->domains, DLP_FIELD_temperature, n) -
           body->conductance * body->temperature;
}

/* Let all gain by temperatures as they are: particles, and bodies what particles lose to them. */
static bool gain_all(Solver *solver)
{
    const dlp__HeatStep *step = solver->step;
    if (!run(solver, &solver->stages->conduct)) {
        return false;
    }
    for (int n = 0; n < solver->bodies.count; n++) {
        solver->bodies.unknown.change[n] = gain_of_body(solver, n) / (solver->bodies.body[n].capacity * solver->factor);
    }
    const bool ok = run_each(solver, "heat gain", gain, DLP_FIELD_BIT(enthalpy) | DLP_FIELD_BIT(temperature));
    for (int n = 0; n < solver->bodies.count; n++) {
        dlp__Solid *solid = &step->solids->solid[solver->bodies.body[n].solid];
        solid->temperature += solver->bodies.unknown.change[n];
        solver->bodies.body[n].temperature = solid->temperature;
    }
    return ok;
}

static bool step_explicit(Solver *solver, int parts)
{
    bool ok = true;
    solver->dt = solver->step->dt / parts;
    solver->factor = parts;
    for (int n = 0; n < parts && ok; n++) {
        ok = gain_all(solver);
    }
    return ok;
}

/* What a round begins with: the heat that the rise so far leaves unexplained, and how a kelvin would change that. */
static void begin_round(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const dlp_MaterialDef *material = dlp__heat_def(solver->step, p, i);
        const double rise = (double)p->conduction[DLP_HEAT_RISE][i], per_step = material->density / solver->dt;
        const double slope = material->heat_capacity > 0.0
                                 ? dlp__thermal_slope(material, dlp__heat_enthalpy(p, i) + rise)
                                 : 0.0;
        const double inertia = slope > 0.0 ? per_step / slope : 0.0;
        const double all = inertia + (double)(p->conduction[DLP_HEAT_SUM][i] + p->conduction[DLP_HEAT_OUTLET][i] +
                                              p->conduction[DLP_HEAT_TO_BODY][i]);
        p->conduction[DLP_HEAT_INERTIA][i] = (float)inertia;
        p->mobility[0][i] = slope > 0.0 ? (float)(1.0 / all) : 0.0f;
        p->residual[0][i] = (float)(gain_of(solver, p, i) - per_step * rise);
        p->change[0][i] = 0.0f;
    }
}

/* Where a round has led. */
static void end_round(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const dlp_MaterialDef *material = dlp__heat_def(solver->step, p, i);
        if (material->heat_capacity > 0.0) {
            p->conduction[DLP_HEAT_RISE][i] += (float)(solver->dt / material->density) *
                                               (p->conduction[DLP_HEAT_INERTIA][i] * p->change[0][i] +
                                                p->residual[0][i]);
            p->temperature[0][i] = (float)dlp__thermal_temperature(
                material, dlp__heat_enthalpy(p, i) + (double)p->conduction[DLP_HEAT_RISE][i]);
        }
    }
}

static void clear_rise(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        c->particles->conduction[DLP_HEAT_RISE][i] = 0.0f;
    }
}

/* The operator on one particle, its neighbours apart. */
static void hold(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const int body = (int)p->conduction[DLP_HEAT_BODY][i];
        const float own = p->conduction[DLP_HEAT_INERTIA][i] + p->conduction[DLP_HEAT_OUTLET][i] +
                          p->conduction[DLP_HEAT_TO_BODY][i];
        p->product[0][i] += own * p->search[0][i];
        if (body > 0) {
            p->product[0][i] -= p->conduction[DLP_HEAT_TO_BODY][i] * (float)solver->bodies.unknown.search[body - 1];
        }
    }
}

static bool apply(void *context)
{
    const Solver *solver = context;
    const dlp__KrylovExtra *extra = &solver->bodies.unknown;
    for (int n = 0; n < extra->count; n++) {
        const dlp__WarmBody *body = &solver->bodies.body[n];
        extra->product[n] = (body->capacity + body->conductance) * extra->search[n] -
                            dlp__warm_bodies_sum(solver->step->domains, DLP_FIELD_search, n);
    }
    return run(solver, &solver->stages->search) && run_each(solver, "heat hold", hold, DLP_FIELD_BIT(product));
}

static void begin_bodies(const Solver *solver)
{
    const dlp__KrylovExtra *extra = &solver->bodies.unknown;
    for (int n = 0; n < extra->count; n++) {
        const dlp__WarmBody *body = &solver->bodies.body[n];
        const double started = solver->step->solids->solid[body->solid].temperature;
        extra->change[n] = 0.0;
        extra->residual[n] = gain_of_body(solver, n) - body->capacity * (body->temperature - started);
        solver->bodies.mobility[n] = 1.0 / (body->capacity + body->conductance);
    }
}

/* `stiffness` is how many times a particle could exchange its heat in the step. */
static bool step_implicit(Solver *solver, double stiffness)
{
    const dlp__HeatStep *step = solver->step;
    dlp__Krylov krylov = {.parallel = step->domains->parallel,
                          .parts = step->domains->count,
                          .components = 1,
                          .extra = solver->bodies.unknown,
                          .apply = apply,
                          .context = solver,
                          .most = ITERATIONS_MOST};
    for (int d = 0; d < krylov.parts; d++) {
        krylov.part[d] = &step->domains->part[d].particles;
    }
    const uint64_t begun = DLP_FIELD_BIT(conduction) | DLP_FIELD_BIT(mobility) | DLP_FIELD_BIT(residual) |
                           DLP_FIELD_BIT(change);
    const uint64_t ended = DLP_FIELD_BIT(conduction) | DLP_FIELD_BIT(temperature);
    const double tolerance = TOLERANCE / fmax(stiffness, 1.0);
    double scale = 1.0, target = 0.0, last = INFINITY;
    bool ok = run_each(solver, "heat begin", clear_rise, DLP_FIELD_BIT(conduction));
    for (int round = 0; round < ROUNDS_MOST && ok; round++) {
        ok = run(solver, &solver->stages->conduct) && run_each(solver, "heat begin", begin_round, begun);
        begin_bodies(solver);
        const double norm = dlp__krylov_norm(&krylov, &scale);
        target = round == 0 ? tolerance * tolerance * norm : target;
        if (!(norm > target && norm < STALLED * last)) {
            break;
        }
        last = norm;
        const dlp__KrylovReport report = dlp__conjugate_gradients(&krylov, target);
        step->heat->iterations += report.iterations;
        ok = ok && report.ok && run_each(solver, "heat end", end_round, ended);
        for (int n = 0; n < solver->bodies.count; n++) {
            solver->bodies.body[n].temperature += solver->bodies.unknown.change[n];
        }
    }
    return ok && gain_all(solver);
}

bool dlp__heat_step(const dlp__HeatStep *step)
{
    const dlp__WallHeat *wall = &step->heat->wall;
    Solver solver = {.step = step,
                     .stages = dlp__heat_stages(step->domains->width),
                     .arguments = {.kernel = *step->kernel,
                                   .volume = (float)(step->spacing * step->spacing * step->spacing),
                                   .noise = (float)wall->noise,
                                   .area = (float)wall->area},
                     .dt = step->dt,
                     .factor = 1.0};
    step->heat->iterations = 0;
    if (!dlp__heat_meet_walls(step) || !run(&solver, &solver.stages->shape) ||
        (some_meet_air(step) && !run_each(&solver, "heat air", meet_air, DLP_FIELD_BIT(conduction))) ||
        !run_each(&solver, "heat bear", bear, DLP_FIELD_BIT(conduction)) || !run(&solver, &solver.stages->weigh) ||
        !dlp__warm_bodies_find(&solver.bodies, step)) {
        return false;
    }
    const double parts = parts_needed(&solver);
    const bool cut = step->kind == DLP_HEAT_EXPLICIT && parts <= PARTS_MOST;
    if (step->kind == DLP_HEAT_IMPLICIT || (parts > 1.0 && !cut)) {
        return step_implicit(&solver, parts);
    }
    return step_explicit(&solver, parts > 1.0 ? (int)parts : 1);
}
