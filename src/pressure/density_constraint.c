/* The iteration of the density constraint: set-up, convergence test and order of the stages. */
#include "pressure/density_constraint.h"

#include "base/simd.h"
#include "pressure/density_stages.h"
#include "sph/lattice.h"

#include <math.h>

/* The distance at which the artificial pressure reaches its strength, in units of the support (0.1 to 0.3 in the
 * paper). */
static const double TENSILE_REFERENCE = 0.2;

static dlp__DensityArguments prepare(const dlp__DensitySolver *solver)
{
    const dlp__Kernel *kernel = &solver->kernel;
    double spacing = (double)solver->spacing, volume = spacing * spacing * spacing, dt = (double)solver->dt;
    /* The pressure that corrects a position scales with 1 / dt^2; a longer step must not apply a pressure found for
     * a shorter one. */
    double ratio = solver->dt_last > 0.0f ? (double)solver->dt_last / dt : 1.0;
    dlp__Lattice full = dlp__lattice_sums(kernel, spacing);
    return (dlp__DensityArguments){
        .kernel = *kernel,
        .volume = (float)volume,
        .per_rest = (float)(1.0 / full.value),
        .self = (float)(volume * dlp__kernel_value(kernel, 0.0)),
        .dt = solver->dt,
        .dt_squared = (float)(dt * dt),
        .relaxation = solver->relaxation,
        .keep = solver->keep * (float)fmin(ratio * ratio, 1.0),
        .carry = (float)exp(-(double)solver->recovery * dt),
        .softness = (float)((double)solver->softness * full.stiffness),
        .tensile = solver->tensile,
        .per_reference = (float)(1.0 / dlp__kernel_value(kernel, TENSILE_REFERENCE * (double)kernel->support)),
        .walls = solver->walls,
    };
}

/* Compression is rounded to units of 2^-20, so that its sums are whole numbers and exact in any order: the number of
 * iterations is the same for any number of threads and parts. */
static const double UNIT = 1048576.0, MOST = 8.0;

static double sum_excess(void *context, int64_t begin, int64_t end)
{
    const dlp__Particles *p = context;
    double sum = 0.0;
    for (int64_t i = begin; i < end; i++) {
        double excess = (double)(p->density[0][i] * p->specific_volume[0][i] - p->allowed[0][i]);
        if (excess > 0.0) {
            sum += floor((excess < MOST ? excess : MOST) * UNIT);
        }
    }
    return sum;
}

/* The mean over all particles of the compression beyond the allowed. */
static double mean_excess(const dlp__Domains *domains)
{
    double sum = 0.0;
    int64_t count = dlp__domains_particles(domains);
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        sum += dlp__parallel_sum(domains->parallel, p->count, sum_excess, (void *)(uintptr_t)p);
    }
    return count > 0 ? (double)dlp__ranks_sum(domains->ranks, (int64_t)sum) / UNIT / (double)count : 0.0;
}

int64_t dlp__density_solve(dlp__Domains *domains, const dlp__DensitySolver *solver, dlp__AfterMoveFunction after_move,
                           void *context)
{
    static const dlp__DensityStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__density_stages);
    const dlp__DensityStages *stages = versions[dlp__width_index(domains->width)];
    dlp__DensityArguments arguments = prepare(solver);
    dlp__run(domains, &stages->begin, &arguments);
    dlp__run(domains, &stages->before, &arguments);
    dlp__run(domains, &stages->guess, &arguments);
    for (int64_t iteration = 0;; iteration++) {
        after_move(context, iteration);
        dlp__run(domains, &stages->measure, &arguments);
        const bool enough = iteration >= solver->least && mean_excess(domains) <= solver->tolerance;
        if (enough || iteration >= solver->most || !dlp__step_is_ok(domains)) {
            return iteration;
        }
        dlp__run(domains, &stages->move, &arguments);
    }
}
