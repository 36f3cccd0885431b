#include "methods/conformation/jacobi_solver.h"

#include "base/simd.h"

#include <assert.h>
#include <math.h>

/* Properties of the constraint of one particle in a full lattice. */
typedef struct Lattice {
    int neighbors;
    double limit; /* fraction of a Jacobi step above which iterations diverge */
} Lattice;

/* The operator multiplies a wave of wave vector k by the square of G(k) = sum V W' sin(k x), and its diagonal is S =
 * sum (V W')^2 / 3. A Jacobi step relaxed by w multiplies the wave by 1 - w G^2 / S, so w must stay below 2 S / max
 * G^2. The largest G of a cubic lattice lies along its diagonal. */
static Lattice measure_lattice(const dlp__Kernel *kernel, double spacing)
{
    enum { WAVES = 48 };
    const double pi = 3.14159265358979323846;
    enum { REACH = 5 }; /* spacings, more than any support */
    int neighbors = 0, reach = (int)ceil((double)kernel->support / spacing);
    double squares = 0.0, plane[6 * REACH + 1] = {0.0}, largest = 0.0; /* V W' of each plane across the diagonal */
    assert(reach <= REACH);
    for (int x = -reach; x <= reach; x++) {
        for (int y = -reach; y <= reach; y++) {
            for (int z = -reach; z <= reach; z++) {
                double r = spacing * sqrt((double)(x * x + y * y + z * z));
                double slope = r > 0.0 ? dlp__kernel_slope(kernel, r) : 0.0;
                int along = x + y + z;
                neighbors += slope < 0.0;
                squares += slope * slope / 3.0;
                plane[along + 3 * REACH] += slope < 0.0 ? slope / r * along * spacing / sqrt(3.0) : 0.0;
            }
        }
    }
    for (int n = 1; n <= WAVES; n++) {
        double answer = 0.0;
        for (int along = -3 * reach; along <= 3 * reach; along++) {
            answer += plane[along + 3 * REACH] * sin(pi * n / WAVES * along);
        }
        largest = fmax(largest, answer * answer);
    }
    return (Lattice){neighbors > 1 ? neighbors : 1, largest > 0.0 ? 2.0 * squares / largest : 0.1};
}

/* Fraction of that limit which is used: disordered particles diverge slightly earlier or later than the lattice. */
static const double SAFETY = 0.8;

dlp__JacobiSolver dlp__jacobi_begin(const dlp__StepContext *step, const dlp__JacobiParams *params)
{
    static const dlp__JacobiStages *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__jacobi_stages);
    Lattice lattice = measure_lattice(step->kernel, (double)step->spacing);
    double beta = params->beta > 0.0 ? params->beta : SAFETY * lattice.limit * lattice.neighbors;
    return (dlp__JacobiSolver){
        .arguments = {.kernel = *step->kernel,
                      .volume = step->spacing * step->spacing * step->spacing,
                      .dt = step->dt,
                      .beta = (float)beta,
                      .least_neighbors = 0.5f * (float)lattice.neighbors,
                      .keep = params->velocity_iterations > 0 && params->gradient_correction
                                  ? (float)params->stress_keep
                                  : 0.0f,
                      .corotation = params->corotation,
                      .gradient_correction = params->gradient_correction},
        .stages = versions[dlp__width_index(step->domains->width)],
        .params = params,
    };
}

static void run(dlp__StepContext *step, const dlp__JacobiSolver *solver, const dlp__Stage *stage)
{
    dlp__run(step->domains, stage, &solver->arguments);
}

void dlp__jacobi_project_velocities(dlp__StepContext *step, const dlp__JacobiSolver *solver)
{
    const dlp__JacobiStages *stages = solver->stages;
    run(step, solver, &stages->diagonal);
    run(step, solver, &stages->guess);
    if (solver->params->velocity_iterations > 0) {
        run(step, solver, &stages->rotation);
        run(step, solver, &stages->push);
    }
    for (int64_t k = 0; k < solver->params->velocity_iterations; k++) {
        run(step, solver, &stages->strain);
        run(step, solver, &stages->push);
    }
    run(step, solver, &stages->move);
}

/* The conformation constraints, after an iteration of the density constraint. */
static void project_conformation(dlp__StepContext *step, int64_t iteration, const void *arguments)
{
    const dlp__JacobiSolver *solver = arguments;
    if (iteration <= solver->params->position_iterations) {
        run(step, solver, &solver->stages->position_strain);
        run(step, solver, &solver->stages->shift);
        dlp__motion_push_out(step);
    }
}

void dlp__jacobi_project_positions(dlp__StepContext *step, const dlp__JacobiSolver *solver,
                                   const dlp__DensityParams *density)
{
    dlp__motion_project_density(step, density, solver->params->position_iterations, project_conformation, solver);
}
