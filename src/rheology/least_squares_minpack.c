/* Least squares by cminpack: lmdif, qrfac and covar. */
#include "rheology/least_squares.h"

#include <cminpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-12;      /* relative, of the sum of squares and of the unknowns */
static const double DIFFERENCE = 1e-14;     /* relative error of residuals: differences are its square root */
static const double FIRST_STEP = 1.0;       /* in the scaled unknowns */
enum { CALLS_PER_UNKNOWN = 200 };

bool dlp__least_squares_exists(void)
{
    return true;
}

static int evaluate(void *user, int m, int n, const double *unknowns, double *residuals, int flag)
{
    (void)m, (void)n, (void)flag;
    const dlp__LeastSquares *problem = user;
    problem->evaluate(problem->user, unknowns, residuals);
    return 0;
}

double dlp__least_squares_minimize(const dlp__LeastSquares *problem, double *unknowns)
{
    const int m = problem->residual_count, n = problem->unknown_count;
    double *memory = calloc((size_t)m * (size_t)(n + 2) + 5 * (size_t)n, sizeof *memory);
    int *pivots = calloc((size_t)n, sizeof *pivots), calls = 0;
    double sum = NAN;
    if (memory && pivots) {
        double *residuals = memory, *jacobian = residuals + m, *long_scratch = jacobian + (size_t)m * (size_t)n;
        double *scale = long_scratch + m, *scratch = scale + n;
        lmdif(evaluate, (void *)problem, m, n, unknowns, residuals, TOLERANCE, TOLERANCE, 0.0, CALLS_PER_UNKNOWN * (n + 1), DIFFERENCE,
              scale, 1, FIRST_STEP, 0, &calls, jacobian, m, pivots, scratch, scratch + n, scratch + 2 * (size_t)n,
              scratch + 3 * (size_t)n, long_scratch);
        problem->evaluate(problem->user, unknowns, residuals);
        const double norm = enorm(m, residuals);
        sum = norm * norm;
    }
    free(memory);
    free(pivots);
    return sum;
}

bool dlp__least_squares_inverse(double *jacobian, int m, int n, double *inverse)
{
    double *memory = calloc(3 * (size_t)n, sizeof *memory);
    int *pivots = calloc((size_t)n, sizeof *pivots);
    const bool ok = memory && pivots;
    if (ok) {
        double *diagonal = memory, *norms = diagonal + n, *scratch = norms + n;
        qrfac(m, n, jacobian, m, 1, pivots, n, diagonal, norms, scratch);
        for (int j = 0; j < n; j++) {
            memcpy(inverse + (size_t)j * (size_t)n, jacobian + (size_t)j * (size_t)m, (size_t)n * sizeof *inverse);
            inverse[(size_t)j * (size_t)n + (size_t)j] = diagonal[j];
        }
        covar(n, inverse, n, pivots, 0.0, scratch);
    }
    free(memory);
    free(pivots);
    return ok;
}
