/* The discrete Poisson equation on particles,
 *
 *     sum_j w_ij (p_i - p_j) + b_i p_i = s_i,    w_ij = w_ji >= 0, b_i >= 0,
 *
 * by preconditioned conjugate gradients. The solver does not know where the coefficients come from: w_ij are the stored pair weights
 * (`pair_weights` of stages/stage.h, short-range or not; finite in the padding of lists too), b_i and s_i the fields poisson_loss and poisson_source.
 * On entry the field `change` holds the initial guess, on return the solution; residual, search, product and mobility are
 * overwritten.
 *
 * Where nothing couples a group of particles to zero (all b_i of it are 0, as in a closed container), only the differences of p are
 * determined: the mean of s over the group is subtracted, and the mean of the solution is zero. This holds for a world without any
 * b_i > 0, and, with the multigrid preconditioner, for each closed group of particles. A particle without couplings gets p = 0.
 *
 * The reported residual is the one that conjugate gradients update. Single precision of p limits the true one: for hydrostatic pressure
 * in a block 100 particles deep, rounding the exact solution leaves 3e-5 and the solver reaches 2e-4 of the right side.
 *
 * The result is bitwise the same for any number of threads, lanes, subdomains and ranks, except with hypre: see poisson_hypre.h. */
#ifndef DLP_POISSON_POISSON_H
#define DLP_POISSON_POISSON_H

#include "krylov/conjugate_gradients.h"
#include "neighbors/domain.h"

/* The fields that the solver needs; and pair weights. */
#define DLP_POISSON_FIELDS DLP_KRYLOV_FIELDS, DLP_FIELD_poisson_source, DLP_FIELD_poisson_loss

typedef enum dlp__PoissonPreconditioner {
    DLP_POISSON_AUTOMATIC, /* the diagonal; multigrid where that does not converge in a few iterations */
    DLP_POISSON_DIAGONAL,
    DLP_POISSON_MULTIGRID, /* cell_multigrid.h */
    DLP_POISSON_HYPRE,     /* BoomerAMG; an error in a build without hypre */
} dlp__PoissonPreconditioner;

typedef struct dlp__PoissonParams {
    double tolerance;       /* of the residual, relative to the right side, both in the norm of sum r_i^2 / a_ii */
    double least;           /* residual of a particle that is always small enough; 0: none */
    int64_t iterations;     /* at most */
    int32_t preconditioner; /* dlp__PoissonPreconditioner */
    /* product = A search of another symmetric positive definite operator, which the equation approximates: it is solved instead, with
     * the preconditioners of the equation. False: the step has failed. Null: the equation itself. */
    bool (*apply)(void *context);
    void *context;
    dlp__FieldId mobility; /* one over the diagonal of that operator, where particles are coupled */
} dlp__PoissonParams;

typedef struct dlp__PoissonReport {
    int64_t iterations; /* in total                                                   */
    int64_t plain;      /* of them with the diagonal preconditioner                   */
    int levels;         /* of the multigrid, the particles not counted; 0: not built  */
    double residual;    /* relative, as in the parameters, updated in each iteration  */
    double setup;       /* s, time to set up the preconditioner                       */
    bool converged;
} dlp__PoissonReport;

/* Solve the equation for the current lists and pair weights. Failures are those of the step. */
dlp__PoissonReport dlp__poisson_solve(dlp__Domains *domains, const dlp__PoissonParams *params);

#endif
