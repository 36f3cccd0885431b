/* BoomerAMG of hypre as preconditioner of the Poisson equation; optional (cmake -DDOLLOP_HYPRE=ON), for comparison and for systems
 * with strongly varying coefficients. The matrix of all subdomains is assembled from the lists.
 *
 * hypre runs in this process alone (MPI_COMM_SELF); MPI is started if the host has not done so. The results are the same in each run
 * and for any number of our threads and lanes, because hypre works in a fixed order on one thread unless it was built with OpenMP
 * (Debian's is not; with OpenMP its smoothers depend on the number of its threads). They are not bitwise the same for another number
 * of subdomains, because the order of unknowns changes with it. hypre allocates its own memory in each solution, not from the
 * allocator of the world, and keeps global state: worlds that are stepped at the same time must not both use it. */
#ifndef DLP_POISSON_POISSON_HYPRE_H
#define DLP_POISSON_POISSON_HYPRE_H

#include "poisson/poisson_pairs.h"

typedef struct dlp__PoissonHypre dlp__PoissonHypre;

/* Whether hypre can be used: this build has it and the world has one rank. Fails the step otherwise. */
bool dlp__poisson_hypre_check(dlp__Domains *domains);

/* Assemble the matrix and set up BoomerAMG. `is_closed`: constants are in the null space. Null if the step has failed. */
dlp__PoissonHypre *dlp__poisson_hypre_create(dlp__Domains *domains, const dlp__PoissonPairs *pairs, bool is_closed);

/* product = B residual, one V-cycle */
void dlp__poisson_hypre_apply(dlp__PoissonHypre *hypre);

void dlp__poisson_hypre_destroy(dlp__PoissonHypre *hypre);

#endif
