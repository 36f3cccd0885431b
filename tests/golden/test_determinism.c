/* One result for any number of threads, any vector width, any run and any compiler: a dam break, hashed after its last
 * step. All parameters are set here, so that tuned defaults do not change it.
 * ctest: threaded
 * ctest: timeout 300 */
#include "base/simd.h"
#include "support/scale.h"
#include "support/world_fixture.h"

#include <dollop/world.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Values of all parameters of the method; one that is missing here would follow its default, and fails the test. */
static const struct {
    const char *name;
    double value;
} SETTINGS[] = {
    {"iterations", 5}, {"iterations_least", 5}, {"tolerance", 0.0}, {"relaxation", 0.5}, {"softness", 0.05},
    {"tensile", 1.0},  {"keep", 0.5},           {"recovery", 40.0}, {"walls", 1},
};
enum { SETTING_COUNT = sizeof SETTINGS / sizeof SETTINGS[0] };

static void set_every_parameter(dlp_World *world)
{
    const dlp_ParamTable *table = dlp_method_params("pbf");
    assert_non_null(table);
    unsigned char *params = calloc(1, table->size);
    assert_non_null(params);
    assert_int_equal(dlp_world_get_method(world, params, table->size), DLP_OK);
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        int found = -1;
        for (int s = 0; s < SETTING_COUNT; s++) {
            found = strcmp(SETTINGS[s].name, param->name) == 0 ? s : found;
        }
        if (found < 0) {
            fail_msg("pbf has a new parameter '%s': give it a value in SETTINGS and renew the golden hash",
                     param->name);
        } else if (param->type == DLP_PARAM_INT) {
            int64_t value = (int64_t)SETTINGS[found].value;
            memcpy(params + param->offset, &value, sizeof value);
        } else if (param->type == DLP_PARAM_BOOL) {
            bool value = SETTINGS[found].value != 0.0;
            memcpy(params + param->offset, &value, sizeof value);
        } else {
            assert_int_equal(param->type, DLP_PARAM_REAL);
            memcpy(params + param->offset, &SETTINGS[found].value, sizeof(double));
        }
    }
    assert_int_equal(dlp_world_set_method(world, params, table->size), DLP_OK);
    free(params);
}

/* 4,000 particles of water at one end of a tank, with a sphere in the way that swings and turns. */
static dlp_World *make_dam_break(int threads, int simd)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.spacing = 0.02;
    def.support = 2.0;
    def.kernel = DLP_KERNEL_CUBIC_SPLINE;
    def.gravity = (dlp_Vec3){0.0, 0.0, -9.81};
    def.threads = threads;
    def.simd = simd;
    dlp_World *world = NULL;
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    set_every_parameter(world);
    dlp_MaterialDef water = dlp_default_material_def();
    water.density = 1000.0;
    dlp_SolidDef tank = dlp_default_solid_def();
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.position = (dlp_Vec3){0.4, 0.1, 0.5};
    tank.shape.size = (dlp_Vec3){0.8, 0.2, 1.0};
    tank.friction = 0.0;
    dlp_SolidDef ball = dlp_default_solid_def();
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.position = (dlp_Vec3){0.55, 0.1, 0.1};
    ball.shape.radius = 0.06;
    ball.friction = 0.5;
    ball.amplitude = (dlp_Vec3){0.05, 0.0, 0.0};
    ball.frequency = 1.5;
    ball.spin = (dlp_Vec3){0.0, 3.0, 0.0};
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.position = (dlp_Vec3){0.2, 0.1, 0.2};
    fluid.shape.size = (dlp_Vec3){0.4, 0.2, 0.4};
    int64_t added = 0;
    assert_int_equal(dlp_world_add_material(world, &water, NULL), DLP_OK);
    set_material_param(world, 0, "smoothing", 0.02);
    assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &ball, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_fluid(world, &fluid, &added), DLP_OK);
    assert_int_equal(added, 4000);
    return world;
}

enum { FEW_STEPS = 25, ALL_STEPS = 300 };

/* The hashes after FEW_STEPS and, at full scale, after ALL_STEPS. */
typedef struct Hashes {
    uint64_t few, all;
} Hashes;

static Hashes run(int threads, int simd)
{
    Hashes hashes = {0, 0};
    dlp_World *world = make_dam_break(threads, simd);
    for (int step = 1; step <= (small_scale() ? FEW_STEPS : ALL_STEPS); step++) {
        if (dlp_world_step(world, 0.0025) != DLP_OK) {
            fail_msg("step %d: %s", step, dlp_world_error(world));
        }
        hashes.few = step == FEW_STEPS ? dlp_world_hash(world) : hashes.few;
        hashes.all = step == ALL_STEPS ? dlp_world_hash(world) : hashes.all;
    }
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    assert_int_equal(stats.threads, threads);
    assert_int_equal(stats.simd, simd);
    assert_true(stats.speed_max > 0.3); /* it has fallen */
    dlp_world_destroy(world);
    return hashes;
}

static void assert_same(Hashes got, Hashes expected)
{
    if (got.few != expected.few || got.all != expected.all) {
        fail_msg("%016" PRIx64 " and %016" PRIx64 " instead of %016" PRIx64 " and %016" PRIx64, got.few, got.all,
                 expected.few, expected.all);
    }
}

/* The reference is width 1; on two threads, because it takes longest. */
static Hashes oracle(void)
{
    static Hashes hashes;
    static bool known;
    if (!known) {
        hashes = run(2, 1);
        known = true;
    }
    return hashes;
}

static void every_number_of_threads_gives_the_same_bits(void **state)
{
    (void)state;
    static const int threads[] = {3, 8, 2, 2, 2, 1, 32};
    int runs = small_scale() ? 3 : (int)(sizeof threads / sizeof threads[0]);
    for (int t = 0; t < runs; t++) {
        assert_same(run(threads[t], dlp__width_most()), oracle());
    }
}

static void every_vector_width_gives_the_same_bits(void **state)
{
    (void)state;
    for (int width = 4; width <= dlp__width_most(); width *= 2) {
        assert_same(run(2, width), oracle());
    }
}

static void another_scene_gives_other_bits(void **state)
{
    (void)state;
    dlp_World *world = make_dam_break(1, dlp__width_most());
    assert_int_equal(dlp_world_set_gravity(world, (dlp_Vec3){1e-6, 0.0, -9.81}), DLP_OK);
    for (int step = 0; step < FEW_STEPS; step++) {
        assert_int_equal(dlp_world_step(world, 0.0025), DLP_OK);
    }
    assert_true(dlp_world_hash(world) != oracle().few);
    dlp_world_destroy(world);
}

/* Renew these only when the physics is meant to change: run this test in the release build, check that gcc and clang
 * print the same two hashes, and copy them here. */
static const Hashes GOLDEN = {0xb61872e7d57de14eu, 0x882391e88bd43d35u};

static void the_bits_are_the_golden_ones(void **state)
{
    (void)state;
    Hashes golden = GOLDEN;
    golden.all = small_scale() ? 0 : golden.all;
    assert_same(oracle(), golden);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_of_threads_gives_the_same_bits),
        cmocka_unit_test(every_vector_width_gives_the_same_bits),
        cmocka_unit_test(another_scene_gives_other_bits),
        cmocka_unit_test(the_bits_are_the_golden_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
