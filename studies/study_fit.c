/* Best rigid motion between two sets of points: Horn, Closed-form solution of absolute orientation using unit quaternions,
 * J. Opt. Soc. Am. A 4 (1987). The largest eigenvalue of a 4 x 4 matrix made of the covariance is all that is needed. */
#include "studies/study_fit.h"

#include <math.h>

/* The largest eigenvalue of a symmetric matrix, by Jacobi's rotations; the matrix is used up. */
static double largest_eigenvalue(double m[4][4])
{
    enum { SWEEPS = 32 };
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        for (int p = 0; p < 4; p++) {
            for (int q = p + 1; q < 4; q++) {
                if (m[p][q] == 0) {
                    continue;
                }
                const double theta = (m[q][q] - m[p][p]) / (2 * m[p][q]);
                const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
                const double c = 1 / sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 4; k++) {
                    const double a = m[k][p], b = m[k][q];
                    m[k][p] = c * a - s * b;
                    m[k][q] = s * a + c * b;
                }
                for (int k = 0; k < 4; k++) {
                    const double a = m[p][k], b = m[q][k];
                    m[p][k] = c * a - s * b;
                    m[q][k] = s * a + c * b;
                }
            }
        }
    }
    return fmax(fmax(m[0][0], m[1][1]), fmax(m[2][2], m[3][3]));
}

static void mean_of(const StudyParticles *particles, double mean[3])
{
    for (int axis = 0; axis < 3; axis++) {
        mean[axis] = 0;
        for (int64_t i = 0; i < particles->count; i++) {
            mean[axis] += particles->position[i][axis];
        }
        mean[axis] /= (double)particles->count;
    }
}

double study_rms_from_rigid(const StudyParticles *rest, const StudyParticles *now)
{
    const int64_t count = now->count;
    double from[3], to[3], s[3][3] = {{0}}, squares = 0;
    if (count == 0 || rest->count != count) {
        return 0;
    }
    mean_of(rest, from);
    mean_of(now, to);
    for (int64_t i = 0; i < count; i++) {
        for (int a = 0; a < 3; a++) {
            const double x = rest->position[i][a] - from[a], y = now->position[i][a] - to[a];
            squares += x * x + y * y;
            for (int b = 0; b < 3; b++) {
                s[a][b] += x * (now->position[i][b] - to[b]);
            }
        }
    }
    double n[4][4] = {
        {s[0][0] + s[1][1] + s[2][2], s[1][2] - s[2][1], s[2][0] - s[0][2], s[0][1] - s[1][0]},
        {s[1][2] - s[2][1], s[0][0] - s[1][1] - s[2][2], s[0][1] + s[1][0], s[2][0] + s[0][2]},
        {s[2][0] - s[0][2], s[0][1] + s[1][0], s[1][1] - s[0][0] - s[2][2], s[1][2] + s[2][1]},
        {s[0][1] - s[1][0], s[2][0] + s[0][2], s[1][2] + s[2][1], s[2][2] - s[0][0] - s[1][1]},
    };
    return sqrt(fmax(0, squares - 2 * largest_eigenvalue(n)) / (double)count);
}
