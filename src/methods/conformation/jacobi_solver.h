/* The doubly constrained position-based solver with Jacobi iterations (Barreiro et al. 2017, Algorithm 2). */
#ifndef DLP_METHODS_JACOBI_SOLVER_H
#define DLP_METHODS_JACOBI_SOLVER_H

#include "methods/motion.h"

typedef struct dlp__JacobiParams {
    int64_t velocity_iterations, position_iterations;
    double beta, stress_keep;
    bool corotation, gradient_correction;
} dlp__JacobiParams;

/* Project velocities, then positions, onto the conformation constraints; positions onto the density constraint as well.
 * Needs what `prepare` of conformation_stages.h leaves; leaves the matrix K of the start. False without memory. */
bool dlp__jacobi_solve(dlp__StepContext *step, const dlp__JacobiParams *params, const dlp__DensityParams *density);

#endif
