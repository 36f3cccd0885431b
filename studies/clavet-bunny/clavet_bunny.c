/* Clavet et al. 2005, Fig. 12: a foot presses a rabbit twice, then it flows away, while its material changes: elastic springs,
 * springs that yield, no springs. */
#include "studies/rabbit.h"
#include "studies/study_output.h"
#include "studies/study_world.h"

#include <math.h>
#include <stdlib.h>

#define HEIGHT      0.2  /* m, of the rabbit                                 */
#define BACK        0.49 /* height of its back, as a fraction of that        */
#define PRESSED     0.65 /* lowest position of the foot, over the height of the back */
#define SOLE        0.04 /* m, thickness of the foot                         */
#define SETTLED     0.5  /* s into a round: the foot starts to come down     */
#define DOWN        0.8  /* s, it is down                                    */
#define HELD        1.0  /* s, it starts to lift                             */
#define GONE        1.2  /* s, it is gone                                    */
#define SOON        1.5  /* s, first measurement of the imprint              */
#define ROUND       2.0  /* s                                                */
#define MELTING     1.0  /* s, of the last round                             */
#define PAUSE       0.15 /* s, between the change_material to a liquid and its picture */
#define MODULUS     5500 /* Pa                                               */
#define VISCOSITY   0.5  /* Pa s                                             */
#define WANTED      0.95 /* required recovery of the elastic rabbit          */
#define PRINT       0.05 /* allowed change_material of an imprint from soon to late   */
#define SOUND_SPEED 2.2  /* m/s; surface tension scales with its square and rounds fine details */

/* Whether a point (in fractions of the height) is inside one of its balls. */
static bool is_inside(double x, double y, double z)
{
    for (int n = 0; n < RABBIT_BALLS; n++) {
        const RabbitBall *ball = &rabbit[n];
        const double dx = x - ball->x, dy = y - ball->y, dz = z - ball->z;
        if (z > 0 && dx * dx + dy * dy + dz * dz < ball->radius * ball->radius) {
            return true;
        }
    }
    return false;
}

/* Fill the rabbit on a lattice; `points` may be null. Returns the number of points. */
static int64_t fill(double spacing, float (*points)[3])
{
    const int side = (int)ceil(HEIGHT / spacing) + 1, middle = side / 2;
    int64_t count = 0;
    for (int64_t n = 0; n < (int64_t)side * side * side; n++) {
        const int64_t column = n % side, row = n / side % side, layer = n / side / side;
        const double x = (double)(column - middle) * spacing, y = (double)(row - middle) * spacing,
                     z = ((double)layer + 0.5) * spacing;
        if (is_inside(x / HEIGHT, y / HEIGHT, z / HEIGHT)) {
            if (points) {
                points[count][0] = (float)x;
                points[count][1] = (float)y;
                points[count][2] = (float)z;
            }
            count++;
        }
    }
    return count;
}

static void add_rabbit(StudyRun *run, dlp_World *world, dlp_MaterialId material)
{
    const double spacing = world ? dlp_world_def(world).spacing : HEIGHT;
    const int64_t count = fill(spacing, NULL);
    float(*points)[3] = malloc((size_t)(count + 1) * sizeof *points);
    if (world && points) {
        fill(spacing, points);
        study_keep(run, world, dlp_world_add_points(world, material, points[0], count, (dlp_Vec3){0, 0, 0}));
    }
    free(points);
}

typedef struct Scene {
    dlp_World *world;
    dlp_MaterialId material;
    dlp_SolidId foot;
    int per_second; /* steps */
    StudySeries *heights;
    StudyPicture *picture;
} Scene;

static const dlp_Vec3 away = {-0.1 * HEIGHT, 0, 2 * HEIGHT};

static Scene make_scene(StudyRun *run)
{
    Scene scene = {.per_second = run->quick ? 360 : 720};
    dlp_WorldDef def = study_world_def(run, "springs");
    dlp_SolidDef foot = dlp_default_solid_def();
    foot.friction = 0.0;
    def.spacing = run->quick ? HEIGHT / 12 : HEIGHT / 24;
    scene.world = study_world(run, &def);
    study_set(run, scene.world, "sound_speed", SOUND_SPEED);
    study_floor(run, scene.world, 1);
    foot.shape.kind = DLP_SHAPE_BOX;
    foot.shape.size = (dlp_Vec3){0.4 * HEIGHT, 0.25 * HEIGHT, SOLE};
    foot.shape.position = away;
    scene.foot = study_solid(run, scene.world, &foot);
    scene.material = STUDY_MATERIAL(run, scene.world, {"modulus", MODULUS}, {"solvent_viscosity", VISCOSITY});
    add_rabbit(run, scene.world, scene.material);
    return scene;
}

/* Changes the material of the same particles. */
static void change_material(StudyRun *run, const Scene *scene, double modulus, double plasticity, double yield_ratio)
{
    study_set_material(run, scene->world, scene->material, "modulus", modulus);
    study_set_material(run, scene->world, scene->material, "plasticity", plasticity);
    study_set_material(run, scene->world, scene->material, "yield_ratio", yield_ratio);
}

/* Moves the foot down on the back and away again, in a round that starts now. */
static void move_foot(StudyRun *run, const Scene *scene)
{
    const double now = scene->world ? dlp_world_time(scene->world) : 0;
    dlp_Vec3 above = away, down = away;
    above.z = 1.2 * BACK * HEIGHT + SOLE / 2;
    down.z = PRESSED * BACK * HEIGHT + SOLE / 2;
    const dlp_PoseKey keys[] = {{now, above, {0, 0, 0}},
                                {now + SETTLED, above, {0, 0, 0}},
                                {now + DOWN, down, {0, 0, 0}},
                                {now + HELD, down, {0, 0, 0}},
                                {now + GONE, away, {0, 0, 0}}};
    if (scene->world && study_going(run)) {
        study_keep(run, scene->world, dlp_world_set_solid_keys(scene->world, scene->foot, keys, 5));
    }
}

/* Height of the back under the foot (m). */
static double back_of(StudyRun *run, const Scene *scene, StudyParticles *particles)
{
    double top = 0;
    study_read(run, scene->world, particles);
    for (int64_t i = 0; i < particles->count; i++) {
        const float *at = particles->position[i];
        if (fabs((double)at[0] - away.x) < 0.1 * HEIGHT && fabs((double)at[1]) < 0.1 * HEIGHT) {
            top = fmax(top, (double)at[2]);
        }
    }
    return top;
}

/* Runs until `until` seconds after `begun` and returns the height of the back. */
static double run_until(StudyRun *run, const Scene *scene, double begun, double until)
{
    StudyParticles particles = {0};
    while (scene->world && dlp_world_time(scene->world) < begun + until - 0.5 / scene->per_second &&
           study_step(run, scene->world, 1.0 / scene->per_second)) {
        if (dlp_world_step_count(scene->world) % 12 == 0) {
            study_point(scene->heights, dlp_world_time(scene->world), back_of(run, scene, &particles));
        }
    }
    const double height = back_of(run, scene, &particles);
    study_particles_free(&particles);
    return height;
}

/* The height of its back (m) before the foot comes, under it, soon after and later. */
typedef struct BackHeights {
    double before, held, soon, late;
} BackHeights;

static BackHeights press_rabbit(StudyRun *run, const Scene *scene, const char *name)
{
    const double begun = scene->world ? dlp_world_time(scene->world) : 0;
    BackHeights found;
    study_case(run, "%s", name);
    move_foot(run, scene);
    found.before = run_until(run, scene, begun, SETTLED);
    study_panel(scene->picture, scene->world, NULL, "%s", name);
    found.held = run_until(run, scene, begun, HELD);
    study_panel(scene->picture, scene->world, NULL, "%s, under a foot", name);
    found.soon = run_until(run, scene, begun, SOON);
    found.late = run_until(run, scene, begun, ROUND);
    study_panel(scene->picture, scene->world, NULL, "%s, after the foot", name);
    return found;
}

/* Fraction of the compression that remains. */
static double print_of(const BackHeights *found, double after)
{
    return (found->before - after) / (found->before - found->held);
}

static void add_row(StudyTable *table, const char *name, const BackHeights *found)
{
    const double row[] = {found->before,
                          found->held,
                          found->soon,
                          found->late,
                          print_of(found, found->soon),
                          print_of(found, found->late)};
    study_word(table, "%s", name);
    study_numbers(table, row, sizeof row / sizeof row[0]);
}

static StudyTable *make_table(StudyRun *run)
{
    static const char *const columns[][2] = {
        {"material", ""},   {"back before", "m"},        {"under the foot", "m"},  {"0.5 s after", "m"},
        {"1 s after", "m"}, {"imprint 0.5 s after", ""}, {"imprint 1 s after", ""}};
    StudyTable *table = study_table(run, "backs", "Height of the back of a rabbit");
    study_columns(table, columns, sizeof columns / sizeof columns[0]);
    return table;
}

static void run(StudyRun *run)
{
    const double duration = 2 * ROUND + MELTING;
    StudyTable *table = make_table(run);
    StudyPlot *plot = study_plot(run, "back_plot", "A rabbit is compressed twice, then becomes liquid", "time, s",
                                 "height of its back, m");
    Scene scene = make_scene(run);
    scene.heights = study_series(plot, "back");
    scene.picture = study_picture(run, "rabbits", "One rabbit, three materials", STUDY_VIEW_SIDE);
    study_ground(scene.picture);
    study_panels_per_row(scene.picture, 3);
    study_plan(run, duration * scene.per_second);
    const BackHeights elastic = press_rabbit(run, &scene, "elastic");
    add_row(table, "elastic", &elastic);
    change_material(run, &scene, MODULUS, 100, 0.1);
    const BackHeights plastic = press_rabbit(run, &scene, "plastic");
    add_row(table, "plastic", &plastic);
    study_case(run, "liquid");
    change_material(run, &scene, 0, -1, 0);
    run_until(run, &scene, 2 * ROUND, PAUSE);
    study_panel(scene.picture, scene.world, NULL, "liquid, %g s on", PAUSE);
    run_until(run, &scene, 2 * ROUND, 3 * PAUSE);
    study_panel(scene.picture, scene.world, NULL, "liquid, %g s on", 3 * PAUSE);
    run_until(run, &scene, 2 * ROUND, MELTING);
    study_panel(scene.picture, scene.world, NULL, "liquid, %g s on", MELTING);
    const double center = study_stats(run, scene.world).center.z;
    const double back = 1 - print_of(&elastic, elastic.late), print = print_of(&plastic, plastic.late);
    const double creep = fabs(print / print_of(&plastic, plastic.soon) - 1);
    dlp_world_destroy(scene.world);
    study_verdict(run, back >= WANTED && print > 0.3 && creep <= PRINT && center < 0.1 * HEIGHT,
                  "the elastic rabbit recovers %.1f %%; the plastic one keeps %.0f %% of the imprint, which changes by "
                  "%.1f %%; the centre of the liquid is %.3f m high at the end",
                  100 * back, 100 * print, 100 * creep, center);
}

const Study clavet_bunny_study = {
    .name = "clavet-bunny",
    .paper = "Clavet et al. 2005, Fig. 12",
    .claim =
        "A figure of springs is compressed by a foot and recovers; made plastic, it keeps the imprint of the foot; without "
        "springs it flows away.",
    .run = run,
};
