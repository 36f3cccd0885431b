/* Skyline Cholesky: layout, factorization and solution. */
#include "krylov/skyline.h"

#include <math.h>

enum { LANES = 8 };

/* A fixed number of partial sums in a fixed order, so that the result does not depend on vectorization. */
static double dot(const double *a, const double *b, int64_t count)
{
    double part[LANES] = {0.0};
    int64_t k = 0;
    for (; k + LANES <= count; k += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            part[lane] += a[k + lane] * b[k + lane];
        }
    }
    for (int lane = 0; k < count; k++, lane++) {
        part[lane] += a[k] * b[k];
    }
    return ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
}

int64_t dlp__skyline_layout(dlp__Skyline *a)
{
    int64_t count = 0;
    for (int32_t i = 0; i < a->rows; i++) {
        a->start[i] = count - a->first[i];
        count += i + 1 - a->first[i];
    }
    return count;
}

bool dlp__skyline_factor(dlp__Skyline *a)
{
    for (int32_t i = 0; i < a->rows; i++) {
        double *row = a->entry + a->start[i];
        for (int32_t j = a->first[i]; j < i; j++) {
            const double *other = a->entry + a->start[j];
            int32_t from = a->first[i] > a->first[j] ? a->first[i] : a->first[j];
            row[j] = (row[j] - dot(row + from, other + from, j - from)) / other[j];
        }
        double square = row[i] - dot(row + a->first[i], row + a->first[i], i - a->first[i]);
        if (!(square > 0.0)) {
            return false;
        }
        row[i] = sqrt(square);
    }
    return true;
}

void dlp__skyline_solve(const dlp__Skyline *l, double *x)
{
    for (int32_t i = 0; i < l->rows; i++) {
        const double *row = l->entry + l->start[i];
        x[i] = (x[i] - dot(row + l->first[i], x + l->first[i], i - l->first[i])) / row[i];
    }
    for (int32_t i = l->rows - 1; i >= 0; i--) {
        const double *row = l->entry + l->start[i];
        x[i] /= row[i];
        for (int32_t j = l->first[i]; j < i; j++) {
            x[j] -= row[j] * x[i];
        }
    }
}
