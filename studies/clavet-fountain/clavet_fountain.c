/* Clavet et al. 2005, Fig. 1: a jet rises, falls back on a ball and stretches into sheets, filaments and drops. */
#include "studies/study_output.h"

#include "liquid_forms.h"

#include <math.h>
#include <stdlib.h>

#define SPEED    3.2   /* m/s, of the jet                          */
#define SOUND    1.8   /* m/s: lower breaks the fluid into single particles, higher keeps it as one sheet */
#define NOZZLE   0.008 /* m, radius of the nozzle                  */
#define BALL     0.06  /* m, radius of the ball                    */
#define REACH    0.46  /* m, from the nozzle to the ball           */
#define SIDEWARD 0.28  /* slope of the jet, sideways over upward   */
#define DURATION 2.0   /* s                                        */
#define LOOK     0.1   /* s, between samples                       */
#define LATE     1.2   /* s, forms are counted from here on        */
#define GROUND   -0.4  /* m, height at which fluid is removed      */
enum { PER_SECOND = 800, FRAMES = 4 };

static dlp_World *make_fountain(StudyRun *run, double spacing)
{
    dlp_WorldDef def = study_world_def(run, "springs");
    dlp_SolidDef ball = dlp_default_solid_def();
    dlp_SinkDef ground = dlp_default_sink_def();
    dlp_EmitterDef jet = dlp_default_emitter_def();
    def.spacing = spacing;
    dlp_World *world = study_world(run, &def);
    if (!world) {
        return NULL;
    }
    study_set(run, world, "beta", 5);
    study_set(run, world, "sound_speed", SOUND);
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = BALL;
    ball.shape.position = (dlp_Vec3){REACH, 0, BALL + 0.1};
    ball.friction = 0.1;
    study_solid(run, world, &ball);
    ground.shape.kind = DLP_SHAPE_PLANE;
    ground.shape.position.z = GROUND;
    study_keep(run, world, dlp_world_add_sink(world, &ground, NULL));
    jet.material = STUDY_MATERIAL(run, world, {"density", 1000});
    jet.position = (dlp_Vec3){0, 0, 0.02};
    jet.direction = (dlp_Vec3){SIDEWARD, 0, 1};
    jet.radius = NOZZLE;
    jet.speed = SPEED;
    study_keep(run, world, dlp_world_add_emitter(world, &jet, NULL));
    return world;
}

static double total_of(const LiquidCount *count)
{
    double total = 0;
    for (int k = 0; k < LIQUID_FORMS; k++) {
        total += (double)count->particles[k];
    }
    return total;
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const columns[][2] = {{"time", "s"},  {"particles", ""}, {"bulk", ""},
                                             {"sheets", ""}, {"filaments", ""}, {"in drops", ""},
                                             {"pieces", ""}, {"drops", ""},     {"lone particles", ""}};
    StudyTable *table = study_table(
        run, "forms", "Fractions of the particles in each form, where the jet has fallen back, and pieces");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

static void add_row(StudyTable *table, StudySeries *const *series, double time, double total, const LiquidCount *count)
{
    study_number(table, time);
    study_number(table, total);
    for (int k = 0; k < LIQUID_FORMS; k++) {
        study_number(table, (double)count->particles[k] / fmax(total, 1));
        study_point(series[k], time, (double)count->particles[k] / fmax(total, 1));
    }
    study_number(table, (double)count->pieces);
    study_number(table, (double)count->drops);
    study_number(table, (double)count->points);
}

/* Behind the jet, from just above the ball down: where the fluid has stretched. */
static bool is_past_ball(const float place[3])
{
    return (double)place[0] > 0.25 * REACH && (double)place[2] < 0.1 + 2 * BALL + 0.02;
}

/* Fraction of each form and number of drops, means of the late samples. */
typedef struct Found {
    double part[LIQUID_FORMS], drops;
    int looks;
} Found;

static void sample_forms(StudyRun *run, dlp_World *world, StudyTable *table, StudySeries *const *series,
                         StudyPicture *picture, Found *found)
{
    static const double shown[FRAMES] = {0.5, 1.0, 1.5, 2.0};
    StudyParticles particles = {0};
    const double time = dlp_world_time(world), spacing = dlp_world_def(world).spacing;
    study_read(run, world, &particles);
    uint8_t *form = calloc((size_t)particles.count + 1, 1);
    if (form) {
        const LiquidCount count = liquid_forms(run, &particles, spacing, is_past_ball, form);
        const double total = total_of(&count);
        add_row(table, series, time, total, &count);
        for (int n = 0; n < FRAMES; n++) {
            if (fabs(time - shown[n]) < 0.5 / PER_SECOND) {
                study_panel(picture, world, form, "%.1f s", time);
            }
        }
        found->looks += time >= LATE;
        for (int k = 0; k < LIQUID_FORMS && time >= LATE; k++) {
            found->part[k] += (double)count.particles[k] / fmax(total, 1);
        }
        found->drops += time >= LATE ? (double)count.drops : 0;
    }
    free(form);
    study_particles_free(&particles);
}

static void run(StudyRun *run)
{
    static const char *const names[LIQUID_FORMS] = {"bulk", "sheets", "filaments", "drops"};
    StudyTable *table = make_table(run);
    StudyPlot *plot = study_plot(run, "forms_plot", "Forms of a falling jet", "time, s", "fraction of the particles");
    StudyPicture *picture = study_picture(run, "fountain", "Bulk blue, sheets orange, filaments green, drops red",
                                          STUDY_VIEW_RAISED);
    StudySeries *series[LIQUID_FORMS];
    Found found = {0};
    const int steps = (int)lround(DURATION * PER_SECOND), between = (int)lround(LOOK * PER_SECOND);
    for (int k = 0; k < LIQUID_FORMS; k++) {
        series[k] = study_series(plot, "%s", names[k]);
    }
    study_window(picture, (dlp_Vec3){-0.05, -0.2, GROUND}, (dlp_Vec3){0.65, 0.2, 0.5});
    study_panels_per_row(picture, 4);
    study_plan(run, steps);
    study_case(run, "a jet at %g m/s", SPEED);
    dlp_World *world = make_fountain(run, run->quick ? 0.005 : 0.003);
    for (int step = 1; step <= steps && study_step(run, world, 1.0 / PER_SECOND); step++) {
        if (step % between == 0) {
            sample_forms(run, world, table, series, picture, &found);
        }
    }
    dlp_world_destroy(world);
    const double looks = fmax(found.looks, 1), sheets = found.part[FORM_SHEET] / looks;
    const double filaments = found.part[FORM_FILAMENT] / looks, drops = found.drops / looks;
    study_verdict(
        run, sheets > 0.02 && filaments > 0.005 && drops >= 3,
        "where the jet has fallen on the ball %.1f %% of the particles are in sheets, %.1f %% in filaments, %.1f %% in %.0f "
        "drops",
        100 * sheets, 100 * filaments, 100 * found.part[FORM_DROP] / looks, drops);
}

const Study clavet_fountain_study = {
    .name = "clavet-fountain",
    .paper = "Clavet et al. 2005, Fig. 1",
    .claim = "Sheets, filaments and drops form where a jet falls back.",
    .run = run,
};
