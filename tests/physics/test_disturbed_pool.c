/* ctest: timeout 300
 * A pool of water that is disturbed: by a wall that moves through it, by steps of different length, by very short steps. */
#include "support/scale.h"

#include <dollop/world.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double STEP = 1.0 / 240.0; /* s */

static dlp_World *make_pool(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    def.spacing = small_scale() ? 0.05 : 0.02;
    def.threads = 1;
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    dlp_MaterialDef water = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.friction = 0.0;
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.size = (dlp_Vec3){0.8, 0.2, 2.0};
    tank.shape.position = (dlp_Vec3){0, 0, 1.0};
    assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = (dlp_Vec3){0.7, 0.2, 0.2};
    fluid.shape.position = (dlp_Vec3){0.05, 0, 0.1};
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    return world;
}

/* Step for a time (s); returns the stats, with the largest compressions and speed on the way. */
static dlp_WorldStats watch(dlp_World *world, double time, double dt)
{
    dlp_WorldStats stats = {0};
    double mean = 0.0, worst = 0.0, speed = 0.0;
    for (int64_t left = (int64_t)(time / dt + 0.5); left > 0; left--) {
        assert_int_equal(dlp_world_step(world, dt), DLP_OK);
        dlp_world_stats(world, &stats);
        mean = fmax(mean, stats.density_error);
        worst = fmax(worst, stats.density_worst);
        speed = fmax(speed, stats.speed_max);
    }
    stats.density_error = mean;
    stats.density_worst = worst;
    stats.speed_max = speed;
    return stats;
}

static void a_paddle_pushes_water_without_squeezing_it(void **state)
{
    (void)state;
    dlp_World *world = make_pool();
    dlp_SolidDef paddle = dlp_default_solid_def();
    paddle.friction = 0.0;
    paddle.shape.kind = DLP_SHAPE_BOX;
    paddle.shape.size = (dlp_Vec3){0.1, 0.3, 2.0};
    paddle.shape.position = (dlp_Vec3){-0.35, 0, 1.0};
    paddle.velocity = (dlp_Vec3){1.0, 0, 0};
    assert_int_equal(dlp_world_add_solid(world, &paddle, NULL), DLP_OK);
    dlp_WorldStats stats = watch(world, 0.25, STEP);
    print_message("paddle: mean compression %.2f %%, worst %.1f %%\n", 100.0 * stats.density_error,
                  100.0 * stats.density_worst);
    assert_true(stats.density_error < 0.01);
    assert_true(stats.density_worst < (small_scale() ? 0.2 : 0.1));
    assert_true(stats.lower.x > -0.05 - 1e-6); /* all in front of the paddle: it has come 0.25 m */
    dlp_world_destroy(world);
}

/* A ball added late starts at the position of its definition: it stays above the water, which is not affected. If it
 * had moved since time 0, it would appear in the middle of the water. */
static void a_solid_added_late_starts_where_it_is_put(void **state)
{
    (void)state;
    dlp_World *alone = make_pool(), *world = make_pool();
    watch(alone, 0.6, STEP);
    watch(world, 0.5, STEP);
    dlp_SolidDef ball = dlp_default_solid_def();
    ball.friction = 0.0;
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = 0.05;
    ball.shape.position = (dlp_Vec3){0, 0, 0.8};
    ball.velocity = (dlp_Vec3){0, 0, -1.4};
    assert_int_equal(dlp_world_add_solid(world, &ball, NULL), DLP_OK);
    watch(world, 0.1, STEP);
    assert_true(dlp_world_hash(world) == dlp_world_hash(alone));
    dlp_world_destroy(alone);
    dlp_world_destroy(world);
}

static void a_short_step_in_between_does_no_harm(void **state)
{
    (void)state;
    dlp_World *world = make_pool();
    watch(world, 1.0, STEP);
    for (int round = 0; round < 3; round++) {
        watch(world, 1e-4, 1e-4);
        dlp_WorldStats stats = watch(world, 2.0 * STEP, STEP);
        assert_true(stats.speed_max < 1.0); /* as before: the pool still sloshes a little */
    }
    dlp_world_destroy(world);
}

/* The artificial pressure must not grow as steps get shorter: it used to make the pool explode. */
static void short_steps_do_not_swell_the_pool(void **state)
{
    (void)state;
    dlp_World *coarse = make_pool(), *fine = make_pool();
    dlp_WorldStats a = watch(coarse, 0.1, 1.0 / 400.0),
                   b = watch(fine, 0.1, small_scale() ? 1.0 / 1600.0 : 1.0 / 6400.0);
    print_message("centre of mass after 0.1 s: %.4f m in long, %.4f m in short steps\n", a.center.z, b.center.z);
    assert_true(fabs(a.center.z - b.center.z) < (small_scale() ? 0.004 : 0.002));
    dlp_world_destroy(coarse);
    dlp_world_destroy(fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_paddle_pushes_water_without_squeezing_it),
                                       cmocka_unit_test(a_solid_added_late_starts_where_it_is_put),
                                       cmocka_unit_test(a_short_step_in_between_does_no_harm),
                                       cmocka_unit_test(short_steps_do_not_swell_the_pool)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
