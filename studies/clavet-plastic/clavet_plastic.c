/* Clavet et al. 2005, Fig. 4 and 5: a bar is compressed, held and released. Springs that yield keep the compression except for the
 * elastic part below the yield ratio. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>

#define SPACING 0.01
#define SIDE    0.08 /* m, width of the bar             */
#define HEIGHT  0.16 /* m                               */
#define PART    0.75 /* compressed height over height   */
#define REST    0.4  /* s, the plate starts to move     */
#define DOWN    0.8  /* s, the plate is down            */
#define HELD    1.6  /* s, the plate starts to lift     */
#define GONE    1.8  /* s                               */
#define SOON    2.3  /* s, first measurement, a mean over the LOOK before */
#define LOOK    0.3  /* s, averaging time: the bar oscillates a little */
#define AWAY    3.0  /* m, final height of the plate: a bar that springs back lifts off the floor */
#define END     3.0  /* s                               */
enum { PER_SECOND = 240 };

/* The material of a bar; plasticity 0 is elastic. */
typedef struct Kind {
    const char *name;
    double plasticity, yield_ratio; /* 1/s, fraction of the length */
} Kind;

/* Height between the medians of its lowest and its highest particles: robust against strays, and the bar may lift off. */
static double height_of(const StudyParticles *bar)
{
    double end[2] = {INFINITY, -INFINITY}, sum[2] = {0, 0};
    int count[2] = {0, 0};
    for (int64_t i = 0; i < bar->count; i++) {
        end[0] = fmin(end[0], (double)bar->position[i][2]);
        end[1] = fmax(end[1], (double)bar->position[i][2]);
    }
    for (int64_t i = 0; i < bar->count; i++) {
        const double z = (double)bar->position[i][2];
        for (int k = 0; k < 2; k++) {
            sum[k] += fabs(z - end[k]) < 0.75 * SPACING ? z : 0;
            count[k] += fabs(z - end[k]) < 0.75 * SPACING;
        }
    }
    return bar->count > 0 ? sum[1] / count[1] - sum[0] / count[0] + SPACING : 0;
}

static void add_press(StudyRun *run, dlp_World *world)
{
    dlp_SolidDef plate = dlp_default_solid_def();
    plate.friction = 0.0;
    plate.shape.kind = DLP_SHAPE_BOX;
    plate.shape.size = (dlp_Vec3){1, 1, 0.1};
    const double over = HEIGHT + 0.06, under = PART * HEIGHT + 0.05;
    const dlp_PoseKey keys[] = {{0, {0, 0, over}, {0, 0, 0}},
                                {REST, {0, 0, over}, {0, 0, 0}},
                                {DOWN, {0, 0, under}, {0, 0, 0}},
                                {HELD, {0, 0, under}, {0, 0, 0}},
                                {GONE, {0, 0, AWAY}, {0, 0, 0}}};
    study_floor(run, world, 0);
    const dlp_SolidId id = study_solid(run, world, &plate);
    if (world != NULL && study_going(run)) {
        study_keep(run, world, dlp_world_set_solid_keys(world, id, keys, 5));
    }
}

static dlp_World *make_bar(StudyRun *run, const Kind *kind)
{
    dlp_WorldDef def = study_world_def(run, "springs");
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = study_world(run, &def);
    add_press(run, world);
    const dlp_MaterialId clay = STUDY_MATERIAL(run, world, {"modulus", 1000}, {"solvent_viscosity", 2},
                                               {"plasticity", kind->plasticity}, {"yield_ratio", kind->yield_ratio});
    const int wide = (int)lround(SIDE / SPACING), high = (int)lround(HEIGHT / SPACING);
    study_block(run, world,
                &(StudyBlock){.material = clay, .counts = {wide, wide, high}, .corner = {-SIDE / 2, -SIDE / 2, 0}});
    return world;
}

/* Its height before, while held, soon after and at the end; all but the second are means. */
typedef struct Pressed {
    double before, held, soon, after; /* m */
} Pressed;

/* The weight of a sample at that time in a mean over `length` seconds that ends at `end`. */
static double sample_weight(double time, double end, double length)
{
    const double half = 0.5 / PER_SECOND;
    return time > end - length + half && time < end + half ? 1 / (length * PER_SECOND) : 0;
}

static Pressed press(StudyRun *run, StudyPlot *plot, StudyPicture *picture, const Kind *kind)
{
    Pressed pressed = {0};
    StudyParticles bar = {0};
    StudySeries *series = study_series(plot, "%s", kind->name);
    study_case(run, "%s", kind->name);
    dlp_World *world = make_bar(run, kind);
    for (int step = 1; step <= END * PER_SECOND && study_step(run, world, 1.0 / PER_SECOND); step++) {
        const double time = (double)step / PER_SECOND;
        study_read(run, world, &bar);
        const double height = height_of(&bar);
        pressed.before += sample_weight(time, REST, REST / 2) * height;
        pressed.held = time <= HELD ? height : pressed.held;
        pressed.soon += sample_weight(time, SOON, LOOK) * height;
        pressed.after += sample_weight(time, END, LOOK) * height;
        study_point(series, time, height);
    }
    study_panel(picture, world, NULL, "%s", kind->name);
    study_particles_free(&bar);
    dlp_world_destroy(world);
    return pressed;
}

/* Fraction of the compression that remains. */
static double print_of(const Pressed *found, double after)
{
    return (found->before - after) / (found->before - found->held);
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const columns[][2] = {{"springs", ""},
                                             {"height before", "m"},
                                             {"held", "m"},
                                             {"0.7 s after", "m"},
                                             {"1.4 s after", "m"},
                                             {"imprint 0.7 s after", ""},
                                             {"imprint 1.4 s after", ""}};
    StudyTable *table = study_table(run, "heights", "A bar compressed to three quarters of its height");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

static void run(StudyRun *run)
{
    static const Kind kinds[] = {
        {"elastic", 0, 0}, {"yields at 0.02", 200, 0.02}, {"yields at 0.05", 200, 0.05}, {"yields at 0.1", 200, 0.1}};
    const int count = run->quick ? 2 : 4;
    StudyTable *table = make_table(run);
    StudyPlot *plot = study_plot(run, "height_plot", "A bar is compressed, held and released", "time, s", "height, m");
    StudyPicture *picture = study_picture(run, "bars", "At the end", STUDY_VIEW_SIDE);
    double recovered = 0, changed = 0, last = INFINITY;
    bool ordered = true;
    study_plan(run, count * END * PER_SECOND);
    for (int k = 0; k < count && study_going(run); k++) {
        const Pressed found = press(run, plot, picture, &kinds[k]);
        const double soon = print_of(&found, found.soon), late = print_of(&found, found.after);
        const double row[] = {found.before, found.held, found.soon, found.after, soon, late};
        study_word(table, "%s", kinds[k].name);
        for (size_t n = 0; n < sizeof row / sizeof row[0]; n++) {
            study_number(table, row[n]);
        }
        if (k == 0) {
            recovered = 1 - late;
        } else {
            changed = fmax(changed, fabs(late / soon - 1));
            ordered = ordered && late < last;
            last = late;
        }
    }
    study_verdict(
        run, recovered >= 0.95 && changed <= 0.05 && ordered,
        "the elastic bar recovers %.1f %%; imprints change by at most %.1f %% in a second, and are %s at lower yield "
        "ratios",
        100 * recovered, 100 * changed, ordered ? "deeper" : "not deeper");
}

const Study clavet_plastic_study = {
    .name = "clavet-plastic",
    .paper = "Clavet et al. 2005, Fig. 4 and 5",
    .claim =
        "Springs whose rest length follows only the strain beyond a yield ratio make bodies that keep an imprint, deeper at "
        "lower yield ratios.",
    .run = run,
};
