/* Stand-ins for the scenes of the paper, made of our own shapes: the same number of particles, steps, iterations and material
 * parameters, and about the same fraction of particles at surfaces and walls. Models, sizes and sources are not published; all
 * scenes here have a spacing of 1 cm, so that falling fluid moves by about one spacing per step. */
#include "table1_scenes.h"

#include <math.h>

#define PI      3.14159265358979323846
#define SPACING 0.01 /* m */

/* A rope that falls from a nozzle on a heap. */
#define ROPE_RADIUS 0.04 /* m   */
#define ROPE_HEIGHT 0.40 /* m, of the nozzle above the heap */
#define ROPE_SPEED  0.5  /* m/s */

static dlp_ShapeDef upright(dlp_ShapeKind kind, dlp_Vec3 centre, double radius, double length)
{
    dlp_ShapeDef shape = dlp_default_solid_def().shape;
    shape.kind = kind;
    shape.position = centre;
    shape.radius = radius;
    shape.length = length;
    return shape;
}

static dlp_ShapeDef boxed(dlp_ShapeKind kind, dlp_Vec3 centre, dlp_Vec3 size)
{
    dlp_ShapeDef shape = dlp_default_solid_def().shape;
    shape.kind = kind;
    shape.position = centre;
    shape.size = size;
    return shape;
}

static void add_fluid(StudyRun *run, dlp_World *world, dlp_MaterialId fluid, dlp_ShapeDef shape)
{
    dlp_FluidDef def = dlp_default_fluid_def();
    def.material = fluid;
    def.shape = shape;
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_add_fluid(world, &def, NULL));
    }
}

static void add_solid(StudyRun *run, dlp_World *world, const dlp_SolidDef *def)
{
    dlp_SolidId id;
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_add_solid(world, def, &id));
    }
}

static void add_still_solid(StudyRun *run, dlp_World *world, dlp_ShapeDef shape)
{
    dlp_SolidDef def = dlp_default_solid_def();
    def.shape = shape;
    def.friction = 1;
    add_solid(run, world, &def);
}

/* An upright cylinder of fluid that stands at `foot`; `aspect` is its height over its radius. Returns its height (m). */
static double add_heap(StudyRun *run, dlp_World *world, dlp_MaterialId fluid, dlp_Vec3 foot, double particles,
                       double aspect)
{
    const double radius = SPACING * cbrt(fmax(particles, 1) / (PI * aspect)), height = radius * aspect;
    add_fluid(run, world, fluid,
              upright(DLP_SHAPE_CYLINDER, (dlp_Vec3){foot.x, foot.y, foot.z + height / 2}, radius, height));
    return height;
}

/* A heap and a nozzle above it, together `particles` after `flow_time`. */
static void add_pour(StudyRun *run, dlp_World *world, dlp_MaterialId fluid, dlp_Vec3 foot, double particles,
                     double aspect, double flow_time)
{
    const double rope = PI * ROPE_RADIUS * ROPE_RADIUS * ROPE_SPEED * flow_time / pow(SPACING, 3);
    const double height = add_heap(run, world, fluid, foot, particles - rope, aspect);
    dlp_EmitterDef nozzle = dlp_default_emitter_def();
    dlp_EmitterId id;
    nozzle.material = fluid;
    nozzle.nozzle = DLP_NOZZLE_DISC;
    nozzle.position = (dlp_Vec3){foot.x, foot.y, foot.z + height + ROPE_HEIGHT};
    nozzle.direction = (dlp_Vec3){0, 0, -1};
    nozzle.radius = ROPE_RADIUS;
    nozzle.speed = ROPE_SPEED;
    if (world && study_going(run)) {
        study_keep(run, world, dlp_world_add_emitter(world, &nozzle, &id));
    }
}

/* The radius (m) of a heap of `particles`, with a margin of two spacings. */
static double heap_radius(double particles, double aspect)
{
    return SPACING * (cbrt(particles / (PI * aspect)) + 2);
}

/* Fig. 4: an elastic, a viscous and a liquid cube, dropped side by side. */
static void fill_blocks(StudyRun *run, dlp_World *world, double particles, double flow_time, BarreiroStep step)
{
    static const double parameters[3][2] = {{10, 0}, {0, 0}, {0, 1}}; /* tau, alpha */
    const int n = (int)lround(cbrt(particles / 3));
    (void)flow_time;
    study_floor(run, world, 1);
    for (int i = 0; i < 3; i++) {
        study_block(run, world,
                    &(StudyBlock){.material = barreiro_material(run, world, parameters[i][0], parameters[i][1], step),
                                  .counts = {n, n, n},
                                  .corner = {SPACING * 2 * n * (i - 1), 0, 0.1}});
    }
}

/* Fig. 5: two rows of ropes, one for compliances, one for relaxation times. */
static void fill_coiling(StudyRun *run, dlp_World *world, double particles, double flow_time, BarreiroStep step)
{
    enum { ROPES = 8 };
    static const double parameters[ROPES][2] = {{0.15, 0}, {0.15, 0.001}, {0.15, 0.01}, {0.15, 0.1},
                                                {0, 0},    {0.05, 0},     {0.15, 0},    {0.5, 0}};
    const double pitch = 3.5 * heap_radius(particles / ROPES, 1);
    study_floor(run, world, 1);
    for (int i = 0; i < ROPES; i++) {
        const int column = i % 4, row = i / 4;
        const dlp_Vec3 foot = {pitch * column, pitch * row, 0};
        add_pour(run, world, barreiro_material(run, world, parameters[i][0], parameters[i][1], step), foot,
                 particles / ROPES, 1, flow_time);
    }
}

/* Figs. 8 and 10: a rope into a bowl, stirred by a hand-sized ball. */
static void fill_interactive(StudyRun *run, dlp_World *world, double particles, double flow_time, BarreiroStep step)
{
    const double radius = heap_radius(particles, 0.7), hand = radius / 3;
    dlp_SolidDef solid = dlp_default_solid_def();
    add_still_solid(run, world,
                    boxed(DLP_SHAPE_CONTAINER, (dlp_Vec3){0, 0, 1}, (dlp_Vec3){3.5 * radius, 3.5 * radius, 2}));
    solid.shape = upright(DLP_SHAPE_SPHERE, (dlp_Vec3){radius + hand, 0, hand}, hand, hand);
    solid.friction = 1;
    solid.amplitude = (dlp_Vec3){-radius / 2, 0, 0};
    solid.frequency = 1;
    add_solid(run, world, &solid);
    add_pour(run, world, barreiro_material(run, world, 0.1, 0.01, step), (dlp_Vec3){0}, particles, 0.7, flow_time);
}

/* Fig. 9: thick cream onto a plate. */
static void fill_waffle(StudyRun *run, dlp_World *world, double particles, double flow_time, BarreiroStep step)
{
    const double side = 3 * heap_radius(particles, 0.6), thickness = 0.05;
    study_floor(run, world, 1);
    add_still_solid(run, world,
                    boxed(DLP_SHAPE_BOX, (dlp_Vec3){0, 0, 1.5 * thickness}, (dlp_Vec3){side, side, thickness}));
    add_pour(run, world, barreiro_material(run, world, 0.1, 0, step), (dlp_Vec3){0, 0, 2 * thickness}, particles, 0.6,
             flow_time);
}

/* Fig. 12: honey, which has no memory. */
static void fill_honey(StudyRun *run, dlp_World *world, double particles, double flow_time, BarreiroStep step)
{
    study_floor(run, world, 1);
    add_pour(run, world, barreiro_material(run, world, 0, 0.005, step), (dlp_Vec3){0}, particles, 0.5, flow_time);
}

/* Fig. 1: two thirds thick cream on a cake, one third syrup poured over it, two letters sinking in. The paper moves letters
 * and flowers by constraints; ours are kinematic. */
static void fill_cake(StudyRun *run, dlp_World *world, double particles, double flow_time, BarreiroStep step)
{
    const double cream = 2 * particles / 3, syrup = particles / 3, radius = heap_radius(cream, 0.3), cake = 0.15;
    study_floor(run, world, 1);
    add_still_solid(run, world, upright(DLP_SHAPE_CYLINDER, (dlp_Vec3){0, 0, cake / 2}, 1.1 * radius, cake));
    const double top = cake + add_heap(run, world, barreiro_material(run, world, 0.1, 0, step), (dlp_Vec3){0, 0, cake},
                                       cream, 0.3);
    add_pour(run, world, barreiro_material(run, world, 0.5, 0.015, step), (dlp_Vec3){0, 0, top}, syrup, 0.5, flow_time);
    for (int i = 0; i < 2; i++) {
        dlp_SolidDef letter = dlp_default_solid_def();
        letter.shape = boxed(DLP_SHAPE_BOX, (dlp_Vec3){(i ? 0.85 : -0.85) * radius, 0, top + 0.06},
                             (dlp_Vec3){0.02, 0.08, 0.1});
        letter.velocity = (dlp_Vec3){0, 0, -0.1};
        letter.friction = 1;
        add_solid(run, world, &letter);
    }
}

/* Fig. 11: sixteen figures that stand on the ground and slump. */
static void fill_armadillos(StudyRun *run, dlp_World *world, double particles, double flow_time, BarreiroStep step)
{
    enum { ROW = 4, FIGURES = ROW * ROW };
    /* A capsule whose middle part is as long as it is wide holds (2 + 4/3) pi radius^3. */
    const double radius = SPACING * cbrt(particles / FIGURES / (10 * PI / 3));
    const double foot = 0.5 * SPACING; /* m, where the lowest particles rest */
    const dlp_MaterialId fluid = barreiro_material(run, world, 0.5, 0.01, step);
    (void)flow_time;
    study_floor(run, world, 1);
    for (int i = 0; i < FIGURES; i++) {
        const int column = i % ROW, row = i / ROW;
        const dlp_Vec3 centre = {3 * radius * column, 3 * radius * row, foot + 2 * radius};
        add_fluid(run, world, fluid, upright(DLP_SHAPE_CAPSULE, centre, radius, 2 * radius));
    }
}

/* The values of the table; the text gives 0.14 s for Honey and up to 90,000 particles for Waffle. */
const Table1Scene table1_scenes[TABLE1_SCENES] = {
    {"Blocks", 10e3, 1.0 / 240, 8, 20, 0.16, fill_blocks},
    {"Coiling", 89e3, 1.0 / 240, 8, 40, 1.08, fill_coiling},
    {"Interactive", 15e3, 1.0 / 200, 3, 8, 0.03, fill_interactive},
    {"Waffle", 80e3, 1.0 / 300, 10, 40, 1.42, fill_waffle},
    {"Honey", 105e3, 1.0 / 300, 10, 10, 0.15, fill_honey},
    {"Cake", 150e3, 1.0 / 750, 25, 15, 1.13, fill_cake},
    {"Armadillos", 12e6, 1.0 / 150, 5, 15, 19, fill_armadillos},
};

dlp_World *table1_world(StudyRun *run, const Table1Scene *scene, BarreiroSolver solver, double particles,
                        double flow_time)
{
    dlp_WorldDef def = study_world_def(run, barreiro_method(solver));
    def.spacing = SPACING;
    dlp_World *world = study_world(run, &def);
    if (solver == BARREIRO_PHYSICAL) {
        barreiro_physical(run, world);
    } else {
        const int on_positions = scene->iterations - scene->iterations / 2;
        barreiro_solver(run, world, solver, scene->iterations);
        study_set(run, world, "density_iterations", on_positions);
    }
    scene->fill(run, world, particles, flow_time, (BarreiroStep){solver, scene->time_step});
    return world;
}
