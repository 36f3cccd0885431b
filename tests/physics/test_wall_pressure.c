/* ctest: slow timeout 900
 * The force of a fluid at rest on the walls of its tank: the pressure at every depth is that of the fluid above, and
 * together the walls
 * carry its whole weight. */
#include "support/scale.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

enum { WIDE = 8, HIGH = 16, BANDS = 4 };
static const double SPACING = 0.01, GRAVITY = 9.81, DENSITY = 1000.0;

/* The tested methods and kinds of wall. */
typedef struct Way {
    const char *method;
    bool mesh;  /* the floor is one     */
    double off; /* what pressure may be */
} Way;

/* Pressure of the particles next to the floor, and next to a side at several heights: sums over particles and moments. */
typedef struct Wall {
    double pressure, depth; /* Pa, m */
    int64_t count;
} Wall;

static dlp_World *make_tank(const Way *way)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", way->method);
    def.spacing = SPACING;
    def.threads = 1; /* small, and other tests run in parallel */
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = DENSITY;
    material.viscosity = 1.0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    const double wide = WIDE * SPACING;
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.friction = 0.0;
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.size = (dlp_Vec3){wide, wide, 1.0};
    tank.shape.position = (dlp_Vec3){0.5 * wide, 0.5 * wide, way->mesh ? 0.4 : 0.5};
    assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    if (way->mesh) {
        dlp_SolidDef slab = dlp_default_solid_def();
        slab.friction = 0.0;
        slab.shape.kind = DLP_SHAPE_MESH;
        slab.shape.mesh = add_box_mesh(world, (dlp_Vec3){0.5, 0.5, 0.06});
        slab.shape.position = (dlp_Vec3){0.5 * wide, 0.5 * wide, -0.03};
        assert_int_equal(dlp_world_add_solid(world, &slab, NULL), DLP_OK);
    }
    add_lattice(world, 0, (const int[]){WIDE, WIDE, HIGH}, (dlp_Vec3){0.5 * SPACING, 0.5 * SPACING, 0.5 * SPACING});
    return world;
}

static void add_to(Wall *wall, double pressure, double depth)
{
    wall->pressure += pressure;
    wall->depth += depth;
    wall->count++;
}

static void look_at_walls(dlp_World *world, double surface, Wall *floor, Wall side[BANDS])
{
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        const double depth = surface - (double)p->position[2][i], pressure = (double)p->pressure[0][i];
        if ((double)p->position[2][i] < SPACING) {
            add_to(floor, pressure + DENSITY * GRAVITY * (double)p->position[2][i], surface);
        }
        const int band = (int)((double)p->position[2][i] / (HIGH * SPACING) * (BANDS + 1));
        if ((double)p->position[0][i] < SPACING && band < BANDS) { /* the last band is only a few particles deep */
            add_to(&side[band], pressure, depth);
        }
    }
}

static void check_wall(const char *name, const Wall *wall, double off)
{
    const double wanted = DENSITY * GRAVITY * wall->depth;
    print_message("%s, %.3f m deep: %.1f Pa, %.3f of the expected value\n", name, wall->depth / (double)wall->count,
                  wall->pressure / (double)wall->count, wall->pressure / wanted);
    assert_true(fabs(wall->pressure / wanted - 1.0) < off);
}

static void try_tank(const Way *way)
{
    dlp_World *world = make_tank(way);
    const double dt = 1.0 / 240.0;
    const int settling = 240, watching = 240;
    Wall floor = {0}, side[BANDS] = {0};
    double momentum = 0.0; /* kg m/s, upwards, gained by the fluid during the measurement */
    for (int step = 0; step < settling + watching; step++) {
        step_or_fail(world, dt);
        dlp_WorldStats stats;
        dlp_world_stats(world, &stats);
        if (step >= settling) {
            look_at_walls(world, 2.0 * stats.center.z, &floor, side);
        }
        if (step == settling - 1 || step == settling + watching - 1) {
            momentum += (step < settling ? -1.0 : 1.0) * stats.momentum.z;
        }
    }
    for (int band = 0; band < BANDS; band++) {
        check_wall("side", &side[band], way->off);
    }
    check_wall("floor", &floor, way->off);
    /* the fluid has not spread into the edges */
    assert_true(floor.depth / (double)floor.count > 0.97 * HIGH * SPACING);
    /* Internal forces cancel, so the walls carry the impulse of gravity minus the momentum gained by the fluid. */
    const double weight = GRAVITY * DENSITY * WIDE * WIDE * HIGH * SPACING * SPACING * SPACING;
    const double force = weight + momentum / (watching * dt);
    print_message("%s: walls bear %.5f of the weight\n", way->method, force / weight);
    assert_true(fabs(force / weight - 1.0) < 0.01);
    dlp_world_destroy(world);
}

static void walls_carry_the_weight_in_the_physical_solver(void **state)
{
    (void)state;
    if (small_scale()) {
        skip();
    }
    try_tank(&(Way){"physical", false, 0.05});
}

static void a_floor_of_triangles_carries_the_weight(void **state)
{
    (void)state;
    try_tank(&(Way){"physical", true, 0.05});
}

static void walls_carry_the_weight_in_position_based_methods(void **state)
{
    (void)state;
    if (small_scale()) {
        skip();
    }
    try_tank(&(Way){"pbf", false, 0.1});
    try_tank(&(Way){"conformation", false, 0.1});
}

/* Number of particles within a tenth of a spacing of the floor after half a second. */
static int64_t on_the_floor(const char *method, const char *walls, bool count)
{
    dlp_World *world = make_tank(&(Way){.method = method});
    int64_t lying = 0;
    set_method(world, walls, count);
    for (int step = 0; step < 120; step++) {
        step_or_fail(world, 1.0 / 240.0);
    }
    const dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        lying += (double)p->position[2][i] < 0.1 * SPACING;
    }
    print_message("%s, walls %s: %lld lie on the floor\n", method, count ? "count" : "do not count", (long long)lying);
    dlp_world_destroy(world);
    return lying;
}

/* The density of wall samples keeps the first layer half a spacing away. Without it nothing does, and more particles
 * accumulate on the floor than a layer has. */
static void fluid_keeps_its_distance_only_from_walls_with_density(void **state)
{
    (void)state;
    assert_int_equal(on_the_floor("pbf", "walls", true), 0);
    assert_true(on_the_floor("pbf", "walls", false) > WIDE * WIDE);
    assert_int_equal(on_the_floor("links", "density_walls", true), 0);
    assert_true(on_the_floor("links", "density_walls", false) > WIDE * WIDE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(walls_carry_the_weight_in_the_physical_solver),
                                       cmocka_unit_test(a_floor_of_triangles_carries_the_weight),
                                       cmocka_unit_test(walls_carry_the_weight_in_position_based_methods),
                                       cmocka_unit_test(fluid_keeps_its_distance_only_from_walls_with_density)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
