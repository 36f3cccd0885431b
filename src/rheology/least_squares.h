/* Least squares: Levenberg-Marquardt and the inverse of the normal equations, by MINPACK (More, Garbow and Hillstrom 1980). The only file
 * that uses its C translation is least_squares_minpack.c; without cminpack dlp__least_squares_exists() is false. */
#ifndef DLP_RHEOLOGY_LEAST_SQUARES_H
#define DLP_RHEOLOGY_LEAST_SQUARES_H

#include <dollop/types.h>

bool dlp__least_squares_exists(void);

/* A sum of squares to minimise. */
typedef struct dlp__LeastSquares {
    int residual_count; /* at least unknown_count */
    int unknown_count;
    void (*evaluate)(void *user, const double *unknowns, double *residuals); /* finite for all unknowns */
    void *user;
} dlp__LeastSquares;

/* Minimise from a start, which is replaced by the minimum that was found. Returns the sum of squares there; NaN without memory. */
double dlp__least_squares_minimize(const dlp__LeastSquares *problem, double *unknowns);

/* The inverse of J^T J, n times n, of a Jacobian J of m rows, stored by columns, of full rank; J is overwritten. False without
 * memory. */
bool dlp__least_squares_inverse(double *jacobian, int m, int n, double *inverse);

#endif
