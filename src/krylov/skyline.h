/* Cholesky factorization A = L L^T of symmetric positive definite matrices in skyline storage: each row is stored from its first
 * nonzero column to the diagonal. */
#ifndef DLP_KRYLOV_SKYLINE_H
#define DLP_KRYLOV_SKYLINE_H

#include "base/parallel.h"

typedef struct dlp__Skyline {
    int width; /* of vectors, in lanes */
    int32_t rows;
    int32_t *first; /* first stored column of each row                   */
    int64_t *start; /* entry[start[i] + j] is column j of row i, j <= i  */
    double *entry;
} dlp__Skyline;

/* Compute `start` from `first`; returns the number of entries. */
int64_t dlp__skyline_layout(dlp__Skyline *a);

/* Replace A by L, the same for any number of threads and lanes. False if A is not positive definite. */
bool dlp__skyline_factor(dlp__Skyline *a, const dlp__Parallel *parallel);

/* x = A^-1 x */
void dlp__skyline_solve(const dlp__Skyline *l, double *x);

#endif
