/* The linear system for the change of velocity: walls, right side, operator, and its solution by conjugate gradients. */
#include "methods/physical/image_forces.h"
#include "methods/physical/physical_fields.h"
#include "methods/physical/physical_friction.h"
#include "methods/physical/physical_solver.h"

#include <math.h>
#include <string.h>

/* Iterations that fluids of low viscosity make before the coarse grid is built; stiff ones only follow the guess. */
enum { PLAIN_ITERATIONS = 24 };

void dlp__physical_mirror_walls(dlp__PhysicalSolver *solver)
{
    dlp__StepContext *step = solver->step;
    double started = dlp__clock();
    dlp__boundary_build_images(step->solids, step->domains, step->kernel);
    solver->has_images = dlp__step_is_ok(step->domains) && dlp__domains_have_images(step->domains);
    dlp__body_coupling_begin(&solver->bodies, step, (double)solver->arguments.inertia);
    dlp__profile_add(step->domains, "wall images", started);
}

/* Tension between fluid and walls, and what they feel of it. */
void dlp__physical_wet_walls(const dlp__PhysicalSolver *solver)
{
    if (!solver->arguments.has_wetting) {
        return;
    }
    dlp__physical_run(solver, &solver->wetting->stress);
    dlp__physical_run(solver, &solver->wetting->pull);
    if (solver->bodies.unknown.count > 0 || solver->step->solids->impulses.count > 0) {
        dlp__physical_run(solver, &solver->wetting->reaction);
    }
}

/* Right side: momentum added by gravity, stress and pressure at constant velocities. */
void dlp__physical_set_right_side(dlp__PhysicalSolver *solver)
{
    const dlp__PhysicalOperatorStages *linear = solver->linear;
    dlp__physical_run(solver, &solver->stress->start);
    dlp__physical_run(solver, solver->has_images ? &linear->right_side_walls : &linear->right_side);
    dlp__body_coupling_balance(&solver->bodies, solver->arguments.kick, solver->arguments.has_wetting);
    dlp__physical_record_walls(solver, true, solver->arguments.has_wetting);
    solver->has_friction = dlp__friction_balance(solver->step);
}

static bool apply_operator(void *context)
{
    const dlp__PhysicalSolver *solver = context;
    const dlp__PhysicalOperatorStages *linear = solver->linear;
    if (solver->bodies.unknown.count > 0) {
        dlp__body_coupling_search(&solver->bodies);
        dlp__physical_run(solver, &linear->flux_bodies);
        dlp__physical_run(solver, &linear->divergence_bodies);
        dlp__body_coupling_product(&solver->bodies);
    } else {
        dlp__physical_run(solver, &linear->flux);
        dlp__physical_run(solver, solver->has_images ? &linear->divergence_walls : &linear->divergence);
    }
    if (solver->has_friction) {
        dlp__friction_apply(solver->step);
    }
    return dlp__step_is_ok(solver->step->domains);
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

double dlp__physical_sum(const dlp__Domains *domains, dlp__TermsFunction terms, const void *context)
{
    int64_t counts[DLP_DOMAINS_MOST];
    double scale = 1.0;
    for (int d = 0; d < domains->count; d++) {
        counts[d] = domains->part[d].particles.count;
    }
    return dlp__exact_sum(domains->parallel, domains->count, counts, terms, context, &scale);
}

/* The residual at which to stop: a fraction of the forces of the step, gravity among them, or the residual that moves
 * no particle by more than rounding. */
static double target_of(const dlp__PhysicalSolver *solver, const dlp__Krylov *krylov)
{
    const dlp__StepContext *step = solver->step;
    const float *kick = solver->arguments.kick;
    double scale = 1.0, forces = dlp__krylov_norm(krylov, &scale);
    double gain = (double)(kick[0] * kick[0] + kick[1] * kick[1] + kick[2] * kick[2]);
    double rounding = 1e-6 * (double)step->spacing / (double)step->dt;
    double part = solver->params->tolerance * solver->params->tolerance;
    return part *
           (forces + dlp__physical_sum(step->domains, add_inertia, step->domains) * (gain + rounding * rounding));
}

/* Whether an iteration may change the momentum: walls take it up, but a companion moves as the mean of its particles. */
static bool walls_take_momentum(const dlp__PhysicalSolver *solver)
{
    return dlp__physical_has_walls(solver) && solver->step->companions->count == 0;
}

/* search = change of velocity at the acceleration of the last step */
static void guess_search(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PhysicalArguments *arguments = c->arguments;
    dlp__Particles *p = c->particles;
    const dlp__PhysicalFields *f = dlp__own_fields(p);
    for (int a = 0; a < 3; a++) {
        for (int64_t i = begin; i < end; i++) {
            p->search[a][i] = p->mobility[0][i] > 0.0f ? arguments->dt * f->acceleration[a][i] : 0.0f;
        }
    }
}

static void guess(void *context)
{
    static const dlp__Stage stage = {.name = "physical guess",
                                     .function = guess_search,
                                     .reads = {DLP_FIELD_mobility, OWN_acceleration},
                                     .writes = {DLP_FIELD_search}};
    dlp__physical_run(context, &stage);
}

static void precondition_blocks(void *context, double norm)
{
    const dlp__PhysicalSolver *solver = context;
    (void)norm;
    dlp__physical_run(solver, &solver->blocks->apply);
}

static void precondition(void *context, double norm)
{
    dlp__PhysicalSolver *solver = context;
    if (solver->has_blocks) {
        precondition_blocks(context, norm);
    }
    double started = dlp__clock();
    dlp__coarse_grid_precondition(&solver->coarse, norm);
    dlp__profile_add(solver->step->domains, "coarse correction", started);
}

/* Continue with the coarse grid as preconditioner. */
static dlp__KrylovReport solve_coarse(dlp__PhysicalSolver *solver, dlp__Krylov *krylov, double target)
{
    dlp__StepContext *step = solver->step;
    double started = dlp__clock();
    const bool useful = dlp__coarse_grid_make(&solver->coarse, step->domains, step->spacing, step->dt,
                                              solver->has_images);
    dlp__profile_add(step->domains, "coarse grid", started);
    solver->coarse.adds = solver->has_blocks;
    krylov->precondition = useful ? precondition : krylov->precondition;
    return dlp__conjugate_gradients(krylov, target);
}

/* Coefficients, pair weights and preconditioner of the operator. */
static void prepare_operator(dlp__PhysicalSolver *solver)
{
    /* Blocks lack Coulomb friction, which dominates where particles stick. */
    solver->has_blocks = walls_take_momentum(solver) && !solver->has_friction;
    dlp__physical_run(solver, &solver->linear->stiffness);
    if (solver->contrast) {
        dlp__physical_run(solver, &solver->linear->diagonal);
    }
    if (solver->has_friction) {
        dlp__friction_precondition(solver->step);
    }
    if (solver->has_blocks) {
        dlp__physical_run(solver, &solver->blocks->invert);
    }
    dlp__body_coupling_ready(&solver->bodies);
}

/* Apply the operator once more, to the solution, for the impulses on walls. */
static void record_solution(dlp__PhysicalSolver *solver, const dlp__Krylov *krylov)
{
    const dlp__KrylovExtra *extra = &krylov->extra;
    if (solver->step->solids->impulses.count == 0 || !dlp__step_is_ok(solver->step->domains)) {
        return;
    }
    for (int d = 0; d < krylov->parts; d++) {
        for (int a = 0; a < 3; a++) {
            memcpy(krylov->part[d]->search[a], krylov->part[d]->change[a],
                   (size_t)krylov->part[d]->count * sizeof(float));
        }
    }
    if (extra->count > 0) {
        memcpy(extra->search, extra->change, (size_t)extra->count * sizeof *extra->search);
    }
    apply_operator(solver);
    dlp__physical_record_walls(solver, extra->count > 0,
                               false); /* with bodies, walls hold the change of their velocity */
    dlp__physical_record_residual(solver);
    if (solver->has_friction) {
        dlp__friction_record(solver->step);
    }
}

void dlp__physical_solve(dlp__PhysicalSolver *solver)
{
    dlp__StepContext *step = solver->step;
    const bool guesses = walls_take_momentum(solver);
    const int64_t most = solver->params->iterations;
    const int64_t plain = !solver->stiff ? PLAIN_ITERATIONS : guesses ? 1 : 0;
    double started = dlp__clock();
    dlp__KrylovTimes times = {0};
    dlp__Krylov krylov = {.parallel = step->domains->parallel,
                          .parts = step->domains->count,
                          .width = step->domains->width,
                          .times = &times,
                          .components = 3,
                          .extra = solver->bodies.unknown,
                          .apply = apply_operator,
                          .guess = guesses ? guess : NULL,
                          .context = solver,
                          .max_iterations = plain < most ? plain : most};
    for (int d = 0; d < krylov.parts; d++) {
        krylov.part[d] = &step->domains->part[d].particles;
    }
    prepare_operator(solver);
    krylov.precondition = solver->has_blocks ? precondition_blocks : NULL;
    if (!dlp__step_is_ok(step->domains)) {
        return;
    }
    const double target = target_of(solver, &krylov);
    dlp__KrylovReport report = dlp__conjugate_gradients(&krylov, target);
    if (dlp__step_is_ok(step->domains) && !report.converged && report.iterations < most) {
        krylov.guess = NULL;
        krylov.max_iterations = most - report.iterations;
        const int64_t before = report.iterations;
        report = solve_coarse(solver, &krylov, target);
        report.iterations += before;
    }
    dlp__profile_add(step->domains, "physical solve", started);
    dlp__profile_add_work(step->domains, &(dlp__StageProfile){"exact sums", times.sums, times.sum_calls, 0, 0});
    dlp__profile_add_work(step->domains,
                          &(dlp__StageProfile){"solver vectors", times.vectors, times.vector_calls, 0, 0});
    step->iterations = report.iterations;
    step->residual = solver->params->tolerance * sqrt(report.residual / target);
    step->unfinished = !report.converged;
    record_solution(solver, &krylov);
    dlp__body_coupling_end(&solver->bodies);
}
