/* Takahashi et al. 2014, Table 1: the time per frame at the paper's numbers of particles. Neither the scenes nor their steps are
 * published; here heaps slump in tanks, with the paper's number of iterations per step. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>

#define SPACING 0.01       /* m */
#define FRAME   (1.0 / 30) /* s */
enum { STEPS = 8, ITERATIONS = 6, FRAMES_MOST = 8, PICTURED_MOST = 50000 };

typedef enum Kind {
    LIQUID,  /* a position-based fluid without links */
    VISCOUS, /* links with an extension rate         */
    WARM,    /* the same with temperature, freezing on a cold floor */
} Kind;
static const char *const kind_names[] = {"liquid", "viscous", "warm"};

typedef struct Scene {
    const char *figure;
    double fluid, walls; /* particles of the paper     */
    double seconds;      /* per frame, in the paper    */
    double wanted;       /* per frame, here; 0: no target */
    Kind kind;
} Scene;

/* Figures 2 (a), 6 (b) and 6 (c) add_row other methods. */
static const Scene papers_scenes[] = {
    {"2 (b)", 24.8e3, 6.8e3, 0.6, 0.1, LIQUID}, {"4", 27.6e3, 59.5e3, 1.8, 0, VISCOUS},
    {"6 (a)", 7.8e3, 7.7e3, 0.5, 0, VISCOUS},   {"7", 23.4e3, 34.0e3, 2.8, 0, VISCOUS},
    {"8", 92.1e3, 34.0e3, 6.3, 0, VISCOUS},     {"10", 65.2e3, 63.7e3, 5.8, 0, VISCOUS},
    {"11", 33.1e3, 35.7e3, 1.9, 0, WARM},       {"12", 15.9e3, 75.7e3, 2.4, 0, WARM},
    {"9", 269.4e3, 111.5e3, 36.2, 0, VISCOUS},  {"1", 307.2e3, 111.4e3, 47.1, 0, VISCOUS},
    {"5", 364.1e3, 126.1e3, 40.5, 10, WARM},
};
enum { SCENES = sizeof papers_scenes / sizeof papers_scenes[0] };

/* With a fraction of its particles; times are scaled with their number. */
static Scene scaled(const Scene *scene, double part)
{
    Scene less = *scene;
    less.fluid *= part;
    less.walls *= pow(part, 2.0 / 3);
    less.seconds *= part;
    less.wanted *= part;
    return less;
}

/* Twice as wide as it is high. */
static StudyBlock heap_of(double particles)
{
    const int wide = (int)lround(cbrt(2 * particles)), high = (int)lround(particles / ((double)wide * wide));
    return (StudyBlock){.counts = {wide, wide, high}};
}

/* A floor and four walls, as high as the initial fluid, whose area in squared spacings is the paper's number of wall particles; never
 * narrower than the heap. */
static void add_tank(StudyRun *run, dlp_World *world, const Scene *scene, const StudyBlock *heap)
{
    const double high = heap->counts[2], side = sqrt(4 * high * high + scene->walls) - 2 * high;
    const double width = fmax(side, heap->counts[0]) * SPACING, middle = 0.5 * heap->counts[0] * SPACING;
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.size = (dlp_Vec3){width, width, 4};
    tank.shape.position = scene->kind == LIQUID ? (dlp_Vec3){0.5 * width, 0.5 * width, 2} /* a dam in the corner */
                                                : (dlp_Vec3){middle, middle, 2};
    tank.friction = scene->kind == LIQUID ? 0 : 1;
    tank.temperature = scene->kind == WARM ? 300 : 0;
    study_solid(run, world, &tank);
}

static void add_material(StudyRun *run, dlp_World *world, Kind kind)
{
    if (kind == LIQUID) {
        STUDY_MATERIAL(run, world, {"density", 1000});
    } else if (kind == VISCOUS) {
        STUDY_MATERIAL(run, world, {"density", 1000}, {"extension_rate", 3});
    } else {
        STUDY_MATERIAL(run, world, {"density", 1000}, {"extension_rate", 3}, {"temperature", 360},
                       {"heat_capacity", 10}, {"conductivity", 5}, {"reference_temperature", 360},
                       {"activation_energy", 3e4}, {"melting_point", 320}, {"frozen_modulus", 1e5});
    }
}

static dlp_World *make_world(StudyRun *run, const Scene *scene)
{
    const StudyBlock heap = heap_of(scene->fluid);
    dlp_WorldDef def = study_world_def(run, scene->kind == LIQUID ? "pbf" : "links");
    def.spacing = SPACING;
    dlp_World *world = study_world(run, &def);
    study_set(run, world, "iterations", ITERATIONS);
    add_material(run, world, scene->kind);
    add_tank(run, world, scene, &heap);
    study_block(run, world, &heap);
    return world;
}

typedef struct Timing {
    double least, median; /* s per frame */
    dlp_WorldStats stats;
} Timing;

static Timing time_frames(StudyRun *run, dlp_World *world, int warm_up, int frames)
{
    double seconds[FRAMES_MOST];
    int timed = 0;
    for (int frame = 0; frame < warm_up + frames && study_going(run); frame++) {
        const double begun = study_clock();
        for (int step = 0; step < STEPS && study_step(run, world, FRAME / STEPS); step++) {}
        if (frame >= warm_up) {
            seconds[timed++] = study_clock() - begun;
        }
    }
    Timing timing = {.median = study_median(seconds, timed), .stats = study_stats(run, world)};
    timing.least = timed > 0 ? seconds[0] : NAN;
    return timing;
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const columns[][2] = {
        {"figure", ""},        {"material", ""},   {"particles", ""},        {"minimum", "s/frame"},
        {"median", "s/frame"}, {"step", "ms"},     {"paper", "s/frame"},     {"speedup over the paper", ""},
        {"target", "s/frame"}, {"neighbours", ""}, {"memory", "B/particle"}, {"compression", "%"}};
    StudyTable *table = study_table(run, "frames", "A frame of 1/30 s in eight steps of six iterations");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

static void add_row(StudyTable *table, const Scene *scene, const Timing *timing)
{
    const dlp_WorldStats *stats = &timing->stats;
    const double row[] = {(double)stats->particles,
                          timing->least,
                          timing->median,
                          1000 * timing->median / STEPS,
                          scene->seconds,
                          scene->seconds / timing->median,
                          scene->wanted > 0 ? scene->wanted : NAN,
                          stats->neighbors,
                          (double)stats->memory_peak / (double)stats->particles,
                          100 * stats->density_error};
    study_word(table, "%s", scene->figure);
    study_word(table, "%s", kind_names[scene->kind]);
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        study_number(table, row[k]);
    }
}

static void run(StudyRun *run)
{
    const double part = run->quick ? 0.05 : 1; /* of the particles */
    const int warm_up = 2, frames = run->quick ? 2 : 3;
    StudyTable *table = make_table(run);
    StudyPicture *picture = study_picture(run, "heaps", "After the timed frames", STUDY_VIEW_RAISED);
    double work = 0, slowest = INFINITY, fastest = 0;
    int targets = 0, met = 0;
    study_panels_per_row(picture, 4);
    for (int n = 0; n < SCENES; n++) {
        work += part * papers_scenes[n].fluid * STEPS * (warm_up + frames);
    }
    study_plan(run, work);
    for (int n = 0; n < SCENES && study_going(run); n++) {
        const Scene here = scaled(&papers_scenes[n], part), *scene = &here;
        study_case(run, "figure %s, %.0f particles", scene->figure, scene->fluid);
        study_weigh(run, scene->fluid);
        dlp_World *world = make_world(run, scene);
        const Timing timing = time_frames(run, world, warm_up, frames);
        add_row(table, scene, &timing);
        if (scene->fluid < PICTURED_MOST) {
            study_panel(picture, world, NULL, "figure %s", scene->figure);
        }
        dlp_world_destroy(world);
        slowest = fmin(slowest, scene->seconds / timing.median);
        fastest = fmax(fastest, scene->seconds / timing.median);
        targets += scene->wanted > 0;
        met += scene->wanted > 0 && timing.median <= scene->wanted;
    }
    study_verdict(run, slowest >= 1,
                  "frames are %.2g to %.2g times as fast as in the paper; %d of %d of our own targets are met", slowest,
                  fastest, met, targets);
}

const Study takahashi_table1_study = {
    .name = "takahashi-table1",
    .paper = "Takahashi et al. 2014, Table 1",
    .claim =
        "On four cores a frame takes 0.6 s with 24,800 liquid particles and 40.5 s with 364,100 of temperature-dependent "
        "viscosity.",
    .run = run,
};
