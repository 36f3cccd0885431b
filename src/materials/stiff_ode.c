/* ESDIRK with simplified Newton iterations: one matrix, from differences, serves all stages of a step. */
#include "materials/stiff_ode.h"

#include <math.h>
#include <string.h>

enum { STAGES = 6, MOST_ITERATIONS = 10, MOST_STEPS = 20000 };

/* Stage values are y + step * the sum of STAGE times the slopes at the stages; the last stage is the end of the step. */
static const double GAMMA = 0.25;
static const double STAGE[STAGES][STAGES] = {
    {0.0},
    {0.25, 0.25},
    {8611.0 / 62500, -1743.0 / 31250, 0.25},
    {5012029.0 / 34652500, -654441.0 / 2922500, 174375.0 / 388108, 0.25},
    {15267082809.0 / 155376265600, -71443401.0 / 120774400, 730878875.0 / 902184768, 2285395.0 / 8070912, 0.25},
    {82889.0 / 524892, 0.0, 15625.0 / 83664, 69875.0 / 102672, -2260.0 / 8211, 0.25}};
static const double THIRD_ORDER[STAGES] = {4586570599.0 / 29645900160, 0.0,
                                           178811875.0 / 945068544,    814220225.0 / 1159782912,
                                           -3700637.0 / 11593932,      61727.0 / 225920};
static const double WHEN[STAGES] = {0.0,       0.5,       83.0 / 250,
                                    31.0 / 50, 17.0 / 20, 1.0 - 1e-10}; /* a jump at the end belongs to the next step */

/* An unknown smaller than this part of its largest size so far needs no relative accuracy. */
static const double SMALL = 1e-2;

typedef double Vector[DLP_STIFF_MOST];

/* I - gamma step J, as its triangular factors. */
typedef struct Matrix {
    int count, pivot[DLP_STIFF_MOST];
    double row[DLP_STIFF_MOST][DLP_STIFF_MOST];
} Matrix;

static bool factor(Matrix *m)
{
    for (int k = 0; k < m->count; k++) {
        int best = k;
        for (int i = k + 1; i < m->count; i++) {
            best = fabs(m->row[i][k]) > fabs(m->row[best][k]) ? i : best;
        }
        m->pivot[k] = best;
        if (!isnormal(m->row[best][k])) {
            return false;
        }
        for (int j = 0; j < m->count; j++) {
            const double swapped = m->row[k][j];
            m->row[k][j] = m->row[best][j];
            m->row[best][j] = swapped;
        }
        for (int i = k + 1; i < m->count; i++) {
            m->row[i][k] /= m->row[k][k];
            for (int j = k + 1; j < m->count; j++) {
                m->row[i][j] -= m->row[i][k] * m->row[k][j];
            }
        }
    }
    return true;
}

static void solve(const Matrix *m, double *x)
{
    for (int k = 0; k < m->count; k++) {
        const double swapped = x[m->pivot[k]];
        x[m->pivot[k]] = x[k];
        x[k] = swapped;
    }
    for (int k = 0; k < m->count; k++) {
        for (int j = 0; j < k; j++) {
            x[k] -= m->row[k][j] * x[j];
        }
    }
    for (int k = m->count - 1; k >= 0; k--) {
        for (int j = k + 1; j < m->count; j++) {
            x[k] -= m->row[k][j] * x[j];
        }
        x[k] /= m->row[k][k];
    }
}

/* The largest of `values` over the size of the unknowns at either state, in tolerances. */
static double in_tolerances(const dlp__StiffOde *ode, const double *values, const double *y, const double *other)
{
    Vector size = {0}, other_size = {0};
    double most = 0.0;
    ode->sizes(ode->user, y, size);
    ode->sizes(ode->user, other, other_size);
    for (int i = 0; i < ode->count; i++) {
        const double unit = fmax(fmax(size[i], other_size[i]), SMALL * ode->most[i]);
        const double ratio = values[i] == 0.0 ? 0.0 : fabs(values[i]) / (ode->tolerance * unit);
        most = ratio <= most ? most : ratio;
    }
    return most;
}

/* The matrix of a step, from forward differences: of a part of each unknown, or, where it is 0, of its change in the step. `change` is the slope at
 * the start of the step. */
static bool linearize(const dlp__StiffOde *ode, double time, double step, const double *y, const double *change,
                      Matrix *matrix)
{
    const double part = 1e-7;
    Vector size = {0}, moved = {0}, moved_change = {0};
    ode->sizes(ode->user, y, size);
    matrix->count = ode->count;
    for (int j = 0; j < ode->count; j++) {
        const double to = y[j] + fmax(size[j] > 0.0 ? part * size[j] : fabs(step * change[j]), 1e-30),
                     difference = to - y[j];
        memcpy(moved, y, (size_t)ode->count * sizeof *moved);
        moved[j] = to;
        ode->derivative(ode->user, time, moved, moved_change);
        for (int i = 0; i < ode->count; i++) {
            matrix->row[i][j] = (i == j ? 1.0 : 0.0) - GAMMA * step * (moved_change[i] - change[i]) / difference;
        }
    }
    return factor(matrix);
}

/* Solves y = base + gamma step f(y), from a first guess of y. */
static bool solve_stage(const dlp__StiffOde *ode, const Matrix *matrix, double time, double step, const double *base,
                        double *y)
{
    const double enough = 1e-2; /* tolerances */
    double before = INFINITY;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        Vector change = {0}, correction = {0}, last = {0};
        ode->derivative(ode->user, time, y, change);
        for (int i = 0; i < ode->count; i++) {
            correction[i] = base[i] + GAMMA * step * change[i] - y[i];
            last[i] = y[i];
        }
        solve(matrix, correction);
        for (int i = 0; i < ode->count; i++) {
            y[i] += correction[i];
        }
        const double size = in_tolerances(ode, correction, last, y), ratio = size / before;
        if (size <= enough && (k > 0 || size <= 1e-3 * enough)) {
            return true;
        }
        if (!isfinite(size) || ratio > 0.9) {
            return false;
        }
        before = size;
    }
    return false;
}

/* One step: the state at its end and its error in tolerances; false if the stages have no solution. */
static bool try_step(const dlp__StiffOde *ode, double time, double step, const double *y, double *end, double *error)
{
    Matrix matrix = {0};
    Vector slope[STAGES] = {{0}}, deviation = {0};
    ode->derivative(ode->user, time, y, slope[0]);
    if (!linearize(ode, time, step, y, slope[0], &matrix)) {
        return false;
    }
    for (int i = 0; i < ode->count; i++) {
        end[i] = y[i];
        deviation[i] = step * (STAGE[STAGES - 1][0] - THIRD_ORDER[0]) * slope[0][i];
    }
    for (int s = 1; s < STAGES; s++) {
        Vector base = {0};
        for (int i = 0; i < ode->count; i++) {
            base[i] = y[i];
            for (int k = 0; k < s; k++) {
                base[i] += step * STAGE[s][k] * slope[k][i];
            }
            end[i] = base[i] + GAMMA * step * slope[s - 1][i];
        }
        if (!solve_stage(ode, &matrix, time + WHEN[s] * step, step, base, end)) {
            return false;
        }
        for (int i = 0; i < ode->count; i++) {
            slope[s][i] = (end[i] - base[i]) / (GAMMA * step);
            deviation[i] += step * (STAGE[STAGES - 1][s] - THIRD_ORDER[s]) * slope[s][i];
        }
    }
    solve(&matrix, deviation); /* stiff parts do not count: they are at rest */
    *error = in_tolerances(ode, deviation, y, end);
    return isfinite(*error);
}

static void remember_sizes(dlp__StiffOde *ode, const double *y)
{
    Vector size;
    ode->sizes(ode->user, y, size);
    for (int i = 0; i < ode->count; i++) {
        ode->most[i] = fmax(ode->most[i], size[i]);
    }
}

bool dlp__stiff_advance(dlp__StiffOde *ode, double from, double to, double *y)
{
    double time = from, step = ode->step > 0.0 ? ode->step : 1e-3 * (to - from);
    for (int k = 0; k < MOST_STEPS && time < to; k++) {
        const bool last = time + step >= to;
        const double length = last ? to - time : step, shortest = 1e-15 * fmax(time, 1e-6 * (to - from));
        Vector end;
        double error = INFINITY;
        const bool solved = try_step(ode, time, length, y, end, &error);
        if (solved && (error <= 1.0 || length <= shortest)) { /* a jump of the rate is crossed in the shortest step */
            memcpy(y, end, (size_t)ode->count * sizeof *y);
            remember_sizes(ode, y);
            time = last ? to : time + length;
        } else if (length <= shortest) {
            return false;
        }
        const double factor = solved ? fmin(fmax(0.9 * pow(error, -0.25), 0.1), 4.0) : 0.25;
        step = last && solved && error <= 1.0 ? fmax(step, factor * length) : factor * length;
    }
    ode->step = step;
    return time >= to;
}
