/* Systems for tests and the benchmark of the Poisson solver: a jittered block of particles without a world, with the weights
 * w = r_e / r - 1 of the MPS method. */
#ifndef DLP_TESTS_POISSON_FIXTURE_H
#define DLP_TESTS_POISSON_FIXTURE_H

#include "poisson/poisson.h"

typedef struct PoissonSetup {
    int count[3];   /* particles along each axis; the spacing is 1 m */
    double reach;   /* r_e, spacings                                 */
    double support; /* of the neighbour lists, spacings; 0: r_e      */
    double jitter;  /* spacings: random displacements of +- half of it */
    bool near;      /* lists of r_e are selected from those of the support, as in method mps */
    bool closed;    /* without a free surface on top                 */
    bool periodic;  /* along all axes: closed too                    */
    int parts, threads, width;
    double gap;              /* spacings; if positive, the block is cut in two closed halves this far apart along x */
    int scattered;           /* further particles far away without neighbours */
    dlp_Allocator allocator; /* empty: the default */
} PoissonSetup;

typedef struct PoissonSystem {
    PoissonSetup setup;
    double rest; /* n0 of a cubic lattice */
    dlp__Memory memory;
    dlp__Parallel parallel;
    dlp__Domains domains;
    dlp_Error error;
} PoissonSystem;

/* Particles, lists, pair weights and poisson_loss. Null if something failed. */
PoissonSystem *poisson_create(const PoissonSetup *setup);
void poisson_destroy(PoissonSystem *system);

/* Start the next step: scratch memory is free again, failures are forgotten. */
void poisson_begin(PoissonSystem *system);

/* A pseudorandom number from -1 to 1 that depends on the id of a particle. */
double poisson_noise(uint64_t id, int pattern);

/* Set poisson_source to A p for a function p of position (evaluated in double), or to noise; and the initial guess to zero. */
typedef double (*PoissonFunction)(const PoissonSystem *system, const double x[3]);
void poisson_set_source(PoissonSystem *system, PoissonFunction function);
void poisson_set_noise(PoissonSystem *system, int pattern);

/* Depth below the top: hydrostatic pressure. */
double poisson_depth(const PoissonSystem *system, const double x[3]);

/* The residual of the solution, computed in double: root of sum r_i^2 / a_ii over that of the right side. Subtracts the mean of the
 * right side if no particle has a loss. */
double poisson_true_residual(const PoissonSystem *system);

/* A hash of the bits of the solution by id. */
uint64_t poisson_hash(const PoissonSystem *system);

#endif
