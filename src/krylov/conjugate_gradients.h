/* Conjugate gradients on particle fields, for any operator that can be applied to one: solves A change = right side, where A
 * is symmetric and positive and never written down. Sums are exact (exact_sum.h), so the iterations are the same bit for bit
 * for any number of threads or parts. */
#ifndef DLP_KRYLOV_CONJUGATE_GRADIENTS_H
#define DLP_KRYLOV_CONJUGATE_GRADIENTS_H

#include "base/exact_sum.h"
#include "particles/particles.h"

#define DLP_KRYLOV_FIELDS \
    (DLP_FIELD_BIT(change) | DLP_FIELD_BIT(residual) | DLP_FIELD_BIT(search) | DLP_FIELD_BIT(product) | \
     DLP_FIELD_BIT(mobility))
#define DLP_KRYLOV_PARTS 8

/* Unknowns that belong to no particle, such as the motion of bodies: few, and solved for with the rest. */
typedef struct dlp__KrylovExtra {
    int count;
    double *change, *residual, *search, *product; /* as the fields of particles */
    const double *mobility;
} dlp__KrylovExtra;

typedef struct dlp__Krylov {
    const dlp__Parallel *parallel;
    dlp__Particles *part[DLP_KRYLOV_PARTS];
    int parts;
    int components; /* of the fields that are unknowns, from the first on: 1 to 3 */
    dlp__KrylovExtra extra;
    bool (*apply)(void *context); /* product = A search; false without memory */
    /* product = B residual, where B is symmetric and roughly A^-1; null: B is the mobility. It is that for the extra ones. */
    void (*precondition)(void *context, double norm);
    void *context;
    int64_t most; /* iterations */
} dlp__Krylov;

typedef struct dlp__KrylovReport {
    int64_t iterations;
    double residual; /* square of what is left, weighed by mobility */
    bool finished;   /* it came down to what was asked              */
    bool ok;         /* there was memory enough                     */
} dlp__KrylovReport;

/* The sum over all particles, and the extra ones, of mobility residual^2. */
double dlp__krylov_norm(const dlp__Krylov *krylov, double *scale);

/* Add to `change`, of which `residual` is what it leaves of the right side, until the norm is at most `target`. `mobility` is a
 * number for each particle; where it is 0 the change stays as it is. */
dlp__KrylovReport dlp__conjugate_gradients(const dlp__Krylov *krylov, double target);

#endif
