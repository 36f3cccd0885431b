/* Solves the Poisson equation by conjugate gradients: right side, choice of preconditioner, closed containers. */
#include "poisson/poisson.h"

#include "base/simd.h"
#include "poisson/cell_multigrid.h"
#include "poisson/poisson_hypre.h"
#include "poisson/poisson_pairs.h"
#include "poisson/poisson_stages.h"

#include <math.h>
#include <string.h>

/* Iterations with the diagonal before the multigrid is built. Its set-up takes as long as three to six of them; below SMALL particles
 * the direct solution of the coarsest grid takes longer than the whole solution. */
enum { PLAIN_ITERATIONS = 10, PLAIN_SMALL = 80, SMALL = 3000, GRAIN = 4096 };

typedef struct Solve {
    dlp__Domains *domains;
    const dlp__PoissonParams *params;
    const dlp__PoissonStages *stages;
    bool is_closed; /* no particle has a loss */
    double coupled; /* particles of a closed world that are coupled to others */
    double mean;    /* of the source of a closed world */
    double target;  /* squared norm of the residual */
    dlp__PoissonPairs pairs;
    dlp__Krylov krylov;
    dlp__CellMultigrid multigrid;
    dlp__PoissonHypre *hypre;
} Solve;

static bool apply_operator(void *context)
{
    const Solve *solve = context;
    if (solve->params->apply != NULL) {
        return solve->params->apply(solve->params->context);
    }
    dlp__run(solve->domains, &solve->stages->product, &solve->pairs);
    return dlp__step_is_ok(solve->domains);
}

static void take_guess(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PoissonParams *params = c->arguments;
    const float *mobility = dlp__field_array(c->particles, params->mobility, 0);
    for (int64_t i = begin; i < end; i++) {
        c->particles->mobility[0][i] = c->particles->mobility[0][i] > 0.0f ? mobility[i] : 0.0f;
    }
    memcpy(c->particles->search[0] + begin, c->particles->change[0] + begin, (size_t)(end - begin) * sizeof(float));
}

static void set_residual(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        p->residual[0][i] = p->mobility[0][i] > 0.0f ? p->poisson_source[0][i] - p->product[0][i] : 0.0f;
    }
}

/* The mobility, and the residual of the initial guess, for the operator of the caller. */
static void begin_operator(Solve *solve)
{
    const dlp__Stage guess = {.name = "poisson residual",
                              .function = take_guess,
                              .reads = {DLP_FIELD_change, solve->params->mobility},
                              .writes = {DLP_FIELD_search, DLP_FIELD_mobility}};
    static const dlp__Stage residual = {.name = "poisson residual",
                                        .function = set_residual,
                                        .reads = {DLP_FIELD_poisson_source, DLP_FIELD_product, DLP_FIELD_mobility},
                                        .writes = {DLP_FIELD_residual}};
    dlp__run(solve->domains, &guess, solve->params);
    apply_operator(solve);
    dlp__run(solve->domains, &residual, NULL);
}

static void apply_multigrid(void *context, double norm)
{
    Solve *solve = context;
    (void)norm;
    dlp__cell_multigrid_apply(&solve->multigrid);
}

static void apply_hypre(void *context, double norm)
{
    Solve *solve = context;
    (void)norm;
    dlp__poisson_hypre_apply(solve->hypre);
}

/* Whether a particle of any rank has a loss. */
static bool has_loss(const dlp__Domains *domains)
{
    bool has = false;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = 0; i < p->count && !has; i++) {
            has = p->poisson_loss[0][i] > 0.0f;
        }
    }
    return dlp__ranks_any(domains->ranks, has);
}

static double sum_over(const Solve *solve, dlp__TermsFunction terms)
{
    int64_t counts[DLP_DOMAINS_MOST];
    double scale = 1.0;
    for (int d = 0; d < solve->domains->count; d++) {
        counts[d] = solve->domains->part[d].particles.count;
    }
    return dlp__exact_sum(solve->domains->parallel, solve->domains->count, counts, terms, solve, &scale);
}

static void add_coupled(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Particles *p = &((const Solve *)context)->domains->part[part].particles;
    for (int64_t i = begin; i < end; i++) {
        dlp__exact_add(sum, p->mobility[0][i] > 0.0f ? 1.0 : 0.0);
    }
}

static void add_sources(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Particles *p = &((const Solve *)context)->domains->part[part].particles;
    for (int64_t i = begin; i < end; i++) {
        dlp__exact_add(sum, p->mobility[0][i] > 0.0f ? (double)p->poisson_source[0][i] : 0.0);
    }
}

static void add_changes(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Particles *p = &((const Solve *)context)->domains->part[part].particles;
    for (int64_t i = begin; i < end; i++) {
        dlp__exact_add(sum, (double)p->change[0][i]);
    }
}

static void add_mobilities(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__Particles *p = &((const Solve *)context)->domains->part[part].particles;
    for (int64_t i = begin; i < end; i++) {
        dlp__exact_add(sum, (double)p->mobility[0][i]);
    }
}

static void add_source_squares(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const Solve *solve = context;
    const dlp__Particles *p = &solve->domains->part[part].particles;
    for (int64_t i = begin; i < end; i++) {
        const double source = (double)p->poisson_source[0][i] - solve->mean;
        dlp__exact_add(sum, (double)p->mobility[0][i] * source * source);
    }
}

/* Subtract a constant from a field of all particles, or of those with a mobility. */
typedef struct Subtraction {
    const float *mobility; /* null: all */
    float *field;
    float constant;
} Subtraction;

static void subtract_range(void *context, int64_t begin, int64_t end)
{
    const Subtraction *loop = context;
    for (int64_t i = begin; i < end; i++) {
        loop->field[i] -= loop->mobility == NULL || loop->mobility[i] > 0.0f ? loop->constant : 0.0f;
    }
}

static void subtract(const Solve *solve, dlp__FieldId field, double constant, bool from_all)
{
    for (int d = 0; d < solve->domains->count; d++) {
        const dlp__Particles *p = &solve->domains->part[d].particles;
        Subtraction loop = {from_all ? NULL : p->mobility[0], dlp__field_array(p, field, 0), (float)constant};
        dlp__parallel_for(solve->domains->parallel, p->count, GRAIN, subtract_range, &loop);
    }
}

static void forget_guess(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const Solve *solve = c->arguments;
    const dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        p->change[0][i] = 0.0f;
        p->residual[0][i] = p->mobility[0][i] > 0.0f ? p->poisson_source[0][i] - (float)solve->mean : 0.0f;
    }
}

/* Start from zero if the initial guess is worse: after a change of the time step, or of a state that left pressures undetermined. */
static void check_guess(Solve *solve, double sources)
{
    static const dlp__Stage stage = {.name = "poisson residual",
                                     .function = forget_guess,
                                     .reads = {DLP_FIELD_poisson_source, DLP_FIELD_mobility},
                                     .writes = {DLP_FIELD_change, DLP_FIELD_residual}};
    double scale = 1.0;
    if (!(dlp__krylov_norm(&solve->krylov, &scale) <= sources)) {
        dlp__run(solve->domains, &stage, solve);
    }
}

/* Diagonal, residual of the initial guess, and target. Returns the squared norm of the right side. */
static double begin_solve(Solve *solve)
{
    dlp__Domains *domains = solve->domains;
    if (!dlp__step_is_ok(domains) || !dlp__poisson_pairs_begin(&solve->pairs, domains)) {
        return 0.0;
    }
    solve->is_closed = !has_loss(domains);
    if (solve->is_closed) { /* a large mean would cost digits */
        const double particles = (double)dlp__domains_particles(domains);
        subtract(solve, DLP_FIELD_change, sum_over(solve, add_changes) / fmax(particles, 1.0), true);
    }
    dlp__run(domains, &solve->stages->begin, &solve->pairs);
    dlp__poisson_pairs_compact(&solve->pairs, domains);
    if (solve->params->apply != NULL) {
        begin_operator(solve);
    }
    if (!dlp__step_is_ok(domains)) {
        return 0.0;
    }
    if (solve->is_closed) {
        solve->coupled = fmax(sum_over(solve, add_coupled), 1.0);
        solve->mean = sum_over(solve, add_sources) / solve->coupled;
        subtract(solve, DLP_FIELD_residual, solve->mean, false);
    }
    const double sources = sum_over(solve, add_source_squares);
    const double least = solve->params->least;
    solve->target = solve->params->tolerance * solve->params->tolerance * sources +
                    (least > 0.0 ? least * least * sum_over(solve, add_mobilities) : 0.0);
    check_guess(solve, sources);
    return sources;
}

static void end_solve(Solve *solve)
{
    if (solve->is_closed) {
        subtract(solve, DLP_FIELD_change, sum_over(solve, add_changes) / solve->coupled, false);
    }
    if (solve->multigrid.levels > 0) {
        dlp__cell_multigrid_center(&solve->multigrid, DLP_FIELD_change);
    }
    dlp__poisson_hypre_destroy(solve->hypre);
}

/* The solution for a right side of zero. */
static void set_to_zero(const dlp__Domains *domains)
{
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        memset(p->change[0], 0, (size_t)p->count * sizeof(float));
    }
}

/* Set up the preconditioner that was chosen. Without it the diagonal remains. */
static void set_up(Solve *solve, dlp__PoissonReport *report)
{
    double started = dlp__clock();
    if (solve->params->preconditioner == DLP_POISSON_HYPRE) {
        solve->hypre = dlp__poisson_hypre_create(solve->domains, &solve->pairs, solve->is_closed);
        solve->krylov.precondition = solve->hypre != NULL ? apply_hypre : NULL;
    } else if (dlp__cell_multigrid_build(&solve->multigrid, solve->domains, &solve->pairs)) {
        dlp__cell_multigrid_center(&solve->multigrid, DLP_FIELD_residual);
        solve->krylov.precondition = apply_multigrid;
        report->levels = solve->multigrid.levels;
    } else {
        solve->multigrid.levels = 0;
    }
    report->setup = dlp__clock() - started;
    dlp__profile_add(solve->domains, "poisson set-up", started);
}

/* At most so many iterations more. */
static void iterate(Solve *solve, int64_t iterations, dlp__PoissonReport *report)
{
    const int64_t left = solve->params->iterations - report->iterations;
    solve->krylov.max_iterations = iterations < left ? iterations : left;
    const dlp__KrylovReport part = dlp__conjugate_gradients(&solve->krylov, solve->target);
    report->iterations += part.iterations;
    report->plain += solve->krylov.precondition == NULL ? part.iterations : 0;
    report->residual = part.residual;
    report->converged = part.converged && part.ok;
}

static int64_t plain_iterations(const Solve *solve)
{
    switch (solve->params->preconditioner) {
    case DLP_POISSON_DIAGONAL: return solve->params->iterations;
    case DLP_POISSON_AUTOMATIC: return dlp__domains_particles(solve->domains) < SMALL ? PLAIN_SMALL : PLAIN_ITERATIONS;
    default: return 0;
    }
}

dlp__PoissonReport dlp__poisson_solve(dlp__Domains *domains, const dlp__PoissonParams *params)
{
    static const dlp__PoissonStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__poisson_stages);
    Solve solve = {.domains = domains,
                   .params = params,
                   .stages = versions[dlp__width_index(domains->width)],
                   .krylov = {.parallel = domains->parallel,
                              .parts = domains->count,
                              .width = domains->width,
                              .components = 1,
                              .apply = apply_operator}};
    dlp__PoissonReport report = {0};
    solve.krylov.context = &solve;
    for (int d = 0; d < domains->count; d++) {
        solve.krylov.part[d] = &domains->part[d].particles;
    }
    if (params->preconditioner == DLP_POISSON_HYPRE && !dlp__poisson_hypre_check(domains)) {
        return report;
    }
    const double sources = begin_solve(&solve);
    if (!dlp__step_is_ok(domains)) {
        return report;
    }
    if (sources == 0.0) {
        set_to_zero(domains);
        report.converged = true;
        return report;
    }
    iterate(&solve, plain_iterations(&solve), &report);
    if (!report.converged && report.iterations < params->iterations && dlp__step_is_ok(domains) &&
        params->preconditioner != DLP_POISSON_DIAGONAL) {
        set_up(&solve, &report);
        if (dlp__step_is_ok(domains)) {
            iterate(&solve, params->iterations, &report);
        }
    }
    end_solve(&solve);
    report.residual = sqrt(report.residual / sources);
    report.converged = report.converged && dlp__step_is_ok(domains);
    return report;
}
