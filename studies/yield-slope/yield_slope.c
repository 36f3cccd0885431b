/* A layer on a slope starts to flow where its weight exceeds the yield stress: rho g h sin(angle) = yield stress. */
#include "studies/paste_layer.h"
#include "studies/study_output.h"

#include <math.h>

#define HEIGHT 0.01 /* m */
#define EARLY  1.0  /* s, start of two windows over which its speed is averaged */
#define LATE   3.5
#define WINDOW 0.5
/* A layer flows if it keeps the first part of its speed (one that settles moves with one over the time: a third) and is faster than in
 * steady flow under the second load: elastic waves move a soft layer that rests. */
#define STEADY  0.5
#define FLOWING 1.01
#define WANTED  0.03
#define SOFTEST 0.8 /* loads between which the start is sought */
#define HARDEST 1.2
enum { WIDE = 6, HALVINGS = 7 };

static const Paste pastes[] = {
    {"Bingham", 20, 1, 1, 0},
    {"Herschel-Bulkley", 20, 5, 0.5, 0},
    {"soft Bingham", 20, 1, 1, 1000}, /* Saramito's law */
};
enum { PASTES = (int)(sizeof pastes / sizeof *pastes) };

typedef struct Case {
    int across;
    double dt; /* s */
} Case;

static double mean_speed(StudyRun *run, const dlp_World *world)
{
    const dlp_WorldStats stats = study_stats(run, world);
    const dlp_WorldDef def = dlp_world_def(world);
    return stats.momentum.x / ((double)stats.particles * PASTE_DENSITY * pow(def.spacing, 3));
}

/* Mean speed over a window from now on, m/s. */
static double speed_in_window(StudyRun *run, dlp_World *world, double dt)
{
    const int steps = (int)lround(WINDOW / dt);
    double sum = 0;
    for (int step = 0; step < steps && study_step(run, world, dt); step++) {
        sum += mean_speed(run, world);
    }
    return sum / steps;
}

static bool flows(StudyRun *run, const Paste *paste, const Case *c, double load)
{
    study_case(run, "%s, %d particles across, steps of %g ms, load %.3f", paste->name, c->across, 1e3 * c->dt, load);
    dlp_World *world = paste_layer(run, &(PasteLayer){.paste = *paste,
                                                      .height = HEIGHT,
                                                      .across = c->across,
                                                      .wide = WIDE,
                                                      .acceleration = paste_slope(paste, HEIGHT, load),
                                                      .is_open = true});
    study_run_for(run, world, EARLY, c->dt);
    const double early = speed_in_window(run, world, c->dt);
    study_run_for(run, world, LATE - EARLY - WINDOW, c->dt);
    const double late = speed_in_window(run, world, c->dt);
    dlp_world_destroy(world);
    return late > STEADY * early && late > paste_slope_speed(paste, HEIGHT, FLOWING);
}

static double start_of_flow(StudyRun *run, const Paste *paste, const Case *c)
{
    double rests = SOFTEST, starts = HARDEST;
    study_weigh(run, c->across);
    for (int k = 0; k < HALVINGS && study_going(run); k++) {
        const double load = (rests + starts) / 2;
        *(flows(run, paste, c, load) ? &starts : &rests) = load;
    }
    return (rests + starts) / 2;
}

static void run(StudyRun *run)
{
    static const Case cases[] = {{8, 4e-3}, {8, 2e-3}, {8, 1e-3}, {16, 2e-3}, {24, 2e-3}};
    static const Case quick[] = {{8, 4e-3}};
    const Case *chosen = run->quick ? quick : cases;
    const int count = run->quick ? 1 : (int)(sizeof cases / sizeof *cases);
    StudyTable *table = study_table(run, "start", "Start of flow on a slope");
    study_column(table, "fluid", "");
    study_column(table, "particles across", "");
    study_column(table, "time step", "ms");
    study_column(table, "start of flow", "");
    double work = 0, worst = 0;
    for (int i = 0; i < count; i++) {
        work += PASTES * chosen[i].across * HALVINGS * (LATE + WINDOW) / chosen[i].dt;
    }
    study_plan(run, work);
    for (int i = 0; i < PASTES * count && study_going(run); i++) {
        const Paste *paste = &pastes[i / count];
        const Case *c = &chosen[i % count];
        const double load = start_of_flow(run, paste, c);
        study_word(table, "%s", paste->name);
        study_numbers(table, (double[]){c->across, 1e3 * c->dt, load}, 3);
        worst = fmax(worst, fabs(load - 1));
    }
    study_verdict(run, worst <= WANTED, "layers start to flow within %.1f %% of their yield stress", 100 * worst);
}

const Study yield_slope_study = {
    .name = "yield-slope",
    .paper = "known answer",
    .claim =
        "A layer on a slope starts to flow at rho g h sin(angle) = yield stress, within 3 %, at 8 to 24 particles across and steps of "
        "1 to 4 ms.",
    .run = run,
};
