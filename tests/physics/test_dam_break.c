/* ctest: slow full timeout 1500
 * The reference dam break of the base fluid: 100,000 particles, 2 s. Nightly only at this size: an eighth of the particles
 * for every change, and far fewer in sanitizer builds. */
#include "support/scale.h"

#include <dollop/world.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const dlp_Vec3 BOX = {2.0, 1.0, 1.5};      /* m */
static const dlp_Vec3 WATER = {0.8, 1.0, 1.0};    /* m */
static const int FRAMES = 100, STEPS_A_FRAME = 8; /* 50 frames and 400 steps a second */

static dlp_World *make_dam(double spacing)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    def.spacing = spacing;
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    dlp_MaterialDef water = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    dlp_SolidDef box = dlp_default_solid_def();
    box.friction = 0.0;
    box.shape.kind = DLP_SHAPE_CONTAINER;
    box.shape.size = BOX;
    box.shape.position = (dlp_Vec3){0.5 * BOX.x, 0.5 * BOX.y, 0.5 * BOX.z};
    assert_int_equal(dlp_world_add_solid(world, &box, NULL), DLP_OK);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = WATER;
    fluid.shape.position = (dlp_Vec3){0.5 * WATER.x, 0.5 * WATER.y, 0.5 * WATER.z};
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    return world;
}

static bool inside(const dlp_WorldStats *stats)
{
    const double rounding = 1e-6; /* m: positions are single precision */
    return stats->lower.x >= -rounding && stats->lower.y >= -rounding && stats->lower.z >= -rounding &&
           stats->upper.x <= BOX.x + rounding && stats->upper.y <= BOX.y + rounding &&
           stats->upper.z <= BOX.z + rounding;
}

/* Mean compression under 1 % over the run and under 3 % in every frame, and no particle outside the box. */
static void a_breaking_dam_keeps_its_volume_and_stays_in_its_box(void **state)
{
    (void)state;
    dlp_World *world = make_dam(full_scale() ? 0.02 : small_scale() ? 0.1 : 0.04);
    int64_t count = dlp_world_particle_count(world);
    assert_true(!full_scale() || count == 100000);
    double mean = 0.0, worst = 0.0;
    int64_t iterations = 0;
    dlp_WorldStats stats;
    for (int frame = 1; frame <= FRAMES; frame++) {
        for (int step = 0; step < STEPS_A_FRAME; step++) {
            assert_int_equal(dlp_world_step(world, 1.0 / 400.0), DLP_OK);
        }
        dlp_world_stats(world, &stats);
        assert_true(inside(&stats));
        mean += stats.density_error / FRAMES;
        worst = fmax(worst, stats.density_error);
        iterations += stats.iterations;
    }
    print_message("%lld particles: mean compression %.3f %%, largest frame %.3f %%, %.1f iterations a step\n",
                  (long long)count, 100.0 * mean, 100.0 * worst, (double)iterations / FRAMES);
    assert_true(mean < 0.01);
    assert_true(worst < 0.03);
    assert_int_equal(stats.particles, count);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_breaking_dam_keeps_its_volume_and_stays_in_its_box)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
