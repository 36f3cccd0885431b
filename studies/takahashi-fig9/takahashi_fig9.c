/* Takahashi et al. 2014, Fig. 9: lumps of different viscosity in one world. First they are dropped side by side on a floor and slump;
 * then, as in the paper, one after the other onto a rabbit, the thickest first, where they mix. A run with equal lumps shows the
 * effect of the order. */
#include "studies/rabbit.h"
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>

#define SPACING    0.01  /* m                                                                   */
#define RADIUS     0.05  /* m, of a lump                                                        */
#define APART      0.4   /* m, from lump to lump on the floor                                   */
#define HEIGHT     0.3   /* m, of the rabbit                                                    */
#define ABOVE      0.42  /* m, from which lumps fall on it                                      */
#define STICKINESS 2000  /* Pa, of the rabbit: a lump weighs 5 N, and thick ones would roll off  */
#define BACK       -0.03 /* m, the centre of its back along x                                   */
#define FALLING    1.0   /* m/s, initial speed                                                  */
#define PAUSE      0.35  /* s, between one lump and the next                                    */
#define TIME_STEP  0.002 /* s                                                                   */
#define SLUMPED    1.0   /* s, from the start on the floor to the end                           */
#define LANDED     0.25  /* s, the order is checked from here on: all have landed               */
#define POURED     2.4   /* s, from the start to the end on the rabbit                          */
#define CLEARLY    5e-4  /* m, required difference between one lump and the next                */
#define NEAR       1.5   /* spacings, distance of neighbours                                    */
#define WIDER      0.05  /* required difference of the relative spread between one lump and the next */
#define MIXED      0.1   /* required fraction of particles with neighbours of another lump      */
enum { LUMPS = 4, SAMPLE_EVERY = 10 /* steps */ };

static const double rates[LUMPS] = {0.3, 1, 3, 9}; /* 1/s, extension rates of links */
#define SAME_RATE 1.6                              /* 1/s, their geometric mean     */

/* A lump: its number of particles, its centre (m) and their root mean square distance from it (m). */
typedef struct Lump {
    double count, center[3], spread;
} Lump;

static void measure(const StudyParticles *particles, Lump lumps[LUMPS])
{
    for (int n = 0; n < LUMPS; n++) {
        lumps[n] = (Lump){0};
    }
    for (int64_t i = 0; i < particles->count; i++) {
        Lump *lump = &lumps[particles->material[i]];
        lump->count += 1;
        for (int a = 0; a < 3; a++) {
            lump->center[a] += ((double)particles->position[i][a] - lump->center[a]) / lump->count;
        }
    }
    for (int64_t i = 0; i < particles->count; i++) {
        Lump *lump = &lumps[particles->material[i]];
        for (int a = 0; a < 3; a++) {
            lump->spread += pow((double)particles->position[i][a] - lump->center[a], 2) / lump->count;
        }
    }
    for (int n = 0; n < LUMPS; n++) {
        lumps[n].spread = sqrt(lumps[n].spread);
    }
}

/* m, the smallest height difference between a lump and the next thinner one; negative if one is lower. */
static double height_order(const Lump lumps[LUMPS])
{
    double least = INFINITY;
    for (int n = 0; n + 1 < LUMPS; n++) {
        least = fmin(least, lumps[n].center[2] - lumps[n + 1].center[2]);
    }
    return least;
}

/* m, the smallest difference of spread between a lump and the next thinner one. */
static double spread_order(const Lump lumps[LUMPS])
{
    double least = INFINITY;
    for (int n = 0; n + 1 < LUMPS; n++) {
        least = fmin(least, lumps[n + 1].spread - lumps[n].spread);
    }
    return least;
}

static dlp_World *make_world(StudyRun *run, double same_rate)
{
    dlp_WorldDef def = study_world_def(run, "links");
    def.spacing = SPACING;
    dlp_World *world = study_world(run, &def);
    for (int n = 0; n < LUMPS; n++) {
        STUDY_MATERIAL(run, world, {"density", 1000}, {"extension_rate", same_rate > 0 ? same_rate : rates[n]});
    }
    study_floor(run, world, 1);
    return world;
}

static void add_lump(StudyRun *run, dlp_World *world, int which, dlp_Vec3 center)
{
    dlp_FluidDef lump = dlp_default_fluid_def();
    lump.material = which;
    lump.shape.kind = DLP_SHAPE_SPHERE;
    lump.shape.radius = RADIUS;
    lump.shape.position = center;
    lump.velocity.z = -FALLING;
    study_fluid(run, world, &lump);
}

/* Side by side on the floor */

typedef struct Slumped {
    double higher, wider; /* m, the smallest differences from LANDED on       */
    Lump lumps[LUMPS];    /* at the end                                       */
} Slumped;

static void sample_lumps(StudyRun *run, const dlp_World *world, StudySeries *const *heights,
                         StudySeries *const *spreads, Slumped *slumped)
{
    StudyParticles particles = {0};
    const double time = dlp_world_time(world);
    study_read(run, world, &particles);
    measure(&particles, slumped->lumps);
    for (int n = 0; n < LUMPS; n++) {
        study_point(heights[n], time, slumped->lumps[n].center[2]);
        study_point(spreads[n], time, slumped->lumps[n].spread);
    }
    if (time > LANDED) {
        slumped->higher = fmin(slumped->higher, height_order(slumped->lumps));
        slumped->wider = fmin(slumped->wider, spread_order(slumped->lumps));
    }
    study_particles_free(&particles);
}

static Slumped slump(StudyRun *run)
{
    Slumped slumped = {.higher = INFINITY, .wider = INFINITY};
    StudyPlot *height_plot = study_plot(run, "heights", "Slumping lumps", "time, s", "height of the centre, m");
    StudyPlot *spread_plot = study_plot(run, "spreads", "Slumping lumps", "time, s", "distance from the centre, m");
    StudyPicture *picture = study_picture(run, "slumped", "Lumps after 1 s, from thick to thin", STUDY_VIEW_RAISED);
    StudySeries *heights[LUMPS], *spreads[LUMPS];
    dlp_World *world = make_world(run, 0);
    study_case(run, "side by side");
    study_ground(picture);
    for (int n = 0; n < LUMPS; n++) {
        heights[n] = study_series(height_plot, "%g 1/s", rates[n]);
        spreads[n] = study_series(spread_plot, "%g 1/s", rates[n]);
        add_lump(run, world, n, (dlp_Vec3){APART * n, 0, 2 * RADIUS});
    }
    const int steps = (int)lround(SLUMPED / TIME_STEP);
    for (int step = 1; step <= steps && study_step(run, world, TIME_STEP); step++) {
        if (step % SAMPLE_EVERY == 0) {
            sample_lumps(run, world, heights, spreads, &slumped);
        }
    }
    study_panel(picture, world, NULL, "0.3, 1, 3 and 9 1/s");
    dlp_world_destroy(world);
    return slumped;
}

/* One after the other on a rabbit */

static void add_rabbit(StudyRun *run, dlp_World *world)
{
    for (int n = 0; n < RABBIT_BALLS; n++) {
        dlp_SolidDef ball = dlp_default_solid_def();
        ball.shape.kind = DLP_SHAPE_SPHERE;
        ball.shape.position = (dlp_Vec3){HEIGHT * rabbit[n].x, HEIGHT * rabbit[n].y, HEIGHT * rabbit[n].z};
        ball.shape.radius = HEIGHT * rabbit[n].radius;
        ball.friction = 0.5;
        ball.stickiness = STICKINESS;
        study_solid(run, world, &ball);
    }
}

typedef struct Poured {
    Lump lumps[LUMPS];
    double mixed[LUMPS]; /* fraction of the particles with a neighbour of another lump */
} Poured;

static bool are_near(const float a[3], const float b[3])
{
    const float x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];
    return x * x + y * y + z * z < (float)(NEAR * SPACING * NEAR * SPACING);
}

static void count_mixed(const StudyParticles *particles, Poured *poured)
{
    for (int64_t i = 0; i < particles->count; i++) {
        bool mixed = false;
        for (int64_t j = 0; j < particles->count && !mixed; j++) {
            mixed = particles->material[j] != particles->material[i] &&
                    are_near(particles->position[i], particles->position[j]);
        }
        poured->mixed[particles->material[i]] += mixed ? 1 / poured->lumps[particles->material[i]].count : 0;
    }
}

static Poured pour(StudyRun *run, double same_rate, StudyPicture *picture)
{
    Poured poured = {0};
    StudyParticles particles = {0};
    dlp_World *world = make_world(run, same_rate);
    const int steps = (int)lround(POURED / TIME_STEP), pause = (int)lround(PAUSE / TIME_STEP);
    study_case(run, "on a rabbit%s", same_rate > 0 ? ", equal lumps" : "");
    add_rabbit(run, world);
    for (int step = 0; step < steps && study_going(run); step++) {
        if (step % pause == 0 && step / pause < LUMPS) {
            add_lump(run, world, step / pause, (dlp_Vec3){BACK, 0, ABOVE});
        }
        study_step(run, world, TIME_STEP);
        if (same_rate == 0 && (step + 1) % pause == 0 && step / pause < LUMPS) {
            study_panel(picture, world, NULL, "%.2f s", (step + 1) * TIME_STEP);
        }
    }
    study_panel(picture, world, NULL, "%s, %.1f s", same_rate > 0 ? "equal lumps" : "different lumps", POURED);
    study_read(run, world, &particles);
    measure(&particles, poured.lumps);
    count_mixed(&particles, &poured);
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return poured;
}

/* The smallest difference of spread between a lump and the next thinner one, each relative to the run with equal lumps: the last lump
 * lies on the others and has the least time. */
static double poured_order(const Poured *different, const Poured *equal)
{
    double least = INFINITY;
    for (int n = 0; n + 1 < LUMPS; n++) {
        least = fmin(least, different->lumps[n + 1].spread / equal->lumps[n + 1].spread -
                                different->lumps[n].spread / equal->lumps[n].spread);
    }
    return least;
}

static void add_table(StudyRun *run, const Slumped *slumped, const Poured *different, const Poured *equal)
{
    static const char *const columns[][2] = {{"extension rate", "1/s"},     {"height on the floor", "cm"},
                                             {"spread on the floor", "cm"}, {"spread on the rabbit", "cm"},
                                             {"next to others", ""},        {"spread with equal lumps", "cm"}};
    StudyTable *table = study_table(run, "lumps", "Lumps of 10 cm, in the order of falling");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    for (int n = 0; n < LUMPS; n++) {
        study_number(table, rates[n]);
        study_number(table, 100 * slumped->lumps[n].center[2]);
        study_number(table, 100 * slumped->lumps[n].spread);
        study_number(table, 100 * different->lumps[n].spread);
        study_number(table, different->mixed[n]);
        study_number(table, 100 * equal->lumps[n].spread);
    }
}

static double mean_of(const double values[LUMPS])
{
    return (values[0] + values[1] + values[2] + values[3]) / LUMPS;
}

static void run(StudyRun *run)
{
    StudyPicture *picture = study_picture(
        run, "rabbit", "Lumps on a rabbit: the thickest blue, then orange, green, red", STUDY_VIEW_RAISED);
    study_ground(picture);
    study_solids(picture);
    study_panels_per_row(picture, 3);
    study_window(picture, (dlp_Vec3){-0.3, -0.2, 0}, (dlp_Vec3){0.2, 0.2, ABOVE + RADIUS});
    study_plan(run, (SLUMPED + 2 * POURED) / TIME_STEP);
    const Slumped slumped = slump(run);
    const Poured different = pour(run, 0, picture), equal = pour(run, SAME_RATE, picture);
    add_table(run, &slumped, &different, &equal);
    const double wider = poured_order(&different, &equal), mixed = mean_of(different.mixed);
    study_verdict(
        run, fmin(slumped.higher, slumped.wider) > CLEARLY && wider > WIDER && mixed > MIXED,
        "from thin to thick lumps on a floor are higher by at least %.1f mm and less spread by %.1f mm, at all times; "
        "on the rabbit they are less spread by %.2f, relative to equal lumps, and %.0f %% of their particles are next to other "
        "lumps",
        1000 * slumped.higher, 1000 * slumped.wider, wider, 100 * mixed);
}

const Study takahashi_fig9_study = {
    .name = "takahashi-fig9",
    .paper = "Takahashi et al. 2014, Fig. 9",
    .claim =
        "Each particle has its own viscosity: lumps of different viscosity fall on a rabbit and mix, each flowing at its own rate.",
    .run = run,
};
