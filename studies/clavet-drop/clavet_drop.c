/* Clavet et al. 2005, Fig. 3: a drop gets a flattening velocity and oscillates under the surface tension of double density relaxation.
 * The particle packing supports a little shear, so each figure is a mean over drops that flatten along different axes. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>

#define SPACING     0.01           /* m                                      */
#define RADIUS      0.06           /* m                                      */
#define SOUND_SPEED 0.9            /* m/s: stiffness is the same at any step */
#define RATE        0.5            /* 1/s, initial flattening rate           */
#define CALM        0.5            /* s, to settle before                    */
#define DURATION    3.0            /* s, measured after                      */
#define LATE        2.0            /* s, from here on it counts as at rest   */
enum { GATHER = 1, SEQUENCE = 2 }; /* values of springs.form                 */
enum { AXES = 3, SAMPLES = 360 };  /* samples, DURATION / SAMPLES apart        */

static const dlp_Vec3 axes[AXES] = {{0, 0, 1}, {0.8, 0, 0.6}, {0.6, 0.64, 0.48}};

static double along(dlp_Vec3 axis, const float x[3])
{
    return axis.x * (double)x[0] + axis.y * (double)x[1] + axis.z * (double)x[2];
}

/* Root mean square extent along the axis over that across. */
static double aspect_of(const StudyParticles *drop, dlp_Vec3 axis)
{
    double center[3] = {0, 0, 0}, all = 0, height = 0;
    for (int64_t i = 0; i < drop->count; i++) {
        for (int a = 0; a < 3; a++) {
            center[a] += (double)drop->position[i][a] / (double)drop->count;
        }
    }
    for (int64_t i = 0; i < drop->count; i++) {
        float x[3];
        for (int a = 0; a < 3; a++) {
            x[a] = (float)((double)drop->position[i][a] - center[a]);
            all += (double)(x[a] * x[a]);
        }
        height += pow(along(axis, x), 2);
    }
    return sqrt(2 * height / (all - height));
}

static void flatten(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)id;
    const dlp_Vec3 axis = *(const dlp_Vec3 *)user;
    const double n[3] = {axis.x, axis.y, axis.z}, height = along(axis, position);
    for (int a = 0; a < 3; a++) {
        velocity[a] += (float)(RATE * ((double)position[a] - 3 * height * n[a]));
    }
}

static dlp_World *make_drop(StudyRun *run, int form)
{
    dlp_WorldDef def = study_world_def(run, "springs");
    def.spacing = SPACING;
    def.gravity = (dlp_Vec3){0, 0, 0};
    dlp_World *world = study_world(run, &def);
    study_set(run, world, "form", form);
    study_set(run, world, "sound_speed", SOUND_SPEED);
    dlp_FluidDef ball = dlp_default_fluid_def();
    ball.material = STUDY_MATERIAL(run, world, {"density", 1000});
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = RADIUS;
    study_fluid(run, world, &ball);
    return world;
}

/* Adds the aspect ratio at each sample, divided by the number of axes, to `aspect`. */
static void record_oscillation(StudyRun *run, int form, int per_second, dlp_Vec3 axis, double aspect[SAMPLES])
{
    const int calm = (int)(CALM * per_second), watched = (int)(DURATION * per_second), between = watched / SAMPLES;
    StudyParticles drop = {0};
    dlp_World *world = make_drop(run, form);
    for (int step = 0; step < calm && study_step(run, world, 1.0 / per_second); step++) {}
    if (world) {
        study_keep(run, world, dlp_world_push(world, flatten, &axis));
    }
    for (int step = 1; step <= watched && study_step(run, world, 1.0 / per_second); step++) {
        if (step % between == 0) {
            study_read(run, world, &drop);
            aspect[step / between - 1] += aspect_of(&drop, axis) / AXES;
        }
    }
    study_particles_free(&drop);
    dlp_world_destroy(world);
}

/* The measured oscillation. */
typedef struct Oscillation {
    double least;   /* the smallest aspect ratio                                            */
    double period;  /* s, twice the first interval in which it is flatter than at the end   */
    double damping; /* 1/s, decay of the amplitude over half a period                       */
    double rest;    /* the aspect ratio at the end                                          */
} Oscillation;

/* Time (s) at which the aspect ratio crosses a level between sample n and the next. */
static double crossing(const double *aspect, int n, double level)
{
    return (n + 1 + (level - aspect[n]) / (aspect[n + 1] - aspect[n])) * DURATION / SAMPLES;
}

static Oscillation measure_oscillation(const double aspect[SAMPLES])
{
    const int late = (int)(LATE / DURATION * SAMPLES);
    Oscillation oscillation = {1, NAN, NAN, 0};
    double down = 0, up = NAN, most = 0;
    for (int n = late; n < SAMPLES; n++) {
        oscillation.rest += aspect[n] / (SAMPLES - late);
    }
    for (int n = 0; n < late; n++) {
        const bool before = isnan(up), flat = aspect[n] < oscillation.rest;
        oscillation.least = fmin(oscillation.least, aspect[n]);
        most = before ? most : fmax(most, aspect[n]);
        down = before && !flat && aspect[n + 1] < oscillation.rest ? crossing(aspect, n, oscillation.rest) : down;
        up = before && flat && aspect[n + 1] >= oscillation.rest ? crossing(aspect, n, oscillation.rest) : up;
    }
    oscillation.period = 2 * (up - down);
    oscillation.damping = log((oscillation.rest - oscillation.least) / (most - oscillation.rest)) / (up - down);
    return oscillation;
}

static Oscillation oscillate_drop(StudyRun *run, StudyPlot *plot, int form, int per_second, StudyStyle style)
{
    double aspect[SAMPLES] = {0};
    const char *name = form == GATHER ? "gather" : "sequence";
    study_case(run, "%s, %d steps per second", name, per_second);
    StudySeries *series = study_series(plot, "%s, %d", name, per_second);
    study_style(series, form, style);
    for (int n = 0; n < AXES && study_going(run); n++) {
        record_oscillation(run, form, per_second, axes[n], aspect);
    }
    for (int n = 0; n < SAMPLES; n++) {
        study_point(series, (n + 1) * DURATION / SAMPLES, aspect[n]);
    }
    return measure_oscillation(aspect);
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const columns[][2] = {
        {"form", ""},    {"steps per second", "1/s"}, {"smallest height over width", ""},
        {"period", "s"}, {"damping", "1/s"},          {"height over width at the end", ""}};
    StudyTable *table = study_table(run, "swings", "An oscillating drop, means over three axes");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

static void run(StudyRun *run)
{
    static const int rates[] = {120, 240, 480};
    static const StudyStyle styles[] = {STUDY_FINE, STUDY_DASHED, STUDY_LINE};
    enum { RATES = 3 };
    const int forms = run->quick ? 1 : 2, used = run->quick ? 1 : RATES;
    StudyTable *table = make_table(run);
    StudyPlot *plot = study_plot(run, "aspect_plot", "A drop with a flattening velocity", "time, s",
                                 "height over width");
    Oscillation oscillation[2][RATES] = {{{0}}};
    double apart = 0, late = 0;
    study_plan(run, forms * AXES * (CALM + DURATION) * (used == 1 ? 120 : 840));
    for (int n = 0; n < forms * used && study_going(run); n++) {
        const int f = n / used, r = n % used;
        const Oscillation found = oscillation[f][r] = oscillate_drop(run, plot, GATHER + f, rates[r], styles[r]);
        const double row[] = {rates[r], found.least, found.period, found.damping, found.rest};
        study_word(table, f == 0 ? "gather" : "sequence");
        for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
            study_number(table, row[k]);
        }
        apart = fmax(apart, fabs(found.least / oscillation[0][r].least - 1));
        late = fmax(late, r == 2 ? fabs(found.period / oscillation[f][1].period - 1) : 0);
    }
    study_verdict(
        run, apart <= 0.03 && late <= 0.05,
        "forms differ by %.1f %% in the smallest height over width; from 240 to 480 steps per second the period "
        "changes by %.1f %%",
        100 * apart, 100 * late);
}

const Study clavet_drop_study = {
    .name = "clavet-drop",
    .paper = "Clavet et al. 2005, Fig. 3",
    .claim =
        "A drop oscillates under the surface tension of double density relaxation, independently of the order of pairs and, at "
        "constant stiffness, of the time step.",
    .run = run,
};
