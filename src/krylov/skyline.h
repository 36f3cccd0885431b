/* Symmetric positive systems whose entries stand near the diagonal: A = L L^T by Cholesky's method, within rows that go from
 * a first column of their own to the diagonal. */
#ifndef DLP_KRYLOV_SKYLINE_H
#define DLP_KRYLOV_SKYLINE_H

#include <stdbool.h>
#include <stdint.h>

typedef struct dlp__Skyline {
    int32_t rows;
    int32_t *first; /* the first column of each row                      */
    int64_t *start; /* entry[start[i] + j] is column j of row i, j <= i  */
    double *entry;
} dlp__Skyline;

/* Set `start` from `first`; returns how many entries there are. */
int64_t dlp__skyline_layout(dlp__Skyline *a);

/* A becomes L. False if A is not positive. */
bool dlp__skyline_factor(dlp__Skyline *a);

/* x = A^-1 x */
void dlp__skyline_solve(const dlp__Skyline *l, double *x);

#endif
