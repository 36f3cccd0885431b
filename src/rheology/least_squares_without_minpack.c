/* Least squares in a build without cminpack: none. */
#include "rheology/least_squares.h"

#include <math.h>

bool dlp__least_squares_exists(void)
{
    return false;
}

/* NOLINTBEGIN(readability-non-const-parameter): the version with cminpack writes to them */
double dlp__least_squares_minimize(const dlp__LeastSquares *problem, double *unknowns)
{
    (void)problem, (void)unknowns;
    return NAN;
}

bool dlp__least_squares_inverse(double *jacobian, int m, int n, double *inverse)
{
    (void)jacobian, (void)m, (void)n, (void)inverse;
    return false;
}
/* NOLINTEND(readability-non-const-parameter) */
