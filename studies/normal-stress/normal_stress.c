/* The first normal stress difference of an upper-convected Maxwell fluid. Frames and views do not contain the conformation
 * tensor, so this evaluates only the update of a step: Q of one particle at a constant velocity gradient, for steps up to the
 * relaxation time. */
#include "studies/study_output.h"

#include <math.h>

#define RELAXATION 1.0  /* s                                           */
#define DURATION   40.0 /* relaxation times, until the flow is steady  */
#define WANTED     0.01 /* error                                       */

typedef struct Matrix {
    double at[3][3];
} Matrix;

static Matrix multiply(const Matrix *a, const Matrix *b)
{
    Matrix product = {0};
    for (int n = 0; n < 27; n++) {
        const int row = n / 9, column = n / 3 % 3, inner = n % 3;
        product.at[row][column] += a->at[row][inner] * b->at[inner][column];
    }
    return product;
}

static Matrix transpose(const Matrix *a)
{
    Matrix turned;
    for (int n = 0; n < 9; n++) {
        turned.at[n % 3][n / 3] = a->at[n / 3][n % 3];
    }
    return turned;
}

/* a times b times a transposed */
static Matrix convect(const Matrix *a, const Matrix *b)
{
    const Matrix left = multiply(a, b), turned = transpose(a);
    return multiply(&left, &turned);
}

/* The update of Q by the method physical: the retained part is convected by F = I + dt L, and the part that relaxed within
 * the step has been convected since then. e = exp(-dt/tau):
 *     Q <- e F Q F' + (1-e) I + (tau - (tau+dt) e) (L + L') + (2 tau^2 - (2 tau^2 + 2 tau dt + dt^2) e) L L' */
static Matrix next_conformation(const Matrix *q, const Matrix *rate, double dt)
{
    const double tau = RELAXATION, e = exp(-dt / tau);
    const double spread = tau - (tau + dt) * e;
    const double spread_square = 2 * tau * tau - (2 * tau * tau + 2 * tau * dt + dt * dt) * e;
    const Matrix one = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    Matrix step = one;
    for (int n = 0; n < 9; n++) {
        step.at[n / 3][n % 3] += dt * rate->at[n / 3][n % 3];
    }
    const Matrix kept = convect(&step, q), square = convect(rate, &one);
    Matrix next;
    for (int n = 0; n < 9; n++) {
        const int i = n / 3, j = n % 3;
        next.at[i][j] = e * kept.at[i][j] + (1 - e) * one.at[i][j] + spread * (rate->at[i][j] + rate->at[j][i]) +
                        spread_square * square.at[i][j];
    }
    return next;
}

/* Q after `duration` in the flow, from rest. */
static Matrix conformation_after(const Matrix *rate, double dt, double duration)
{
    Matrix q = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const int steps = (int)lround(duration / dt);
    for (int step = 0; step < steps; step++) {
        q = next_conformation(&q, rate, dt);
    }
    return q;
}

static const double time_steps[] = {0.01, 0.03, 0.1, 0.3, 1}; /* relaxation times */
enum { TIME_STEPS = sizeof time_steps / sizeof time_steps[0] };

/* Shear: the larger error of viscosity and N1. Stresses are in moduli, so the viscosity is the relaxation time. */
static double shear(StudyTable *table, double weissenberg, double dt)
{
    const double rate = weissenberg / RELAXATION;
    const Matrix flow = {{{0, rate, 0}, {0, 0, 0}, {0, 0, 0}}};
    const Matrix q = conformation_after(&flow, dt * RELAXATION, DURATION * RELAXATION);
    /* Startup, after one relaxation time: N1 = 2 (rate tau)^2 (1 - e^-1 (1 + 1)). */
    const Matrix begun = conformation_after(&flow, dt * RELAXATION, ceil(1 / dt) * dt * RELAXATION);
    const double t = ceil(1 / dt) * dt, growth = 1 - exp(-t) * (1 + t);
    const double viscosity = q.at[0][1] / (rate * RELAXATION);
    const double normal = (q.at[0][0] - q.at[1][1]) / (2 * weissenberg * weissenberg);
    const double early = (begun.at[0][0] - begun.at[1][1]) / (2 * weissenberg * weissenberg * growth);
    study_number(table, weissenberg);
    study_number(table, dt);
    study_number(table, viscosity);
    study_number(table, normal);
    study_number(table, early);
    return fmax(fmax(fabs(viscosity - 1), fabs(normal - 1)), fabs(early - 1));
}

/* Uniaxial extension: (s_xx - s_yy) / rate against 2 eta / (1 - 2 Wi) + eta / (1 + Wi). */
static void extend(StudyTable *table, double weissenberg, double dt)
{
    const double rate = weissenberg / RELAXATION;
    const Matrix flow = {{{rate, 0, 0}, {0, -rate / 2, 0}, {0, 0, -rate / 2}}};
    const Matrix q = conformation_after(&flow, dt * RELAXATION, DURATION / (1 - 2 * weissenberg));
    const double exact = 2 / (1 - 2 * weissenberg) + 1 / (1 + weissenberg);
    const double found = (q.at[0][0] - q.at[1][1]) / weissenberg;
    study_number(table, weissenberg);
    study_number(table, dt);
    study_number(table, found);
    study_number(table, exact);
    study_number(table, found / exact - 1);
}

static double try_shear(StudyRun *run)
{
    static const double weissenbergs[] = {0.1, 0.3, 1, 3, 10};
    StudyTable *table = study_table(run, "shear", "Steady shear: viscosity and N1 over their exact values");
    double worst = 0;
    study_column(table, "rate times tau", "");
    study_column(table, "dt over tau", "");
    study_column(table, "viscosity", "");
    study_column(table, "N1", "");
    study_column(table, "N1 after about tau", "");
    for (size_t i = 0; i < sizeof weissenbergs / sizeof weissenbergs[0]; i++) {
        for (int n = 0; n < TIME_STEPS && study_going(run); n++) {
            worst = fmax(worst, shear(table, weissenbergs[i], time_steps[n]));
            study_advance(run, 1);
        }
    }
    return worst;
}

static void try_extension(StudyRun *run)
{
    static const double weissenbergs[] = {0.1, 0.3, 0.4};
    StudyTable *table = study_table(run, "extension", "Extension of a thread: extensional over shear viscosity");
    study_column(table, "rate times tau", "");
    study_column(table, "dt over tau", "");
    study_column(table, "viscosity", "");
    study_column(table, "exact", "");
    study_column(table, "error", "");
    for (size_t i = 0; i < sizeof weissenbergs / sizeof weissenbergs[0]; i++) {
        for (int n = 0; n < TIME_STEPS && study_going(run); n++) {
            extend(table, weissenbergs[i], time_steps[n]);
            study_advance(run, 1);
        }
    }
}

static void run(StudyRun *run)
{
    study_plan(run, 8 * TIME_STEPS);
    const double worst = try_shear(run);
    try_extension(run);
    study_verdict(run, worst <= WANTED,
                  "in steady shear viscosity and N1 are off by at most %.1e, for steps up to the relaxation time",
                  worst);
}

const Study normal_stress_study = {
    .name = "normal-stress",
    .paper = "known answer",
    .claim =
        "In steady shear an upper-convected Maxwell fluid has N1 = 2 viscosity tau rate^2 and a viscosity that does not "
        "depend on the rate.",
    .run = run,
};
