/* The projections of the doubly constrained solver by relaxed Jacobi iterations (Barreiro et al. 2017, Algorithm 2). */
#ifndef DLP_METHODS_JACOBI_SOLVER_H
#define DLP_METHODS_JACOBI_SOLVER_H

#include "methods/conformation/jacobi_stages.h"
#include "methods/motion.h"

typedef struct dlp__JacobiParams {
    int64_t velocity_iterations, position_iterations;
    double beta, stress_keep;
    bool corotation, gradient_correction;
} dlp__JacobiParams;

typedef struct dlp__JacobiSolver {
    dlp__JacobiArguments arguments;
    const dlp__JacobiStages *stages;
    const dlp__JacobiParams *params;
} dlp__JacobiSolver;

dlp__JacobiSolver dlp__jacobi_begin(const dlp__StepContext *step, const dlp__JacobiParams *params);

/* Project velocities onto the conformation constraints, and move positions accordingly. Needs the results of `prepare`
 * of conformation_stages.h; leaves K of the start of the step in `correction_matrix`. */
void dlp__jacobi_project_velocities(dlp__StepContext *step, const dlp__JacobiSolver *solver);

/* Project positions onto the density and the conformation constraints alternately. */
void dlp__jacobi_project_positions(dlp__StepContext *step, const dlp__JacobiSolver *solver,
                                   const dlp__DensityParams *density);

#endif
