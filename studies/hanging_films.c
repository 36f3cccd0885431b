#include "studies/hanging_films.h"

#include "studies/study_output.h"

#include <math.h>
#include <stdlib.h>

#define WEIGHT   9810.0 /* Pa/m, of the fluid  */
#define RADIUS   0.15   /* m, of the sphere    */
#define DURATION 0.4    /* s                   */
#define HALF_PI  1.57079632679489661923
#define POLE     0.35 /* rad, from the sphere's lowest point: about there the wall supports all of the weight */
enum { ACROSS = 6, LOADS = 8, POINTS_MOST = 20000, SPHERE_WORK = 12 };

static const double loads[LOADS] = {0.7, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 1.4};

/* m3 of film on each m2 of the wall, where it hangs by itself: on a sphere, more than it is thick. */
static double carried(const FilmCase *c)
{
    return c->sphere && c->alone ? (pow(RADIUS + c->thickness, 3) - pow(RADIUS, 3)) / (3 * RADIUS * RADIUS)
                                 : c->thickness;
}

/* Pa, the stickiness that just holds it. Where it tears, the lowest particles are drawn least, by 2 S / reach (1 - s / reach). */
static double strength_of(const FilmCase *c)
{
    const double fade = 1 - (c->thickness - 0.5 * c->spacing) / c->reach;
    return c->tears ? WEIGHT * c->reach / (2 * fade) : WEIGHT * carried(c);
}

static void put(float *points, int64_t n, double x, double y, double z)
{
    points[3 * n] = (float)x;
    points[3 * n + 1] = (float)y;
    points[3 * n + 2] = (float)z;
}

/* Layers, the first half a spacing from the wall: level ones, or rings around the lower half of the sphere. The wall's lowest
 * point is the origin. Returns the count; `first` is that of the first layer, on the sphere around its pole. */
static int64_t fill(const FilmCase *c, float *points, int64_t *first)
{
    const int layers = (int)lround(c->thickness / c->spacing);
    int64_t count = 0;
    for (int k = 0; k < layers; k++) {
        const double r = RADIUS + (k + 0.5) * c->spacing;
        const int rings = c->sphere ? (int)(HALF_PI * r / c->spacing) : -1;
        for (int n = 0; n < ACROSS * ACROSS && !c->sphere; n++) {
            const int row = n / ACROSS, column = n % ACROSS;
            put(points, count++, (column + 0.5) * c->spacing, (row + 0.5) * c->spacing, -(k + 0.5) * c->spacing);
        }
        for (int ring = 0; ring <= rings; ring++) {
            const double angle = ring * c->spacing / r, around = 4 * HALF_PI * r * sin(angle) / c->spacing;
            const int places = ring == 0 ? 1 : (int)lround(around);
            for (int n = 0; n < places && count < POINTS_MOST; n++) {
                const double turn = 4 * HALF_PI * (n + 0.37 * k * ring) / places;
                put(points, count++, r * sin(angle) * cos(turn), r * sin(angle) * sin(turn), RADIUS - r * cos(angle));
            }
            *first = k == 0 && angle <= POLE ? count : *first;
        }
        *first = k == 0 && !c->sphere ? count : *first;
    }
    return count;
}

static dlp_World *hang(StudyRun *run, const FilmCase *c, double load, int64_t *first)
{
    dlp_WorldDef def = study_world_def(run, c->method);
    def.spacing = c->spacing;
    def.periodic_size = c->sphere ? (dlp_Vec3){0, 0, 0} : (dlp_Vec3){ACROSS * c->spacing, ACROSS * c->spacing, 0};
    dlp_World *world = study_world(run, &def);
    float *points = calloc(3 * POINTS_MOST, sizeof *points);
    if (world == NULL || points == NULL) {
        free(points);
        return world;
    }
    if (c->setting.name != NULL) {
        study_set(run, world, c->setting.name, c->setting.value);
    }
    dlp_SolidDef wall = dlp_default_solid_def();
    wall.friction = 1.0;
    wall.stickiness = strength_of(c) / load;
    wall.reach = c->reach;
    wall.shape.kind = c->sphere ? DLP_SHAPE_SPHERE : DLP_SHAPE_PLANE;
    wall.shape.radius = RADIUS;
    wall.shape.position.z = c->sphere ? RADIUS : 0.0;
    wall.shape.rotation.x = 2 * HALF_PI;
    study_solid(run, world, &wall);
    const dlp_MaterialId fluid = STUDY_MATERIAL(run, world, {"density", 1000}, {"viscosity", c->viscosity});
    const int64_t count = fill(c, points, first);
    study_keep(run, world, dlp_world_add_points(world, fluid, points, count, (dlp_Vec3){0, 0, 0}));
    free(points);
    return world;
}

/* What becomes of a film. */
typedef struct Hung {
    double kept;   /* part of a layer that is where it was: the first one, or the last one where it tears */
    double fallen; /* m, of its centre                                                            */
} Hung;

/* m, from the wall. */
static double distance_of(const FilmCase *c, const float x[3])
{
    const double z = (double)x[2] - RADIUS, r = sqrt((double)(x[0] * x[0] + x[1] * x[1]) + z * z);
    return c->sphere ? r - RADIUS : -(double)x[2];
}

/* m, from the wall: fluid that runs down a sphere gathers below. */
static double stays_within(const FilmCase *c)
{
    return c->sphere ? 2 * c->thickness : c->tears ? c->thickness : c->spacing;
}

static Hung watch(StudyRun *run, const FilmCase *c, double load)
{
    StudyParticles particles = {0};
    int64_t first = 0, kept = 0;
    study_case(run, "%s, %s, %g m, %g steps per second, %g Pa s, %g of the strength", c->name, c->method, c->spacing,
               c->step_rate, c->viscosity, load);
    study_weigh(run, c->sphere ? SPHERE_WORK : 1);
    dlp_World *world = hang(run, c, load, &first);
    const double before = study_stats(run, world).center.z;
    const int steps = (int)lround(DURATION * c->step_rate);
    for (int step = 0; step < steps && study_step(run, world, 1 / c->step_rate); step++) {}
    study_read(run, world, &particles);
    const int64_t begin = c->tears ? particles.count - first : 0;
    for (int64_t i = begin; i < begin + first && i < particles.count; i++) {
        kept += distance_of(c, particles.position[i]) < stays_within(c);
    }
    const Hung hung = {first > 0 ? (double)kept / (double)first : 0.0, before - study_stats(run, world).center.z};
    study_particles_free(&particles);
    dlp_world_destroy(world);
    return hung;
}

static void add_columns(StudyTable *table)
{
    static const char *const columns[][2] = {{"wall", ""},          {"method", ""}, {"spacing", "m"}, {"steps", "1/s"},
                                             {"viscosity", "Pa.s"}, {"load", ""},   {"kept", ""},     {"fallen", "m"}};
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
}

static void add_row(StudyTable *table, const FilmCase *c, double load, Hung hung)
{
    study_word(table, "%s", c->name);
    study_word(table, "%s", c->method);
    study_number(table, c->spacing);
    study_number(table, c->step_rate);
    study_number(table, c->viscosity);
    study_number(table, load);
    study_number(table, hung.kept);
    study_number(table, hung.fallen);
}

/* What holds has that layer; what falls has lost half of it. */
static bool is_right(double load, Hung hung)
{
    return load < 1 ? hung.kept > 0.98 : hung.kept < 0.5;
}

void films_run(StudyRun *run, const FilmCase *cases, int count)
{
    StudyTable *table = study_table(run, "films",
                                    "Fraction of a layer that stays, by load over the strength of the wall");
    StudyPlot *plot = study_plot(run, "kept_plot", "Films held by sticky walls",
                                 "weight of the film over the wall's strength", "part of a layer that stays");
    int asked = 0, right = 0;
    double work = 0;
    add_columns(table);
    for (int n = 0; n < count; n++) {
        work += run->quick && !cases[n].quick
                    ? 0
                    : (run->quick ? 2 : LOADS) * (cases[n].sphere ? SPHERE_WORK : 1) * DURATION * cases[n].step_rate;
    }
    study_plan(run, work);
    for (int n = 0; n < count && study_going(run); n++) {
        const FilmCase *c = &cases[n];
        if (run->quick && !c->quick) {
            continue;
        }
        StudySeries *series = study_series(plot, "%s, %s, %g mm, %g Pa s, %g/s", c->name, c->method, 1000 * c->spacing,
                                           c->viscosity, c->step_rate);
        study_style(series, n % STUDY_COLORS, n < STUDY_COLORS ? STUDY_DOTS : STUDY_DASHED_DOTS);
        for (int load = 0; load < LOADS && study_going(run); load++) {
            const bool counts = loads[load] <= c->lower || loads[load] >= c->upper;
            if (run->quick && loads[load] != c->lower && loads[load] != c->upper) {
                continue;
            }
            const Hung hung = watch(run, c, loads[load]);
            add_row(table, c, loads[load], hung);
            study_point(series, loads[load], hung.kept);
            asked += counts;
            right += counts && is_right(loads[load], hung);
        }
    }
    study_verdict(run, right == asked, "%d of %d films stay or fall as their weight and the wall's strength say", right,
                  asked);
}
