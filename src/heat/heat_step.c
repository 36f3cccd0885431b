/* One step of heat. The explicit scheme uses the temperatures at the start of the step. The implicit one finds those
 * at its end by Newton's method on enthalpies, each iteration a linear system solved by conjugate gradients; the
 * temperature of melting material is fixed within an iteration. Both end in the same way: enthalpies change by the
 * heat conducted at these temperatures, so energy is conserved even if the solver has not converged. An error in
 * temperature is multiplied by the stiffness of the step in that update, so the tolerance is divided by it. */
#include "heat/heat_stages.h"
#include "heat/heat_exchange.h"

#include "base/simd.h"

#include <math.h>

enum {
    MAX_SUBSTEPS = 1000,  /* substeps of an explicit step */
    MAX_ROUNDS = 12,      /* of Newton's method */
    MAX_ITERATIONS = 400, /* of conjugate gradients in each */
};
static const double TOLERANCE = 1e-4;        /* of the first residual, as a change of temperature */
static const double STALLED = 0.25;          /* of the norm: a round that reduces it less is limited by rounding */
static const double PAIR_SHARE = 0.1;        /* of a particle's conductance limit, for one neighbour */
static const double STEFAN = 5.670374419e-8; /* W/m2/K4 */

typedef struct Solver {
    const dlp__HeatStep *step;
    const dlp__HeatStages *stages;
    dlp__HeatArguments arguments;
    dlp__WarmBodies bodies;
    double dt;     /* s, of the current substep */
    double factor; /* dt of the step over that of the substep */
} Solver;

const dlp__HeatStages *dlp__heat_stages(int width)
{
    static const dlp__HeatStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__heat_stages);
    return versions[dlp__width_index(width)];
}

static void run(const Solver *solver, const dlp__Stage *stage)
{
    dlp__run(solver->step->domains, stage, &solver->arguments);
}

/* For stages without neighbours. */
static void run_each(const Solver *solver, const dlp__Stage *stage)
{
    dlp__run(solver->step->domains, stage, solver);
}

/* Radiation grows with the fourth power of temperature; over a step it is linearized as a conductance to the air. */
static void add_air_exchange(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    const double air = solver->step->air;
    for (int64_t i = begin; i < end; i++) {
        const dlp_MaterialDef *material = dlp__heat_material_def(solver->step, p, i);
        const double t = fmax((double)p->temperature[0][i], 0.0);
        const double radiation = material->emissivity * STEFAN * (t * t + air * air) * (t + air);
        const double outlet = fmin((double)p->conduction[DLP_HEAT_SURFACE][i] * (material->convection + radiation),
                                   dlp__heat_conductance_limit(solver->step, material));
        p->conduction[DLP_HEAT_LOSS_CONDUCTANCE][i] += (float)outlet;
        p->conduction[DLP_HEAT_SOURCE][i] += (float)(outlet * air);
    }
}

/* Limit the conductance of pairs: particles that almost coincide would exchange heat without bound. */
static void limit_pair_conductance(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const double most = dlp__heat_conductance_limit(solver->step, dlp__heat_material_def(solver->step, p, i));
        p->conduction[DLP_HEAT_PAIR_LIMIT][i] = (float)fmin(PAIR_SHARE * most, 1e30);
    }
}

static const dlp__Stage air_stage = {.name = "heat air",
                                     .function = add_air_exchange,
                                     .reads = {DLP_FIELD_material, DLP_FIELD_temperature},
                                     .writes = {DLP_FIELD_conduction}};
static const dlp__Stage bear_stage = {.name = "heat limit",
                                      .function = limit_pair_conductance,
                                      .reads = {DLP_FIELD_material},
                                      .writes = {DLP_FIELD_conduction}};

static bool any_material_meets_air(const dlp__HeatStep *step)
{
    for (int m = 0; m < step->material_count; m++) {
        if (step->materials[m].emissivity > 0.0 || step->materials[m].convection > 0.0) {
            return true;
        }
    }
    return false;
}

/* Substeps needed for an explicit step to be stable: no particle gives away more than its excess over its
 * neighbours. */
static double substeps_needed(const Solver *solver)
{
    const dlp__HeatStep *step = solver->step;
    double most = 0.0;
    for (int d = 0; d < step->domains->count; d++) {
        const dlp__Particles *p = &step->domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            const dlp_MaterialDef *material = dlp__heat_material_def(solver->step, p, i);
            if (material->heat_capacity > 0.0) {
                const double all = (double)(p->conduction[DLP_HEAT_NEIGHBOR_CONDUCTANCE][i] +
                                            p->conduction[DLP_HEAT_LOSS_CONDUCTANCE][i] +
                                            p->conduction[DLP_HEAT_BODY_CONDUCTANCE][i]);
                most = fmax(most, all / (material->density * material->heat_capacity));
            }
        }
    }
    most = dlp__ranks_most(step->domains->ranks, most) * step->dt;
    for (int n = 0; n < solver->bodies.count; n++) {
        most = fmax(most, solver->bodies.body[n].conductance / solver->bodies.body[n].capacity);
    }
    return ceil(most);
}

/* W/m3, gained by particle i at the current temperatures; `product` is the heat conducted to its neighbours. */
static double gain_of(const Solver *solver, const dlp__Particles *p, int64_t i)
{
    const dlp__WarmBody *body = dlp__warm_body_of(&solver->bodies, p, i);
    const double t = (double)p->temperature[0][i];
    const double from_body = body != NULL
                                 ? (double)p->conduction[DLP_HEAT_BODY_CONDUCTANCE][i] * (body->temperature - t)
                                 : 0.0;
    return (double)p->conduction[DLP_HEAT_SOURCE][i] - (double)p->conduction[DLP_HEAT_LOSS_CONDUCTANCE][i] * t -
           (double)p->product[0][i] + from_body;
}

static void gain(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const dlp_MaterialDef *material = dlp__heat_material_def(solver->step, p, i);
        if (material->heat_capacity > 0.0) {
            const double enthalpy = dlp__heat_enthalpy(p, i) + solver->dt / material->density * gain_of(solver, p, i);
            p->enthalpy[0][i] = (float)enthalpy;
            p->enthalpy[1][i] = (float)(enthalpy - (double)p->enthalpy[0][i]);
            p->temperature[0][i] = (float)dlp__thermal_temperature(material, enthalpy);
        }
    }
}

static const dlp__Stage gain_stage = {.name = "heat gain",
                                      .function = gain,
                                      .reads = {DLP_FIELD_material, DLP_FIELD_conduction, DLP_FIELD_product},
                                      .writes = {DLP_FIELD_enthalpy, DLP_FIELD_temperature}};

/* W/m3 per particle volume, gained by free body n at the current temperatures. */
static double gain_of_body(const Solver *solver, int n)
{
    const dlp__WarmBody *body = &solver->bodies.body[n];
    return dlp__warm_bodies_sum(solver->step->domains, DLP_FIELD_temperature, n) -
           body->conductance * body->temperature;
}

/* Update all enthalpies by the heat exchanged at the current temperatures: of particles, and of bodies, which gain
 * what particles lose to them. */
static void gain_all(Solver *solver)
{
    const dlp__HeatStep *step = solver->step;
    run(solver, &solver->stages->conduct);
    for (int n = 0; n < solver->bodies.count; n++) {
        solver->bodies.unknown.change[n] = gain_of_body(solver, n) / (solver->bodies.body[n].capacity * solver->factor);
    }
    run_each(solver, &gain_stage);
    for (int n = 0; n < solver->bodies.count; n++) {
        dlp__Solid *solid = &step->solids->solid[solver->bodies.body[n].solid];
        solid->temperature += solver->bodies.unknown.change[n];
        solver->bodies.body[n].temperature = solid->temperature;
    }
}

static void step_explicit(Solver *solver, int substeps)
{
    solver->dt = solver->step->dt / substeps;
    solver->factor = substeps;
    for (int n = 0; n < substeps; n++) {
        gain_all(solver);
    }
}

/* Start a Newton iteration: the residual of the current gain, and its derivative by temperature. */
static void begin_round(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const dlp_MaterialDef *material = dlp__heat_material_def(solver->step, p, i);
        const double rise = (double)p->conduction[DLP_HEAT_GAIN][i], per_step = material->density / solver->dt;
        const double slope = material->heat_capacity > 0.0
                                 ? dlp__thermal_slope(material, dlp__heat_enthalpy(p, i) + rise)
                                 : 0.0;
        const double inertia = slope > 0.0 ? per_step / slope : 0.0;
        const double all = inertia + (double)(p->conduction[DLP_HEAT_NEIGHBOR_CONDUCTANCE][i] +
                                              p->conduction[DLP_HEAT_LOSS_CONDUCTANCE][i] +
                                              p->conduction[DLP_HEAT_BODY_CONDUCTANCE][i]);
        p->conduction[DLP_HEAT_CAPACITY][i] = (float)inertia;
        p->mobility[0][i] = slope > 0.0 ? (float)(1.0 / all) : 0.0f;
        p->residual[0][i] = (float)(gain_of(solver, p, i) - per_step * rise);
        p->change[0][i] = 0.0f;
    }
}

/* Update gain and temperature with the solution of a Newton iteration. */
static void end_round(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const dlp_MaterialDef *material = dlp__heat_material_def(solver->step, p, i);
        if (material->heat_capacity > 0.0) {
            p->conduction[DLP_HEAT_GAIN][i] += (float)(solver->dt / material->density) *
                                               (p->conduction[DLP_HEAT_CAPACITY][i] * p->change[0][i] +
                                                p->residual[0][i]);
            p->temperature[0][i] = (float)dlp__thermal_temperature(
                material, dlp__heat_enthalpy(p, i) + (double)p->conduction[DLP_HEAT_GAIN][i]);
        }
    }
}

static void clear_gain(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    for (int64_t i = begin; i < end; i++) {
        c->particles->conduction[DLP_HEAT_GAIN][i] = 0.0f;
    }
}

/* The diagonal of the operator, without neighbours. */
static void apply_diagonal(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solver *solver = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const int body = (int)p->conduction[DLP_HEAT_BODY][i];
        const float own = p->conduction[DLP_HEAT_CAPACITY][i] + p->conduction[DLP_HEAT_LOSS_CONDUCTANCE][i] +
                          p->conduction[DLP_HEAT_BODY_CONDUCTANCE][i];
        p->product[0][i] += own * p->search[0][i];
        if (body > 0) {
            p->product[0][i] -= p->conduction[DLP_HEAT_BODY_CONDUCTANCE][i] *
                                (float)solver->bodies.unknown.search[body - 1];
        }
    }
}

static const dlp__Stage clear_stage = {.name = "heat begin", .function = clear_gain, .writes = {DLP_FIELD_conduction}};
static const dlp__Stage begin_stage = {
    .name = "heat begin",
    .function = begin_round,
    .reads = {DLP_FIELD_material, DLP_FIELD_enthalpy, DLP_FIELD_temperature, DLP_FIELD_product},
    .writes = {DLP_FIELD_conduction, DLP_FIELD_mobility, DLP_FIELD_residual, DLP_FIELD_change}};
static const dlp__Stage end_stage = {
    .name = "heat end",
    .function = end_round,
    .reads = {DLP_FIELD_material, DLP_FIELD_enthalpy, DLP_FIELD_residual, DLP_FIELD_change},
    .writes = {DLP_FIELD_conduction, DLP_FIELD_temperature}};
static const dlp__Stage hold_stage = {.name = "heat diagonal",
                                      .function = apply_diagonal,
                                      .reads = {DLP_FIELD_conduction, DLP_FIELD_search},
                                      .writes = {DLP_FIELD_product}};

static bool apply(void *context)
{
    const Solver *solver = context;
    const dlp__KrylovExtra *extra = &solver->bodies.unknown;
    for (int n = 0; n < extra->count; n++) {
        const dlp__WarmBody *body = &solver->bodies.body[n];
        extra->product[n] = (body->capacity + body->conductance) * extra->search[n] -
                            dlp__warm_bodies_sum(solver->step->domains, DLP_FIELD_search, n);
    }
    run(solver, &solver->stages->search);
    run_each(solver, &hold_stage);
    return dlp__step_is_ok(solver->step->domains);
}

static void begin_bodies(const Solver *solver)
{
    const dlp__KrylovExtra *extra = &solver->bodies.unknown;
    for (int n = 0; n < extra->count; n++) {
        const dlp__WarmBody *body = &solver->bodies.body[n];
        const double initial = solver->step->solids->solid[body->solid].temperature;
        extra->change[n] = 0.0;
        extra->residual[n] = gain_of_body(solver, n) - body->capacity * (body->temperature - initial);
        solver->bodies.mobility[n] = 1.0 / (body->capacity + body->conductance);
    }
}

/* `stiffness` is how many times the stable explicit step the step is. */
static void step_implicit(Solver *solver, double stiffness)
{
    const dlp__HeatStep *step = solver->step;
    dlp__Krylov krylov = {.parallel = step->domains->parallel,
                          .parts = step->domains->count,
                          .width = step->domains->width,
                          .components = 1,
                          .extra = solver->bodies.unknown,
                          .apply = apply,
                          .context = solver,
                          .max_iterations = MAX_ITERATIONS};
    for (int d = 0; d < krylov.parts; d++) {
        krylov.part[d] = &step->domains->part[d].particles;
    }
    const double tolerance = TOLERANCE / fmax(stiffness, 1.0);
    double scale = 1.0, target = 0.0, last_norm = INFINITY;
    run_each(solver, &clear_stage);
    for (int round = 0; round < MAX_ROUNDS && dlp__step_is_ok(step->domains); round++) {
        run(solver, &solver->stages->conduct);
        run_each(solver, &begin_stage);
        begin_bodies(solver);
        const double norm = dlp__krylov_norm(&krylov, &scale);
        target = round == 0 ? tolerance * tolerance * norm : target;
        if (!(norm > target && norm < STALLED * last_norm)) {
            break;
        }
        last_norm = norm;
        const dlp__KrylovReport report = dlp__conjugate_gradients(&krylov, target);
        step->heat->iterations += report.iterations;
        run_each(solver, &end_stage);
        for (int n = 0; n < solver->bodies.count; n++) {
            solver->bodies.body[n].temperature += solver->bodies.unknown.change[n];
        }
    }
    gain_all(solver);
}

void dlp__heat_step(const dlp__HeatStep *step)
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
    dlp__heat_add_walls(step);
    run(&solver, &solver.stages->shape);
    if (any_material_meets_air(step)) {
        run_each(&solver, &air_stage);
    }
    run_each(&solver, &bear_stage);
    run(&solver, &solver.stages->compute_conductances);
    dlp__require_memory(step->domains, dlp__warm_bodies_find(&solver.bodies, step), "the temperatures of bodies");
    if (!dlp__step_is_ok(step->domains)) {
        return;
    }
    const double substeps = substeps_needed(&solver);
    const bool cut = step->kind == DLP_HEAT_EXPLICIT && substeps <= MAX_SUBSTEPS;
    if (step->kind == DLP_HEAT_IMPLICIT || (substeps > 1.0 && !cut)) {
        step_implicit(&solver, substeps);
    } else {
        step_explicit(&solver, substeps > 1.0 ? (int)substeps : 1);
    }
}
