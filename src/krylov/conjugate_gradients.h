/* Matrix-free preconditioned conjugate gradients on particle fields: solves A change = right-hand side for a symmetric positive
 * definite operator A. Sums are reproducible (exact_sum.h), so the iterates are bitwise the same for any number of threads or
 * parts. */
#ifndef DLP_KRYLOV_CONJUGATE_GRADIENTS_H
#define DLP_KRYLOV_CONJUGATE_GRADIENTS_H

#include "base/exact_sum.h"
#include "particles/particles.h"

#define DLP_KRYLOV_FIELDS DLP_FIELD_change, DLP_FIELD_residual, DLP_FIELD_search, DLP_FIELD_product, DLP_FIELD_mobility
#define DLP_KRYLOV_PARTS  8

/* A few unknowns that do not belong to particles, such as the motion of bodies, solved together with them. */
typedef struct dlp__KrylovExtra {
    int count;
    double *change, *residual, *search, *product; /* same meaning as the particle fields */
    const double *mobility;
} dlp__KrylovExtra;

/* Time in sums over all particles, and in updates of vectors. */
typedef struct dlp__KrylovTimes {
    double sums, vectors; /* s */
    int64_t sum_calls, vector_calls;
} dlp__KrylovTimes;

typedef struct dlp__Krylov {
    const dlp__Parallel *parallel;
    dlp__Particles *part[DLP_KRYLOV_PARTS];
    int parts;
    int width;      /* of vectors, in lanes */
    int components; /* number of components that are unknowns: 1 to 3 */
    dlp__KrylovExtra extra;
    bool (*apply)(void *context); /* product = A search; false: out of memory */
    /* search = a direction of which the solution is expected to contain a multiple; it is 0 where the mobility is. The first iteration
     * follows it if that is worth it. Null: none. */
    void (*guess)(void *context);
    /* product = B residual, where B is symmetric and approximates A^-1; null: B is the mobility. For the extra unknowns B is
     * always the mobility. */
    void (*precondition)(void *context, double norm);
    void *context;
    int64_t max_iterations;
    dlp__KrylovTimes *times; /* may be null; times are added */
} dlp__Krylov;

typedef struct dlp__KrylovReport {
    int64_t iterations;
    double residual; /* squared norm of the residual, weighted by mobility */
    bool converged;  /* the residual is at most the target                 */
    bool ok;         /* false: out of memory                               */
} dlp__KrylovReport;

/* The sum of mobility * residual^2 over all particles and extra unknowns. */
double dlp__krylov_norm(const dlp__Krylov *krylov, double *scale);

/* Iterate until the squared norm of the residual is at most `target`. On entry `change` holds the initial guess and `residual` its
 * residual. `mobility` is one number per particle; where it is 0, `change` stays unchanged. */
dlp__KrylovReport dlp__conjugate_gradients(const dlp__Krylov *krylov, double target);

#endif
