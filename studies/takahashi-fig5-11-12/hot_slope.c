/* Fig. 11: hot fluid is poured on a slope. On a cold one it solidifies and its front stops; on an equally hot one it runs on. */
#include "hot_fluid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ANGLE      0.4   /* rad, of the slope                                                       */
#define FROZEN     325.0 /* K, elastic below: the paper's T_c                                       */
#define MODULUS    2e4   /* Pa, then                                                                */
#define WIDTH      0.08  /* m, of the poured sheet                                                  */
#define THICK      0.04  /* m                                                                       */
#define SPEED      0.35  /* m/s                                                                     */
#define POURED     0.6   /* s                                                                       */
#define DURATION   2.4   /* s                                                                       */
#define LAST       0.4   /* s at the end, over which speeds are measured                            */
#define AHEAD      0.02  /* fraction of the particles ahead of the front: strays do not count       */
#define SHORTER    0.8   /* maximum distance of the front over that on the hot slope                */
#define SOLIDIFIED 0.002 /* m/s, maximum speed of the front relative to the back                    */
enum { PICTURES = 3 };

typedef struct Slope {
    double front;    /* m down the slope, at the end            */
    double slides;   /* m/s, of its back at the end             */
    double grows;    /* m/s, of its front relative to its back  */
    double at_front; /* K, mean near the front                  */
    HotState end;
} Slope;

static dlp_World *make_slope(StudyRun *run, double temperature)
{
    const StudyValue own[] = {{"temperature", HOT_WARM}, {"melting_point", FROZEN}, {"frozen_modulus", MODULUS}};
    dlp_World *world = hot_world(run);
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    nozzle.material = hot_material(run, world, own, sizeof own / sizeof own[0]);
    nozzle.nozzle = DLP_NOZZLE_RECTANGLE;
    nozzle.position = (dlp_Vec3){0.03, 0, 0.1};
    nozzle.direction = (dlp_Vec3){0, 0, -1};
    nozzle.width = WIDTH;
    nozzle.height = THICK;
    nozzle.speed = SPEED;
    nozzle.stop = POURED;
    hot_plane(run, world, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, ANGLE, 0}, temperature, 0);
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_add_emitter(world, &nozzle, NULL));
    }
    return world;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* m down the slope. */
static double distance_of(const dlp_ParticleView *view, int64_t i)
{
    return (double)view->position[0][i] * cos(ANGLE) - (double)view->position[2][i] * sin(ANGLE);
}

/* m down the slope, of its back and its front. */
typedef struct Ends {
    double back, front;
} Ends;

static Ends ends_of(const dlp_ParticleView *view)
{
    Ends ends = {0};
    const int64_t out = (int64_t)(AHEAD * (double)view->count);
    double *ways = malloc(((size_t)view->count + 1) * sizeof *ways);
    for (int64_t i = 0; ways && i < view->count; i++) {
        ways[i] = distance_of(view, i);
    }
    if (ways && view->count > 0) {
        qsort(ways, (size_t)view->count, sizeof *ways, ascending);
        ends = (Ends){ways[out], ways[view->count - 1 - out]};
    }
    free(ways);
    return ends;
}

/* K, mean of the particles within two spacings of the front. */
static double temperature_at(const dlp_ParticleView *view, double front)
{
    double sum = 0, count = 0;
    for (int64_t i = 0; i < view->count; i++) {
        const bool near = distance_of(view, i) > front - 2 * HOT_SPACING;
        sum += near ? (double)view->temperature[i] : 0;
        count += near;
    }
    return sum / count;
}

static Slope pour(StudyRun *run, double temperature, StudyPlot *plot, StudyPicture *picture)
{
    static const double times[PICTURES] = {0.4, 0.8, DURATION};
    const int steps = (int)lround(DURATION / HOT_TIME_STEP), last = (int)lround(LAST / HOT_TIME_STEP);
    const char *name = temperature > FROZEN ? "hot slope" : "cold slope";
    Slope found = {0};
    Ends before = {0}, now = {0};
    dlp_ParticleView view;
    int shown = 0;
    study_case(run, "Fig. 11, %s", name);
    dlp_World *world = make_slope(run, temperature);
    StudySeries *series = study_series(plot, "%s", name);
    study_style(series, temperature > FROZEN ? 3 : 0, STUDY_LINE);
    for (int step = 1; step <= steps && study_step(run, world, HOT_TIME_STEP) && hot_see(run, world, &view); step++) {
        now = ends_of(&view);
        before = step == steps - last ? now : before;
        found.at_front = temperature_at(&view, now.front);
        study_point(series, step * HOT_TIME_STEP, now.front);
        if (shown < PICTURES && step * HOT_TIME_STEP >= times[shown] - HOT_TIME_STEP / 2) {
            hot_panel(run, picture, world, name);
            shown++;
        }
    }
    found.front = now.front;
    found.slides = (now.back - before.back) / LAST;
    found.grows = (now.front - before.front) / LAST - found.slides;
    found.end = hot_state(run, world, FROZEN);
    dlp_world_destroy(world);
    return found;
}

static void add_row(StudyTable *table, double temperature, const Slope *found)
{
    const double row[] = {temperature,     found->front,    1e3 * found->grows, 1e3 * found->slides,
                          found->at_front, found->end.mean, found->end.cold};
    study_numbers(table, row, sizeof row / sizeof row[0]);
}

bool hot_slope(StudyRun *run, HotText *text)
{
    static const char *const columns[][2] = {{"slope", "K"},      {"front after 2.4 s", "m"},   {"growth", "mm/s"},
                                             {"sliding", "mm/s"}, {"front's temperature", "K"}, {"mean", "K"},
                                             {"frozen", "of all"}};
    StudyTable *table = study_table(run, "slope", "Fig. 11: fluid of 370 K is poured on a slope of 23 degrees");
    StudyPlot *plot = study_plot(run, "slope_plot", "Front of hot fluid on a slope", "time, s",
                                 "front, m down the slope");
    StudyPicture *picture = study_picture(
        run, "slope", "Fig. 11: hot fluid on a slope, from blue (300 K) to red (370 K)", STUDY_VIEW_RAISED);
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    study_slope(picture, ANGLE);
    study_panels_per_row(picture, PICTURES);
    const Slope cold = pour(run, HOT_COLD, plot, picture), hot = pour(run, HOT_WARM, plot, picture);
    add_row(table, HOT_COLD, &cold);
    add_row(table, HOT_WARM, &hot);
    snprintf(
        text->text, sizeof text->text,
        "on a cold slope the front reaches %.2f of the distance on a hot one and solidifies (front at %.0f K, growth %.1f and "
        "sliding %.1f mm/s)",
        cold.front / hot.front, cold.at_front, 1e3 * fabs(cold.grows), 1e3 * fabs(cold.slides));
    return cold.front < SHORTER * hot.front && fabs(cold.grows) < SOLIDIFIED && fabs(cold.slides) < SOLIDIFIED &&
           cold.at_front < FROZEN;
}
