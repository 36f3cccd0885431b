/* Takahashi et al. 2014, Fig. 4: lumps with three extension rates of links. On a frictionless floor the spreading_rate rate of a block is
 * known: that of its links. On a no-slip floor balls slump. The same is measured for shorter and longer steps. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <stdio.h>

#define SPACING   0.01    /* m                                             */
#define TIME_STEP 9.06e-4 /* s, of Fig. 6; not given for Fig. 4            */
#define DURATION  0.5     /* s, of the balls                               */
#define SETTLE    0.1     /* s, before the spreading_rate rate is measured      */
#define RADIUS    0.1     /* m, of the balls                               */
enum { RATES = 3, PICTURES = 3 };

static const double coefficients[RATES] = {1.001, 1.003, 1.005};
static const double picture_times[PICTURES] = {0.1, 0.3, 0.5}; /* s */

/* 1/s */
static double rate_of(int which)
{
    return (coefficients[which] - 1) / TIME_STEP;
}

static dlp_World *make_world(StudyRun *run, double rate, double friction)
{
    dlp_WorldDef def = study_world_def(run, "links");
    def.spacing = SPACING;
    dlp_World *world = study_world(run, &def);
    STUDY_MATERIAL(run, world, {"density", 1000}, {"extension_rate", rate});
    study_floor(run, world, friction);
    return world;
}

/* Root mean square distance (m) from the vertical axis. */
static double width_of(StudyRun *run, const dlp_World *world)
{
    StudyParticles particles = {0};
    double sum = 0;
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        const double x = (double)particles.position[i][0], y = (double)particles.position[i][1];
        sum += x * x + y * y;
    }
    const double width = particles.count > 0 ? sqrt(sum / (double)particles.count) : 0;
    study_particles_free(&particles);
    return width;
}

/* 1/s, growth rate of the logarithm of the width. */
static double spreading_rate(StudyRun *run, double rate, int n, double dt)
{
    dlp_World *world = make_world(run, rate, 0);
    study_cube(run, world, 0, n, 0);
    const int settle = (int)lround(SETTLE / dt);
    const int steps = (int)lround(fmin(0.4 / rate, 0.3) / dt); /* a strain of at most 0.4: it is still a block */
    for (int step = 0; step < settle && study_step(run, world, dt); step++) {}
    const double before = width_of(run, world);
    for (int step = 0; step < steps && study_step(run, world, dt); step++) {}
    const double found = log(width_of(run, world) / before) / (steps * dt);
    dlp_world_destroy(world);
    return found;
}

static void add_ball(StudyRun *run, dlp_World *world)
{
    dlp_FluidDef ball = dlp_default_fluid_def();
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = RADIUS;
    ball.shape.position.z = RADIUS;
    if (world && dlp_world_add_fluid(world, &ball, NULL) != DLP_OK) {
        study_fail(run, DLP_ERROR_ARGUMENT, "%s", dlp_world_error(world));
    }
}

/* m, height of the centre at the end. */
static double slump_ball(StudyRun *run, double rate, double dt, StudySeries *heights, StudyPicture *picture,
                         const char *name)
{
    dlp_World *world = make_world(run, rate, 1);
    const int steps = (int)lround(DURATION / dt);
    int shown = 0;
    add_ball(run, world);
    for (int step = 0; step <= steps && study_going(run); step++) {
        const dlp_WorldStats stats = study_stats(run, world);
        study_point(heights, step * dt, stats.center.z);
        if (shown < PICTURES && picture && step * dt >= picture_times[shown] - dt / 2) {
            study_panel(picture, world, NULL, "%s, %.1f s", name, picture_times[shown++]);
        }
        if (step < steps) {
            study_step(run, world, dt);
        }
    }
    const double height = study_stats(run, world).center.z;
    dlp_world_destroy(world);
    return height;
}

typedef struct Found {
    double spread[RATES]; /* over the extension rate */
    double height[RATES]; /* m                    */
} Found;

static void try_rates(StudyRun *run, int n, Found *found)
{
    StudyTable *table = study_table(run, "rates", "Blocks on a frictionless floor, balls on a no-slip one");
    study_column(table, "coefficient", "");
    study_column(table, "extension rate", "1/s");
    study_column(table, "spreading_rate rate", "1/s");
    study_column(table, "ratio", "");
    study_column(table, "ball's centre after 0.5 s", "m");
    StudyPlot *plot = study_plot(run, "heights", "Slumping balls", "time, s", "height of the centre, m");
    StudyPicture *picture = study_picture(run, "balls", "Balls with three extension rates of links", STUDY_VIEW_RAISED);
    study_ground(picture);
    study_panels_per_row(picture, PICTURES);
    for (int i = 0; i < RATES; i++) {
        char name[16];
        const double rate = rate_of(i);
        snprintf(name, sizeof name, "%.3f", coefficients[i]);
        study_case(run, "coefficient %s", name);
        const double spread = spreading_rate(run, rate, n, TIME_STEP);
        found->height[i] = slump_ball(run, rate, TIME_STEP, study_series(plot, "%s", name), picture, name);
        found->spread[i] = spread / rate;
        study_word(table, "%s", name);
        study_number(table, rate);
        study_number(table, spread);
        study_number(table, found->spread[i]);
        study_number(table, found->height[i]);
    }
}

static void try_steps(StudyRun *run, int n)
{
    static const double factors[] = {0.5, 1, 2, 4};
    StudyTable *table = study_table(run, "steps", "Other time steps, extension rate 1.10 1/s");
    study_column(table, "time step", "s");
    study_column(table, "spreading_rate rate", "1/s");
    study_column(table, "ball's centre after 0.5 s", "m");
    for (int i = 0; i < 4; i++) {
        const double dt = factors[i] * TIME_STEP;
        study_case(run, "steps of %.2g s", dt);
        study_number(table, dt);
        study_number(table, spreading_rate(run, rate_of(0), n, dt));
        study_number(table, slump_ball(run, rate_of(0), dt, NULL, NULL, ""));
    }
}

static void run(StudyRun *run)
{
    const int n = run->quick ? 10 : 16;
    Found found = {0};
    study_plan(run, run->quick ? 3600 : 8000);
    try_rates(run, n, &found);
    if (!run->quick) {
        try_steps(run, n);
    }
    const bool in_order = found.height[0] > found.height[1] && found.height[1] > found.height[2];
    const bool right = fabs(found.spread[0] - 1) < 0.1;
    study_verdict(run, in_order && right,
                  "a ball slumps less at a lower extension rate (%s), and at the lowest a block spreads at %.2f of it",
                  in_order ? "yes" : "no", found.spread[0]);
}

const Study takahashi_fig4_study = {
    "takahashi-fig4",
    "Takahashi et al. 2014, Fig. 4",
    "The extension coefficient sets the viscosity of a fluid: 1.005, 1.003 and 1.001 from thin to thick.",
    run,
    NULL,
    false};
