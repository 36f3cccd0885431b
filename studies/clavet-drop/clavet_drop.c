/* A drop that is set to flatten and swings, held together by what double density relaxation makes of surface tension. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>

#define SPACING     0.01
#define RADIUS      0.06           /* m                                             */
#define SOUND_SPEED 0.9            /* m/s: stiffness is the same at any step        */
#define VISCOSITY   0.02           /* Pa s                                          */
#define RATE        0.35f          /* 1/s, at which it is set to flatten            */
#define CALM        0.5            /* s, to rest before                             */
#define DURATION    4.0            /* s, to watch after                             */
enum { GATHER = 1, SEQUENCE = 2 }; /* what springs.form may be */

/* How it swings. */
typedef struct Swing {
    double least;   /* the smallest aspect                                */
    double period;  /* s, from the first time that it is flattest to the next */
    double damping; /* 1/s                                                */
} Swing;

/* Root mean square of z over that of x and y. */
static double aspect_of(const StudyParticles *drop)
{
    double sum[3] = {0, 0, 0}, center[3] = {0, 0, 0};
    for (int a = 0; a < 3; a++) {
        for (int64_t i = 0; i < drop->count; i++) {
            center[a] += (double)drop->position[i][a] / (double)drop->count;
        }
        for (int64_t i = 0; i < drop->count; i++) {
            sum[a] += pow((double)drop->position[i][a] - center[a], 2);
        }
    }
    return sqrt(2 * sum[2] / (sum[0] + sum[1]));
}

static void flatten(void *user, uint64_t id, const float position[3], float velocity[3])
{
    (void)user, (void)id;
    velocity[0] += RATE * position[0];
    velocity[1] += RATE * position[1];
    velocity[2] -= 2.0f * RATE * position[2];
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
    ball.material = STUDY_MATERIAL(run, world, {"viscosity", VISCOSITY});
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = RADIUS;
    if (world != NULL && dlp_world_add_fluid(world, &ball, NULL) != DLP_OK) {
        study_fail(run, DLP_ERROR_ARGUMENT, "%s", dlp_world_error(world));
    }
    return world;
}

/* The flattest moments: where `aspect` has a minimum below what it is about, at the places of a parabola through three values. */
static Swing find_swing(const double *aspect, int count, double dt)
{
    Swing swing = {1, NAN, NAN};
    double place[2] = {0, 0}, value[2] = {1, 1};
    int found = 0;
    for (int n = 1; n + 1 < count; n++) {
        swing.least = fmin(swing.least, aspect[n]);
        if (found < 2 && aspect[n] < aspect[n - 1] && aspect[n] <= aspect[n + 1] && aspect[n] < 0.999) {
            const double bend = aspect[n - 1] - 2 * aspect[n] + aspect[n + 1];
            place[found] = (n + 0.5 * (aspect[n - 1] - aspect[n + 1]) / bend) * dt;
            value[found++] = aspect[n];
        }
    }
    if (found == 2) {
        swing.period = place[1] - place[0];
        swing.damping = log((1 - value[0]) / (1 - value[1])) / swing.period;
    }
    return swing;
}

static Swing swing_drop(StudyRun *run, StudyPlot *plot, int form, int per_second)
{
    enum { MOST = 4096 };
    const double dt = 1.0 / per_second;
    const int calm = (int)(CALM * per_second), watched = (int)(DURATION * per_second);
    double aspect[MOST];
    StudyParticles drop = {0};
    const char *name = form == GATHER ? "gather" : "sequence";
    study_case(run, "%s, %d steps a second", name, per_second);
    StudySeries *series = study_series(plot, "%s, %d", name, per_second);
    dlp_World *world = make_drop(run, form);
    for (int step = 0; step < calm && study_step(run, world, dt); step++) {}
    if (world != NULL) {
        dlp_world_push(world, flatten, NULL);
    }
    int count = 0;
    while (count < watched && count < MOST && study_step(run, world, dt)) {
        study_read(run, world, &drop);
        aspect[count] = aspect_of(&drop);
        study_point(series, (count + 1) * dt, aspect[count]);
        count++;
    }
    study_particles_free(&drop);
    dlp_world_destroy(world);
    return find_swing(aspect, count, dt);
}

static void run(StudyRun *run)
{
    static const int rates[] = {120, 240};
    const int forms = run->quick ? 1 : 2;
    StudyTable *table = study_table(run, "swings", "A drop that swings");
    StudyPlot *plot = study_plot(run, "aspect_plot", "A drop that is set to flatten", "time, s", "height over width");
    Swing swing[2][2];
    double apart = 0, late = 0;
    study_column(table, "form", "");
    study_column(table, "steps a second", "1/s");
    study_column(table, "smallest height over width", "");
    study_column(table, "period", "s");
    study_column(table, "damping", "1/s");
    study_plan(run, forms * (CALM + DURATION) * (rates[0] + rates[1]));
    for (int f = 0; f < forms; f++) {
        for (int r = 0; r < 2; r++) {
            swing[f][r] = swing_drop(run, plot, GATHER + f, rates[r]);
            study_word(table, f == 0 ? "gather" : "sequence");
            study_number(table, rates[r]);
            study_number(table, swing[f][r].least);
            study_number(table, swing[f][r].period);
            study_number(table, swing[f][r].damping);
            apart = fmax(apart, fabs(swing[f][r].least / swing[0][r].least - 1));
        }
        late = fmax(late, fabs(swing[f][1].period / swing[f][0].period - 1));
    }
    study_verdict(
        run, apart <= 0.03 && late <= 0.05,
        "forms differ by %.1f %% in the smallest height over width, half the time step changes the period by %.1f %%",
        100 * apart, 100 * late);
}

const Study clavet_drop_study = {
    .name = "clavet-drop",
    .paper = "Clavet et al. 2005, Fig. 3",
    .claim =
        "A drop swings, held together by what relaxing two densities makes of surface tension. That does not depend on how pairs "
        "are gone through, nor on the time step where stiffness is kept.",
    .run = run,
};
