/* Fig. 5: a cold and a hot ball fall on a solid one, in an adiabatic box. They end at the calorimetric mixing temperature, and until
 * then the hot one flows faster; then the same with cold solids, as in the paper. */
#include "hot_fluid.h"

#include <math.h>
#include <stdio.h>

#define RADIUS   0.045 /* m, of the balls                                                        */
#define BESIDE   0.05  /* m, from the centre                                                     */
#define HIGH     0.13  /* m                                                                      */
#define SOLID    0.04  /* m, radius of the solid ball                                            */
#define BOX      0.2   /* m                                                                      */
#define QUICKER  10    /* factor of the conductivity with adiabatic solids, so that heat crosses the box in 3 s */
#define EARLY    0.3   /* s, widths are compared here: the balls have exchanged little heat      */
#define DURATION 3.0   /* s                                                                      */
#define NEAR     0.02  /* of 70 K, allowed error of the mean against calorimetry                 */
#define EVEN     0.05  /* of 70 K, allowed standard deviation                                    */
#define WIDER    1.1   /* required ratio of the widths, hot over cold                            */
enum { COLD, HOT, BALLS, PICTURES = 3 };

static const double capacities[BALLS] = {2 * HOT_CAPACITY, HOT_CAPACITY};

typedef struct Mix {
    dlp_World *world;
    HotState end;
    double known;        /* K             */
    double lost;         /* fraction of the heat */
    double width[BALLS]; /* m, early      */
} Mix;

static dlp_World *make_mix(StudyRun *run, double solids)
{
    dlp_World *world = hot_world(run);
    for (int b = 0; b < BALLS; b++) {
        const StudyValue own[] = {{"heat_capacity", capacities[b]},
                                  {"conductivity", HOT_CONDUCTIVITY * (solids > 0 ? 1 : QUICKER)}};
        const dlp_MaterialId material = hot_material(run, world, own, sizeof own / sizeof own[0]);
        hot_ball(run, world, material, (dlp_Vec3){b == HOT ? BESIDE : -BESIDE, 0, HIGH}, RADIUS,
                 b == HOT ? HOT_WARM : HOT_COLD);
    }
    dlp_SolidDef solid = dlp_default_solid_def();
    solid.friction = 1;
    solid.temperature = solids;
    solid.shape.kind = DLP_SHAPE_SPHERE;
    solid.shape.radius = SOLID;
    study_solid(run, world, &solid);
    solid.shape.kind = DLP_SHAPE_CONTAINER;
    solid.shape.size = (dlp_Vec3){BOX, BOX / 2, 2 * BOX};
    solid.shape.position.z = BOX;
    study_solid(run, world, &solid);
    return world;
}

/* m, horizontal root mean square distance of the particles of `material` from their centre. */
static double width_of(StudyRun *run, const dlp_World *world, int material)
{
    StudyParticles particles = {0};
    double sum[2] = {0}, squares = 0, count = 0;
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        for (int axis = 0; axis < 2 && particles.material[i] == material; axis++) {
            const double x = (double)particles.position[i][axis];
            sum[axis] += x;
            squares += x * x;
        }
        count += particles.material[i] == material;
    }
    study_particles_free(&particles);
    return sqrt(fmax(0, (squares - (sum[0] * sum[0] + sum[1] * sum[1]) / count) / count));
}

/* K, the mixing temperature of a closed system. */
static double calorimetry(StudyRun *run, const dlp_World *world)
{
    StudyParticles particles = {0};
    double count[BALLS] = {0};
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        count[particles.material[i] % BALLS]++;
    }
    study_particles_free(&particles);
    const double cold = count[COLD] * capacities[COLD], hot = count[HOT] * capacities[HOT];
    return (cold * HOT_COLD + hot * HOT_WARM) / (cold + hot);
}

/* `solids`: their temperature (K); 0: adiabatic. */
static Mix mix(StudyRun *run, double solids, StudyPlot *plot, StudyPicture *picture)
{
    static const double times[PICTURES] = {0.1, 0.5, DURATION};
    const char *name = solids > 0 ? "cold solids" : "no heat lost";
    const int steps = (int)lround(DURATION / HOT_TIME_STEP), early = (int)lround(EARLY / HOT_TIME_STEP);
    Mix found = {.world = make_mix(run, solids)};
    int shown = 0;
    study_case(run, "Fig. 5, %s", name);
    StudySeries *mean = study_series(plot, "mean, %s", name), *spread = study_series(plot, "hottest, %s", name);
    study_style(mean, solids > 0, STUDY_LINE);
    study_style(spread, solids > 0, STUDY_FINE);
    found.known = calorimetry(run, found.world);
    const double heat = study_stats(run, found.world).heat;
    for (int step = 1; step <= steps && study_step(run, found.world, HOT_TIME_STEP); step++) {
        found.end = hot_state(run, found.world, 0);
        study_point(mean, step * HOT_TIME_STEP, found.end.mean);
        study_point(spread, step * HOT_TIME_STEP, study_stats(run, found.world).temperature_max);
        for (int b = 0; b < BALLS && step == early; b++) {
            found.width[b] = width_of(run, found.world, b);
        }
        if (shown < PICTURES && step * HOT_TIME_STEP >= times[shown] - HOT_TIME_STEP / 2) {
            hot_panel(run, picture, found.world, name);
            shown++;
        }
    }
    found.lost = 1 - study_stats(run, found.world).heat / heat;
    dlp_world_destroy(found.world);
    return found;
}

static void add_row(StudyTable *table, const char *name, const Mix *found)
{
    const double row[] = {found->known, found->end.mean,          found->end.spread,
                          found->lost,  1e3 * found->width[COLD], 1e3 * found->width[HOT]};
    study_word(table, "%s", name);
    study_numbers(table, row, sizeof row / sizeof row[0]);
}

bool hot_mix(StudyRun *run, HotText *text)
{
    static const char *const columns[][2] = {{"solids", ""},
                                             {"calorimetry", "K"},
                                             {"mean at the end", "K"},
                                             {"standard deviation", "K"},
                                             {"heat lost", "of all"},
                                             {"width of the cold ball", "mm"},
                                             {"width of the hot ball", "mm"}};
    StudyTable *table = study_table(run, "mix",
                                    "Fig. 5: a cold and a hot ball in a box, after 3 s; widths after 0.3 s");
    StudyPlot *plot = study_plot(run, "mix_plot", "A cold and a hot ball in a box", "time, s", "temperature, K");
    StudyPicture *picture = study_picture(run, "mix", "Fig. 5: a cold and a hot ball, from blue (300 K) to red (370 K)",
                                          STUDY_VIEW_RAISED);
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    study_ground(picture);
    study_panels_per_row(picture, PICTURES);
    study_range_y(plot, HOT_COLD, HOT_WARM);
    const Mix closed = mix(run, 0, plot, picture), cooled = mix(run, HOT_COLD, plot, picture);
    add_row(table, "no heat lost", &closed);
    add_row(table, "300 K", &cooled);
    const double range = HOT_WARM - HOT_COLD, off = fabs(closed.end.mean - closed.known) / range;
    const double wider = closed.width[HOT] / closed.width[COLD];
    snprintf(
        text->text, sizeof text->text,
        "the mean comes within %.1f K of %.1f K, the standard deviation is %.1f K, and the hot ball is %.2f times as wide before",
        off * range, closed.known, closed.end.spread, wider);
    return off < NEAR && closed.end.spread < EVEN * range && wider > WIDER && cooled.end.mean < closed.end.mean - 5;
}
