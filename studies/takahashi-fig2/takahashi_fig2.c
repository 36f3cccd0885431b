/* Takahashi et al. 2014, Fig. 2: a dam breaks in a box whose walls contribute to the density, and in one whose walls only keep particles
 * out. When the water is back at rest, particles are counted within one spacing of floor, sides and edges and compared with the
 * expected number. */
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <stdlib.h>

#define SPACING  0.01 /* m                                                                          */
#define STEPS    240  /* per second                                                                 */
#define DURATION 2.0  /* s                                                                          */
#define COUNTED  1.2  /* s, particles are counted from here on: the wave has returned               */
#define OFF_HALF 0.1  /* spacings, allowed error of the first layer's distance from the wall, half a spacing */
#define OFF_REST 0.05 /* allowed relative error of the height of the centre: waves remain           */
#define CROWDED  1.5  /* particles over the expected number that count as stacked up                */
#define LESS     0.5  /* fraction of the excess that may remain where walls contribute              */
enum { COUNT_EVERY = 24, BINS = 60, BINS_PER_SPACING = 20, METHODS = 2 };

/* Places by the walls that are within a spacing. Those away from the floor end at half the depth of the water at rest, which is always
 * covered. */
typedef enum Place { INSIDE, FLOOR, SIDE, FLOOR_EDGE, SIDE_EDGE, PLACES, ELSEWHERE = PLACES } Place;

/* A method, and the name of its parameter for wall samples in the density constraint. */
typedef struct Method {
    const char *name, *walls;
} Method;

static const Method methods[METHODS] = {{"pbf", "walls"}, {"links", "density_walls"}};

/* In particles along x, y, z. */
typedef struct Dam {
    int box[3], water[3];
} Dam;

static const Dam full_dam = {{42, 16, 36}, {21, 16, 24}};
static const Dam quick_dam = {{30, 12, 24}, {15, 12, 16}};

static int half_depth(const Dam *dam)
{
    return dam->water[2] * dam->water[0] / dam->box[0] / 2;
}

/* The expected number of particles: one per cubic spacing. */
static double expected_count(const Dam *dam, Place place)
{
    const double area = (dam->box[0] - 2) * (dam->box[1] - 2), height = half_depth(dam) - 1;
    const double around = 2 * (dam->box[0] - 2) + 2 * (dam->box[1] - 2);
    return (const double[PLACES]){area * height, area, around * height, around, 4 * height}[place];
}

static Place place_of(const Dam *dam, const float at[3])
{
    int sides = 0;
    for (int axis = 0; axis < 2; axis++) {
        const double spacings = (double)at[axis] / SPACING;
        sides += spacings < 1 || spacings > dam->box[axis] - 1;
    }
    const double height = (double)at[2] / SPACING;
    if (height < 1) {
        return (const Place[]){FLOOR, FLOOR_EDGE, ELSEWHERE}[sides];
    }
    return height < half_depth(dam) ? (const Place[]){INSIDE, SIDE, SIDE_EDGE}[sides] : ELSEWHERE;
}

/* Spacings to the nearest of floor and sides. */
static double nearest_wall(const Dam *dam, const float at[3])
{
    double nearest = (double)at[2] / SPACING;
    for (int axis = 0; axis < 2; axis++) {
        const double spacings = (double)at[axis] / SPACING;
        nearest = fmin(nearest, fmin(spacings, dam->box[axis] - spacings));
    }
    return nearest;
}

/* Sums over the samples, then means. */
typedef struct Found {
    double crowding[PLACES]; /* particles over the expected number                                            */
    double layers[BINS];     /* the same by the distance from the floor, away from the sides                  */
    double distance;         /* mean spacings from the nearest wall, of the particles within one spacing of it */
    double center;           /* height of the centre over that of water at rest                               */
    int times;
} Found;

static void count(StudyRun *run, const dlp_World *world, const Dam *dam, Found *found)
{
    const double in_a_bin = (double)(dam->box[0] - 2) * (dam->box[1] - 2) / BINS_PER_SPACING;
    double distances = 0, near = 0;
    StudyParticles particles = {0};
    study_read(run, world, &particles);
    for (int64_t i = 0; i < particles.count; i++) {
        const float *at = particles.position[i];
        const Place place = place_of(dam, at);
        const double distance = nearest_wall(dam, at), height = (double)at[2] / SPACING;
        if (place < PLACES) {
            found->crowding[place] += 1 / expected_count(dam, place);
        }
        if ((place == INSIDE || place == FLOOR) && height * BINS_PER_SPACING < BINS) {
            found->layers[(int)(height * BINS_PER_SPACING)] += 1 / in_a_bin;
        }
        distances += distance < 1 ? distance : 0;
        near += distance < 1;
    }
    found->distance += distances / fmax(near, 1);
    found->center += study_stats(run, world).center.z / (half_depth(dam) * SPACING);
    found->times++;
    study_particles_free(&particles);
}

static void take_means(Found *found)
{
    for (int place = 0; place < PLACES; place++) {
        found->crowding[place] /= found->times;
    }
    for (int bin = 0; bin < BINS; bin++) {
        found->layers[bin] /= found->times;
    }
    found->distance /= found->times;
    found->center /= found->times;
}

/* Particles near two walls are orange. */
static void add_panel(StudyRun *run, StudyPicture *picture, const dlp_World *world, const Dam *dam, const char *title,
                      double time)
{
    StudyParticles particles = {0};
    study_read(run, world, &particles);
    uint8_t *colors = malloc((size_t)particles.count + 1);
    for (int64_t i = 0; colors && i < particles.count; i++) {
        const Place place = place_of(dam, particles.position[i]);
        colors[i] = place == FLOOR_EDGE || place == SIDE_EDGE;
    }
    study_panel(picture, world, colors, "%s, %.1f s", title, time);
    free(colors);
    study_particles_free(&particles);
}

static dlp_World *make_dam(StudyRun *run, const Method *method, const Dam *dam, bool walls)
{
    dlp_WorldDef def = study_world_def(run, method->name);
    def.spacing = SPACING;
    dlp_World *world = study_world(run, &def);
    dlp_SolidDef box = dlp_default_solid_def();
    box.friction = 0.0;
    box.shape.kind = DLP_SHAPE_CONTAINER;
    box.shape.size = (dlp_Vec3){dam->box[0] * SPACING, dam->box[1] * SPACING, dam->box[2] * SPACING};
    box.shape.position = (dlp_Vec3){box.shape.size.x / 2, box.shape.size.y / 2, box.shape.size.z / 2};
    study_solid(run, world, &box);
    study_set(run, world, method->walls, walls);
    StudyBlock water = {.material = STUDY_MATERIAL(run, world, {"density", 1000})};
    for (int axis = 0; axis < 3; axis++) {
        water.counts[axis] = dam->water[axis];
    }
    study_block(run, world, &water);
    return world;
}

static Found break_dam(StudyRun *run, const Method *method, const Dam *dam, bool walls, StudyPicture *picture)
{
    const char *title = walls ? "walls contribute" : "walls do not contribute";
    const int steps = (int)(DURATION * STEPS);
    Found found = {0};
    study_case(run, "%s, %s", method->name, title);
    dlp_World *world = make_dam(run, method, dam, walls);
    for (int step = 1; step <= steps && study_step(run, world, 1.0 / STEPS); step++) {
        if (step == steps / 10 || step == steps) {
            add_panel(run, picture, world, dam, title, (double)step / STEPS);
        }
        if (step >= COUNTED * STEPS && step % COUNT_EVERY == 0) {
            count(run, world, dam, &found);
        }
    }
    take_means(&found);
    dlp_world_destroy(world);
    return found;
}

static void draw_layers(StudyPlot *plot, const Found *found, bool walls)
{
    StudySeries *series = study_series(plot, "%s", walls ? "walls contribute" : "walls do not contribute");
    for (int bin = 0; bin < BINS; bin++) {
        study_point(series, (bin + 0.5) / BINS_PER_SPACING, found->layers[bin]);
    }
}

static void add_row(StudyTable *table, const char *method, bool walls, const Found *found)
{
    study_word(table, "%s", method);
    study_word(table, "%s", walls ? "yes" : "no");
    for (int place = 0; place < PLACES; place++) {
        study_number(table, found->crowding[place]);
    }
    study_number(table, found->distance);
    study_number(table, found->center);
}

/* A method with walls that do not contribute, and with walls that do. */
typedef struct Pair {
    Found without, with;
} Pair;

/* The fraction of the excess that remains where walls contribute; the largest of all places. */
static double remaining_excess(const Pair *pair)
{
    double most = 0;
    for (int place = FLOOR; place < PLACES; place++) {
        most = fmax(most, (pair->with.crowding[place] - 1) / (pair->without.crowding[place] - 1));
    }
    return most;
}

static bool holds(const Pair *pair)
{
    return pair->without.crowding[FLOOR_EDGE] > CROWDED && pair->without.crowding[SIDE_EDGE] > CROWDED &&
           remaining_excess(pair) < LESS && fabs(pair->with.distance - 0.5) < OFF_HALF &&
           fabs(pair->with.center - 1) < OFF_REST;
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const columns[][2] = {{"method", ""},
                                             {"walls contribute", ""},
                                             {"inside", ""},
                                             {"floor", ""},
                                             {"sides", ""},
                                             {"edges of the floor", ""},
                                             {"vertical edges", ""},
                                             {"first layer from walls", "spacings"},
                                             {"height of the centre", ""}};
    StudyTable *table = study_table(run, "crowding",
                                    "Particles over the expected number, 1.2 to 2 s after the dam broke");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

static void run(StudyRun *run)
{
    const Dam *dam = run->quick ? &quick_dam : &full_dam;
    const int tried = run->quick ? 1 : METHODS;
    StudyTable *table = make_table(run);
    StudyPlot *plot = study_plot(run, "layers", "Layers above the floor", "distance, spacings",
                                 "particles over the expected number");
    StudyPicture *picture = study_picture(run, "dams", "Dams in boxes; particles near two walls are orange",
                                          STUDY_VIEW_RAISED);
    Pair pair[METHODS];
    bool all = true;
    study_panels_per_row(picture, 2);
    study_plan(run, 2 * tried * DURATION * STEPS);
    for (int m = 0; m < tried; m++) {
        pair[m].without = break_dam(run, &methods[m], dam, false, m == 0 ? picture : NULL);
        pair[m].with = break_dam(run, &methods[m], dam, true, m == 0 ? picture : NULL);
        add_row(table, methods[m].name, false, &pair[m].without);
        add_row(table, methods[m].name, true, &pair[m].with);
        all = all && holds(&pair[m]);
    }
    draw_layers(plot, &pair[0].without, false);
    draw_layers(plot, &pair[0].with, true);
    const Found *without = &pair[0].without, *with = &pair[0].with;
    study_verdict(
        run, all,
        "where walls do not contribute particles lie on them (at %.2f spacings, instead of %.2f where they do), vertical edges "
        "hold %.2f times the expected number (%.2f), and water sinks to %.2f of its height (%.2f)",
        without->distance, with->distance, without->crowding[SIDE_EDGE], with->crowding[SIDE_EDGE], without->center,
        with->center);
}

const Study takahashi_fig2_study = {
    .name = "takahashi-fig2",
    .paper = "Takahashi et al. 2014, Fig. 2",
    .claim =
        "In a box without boundary particles the fluid of a broken dam stacks up along edges; with them it does not.",
    .run = run,
};
