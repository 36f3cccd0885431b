/* Fig. 12: a cold, elastic ball rolls down a slope, reaches a wall and, if the wall is hot, melts there. */
#include "hot_fluid.h"
#include "studies/study_fit.h"

#include <math.h>
#include <stdio.h>

#define RADIUS   0.049 /* m                                                              */
#define ANGLE    0.5   /* rad, of the slope                                              */
#define UP       0.22  /* m, from the foot of the slope to the start of the ball         */
#define WALL     0.14  /* m, from the foot of the slope                                  */
#define HEATED   400.0 /* K, the hot wall                                                */
#define MELTING  325.0 /* K, elastic below: the paper's T_c                              */
#define MODULUS  1e5   /* Pa                                                             */
#define STICKY   500.0 /* Pa, adhesion of the wall                                       */
#define FLOOR    0.12  /* rad, slope of the floor towards the wall: a ball that bounces off returns */
#define DURATION 5.0   /* s                                                              */
#define BENT     0.1   /* allowed RMS deformation of the cold ball at the end, over the radius */
#define LOW      0.5   /* maximum height of the molten ball's centre over the cold one's */
#define CALM     0.02  /* m/s, maximum speed of the centre at the end                    */
enum { PICTURES = 6 };

typedef struct Melt {
    double arrived; /* s, when it first reached the wall                           */
    double bent;    /* m RMS, largest deformation before it melts                  */
    double height;  /* m, of its centre above the floor at the end                 */
    double speed;   /* m/s, of its centre at the end                               */
    double jolt;    /* m/s, largest rise speed of the centre after the arrival     */
    double shape;   /* m RMS, deformation at the end                               */
    HotState end;
} Melt;

static dlp_World *make_melt(StudyRun *run, double wall)
{
    const StudyValue own[] = {{"temperature", HOT_COLD}, {"melting_point", MELTING}, {"frozen_modulus", MODULUS}};
    dlp_World *world = hot_world(run);
    const dlp_MaterialId material = hot_material(run, world, own, sizeof own / sizeof own[0]);
    hot_plane(run, world, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, ANGLE, 0}, HOT_COLD, 0);
    hot_plane(run, world, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, FLOOR, 0}, 0, 0);
    hot_plane(run, world, (dlp_Vec3){WALL, 0, 0}, (dlp_Vec3){0, -acos(0), 0}, wall, STICKY);
    hot_ball(run, world, material,
             (dlp_Vec3){-UP * cos(ANGLE) + RADIUS * sin(ANGLE), 0, UP * sin(ANGLE) + RADIUS * cos(ANGLE)}, RADIUS,
             HOT_COLD);
    return world;
}

static Melt roll(StudyRun *run, double wall, StudyPlot *plot, StudyPicture *picture)
{
    static const double times[PICTURES] = {0.01, 0.3, 0.6, 1.2, 2.2, DURATION};
    const int steps = (int)lround(DURATION / HOT_TIME_STEP);
    const char *name = wall > MELTING ? "hot wall" : "cold wall";
    StudyParticles rest = {0}, now = {0};
    Melt found = {.arrived = NAN};
    int shown = 0;
    study_case(run, "Fig. 12, %s", name);
    dlp_World *world = make_melt(run, wall);
    StudySeries *series = study_series(plot, "%s", name);
    study_style(series, wall > MELTING ? 3 : 0, STUDY_LINE);
    study_read(run, world, &rest);
    const double mass = HOT_DENSITY * pow(HOT_SPACING, 3) * (double)rest.count;
    for (int step = 1; step <= steps && study_step(run, world, HOT_TIME_STEP); step++) {
        const dlp_WorldStats stats = study_stats(run, world);
        study_read(run, world, &now);
        found.shape = study_rms_from_rigid(&rest, &now);
        if (isnan(found.arrived) && stats.upper.x > WALL - HOT_SPACING) {
            found.arrived = step * HOT_TIME_STEP;
        }
        found.bent = isnan(found.arrived) || wall < MELTING ? fmax(found.bent, found.shape) : found.bent;
        found.jolt = isnan(found.arrived) ? 0 : fmax(found.jolt, stats.momentum.z / mass);
        found.height = stats.center.z * cos(FLOOR) + stats.center.x * sin(FLOOR);
        found.speed = sqrt(pow(stats.momentum.x, 2) + pow(stats.momentum.y, 2) + pow(stats.momentum.z, 2)) / mass;
        study_point(series, step * HOT_TIME_STEP, found.height);
        if (shown < PICTURES && step * HOT_TIME_STEP >= times[shown] - HOT_TIME_STEP / 2) {
            hot_panel(run, picture, world, name);
            shown++;
        }
    }
    found.end = hot_state(run, world, MELTING);
    study_particles_free(&rest);
    study_particles_free(&now);
    dlp_world_destroy(world);
    return found;
}

static void add_row(StudyTable *table, double wall, const Melt *found)
{
    const double row[] = {wall,        found->arrived,     1e3 * found->bent, 1e3 * found->shape, 1e3 * found->height,
                          found->jolt, 1e3 * found->speed, found->end.mean,   found->end.cold};
    study_numbers(table, row, sizeof row / sizeof row[0]);
}

bool hot_melt(StudyRun *run, HotText *text)
{
    static const char *const columns[][2] = {{"wall", "K"},
                                             {"arrival", "s"},
                                             {"deformation, cold", "mm RMS"},
                                             {"deformation, end", "mm RMS"},
                                             {"centre, end", "mm"},
                                             {"largest rise speed", "m/s"},
                                             {"speed, end", "mm/s"},
                                             {"mean", "K"},
                                             {"frozen", "of all"}};
    StudyTable *table = study_table(run, "melt", "Fig. 12: an elastic ball rolls to a wall");
    StudyPlot *plot = study_plot(run, "melt_plot", "An elastic ball that rolls to a wall", "time, s",
                                 "height of its centre above the floor, m");
    StudyPicture *picture = study_picture(run, "melt", "Fig. 12: an elastic ball, from blue (300 K) to red (370 K)",
                                          STUDY_VIEW_SIDE);
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    study_slope(picture, FLOOR);
    study_panels_per_row(picture, PICTURES / 2);
    const Melt hot = roll(run, HEATED, plot, picture), cold = roll(run, HOT_COLD, plot, NULL);
    add_row(table, HEATED, &hot);
    add_row(table, HOT_COLD, &cold);
    snprintf(
        text->text, sizeof text->text,
        "a cold ball is deformed by at most %.1f %% of its radius; at a hot wall its centre sinks to %.2f of the height at a "
        "cold wall and comes to rest (%.1f mm/s)",
        100 * cold.bent / RADIUS, hot.height / cold.height, 1e3 * hot.speed);
    return cold.shape < BENT * RADIUS && hot.height < LOW * cold.height && hot.speed < CALM;
}
