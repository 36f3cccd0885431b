/* Fluid on walls with Coulomb friction: it slides with the known speed, or stays. The study friction-slope does the
 * same at more sizes. */
#include "support/scale.h"
#include "support/world_fixture.h"

#include <dollop/files.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double GRAVITY = 9.81, HEIGHT = 0.02; /* m/s2; m, of a layer */
enum { HIGH = 8, ALONG = 8 /* particles */ };

/* A layer on a slope (rad) as the plane z = 0, periodic along it. */
static dlp_World *make_layer(double friction, double slope, double viscosity, double modulus)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = HEIGHT / HIGH;
    def.gravity = (dlp_Vec3){GRAVITY * sin(slope), 0, -GRAVITY * cos(slope)};
    def.periodic_size = (dlp_Vec3){ALONG * def.spacing, ALONG * def.spacing, 0};
    def.threads = 2;
    dlp_World *world = make_world(&def);
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = friction;
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = viscosity;
    material.modulus = modulus;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){ALONG, ALONG, HIGH}, (dlp_Vec3){0, 0, 0});
    return world;
}

/* m/s, of the whole layer. */
static double speed_after(dlp_World *world, int steps, double dt)
{
    dlp_WorldStats stats;
    for (int step = 0; step < steps; step++) {
        step_or_fail(world, dt);
    }
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    const double spacing = HEIGHT / HIGH;
    return stats.momentum.x / (1000.0 * spacing * spacing * spacing * (double)stats.particles);
}

static void a_layer_slides_by_coulombs_law(void **state)
{
    (void)state;
    static const double layers[][4] = {
        {0.5, 0.7, 10.0, 0.0}, {0.5, 0.7, 1000.0, 0.0}, {0.5, 0.7, 0.0, 2e4}, {0.2, 1.0, 10.0, 0.0}};
    const double dt = 1.0 / 120.0;
    const int steps = small_scale() ? 8 : 40;
    for (int n = 0; n < 4; n++) {
        const double friction = layers[n][0], slope = layers[n][1];
        dlp_World *world = make_layer(friction, slope, layers[n][2], layers[n][3]);
        const double before = speed_after(world, 5, dt); /* pressure needs some steps to build up */
        const double gain = speed_after(world, steps, dt) - before;
        const double known = GRAVITY * (sin(slope) - friction * cos(slope)) * steps * dt;
        print_message("friction %g, %g Pa s, %g Pa: gains %.3f of the known speed\n", friction, layers[n][2],
                      layers[n][3], gain / known);
        assert_true(small_scale() || fabs(gain / known - 1.0) < 0.05);
        dlp_world_destroy(world);
    }
}

/* Below the friction angle it stays, without creeping. */
static void a_layer_stays_below_the_angle_of_friction(void **state)
{
    (void)state;
    dlp_World *world = make_layer(0.5, 0.4, 0.0, 2e4);
    speed_after(world, 30, 1.0 / 120.0);
    dlp_WorldStats before, after;
    assert_int_equal(dlp_world_stats(world, &before), DLP_OK);
    const double speed = speed_after(world, small_scale() ? 10 : 120, 1.0 / 120.0);
    assert_int_equal(dlp_world_stats(world, &after), DLP_OK);
    print_message("%.1e m/s at the end, %.1e spacings in a second\n", speed,
                  (after.center.x - before.center.x) * HIGH / HEIGHT);
    assert_true(fabs(after.center.x - before.center.x) < 0.01 * HEIGHT / HIGH);
    dlp_world_destroy(world);
}

/* A sliding layer comes to rest after v^2 / (2 g f), and does not slide back. */
static void a_sliding_layer_stops(void **state)
{
    (void)state;
    const double friction = 0.5, speed = 0.5, dt = 1.0 / 240.0;
    dlp_World *world = make_layer(friction, 0.0, 1000.0, 0.0);
    double way = 0.0, last = speed;
    speed_after(world, 10, dt); /* until the floor carries its full weight */
    dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        p->velocity[0][i] += (float)speed;
    }
    for (int step = 0; step < (small_scale() ? 4 : 60); step++) {
        const double now = speed_after(world, 1, dt);
        way += 0.5 * dt * (last + now);
        last = now;
    }
    const double known = speed * speed / (2.0 * GRAVITY * friction);
    print_message("stops after %.3f of the known distance\n", way / known);
    assert_true(small_scale() || fabs(way / known - 1.0) < 0.05);
    dlp_world_destroy(world);
}

/* The friction force is part of the state: a layer resumed from a file continues bit for bit. */
static void friction_is_restored_from_a_file(void **state)
{
    (void)state;
    dlp_World *world = make_layer(0.5, 0.6, 10.0, 0.0), *again = NULL;
    dlp_Error error;
    speed_after(world, 6, 1.0 / 120.0);
    assert_int_equal(dlp_world_save(world, "friction.dollop"), DLP_OK);
    assert_int_equal(dlp_world_load("friction.dollop", NULL, &again, &error), DLP_OK);
    speed_after(world, 6, 1.0 / 120.0);
    speed_after(again, 6, 1.0 / 120.0);
    assert_true(dlp_world_hash(world) == dlp_world_hash(again));
    dlp_world_destroy(world);
    dlp_world_destroy(again);
    remove("friction.dollop");
}

/* Two plates of four particles fly apart so fast that they break into single particles, each with the tension at
 * which it broke. */
static void fragments_of_a_torn_drop_stay_where_they_land(void **state)
{
    (void)state;
    const double spacing = 0.002;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = spacing;
    dlp_World *world = make_world(&def);
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = 1.0;
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    dlp_MaterialDef honey = dlp_default_material_def();
    honey.viscosity = 6.0;
    assert_int_equal(dlp_world_add_material(world, &honey, NULL), DLP_OK);
    for (int side = -1; side <= 1; side += 2) {
        dlp_FluidDef plate = dlp_default_fluid_def();
        plate.shape.kind = DLP_SHAPE_BOX;
        plate.shape.size = (dlp_Vec3){spacing, 2.0 * spacing, 2.0 * spacing};
        plate.shape.position = (dlp_Vec3){0.5 * side * spacing, 0, 10.0 * spacing};
        plate.velocity = (dlp_Vec3){4.0 * side, 0, 0};
        assert_int_equal(dlp_world_add_fluid(world, &plate, NULL), DLP_OK);
    }
    dlp_WorldStats stats;
    for (int step = 0; step < 200; step++) { /* they land after 65 */
        step_or_fail(world, 0.001);
    }
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    print_message("fragments: %.2g m/s\n", stats.speed_max);
    assert_int_equal(stats.particles, 8);
    assert_true(stats.speed_max < 0.02);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_layer_slides_by_coulombs_law), cmocka_unit_test(a_layer_stays_below_the_angle_of_friction),
        cmocka_unit_test(a_sliding_layer_stops), cmocka_unit_test(friction_is_restored_from_a_file),
        cmocka_unit_test(fragments_of_a_torn_drop_stay_where_they_land)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
