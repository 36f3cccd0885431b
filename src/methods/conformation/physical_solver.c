#include "methods/conformation/physical_solver.h"

#include "base/simd.h"
#include "materials/maxwell.h"
#include "methods/conformation/physical_bodies.h"
#include "methods/conformation/physical_stages.h"
#include "methods/motion.h"
#include "sph/lattice.h"

#include <math.h>

/* What a step works with. */
typedef struct Solver {
    dlp__StepContext *step;
    const dlp__PhysicalParams *params;
    const dlp__PhysicalStages *stages;
    dlp__PhysicalArguments arguments;
    dlp__CoarseGrid coarse;
    dlp__BodyCoupling bodies;
    bool rough;         /* some wall rubs by Coulomb's law                         */
    bool walls;         /* some particle sees an image of the fluid in a wall      */
    bool stiff;         /* some material resists shear more than inertia does      */
    double least, most; /* kg/m3, what materials resist                        */
    bool unlike;        /* materials differ much in that                           */
    bool remembers;     /* some material relaxes in more than no time              */
    bool melts;         /* of some that freezes to a solid, not all is frozen      */
} Solver;

/* Viscosity times dt over density and spacing squared: beyond this, rounding of forces would turn and push free bodies. */
static const double STIFFEST = 1e5;

/* The same from which a coarse grid is made at once; thinner fluids try this many iterations before. */
static const double STIFF = 3.0;
enum { PLAIN_ITERATIONS = 24 };

/* From this ratio on the diagonal is worth its cost; for like materials, it costs iterations at free surfaces. */
static const double UNLIKE = 4.0;

static bool run(const Solver *solver, const dlp__Stage *stage)
{
    return dlp__run(solver->step->domains, stage, &solver->arguments);
}

/* m, of the fluid along a direction. */
static double height_of(const dlp__Domains *domains, const double direction[3])
{
    double low = INFINITY, high = -INFINITY;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            double along = direction[0] * (double)p->position[0][i] + direction[1] * (double)p->position[1][i] +
                           direction[2] * (double)p->position[2][i];
            low = along < low ? along : low;
            high = along > high ? along : high;
        }
    }
    return high > low ? high - low : 0.0;
}

/* Under its own weight the fluid is to give way by no more than one part in so many before pressure holds it. */
static const double FIRM = 50.0;

/* How much the change of volume is resisted beside what viscosity brings, in density times spacing squared over dt. */
static double firmness(const dlp__StepContext *step, double inertia)
{
    const double g[3] = {(double)step->gravity[0], (double)step->gravity[1], (double)step->gravity[2]};
    const double size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]), spacings = (double)(step->dt / step->spacing);
    if (size == 0.0) {
        return inertia;
    }
    const double down[3] = {g[0] / size, g[1] / size, g[2] / size};
    return fmax(inertia, FIRM * size * height_of(step->domains, down) * spacings * spacings);
}

/* What a material will ask of the solver. */
static void weigh_material(Solver *solver, const dlp_MaterialDef *material)
{
    const double spacing = (double)solver->step->spacing, dt = (double)solver->step->dt;
    const double unit = material->density * spacing * spacing / dt;
    const dlp__MaxwellFlow flow = dlp__maxwell_flow(material, dt, STIFFEST * unit);
    const double viscosity = (double)flow.viscosity + (double)flow.solvent;
    const double resistance = material->density + viscosity * dt / (spacing * spacing);
    solver->remembers |= flow.retention > 0.0f || material->frozen_modulus > 0.0;
    solver->stiff |= resistance > (1.0 + STIFF) * material->density;
    solver->least = fmin(solver->least, resistance);
    solver->most = fmax(solver->most, resistance);
}

static Solver begin_step(dlp__StepContext *step, const dlp__PhysicalParams *params)
{
    static const dlp__PhysicalStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__physical_stages);
    const double spacing = (double)step->spacing, dt = (double)step->dt;
    /* Velocities stand in the middle of steps, so the first step brings half of gravity; falls are exact then. */
    const double kick = 0.5 * (dt + (double)step->dt_last);
    const dlp__Lattice rest = dlp__lattice_sums(step->kernel, spacing);
    Solver solver = {.step = step,
                     .params = params,
                     .least = INFINITY,
                     .stages = versions[dlp__width_index(step->domains->width)],
                     .arguments = {.kernel = *step->kernel,
                                   .volume = (float)(spacing * spacing * spacing),
                                   .per_spacing = 1.0f / step->spacing,
                                   .dt = step->dt,
                                   .damping = (float)params->damping,
                                   .bulk = (float)params->bulk,
                                   .bulk_more = (float)(firmness(step, params->inertia) * spacing * spacing / dt),
                                   .fick = (float)(params->evening * spacing * spacing),
                                   .crowd = (float)params->crowding,
                                   .per_rest = (float)(1.0 / rest.value),
                                   .softness = (float)(0.05 * rest.stiffness)}};
    for (int a = 0; a < 3; a++) {
        solver.arguments.kick[a] = (float)(kick * (double)step->gravity[a]);
    }
    for (int m = 0; m < step->material_count; m++) {
        const dlp__HeatRange range = dlp__heat_range(step->heat, step->materials, m, step->domains);
        weigh_material(&solver, &range.cold);
        weigh_material(&solver, &range.hot);
        solver.melts |= range.hot.frozen_modulus > 0.0 && !isinf(dlp__maxwell_time(&range.hot));
    }
    solver.unlike = solver.most > UNLIKE * solver.least;
    return solver;
}

/* What a material does to a particle that is drawn out. */
static dlp__MaxwellFlow drawn_flow(const dlp_MaterialDef *material, double trace, double dt, double stiffest)
{
    const double limit = dlp__maxwell_limit(material);
    const dlp_MaterialDef drawn = dlp__maxwell_drawn(material, (limit - 3.0) / fmax(limit - trace, 1e-3 * limit));
    return dlp__maxwell_flow(&drawn, dt, stiffest);
}

/* What materials do in this step. A particle that a nozzle carries has its velocity given. */
static void prepare(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    const double spacing = (double)step->spacing, dt = (double)step->dt;
    dlp__MaxwellFlow flow = {0};
    dlp_MaterialDef material = {0};
    double stiffest = 0.0;
    int32_t known = -1; /* neighbours are mostly of one material */
    bool changes = false;
    for (int64_t i = begin; i < end; i++) {
        if (p->material[0][i] != known || changes) {
            known = p->material[0][i];
            changes = dlp__heat_changes(step->heat, step->materials, known);
            material = dlp__heat_material(step->heat, step->materials, p, i);
            stiffest = STIFFEST * material.density * spacing * spacing / dt;
            flow = dlp__maxwell_flow(&material, dt, stiffest);
        }
        if (flow.limit > 0.0f) {
            double trace = 3.0 + (double)(p->conformation[0][i] + p->conformation[1][i] + p->conformation[2][i]);
            flow = drawn_flow(&material, trace, dt, stiffest);
        }
        const float parts[DLP_MAXWELL_PARTS] = {flow.retention,     flow.viscosity, flow.modulus, flow.spread,
                                                flow.spread_square, flow.limit,     flow.solvent};
        for (int n = 0; n < DLP_MAXWELL_PARTS; n++) {
            p->maxwell[n][i] = parts[n];
        }
        p->mobility[0][i] = p->carrier[0][i] > 0 ? 0.0f : p->specific_volume[0][i];
        for (int a = 0; a < 3; a++) {
            p->change[a][i] = 0.0f;
        }
    }
}

/* Remembered forces against uneven motion hold each other in balance as long as all particles of a body have them. What melts
 * has lost its own, and what is still frozen would be thrown about by the rest: so what can melt has none while some of it is
 * molten. */
static void forget(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__StepContext *step = c->arguments;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        for (int a = 0; a < 3 && step->materials[p->material[0][i]].frozen_modulus > 0.0; a++) {
            p->uneven_force[a][i] = 0.0f;
        }
    }
}

static bool prepare_materials(const Solver *solver)
{
    dlp__StepContext *step = solver->step;
    static const dlp__Stage forget_stage = {
        .name = "physical forget", .function = forget, .writes = DLP_FIELD_BIT(uneven_force)};
    static const dlp__Stage stage = {.name = "physical prepare",
                                     .function = prepare,
                                     .writes = DLP_FIELD_BIT(maxwell) | DLP_FIELD_BIT(mobility) |
                                               DLP_FIELD_BIT(change)};
    return dlp__motion_prepare(step) && dlp__run(step->domains, &stage, step) &&
           (!solver->melts || dlp__run(step->domains, &forget_stage, step));
}

static bool mirror_walls(Solver *solver)
{
    dlp__StepContext *step = solver->step;
    double started = dlp__clock();
    bool ok = dlp__boundary_mirror(step->solids, step->domains, step->kernel);
    solver->walls = dlp__domains_mirrored(step->domains);
    ok = ok && dlp__body_coupling_begin(&solver->bodies, step);
    dlp__profile_add(step->domains, "wall images", started);
    return ok;
}

/* The right side: the momentum that gravity, stress and pressure bring if velocities stay. */
static bool balance_forces(Solver *solver)
{
    const dlp__PhysicalStages *stages = solver->stages;
    bool ok = run(solver, &stages->rates) && run(solver, &stages->weigh) &&
              run(solver, solver->walls ? &stages->balance_walls : &stages->balance);
    if (ok) {
        dlp__body_coupling_balance(&solver->bodies, solver->arguments.kick);
    }
    return ok && dlp__friction_balance(solver->step, &solver->rough);
}

static bool apply_with_bodies(const Solver *solver)
{
    dlp__body_coupling_search(&solver->bodies);
    bool ok = run(solver, &solver->stages->strain_bodies) && run(solver, &solver->stages->pull_bodies);
    if (ok) {
        dlp__body_coupling_product(&solver->bodies);
    }
    return ok;
}

static bool apply_operator(void *context)
{
    const Solver *solver = context;
    const dlp__PhysicalStages *stages = solver->stages;
    bool ok = solver->bodies.unknown.count > 0
                  ? apply_with_bodies(solver)
                  : run(solver, &stages->strain) && run(solver, solver->walls ? &stages->pull_walls : &stages->pull);
    return ok && (!solver->rough || dlp__friction_pull(solver->step));
}

static void add_inertia(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Domains *domains = context;
    const dlp__Particles *p = &domains->part[part].particles;
    for (int64_t i = begin; i < end; i++) {
        double density = 1.0 / (double)p->specific_volume[0][i];
        dlp__exact_add(sum, (double)p->mobility[0][i] * density * density);
    }
}

/* Sum over all particles. */
static double sum_over(const dlp__Domains *domains, dlp__TermsFunction terms, const void *context)
{
    int64_t counts[DLP_DOMAINS_MOST];
    double scale = 1.0;
    for (int d = 0; d < domains->count; d++) {
        counts[d] = domains->part[d].particles.count;
    }
    return dlp__exact_sum(domains->parallel, domains->count, counts, terms, context, &scale);
}

/* What a residual must come down to: a part of the forces of the step, gravity among them, or what would move no particle by
 * more than rounding does. */
static double target_of(const Solver *solver, const dlp__Krylov *krylov)
{
    const dlp__StepContext *step = solver->step;
    const float *kick = solver->arguments.kick;
    double scale = 1.0, forces = dlp__krylov_norm(krylov, &scale);
    double gain = (double)(kick[0] * kick[0] + kick[1] * kick[1] + kick[2] * kick[2]);
    double rounding = 1e-6 * (double)step->spacing / (double)step->dt;
    double part = solver->params->tolerance * solver->params->tolerance;
    return part * (forces + sum_over(step->domains, add_inertia, step->domains) * (gain + rounding * rounding));
}

static void precondition(void *context, double norm)
{
    const Solver *solver = context;
    dlp__coarse_grid_precondition(&solver->coarse, norm);
}

/* Go on with a coarse grid. */
static dlp__KrylovReport solve_coarse(Solver *solver, dlp__Krylov *krylov, double target)
{
    dlp__StepContext *step = solver->step;
    double started = dlp__clock();
    dlp__CoarseResult made = dlp__coarse_grid_make(&solver->coarse, step->domains, step->spacing, step->dt,
                                                   solver->walls);
    dlp__profile_add(step->domains, "coarse grid", started);
    if (made == DLP_COARSE_NO_ROOM) {
        return (dlp__KrylovReport){.ok = false};
    }
    krylov->precondition = made == DLP_COARSE_READY ? precondition : NULL;
    return dlp__conjugate_gradients(krylov, target);
}

/* Find the change of velocity. */
static bool solve(Solver *solver)
{
    dlp__StepContext *step = solver->step;
    const int64_t most = solver->params->iterations, plain = solver->stiff ? 0 : PLAIN_ITERATIONS;
    double started = dlp__clock();
    dlp__Krylov krylov = {.parallel = step->domains->parallel,
                          .parts = step->domains->count,
                          .components = 3,
                          .extra = solver->bodies.unknown,
                          .apply = apply_operator,
                          .context = solver,
                          .most = plain < most ? plain : most};
    for (int d = 0; d < krylov.parts; d++) {
        krylov.part[d] = &step->domains->part[d].particles;
    }
    const dlp__PhysicalStages *stages = solver->stages;
    if (!run(solver, &stages->stiffen) || !run(solver, &stages->weigh) ||
        (solver->unlike && !run(solver, &stages->diagonal)) || (solver->rough && !dlp__friction_ready(step))) {
        return false;
    }
    dlp__body_coupling_ready(&solver->bodies);
    const double target = target_of(solver, &krylov);
    dlp__KrylovReport report = dlp__conjugate_gradients(&krylov, target);
    if (report.ok && !report.finished && report.iterations < most) {
        krylov.most = most - report.iterations;
        const int64_t before = report.iterations;
        report = solve_coarse(solver, &krylov, target);
        report.iterations += before;
    }
    dlp__profile_add(step->domains, "physical solve", started);
    step->iterations = report.iterations;
    step->residual = solver->params->tolerance * sqrt(report.residual / target);
    step->unfinished = !report.finished;
    return report.ok;
}

/* No force throws a particle farther than the support in a step. */
static void advance(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    const float most = arguments->kernel.support / arguments->dt;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        float x = p->change[0][i], y = p->change[1][i], z = p->change[2][i];
        float size = sqrtf(x * x + y * y + z * z), part = most / fmaxf(size, most);
        for (int a = 0; a < 3; a++) {
            p->velocity[a][i] += part * p->change[a][i];
        }
    }
}

static bool advance_velocities(const Solver *solver)
{
    static const dlp__Stage stage = {
        .name = "physical advance", .function = advance, .writes = DLP_FIELD_BIT(velocity)};
    return run(solver, &stage);
}

/* What walls did to uneven motion is not remembered: a body that leaves a wall must not feel it any more. */
static bool update_memory(const Solver *solver)
{
    const dlp__PhysicalStages *stages = solver->stages;
    return !solver->remembers || (run(solver, &stages->recall) && run(solver, &stages->weigh) &&
                                  run(solver, &stages->remember) && run(solver, &stages->inherit));
}

/* What the shift adds to momentum along an axis. */
typedef struct Gain {
    const dlp__Domains *domains;
    int axis;
} Gain;

static void add_gain(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const Gain *gain = context;
    const dlp__Particles *p = &gain->domains->part[part].particles;
    for (int64_t i = begin; i < end; i++) {
        dlp__exact_add(sum, (double)(p->change[gain->axis][i] / p->specific_volume[0][i]));
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

/* Shifted particles take the velocity of where they come to; the mean of that would be momentum out of nothing. */
static void find_shift_mean(Solver *solver)
{
    const dlp__Domains *domains = solver->step->domains;
    const dlp__Solids *solids = solver->step->solids;
    const bool held = solver->walls && solids->count > solids->body_count; /* by what takes momentum away */
    double mass = held ? 0.0 : sum_over(domains, add_mass, domains);
    for (int a = 0; a < 3; a++) {
        Gain gain = {domains, a};
        solver->arguments.shift_mean[a] = mass > 0.0 ? (float)(sum_over(domains, add_gain, &gain) / mass) : 0.0f;
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

/* What was pushed out of a solid moves into it no more. */
static void stop(const dlp__StageContext *c, int64_t begin, int64_t end)
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

static bool meet_solids(const Solver *solver)
{
    static const dlp__Stage stage = {.name = "physical stop", .function = stop, .writes = DLP_FIELD_BIT(velocity)};
    dlp__StepContext *step = solver->step;
    const float *g = step->gravity;
    dlp__motion_sweep(step);
    dlp__motion_keep_out(step);
    dlp__boundary_update_attachment(step->solids, step->domains, step->dt,
                                    sqrt((double)(g[0] * g[0] + g[1] * g[1] + g[2] * g[2])));
    return step->solids->count == 0 || run(solver, &stage);
}

/* What bonds and solids have moved companions by is velocity too. */
static void take_speed(const dlp__StageContext *c, int64_t begin, int64_t end)
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

/* Companions are fluid to the solver, and are held after it: rigid ones fly as their momentum says, bonds pull at soft ones. */
static bool hold_companions(const Solver *solver)
{
    static const dlp__Stage stage = {.name = "physical companions",
                                     .function = take_speed,
                                     .writes = DLP_FIELD_BIT(velocity) | DLP_FIELD_BIT(correction)};
    dlp__StepContext *step = solver->step;
    const dlp__CompanionStep held = {step->spacing, step->dt, DLP_COMPANION_ITERATIONS};
    if (step->companions->count == 0) {
        return true;
    }
    bool ok = dlp__companions_fly(step->companions, step->domains, step->dt);
    for (int k = 0; ok && k <= DLP_COMPANION_ITERATIONS; k++) {
        ok = dlp__companions_hold(step->companions, step->domains, &held, k);
        dlp__companions_stand_off(step->companions, step->solids, step->domains);
    }
    dlp__companions_match(step->companions, step->domains);
    return ok && run(solver, &stage);
}

/* What is rigid keeps its packing by itself. */
static void stay(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        for (int a = 0; a < 3 && dlp__companions_rigid(c->arguments, p, i) >= 0; a++) {
            p->correction[a][i] = 0.0f;
            p->change[a][i] = 0.0f;
        }
    }
}

static bool move_particles(Solver *solver)
{
    static const dlp__Stage stay_stage = {
        .name = "physical stay", .function = stay, .writes = DLP_FIELD_BIT(correction) | DLP_FIELD_BIT(change)};
    static const dlp__Stage stage = {.name = "physical move",
                                     .function = move,
                                     .writes = DLP_FIELD_BIT(position) | DLP_FIELD_BIT(velocity) |
                                               DLP_FIELD_BIT(correction) | DLP_FIELD_BIT(start)};
    bool ok = run(solver, &solver->stages->shift);
    ok = ok && (solver->step->companions->rigid == 0 ||
                dlp__run(solver->step->domains, &stay_stage, solver->step->companions));
    find_shift_mean(solver);
    return ok && run(solver, &stage);
}

dlp_Result dlp__physical_step(dlp__StepContext *step, const dlp__PhysicalParams *params)
{
    Solver solver = begin_step(step, params);
    dlp_Result found = step->update_neighbors(step);
    if (found != DLP_OK) {
        return found;
    }
    bool ok = dlp__motion_carry(step);
    ok = ok && prepare_materials(&solver);
    ok = ok && mirror_walls(&solver);
    ok = ok && run(&solver, &solver.stages->shape);
    dlp__boundary_attract_detached(step->solids, step->domains, step->dt);
    ok = ok && balance_forces(&solver);
    ok = ok && solve(&solver);
    dlp__body_coupling_end(&solver.bodies);
    ok = ok && advance_velocities(&solver);
    ok = ok && (!solver.rough || dlp__friction_settle(step));
    ok = ok && run(&solver, &solver.stages->settle);
    ok = ok && update_memory(&solver);
    ok = ok && move_particles(&solver);
    ok = ok && hold_companions(&solver);
    ok = ok && meet_solids(&solver);
    dlp__companions_match(step->companions, step->domains);
    dlp__companions_settle(step->companions, step->domains);
    return dlp__motion_result(step, ok);
}
