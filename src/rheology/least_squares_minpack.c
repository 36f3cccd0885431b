/* Least squares by cminpack: lmder, qrfac and covar. */
#include "rheology/least_squares.h"

#include <cminpack.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-12; /* relative, of the sum of squares and of the unknowns */
static const double STEP = 1e-7;       /* of differences: unknowns are logarithms and the like */
static const double FIRST_STEP = 1.0;  /* in the scaled unknowns */
enum { CALLS_MOST = 200 };             /* of the residuals, without those for Jacobians */

bool dlp__least_squares_exists(void)
{
    return true;
}

/* What lmder calls: flag 1 asks for the residuals, 2 for their Jacobian. lmdif has steps relative to each unknown, which vanish where a
 * logarithm is near 0. */
typedef struct Call {
    const dlp__LeastSquares *problem;
    double *unknowns, *moved; /* scratch: unknowns of which one is moved by STEP, and the residuals there */
} Call;

static int evaluate(void *user, int m, int n, const double *unknowns, double *residuals, double *jacobian, int rows,
                    int flag)
{
    const Call *call = user;
    const dlp__LeastSquares *problem = call->problem;
    if (flag == 1) {
        problem->evaluate(problem->user, unknowns, residuals);
    }
    for (int j = 0; flag == 2 && j < n; j++) {
        memcpy(call->unknowns, unknowns, (size_t)n * sizeof *unknowns);
        call->unknowns[j] += STEP;
        problem->evaluate(problem->user, call->unknowns, call->moved);
        for (int i = 0; i < m; i++) {
            jacobian[(size_t)j * (size_t)rows + (size_t)i] = (call->moved[i] - residuals[i]) / STEP;
        }
    }
    return 0;
}

double dlp__least_squares_minimize(const dlp__LeastSquares *problem, double *unknowns)
{
    const int m = problem->residual_count, n = problem->unknown_count;
    const size_t length = (size_t)m, count = (size_t)n;
    double *memory = calloc(length * (count + 3) + 6 * count, sizeof *memory);
    int *pivots = calloc(count, sizeof *pivots), calls = 0, jacobians = 0;
    double sum = NAN;
    if (memory && pivots) {
        double *residuals = memory, *moved = residuals + length, *long_scratch = moved + length,
               *jacobian = long_scratch + length;
        double *scale = jacobian + length * count, *scratch = scale + count, *moved_unknowns = scratch + 4 * count;
        Call call = {problem, moved_unknowns, moved};
        lmder(evaluate, &call, m, n, unknowns, residuals, jacobian, m, TOLERANCE, TOLERANCE, 0.0, CALLS_MOST, scale, 1,
              FIRST_STEP, 0, &calls, &jacobians, pivots, scratch, scratch + count, scratch + 2 * count,
              scratch + 3 * count, long_scratch);
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
