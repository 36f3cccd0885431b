/* The flow of Arnold, Beltrami and Childress with disordered particles, without viscosity: a three-dimensional flow that
 * stretches and mixes everywhere and yet is steady, so its decay measures the numerical viscosity of the method. */
#include "studies/flow_box.h"
#include "studies/study_output.h"

#include <math.h>

#define SPEED  1.0                                     /* m/s, U                          */
#define STRAIN 4.0                                     /* U k t at the end                */
#define CFL    0.2                                     /* U dt over spacing               */
#define WANTED 0.02                                    /* viscosity, in spacing times speed */
#define WAVE   (2 * 3.14159265358979323846 / FLOW_BOX) /* 1/m */

static void abc(double k, const float position[3], double flow[3])
{
    const double x = k * (double)position[0], y = k * (double)position[1], z = k * (double)position[2];
    flow[0] = sin(z) + cos(y);
    flow[1] = sin(x) + cos(z);
    flow[2] = sin(y) + cos(x);
}

typedef struct Figures {
    StudyTable *table;
    StudyPlot *plot;
} Figures;

/* Strain 4 at CFL 0.2. */
static int step_count(int n)
{
    return (int)ceil(STRAIN * n / (CFL * WAVE * FLOW_BOX));
}

/* The viscosity, in spacing times speed, that leaves the fraction `left` of the flow after `time`. */
static double numerical_viscosity(double left, double time, int n)
{
    return -log(left) / (WAVE * WAVE * time) / (FLOW_BOX / n * SPEED);
}

/* Runs a case; returns the larger numerical viscosity, by the speed of the flow or by its energy. */
static double measure_decay(StudyRun *run, const Figures *figures, const char *method, int n, uint64_t seed)
{
    const int steps = step_count(n);
    const double dt = STRAIN / (WAVE * SPEED) / steps;
    double speed = SPEED, energy = 1;
    study_case(run, "%s, %d^3, disorder %d", method, n, (int)seed);
    study_weigh(run, pow(n / 16.0, 3));
    StudySeries *series = study_series(figures->plot, "%s, %d^3, disorder %d", method, n, (int)seed);
    dlp_World *world = flow_cube(run, method, n, seed, 0);
    flow_set(run, world, abc, WAVE, SPEED);
    const double begin = study_stats(run, world).kinetic_energy;
    study_point(series, 0, 1);
    for (int step = 1; step <= steps && study_step(run, world, dt); step++) {
        speed = flow_speed(run, world, abc, WAVE) / SPEED;
        energy = study_stats(run, world).kinetic_energy / begin;
        study_point(series, WAVE * SPEED * dt * step, speed);
    }
    dlp_world_destroy(world);
    const double by_speed = numerical_viscosity(speed, dt * steps, n),
                 by_energy = numerical_viscosity(sqrt(energy), dt * steps, n);
    study_word(figures->table, "%s", method);
    study_number(figures->table, n);
    study_number(figures->table, (double)seed);
    study_number(figures->table, speed);
    study_number(figures->table, energy);
    study_number(figures->table, by_speed);
    study_number(figures->table, by_energy);
    return fmax(by_speed, by_energy);
}

static Figures make_figures(StudyRun *run)
{
    const Figures figures = {
        .table = study_table(run, "floor", "An ABC flow without viscosity at a strain of 4"),
        .plot = study_plot(run, "speed_plot", "Speed of an ABC flow without viscosity", "strain U k t",
                           "fraction of the speed left"),
    };
    study_column(figures.table, "method", "");
    study_column(figures.table, "particles per side", "");
    study_column(figures.table, "disorder", "");
    study_column(figures.table, "speed left", "");
    study_column(figures.table, "energy left", "");
    study_column(figures.table, "viscosity by speed", "spacing U");
    study_column(figures.table, "viscosity by energy", "spacing U");
    study_range_y(figures.plot, 0, 1.02);
    return figures;
}

static void run(StudyRun *run)
{
    static const int sides[] = {16, 24};
    const int cases = run->quick ? 1 : 4; /* sides, and two disorders of each */
    const Figures figures = make_figures(run);
    double ours = 0, pbf = 0;
    study_plan(run, run->quick ? 2 * step_count(16) : 4 * (step_count(16) + pow(1.5, 3) * step_count(24)));
    for (int i = 0; i < cases; i++) {
        ours = fmax(ours, measure_decay(run, &figures, "physical", sides[i / 2], (uint64_t)i % 2 + 1));
    }
    for (int i = 0; i < cases; i++) {
        pbf = fmax(pbf, measure_decay(run, &figures, "pbf", sides[i / 2], (uint64_t)i % 2 + 1));
    }
    study_verdict(run, ours <= WANTED, "the numerical viscosity is at most %.4f spacings times speed (pbf: %.3f)", ours,
                  pbf);
}

const Study abc_flow_study = {
    .name = "abc-flow",
    .paper = "known answer",
    .claim =
        "A three-dimensional mixing flow without viscosity is steady; the numerical viscosity is below 0.02 spacings times "
        "speed.",
    .run = run,
};
