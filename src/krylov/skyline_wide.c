/* Skyline Cholesky: factorization and solution. */
#include "krylov/skyline_loops.h"

enum { LANES = 8, VECTORS = LANES / DLP_DOUBLES, ROWS = 3, PANEL = 48 };

/* Products of b with several rows, which share its loads. Each has a fixed number of partial sums in a
 * fixed order, so that the result does not depend on the vector width. */
DLP_INLINE void dots(const double *const *a, int rows, const double *b, int64_t count, double *result)
{
    dlp__WideDouble sum[ROWS][VECTORS];
    int64_t k = 0;
    for (int r = 0; r < rows; r++) {
        for (int v = 0; v < VECTORS; v++) {
            sum[r][v] = dlp__wide_double(0.0);
        }
    }
    for (; k + LANES <= count; k += LANES) {
        for (int v = 0; v < VECTORS; v++) {
            const int64_t at = k + (int64_t)v * DLP_DOUBLES;
            const dlp__WideDouble other = dlp__wide_load_doubles(b + at);
            for (int r = 0; r < rows; r++) {
                sum[r][v] += dlp__wide_load_doubles(a[r] + at) * other;
            }
        }
    }
    for (int r = 0; r < rows; r++) {
        double part[LANES];
        memcpy(part, sum[r], sizeof part);
        for (int64_t rest = k; rest < count; rest++) {
            part[rest - k] += a[r][rest] * b[rest];
        }
        result[r] = ((part[0] + part[4]) + (part[2] + part[6])) + ((part[1] + part[5]) + (part[3] + part[7]));
    }
}

DLP_INLINE double dot(const double *a, const double *b, int64_t count)
{
    double result;
    dots(&a, 1, b, count, &result);
    return result;
}

/* x -= factor a */
DLP_INLINE void subtract(double *x, const double *a, double factor, int64_t count)
{
    int64_t k = 0;
    for (; k + DLP_DOUBLES <= count; k += DLP_DOUBLES) {
        const dlp__WideDouble rest = dlp__wide_load_doubles(x + k) -
                                     dlp__wide_load_doubles(a + k) * dlp__wide_double(factor);
        dlp__wide_store_doubles(x + k, rest);
    }
    for (; k < count; k++) {
        x[k] -= a[k] * factor;
    }
}

/* Columns begin to end of `rows` rows from i on, which begin at the same column. */
DLP_INLINE void eliminate(const dlp__Skyline *a, int32_t i, int rows, int32_t begin, int32_t end)
{
    double *row[ROWS];
    for (int r = 0; r < rows; r++) {
        row[r] = a->entry + a->start[i + r];
    }
    const int32_t first = a->first[i];
    for (int32_t j = first > begin ? first : begin; j < end; j++) {
        const double *other = a->entry + a->start[j];
        const int32_t from = first > a->first[j] ? first : a->first[j];
        const double *at[ROWS];
        double product[ROWS];
        for (int r = 0; r < rows; r++) {
            at[r] = row[r] + from;
        }
        dots(at, rows, other + from, j - from, product);
        for (int r = 0; r < rows; r++) {
            row[r][j] = (row[r][j] - product[r]) / other[j];
        }
    }
}

/* Columns begin to end are finished in rows begin to end. */
typedef struct Panel {
    const dlp__Skyline *a;
    int32_t begin, end;
} Panel;

/* The columns of a panel in a range of the rows below it; three rows at a time, as the components of a vector have. */
static void eliminate_below(void *context, int64_t begin, int64_t end)
{
    const Panel *panel = context;
    const dlp__Skyline *a = panel->a;
    const int32_t last = panel->end + (int32_t)end;
    for (int32_t i = panel->end + (int32_t)begin; i < last;) {
        const int32_t first = a->first[i];
        if (first < panel->end && i + ROWS <= last && a->first[i + 1] == first && a->first[i + 2] == first) {
            eliminate(a, i, ROWS, panel->begin, panel->end);
            i += ROWS;
        } else {
            eliminate(a, i, 1, panel->begin, panel->end);
            i++;
        }
    }
}

static bool factor(dlp__Skyline *a, const dlp__Parallel *parallel)
{
    for (int32_t begin = 0; begin < a->rows; begin += PANEL) {
        const Panel panel = {a, begin, begin + PANEL < a->rows ? begin + PANEL : a->rows};
        for (int32_t i = begin; i < panel.end; i++) {
            double *row = a->entry + a->start[i];
            eliminate(a, i, 1, begin, i);
            double square = row[i] - dot(row + a->first[i], row + a->first[i], i - a->first[i]);
            if (!(square > 0.0)) {
                return false;
            }
            row[i] = sqrt(square);
        }
        dlp__parallel_for(parallel, a->rows - panel.end, ROWS * LANES, eliminate_below, (void *)&panel);
    }
    return true;
}

static void solve(const dlp__Skyline *l, double *x)
{
    for (int32_t i = 0; i < l->rows; i++) {
        const double *row = l->entry + l->start[i];
        x[i] = (x[i] - dot(row + l->first[i], x + l->first[i], i - l->first[i])) / row[i];
    }
    for (int32_t i = l->rows - 1; i >= 0; i--) {
        const double *row = l->entry + l->start[i];
        x[i] /= row[i];
        subtract(x + l->first[i], row + l->first[i], x[i], i - l->first[i]);
    }
}

const dlp__SkylineLoops DLP_WIDE(dlp__skyline_loops) = {factor, solve};
