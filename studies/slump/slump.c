/* A cube on the floor slumps under its own weight: its initial rate of sinking, its sag after half a second, the width of a thin
 * one, the sag of an elastic one, and whether a stiff one is stable at steps of 60 ms. */
#include "studies/study_fit.h"
#include "studies/study_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SIDE      0.1     /* m                                                      */
#define DENSITY   1000.0  /* kg/m3                                                  */
#define GRAVITY   9.81    /* m/s2                                                   */
#define THICK     1000.0  /* Pa s, of the viscous cube                              */
#define THIN      10.0    /* Pa s, of the thin cube                                 */
#define MODULUS   5000.0  /* Pa, of the elastic cube                                */
#define SINK_RATE -0.0832 /* mean velocity over density gravity side^2 / viscosity  */
#define DURATION  0.5     /* s                                                      */
#define USUAL     240.0   /* steps per second, unless they are varied or automatic  */
#define STILL     2.0     /* s after which the elastic cube is at rest              */
/* Steps until the flow has developed, from rest, and steps over which its velocity is averaged. */
enum { SINK_AFTER = 4, SINK_STEPS = 8, COARSE = 10 };

typedef struct Slump {
    int n;             /* particles along a side */
    double per_second; /* steps; 0: automatic    */
    StudyValue law;    /* viscosity or modulus   */
    double damping;    /* of elastic waves       */
    double friction;   /* of the floor           */
} Slump;

static dlp_World *make_world(StudyRun *run, const Slump *slump)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    def.spacing = SIDE / slump->n;
    def.gravity = (dlp_Vec3){0, 0, -GRAVITY};
    dlp_World *world = study_world(run, &def);
    study_case(run, "%s %g, %d per side, %g steps per second", slump->law.name, slump->law.value, slump->n,
               slump->per_second);
    study_weigh(run, pow(slump->n / (double)COARSE, 3));
    study_set(run, world, "damping", slump->damping);
    study_floor(run, world, slump->friction);
    study_cube(run, world, STUDY_MATERIAL(run, world, {"density", DENSITY}, slump->law), slump->n, 0);
    return world;
}

/* The results of a run. */
typedef struct Slumped {
    double sag;     /* m, of the centre of mass           */
    double width;   /* m, mean of x and y                 */
    double top_sag; /* m, mean of the topmost layer       */
} Slumped;

static double mean_top(StudyRun *run, const dlp_World *world, int n)
{
    StudyParticles particles = {0};
    double sum = 0;
    study_read(run, world, &particles);
    for (int64_t i = particles.count - (int64_t)n * n; i >= 0 && i < particles.count; i++) {
        sum += (double)particles.position[i][2] / (n * n);
    }
    study_particles_free(&particles);
    return sum;
}

static Slumped slump_for(StudyRun *run, const Slump *slump, double duration)
{
    dlp_World *world = make_world(run, slump);
    const double spacing = SIDE / slump->n, top = mean_top(run, world, slump->n);
    const bool automatic = run->automatic;
    run->automatic = slump->per_second == 0;
    study_run_for(run, world, duration, 1 / (run->automatic ? USUAL : slump->per_second));
    run->automatic = automatic;
    const dlp_WorldStats stats = study_stats(run, world);
    const Slumped slumped = {
        .sag = SIDE / 2 - stats.center.z,
        .width = (stats.upper.x - stats.lower.x + stats.upper.y - stats.lower.y) / 2 + spacing,
        .top_sag = top - mean_top(run, world, slump->n),
    };
    dlp_world_destroy(world);
    return slumped;
}

/* The largest relative difference of `count` values to the one at `best`. */
static double spread_of(const double *values, int count, int best)
{
    double worst = 0;
    for (int i = 0; i < count; i++) {
        worst = fmax(worst, fabs(values[i] / values[best] - 1));
    }
    return worst;
}

static void add_row(StudyTable *table, const char *what, const Slump *slump, double found, double wanted)
{
    study_word(table, "%s", what);
    study_number(table, slump->n);
    study_number(table, slump->per_second);
    study_number(table, found);
    study_number(table, wanted);
}

typedef struct Figures {
    StudyTable *table;
    StudyTable *verdicts;
    int met, missed; /* targets                 */
    char names[320]; /* of the missed targets    */
} Figures;

static void judge(Figures *figures, const char *what, double error, double target)
{
    study_word(figures->verdicts, "%s", what);
    study_number(figures->verdicts, error);
    study_number(figures->verdicts, target);
    study_word(figures->verdicts, error <= target ? "holds" : "does not hold");
    if (error <= target) {
        figures->met++;
        return;
    }
    const size_t used = strlen(figures->names);
    snprintf(figures->names + used, sizeof figures->names - used, "%s%s (%.3g, not %g)", figures->missed ? "; " : ": ",
             what, error, target);
    figures->missed++;
}

static const int sides[] = {10, 16, 24};
static const double rates[] = {60, 120, 240, 480}; /* steps per second */
enum { SIDES = 3, RATES = 4 };

/* (i) The mean velocity once the flow has developed and before the shape has changed, in density gravity side^2 / viscosity. */
static double sink_rate(StudyRun *run, const Slump *slump)
{
    dlp_World *world = make_world(run, slump);
    double sum = 0;
    study_run_for(run, world, SINK_AFTER / slump->per_second, 1 / slump->per_second);
    for (int step = 0; step < SINK_STEPS && study_step(run, world, 1 / slump->per_second); step++) {
        sum += study_stats(run, world).momentum.z / (DENSITY * SIDE * SIDE * SIDE);
    }
    dlp_world_destroy(world);
    return sum / SINK_STEPS * slump->law.value / (DENSITY * GRAVITY * SIDE * SIDE);
}

static void try_sinking(StudyRun *run, Figures *figures, int sizes)
{
    double worst = 0;
    for (int i = 0; i < sizes; i++) {
        const Slump slump = {sides[i], USUAL, {"viscosity", THICK}, 0, 1};
        const double found = sink_rate(run, &slump);
        add_row(figures->table, "sinking, v eta / (rho g H^2)", &slump, found, SINK_RATE);
        worst = fmax(worst, fabs(found / SINK_RATE - 1));
    }
    judge(figures, "rate of sinking", worst, 0.02);
}

/* Steps per second where the study does not vary them. */
static double usual_rate(const StudyRun *run)
{
    return run->automatic ? 0 : USUAL;
}

/* (ii), (iii): a Newtonian cube after half a second, by time step and by resolution, against the finest of each. */
static void try_half_second(StudyRun *run, Figures *figures, double viscosity, int sizes, double targets[2])
{
    const bool thin = viscosity == THIN;
    const char *what = thin ? "width of the thin cube, m" : "sag of the viscous cube, m";
    double by_rate[RATES], by_side[SIDES];
    const int first = run->automatic ? RATES - 2 : 0;
    for (int i = first; i < RATES; i++) {
        /* automatic steps are compared with the shortest ones */
        const double rate = run->automatic && i == RATES - 2 ? 0 : rates[i];
        const Slump slump = {COARSE, rate, {"viscosity", viscosity}, 0, 1};
        const Slumped slumped = slump_for(run, &slump, DURATION);
        by_rate[i] = thin ? slumped.width : slumped.sag;
        add_row(figures->table, what, &slump, by_rate[i], NAN);
    }
    by_side[0] = by_rate[2];
    for (int i = 1; i < sizes; i++) {
        const Slump slump = {sides[i], usual_rate(run), {"viscosity", viscosity}, 0, 1};
        const Slumped slumped = slump_for(run, &slump, DURATION);
        by_side[i] = thin ? slumped.width : slumped.sag;
        add_row(figures->table, what, &slump, by_side[i], NAN);
    }
    judge(figures, thin ? "width of the thin cube, over time steps" : "sag, over time steps",
          spread_of(by_rate + first, RATES - first, RATES - 1 - first), targets[0]);
    judge(figures, thin ? "width of the thin cube, over particles" : "sag, over particles",
          spread_of(by_side, sizes, sizes - 1), targets[1]);
}

/* The shortening of a neo-Hookean bar under its own weight, free to widen: each part supports the weight above it,
 * G (1/stretch^2 - stretch) = density gravity (side - z). */
static double bar_sag(double top)
{
    enum { PARTS = 1000 };
    double sag = 0;
    for (int i = 0; i < PARTS; i++) {
        const double load = DENSITY * GRAVITY * (SIDE - top * (i + 0.5) / PARTS) / MODULUS;
        double stretch = 1;
        for (int turn = 0; turn < 20; turn++) {
            stretch -= (load - 1 / (stretch * stretch) + stretch) / (2 / (stretch * stretch * stretch) + 1);
        }
        sag += (1 - stretch) * top / PARTS;
    }
    return sag;
}

/* (iv) */
static double elastic_sag(StudyRun *run, Figures *figures, const char *what, Slump slump, double known)
{
    slump.n = COARSE;
    slump.law = (StudyValue){"modulus", MODULUS};
    slump.damping = 1;
    const double found = slump_for(run, &slump, STILL).top_sag;
    add_row(figures->table, what, &slump, found, known);
    return found;
}

static void try_elastic(StudyRun *run, Figures *figures)
{
    static const double elastic_rates[] = {60, 240, 480};
    const double exact = bar_sag(SIDE * (1 - 0.5 / COARSE)); /* the topmost particles are half a spacing down */
    double worst = 0;
    for (int i = 0; i < (run->automatic ? 1 : 3); i++) {
        const double found = elastic_sag(run, figures, "sag of the elastic cube that slips, m",
                                         (Slump){.per_second = run->automatic ? 0 : elastic_rates[i]}, exact);
        worst = fmax(worst, fabs(found / exact - 1));
    }
    elastic_sag(run, figures, "sag of the elastic cube that sticks, m",
                (Slump){.per_second = usual_rate(run), .friction = 1}, NAN);
    judge(figures, "sag of the elastic cube that slips", worst, 0.02);
}

#define STIFF_SIDE   1.0  /* m                 */
#define STIFF        1e6  /* Pa s              */
#define STIFF_HEIGHT 0.1  /* m                 */
#define STIFF_STEP   0.06 /* s                 */
enum { STIFF_N = 16, STIFF_STEPS = 34 };

/* (v) The drift of a stiff cube that falls on the floor, in spacings, after 2 s. */
static double stiff_drift(StudyRun *run)
{
    dlp_WorldDef def = study_world_def(run, "physical");
    StudyParticles rest = {0}, now = {0};
    def.spacing = STIFF_SIDE / STIFF_N;
    def.gravity = (dlp_Vec3){0, 0, -GRAVITY};
    study_case(run, "stiff, steps of 60 ms");
    study_weigh(run, pow(STIFF_N / (double)COARSE, 3));
    dlp_World *world = study_world(run, &def);
    study_floor(run, world, 1);
    study_cube(run, world, STUDY_MATERIAL(run, world, {"density", DENSITY}, {"viscosity", STIFF}), STIFF_N,
               STIFF_HEIGHT);
    study_read(run, world, &rest);
    study_run_for(run, world, STIFF_STEPS * STIFF_STEP, STIFF_STEP);
    study_read(run, world, &now);
    const double drift = study_rms_from_rigid(&rest, &now) / def.spacing;
    study_particles_free(&rest);
    study_particles_free(&now);
    dlp_world_destroy(world);
    return drift;
}

static Figures make_figures(StudyRun *run)
{
    const Figures figures = {
        .table = study_table(run, "slump", "Cubes on the floor"),
        .verdicts = study_table(run, "targets", "The largest differences and their targets"),
    };
    study_column(figures.table, "quantity", "");
    study_column(figures.table, "particles per side", "");
    study_column(figures.table, "steps per second", "");
    study_column(figures.table, "measured", "");
    study_column(figures.table, "known", "");
    study_column(figures.verdicts, "quantity", "");
    study_column(figures.verdicts, "difference", "");
    study_column(figures.verdicts, "target", "");
    study_column(figures.verdicts, "result", "");
    return figures;
}

static double work_of(int sizes)
{
    double work = 2 * 450 + STILL * (60 + 240 + 480 + 240) + STIFF_STEPS * pow(1.6, 3);
    for (int i = 0; i < sizes; i++) {
        const double weight = pow(sides[i] / (double)COARSE, 3);
        work += weight * (SINK_AFTER + SINK_STEPS + (i > 0 ? 120 : 0) + (i == 1 ? 120 : 0));
    }
    return work;
}

static void run(StudyRun *run)
{
    const int sizes = run->quick ? 2 : SIDES;
    Figures figures = make_figures(run);
    study_plan(run, work_of(sizes));
    try_sinking(run, &figures, sizes);
    try_half_second(run, &figures, THICK, sizes, (double[]){0.01, 0.04});
    try_half_second(run, &figures, THIN, 2, (double[]){0.02, 0.02});
    try_elastic(run, &figures);
    judge(&figures, "drift of the stiff cube, spacings", stiff_drift(run), 1);
    study_verdict(run, figures.missed == 0, "%d of %d targets are met%s%s", figures.met, figures.met + figures.missed,
                  figures.missed ? ", but not" : "", figures.names);
}

const Study slump_study = {
    .name = "slump",
    .paper = "known answer",
    .claim =
        "A cube on a floor sinks, spreads and sags according to its viscosity or modulus, at any time step and number of "
        "particles.",
    .run = run,
    .automatic = true,
};
