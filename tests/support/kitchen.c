#include "support/kitchen.h"

#include "base/simd.h"

#include <dollop/files.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

dlp_WorldDef kitchen_world(const char *method, int threads, int simd, int parts)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = 0.02;
    def.threads = threads;
    def.simd = simd;
    def.subdomains = parts;
    return def;
}

static void add_solids(dlp_World *world, const KitchenDef *def)
{
    dlp_SolidDef tank = dlp_default_solid_def(), ball = def->ball;
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.position = (dlp_Vec3){0.3, 0.1, 0.5};
    tank.shape.size = (dlp_Vec3){0.6, 0.2, 1.0};
    tank.friction = def->tank_friction;
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.position = (dlp_Vec3){0.3, 0.1, 0.15};
    ball.shape.radius = 0.05;
    assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &ball, NULL), DLP_OK);
}

void fill_kitchen(dlp_World *world, const KitchenDef *def)
{
    for (int m = 0; m < 3; m++) {
        assert_int_equal(dlp_world_add_material(world, &def->material[m], NULL), DLP_OK);
    }
    add_solids(world, def);
    for (int m = 0; m < 2; m++) {
        dlp_FluidDef fluid = dlp_default_fluid_def();
        fluid.material = m;
        fluid.shape.position = (dlp_Vec3){m == 0 ? 0.1 : 0.5, 0.1, 0.14};
        fluid.shape.size = (dlp_Vec3){0.16, 0.16, 0.16};
        fluid.velocity = (dlp_Vec3){m == 0 ? 1.0 : -1.0, 0.0, 0.0};
        assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    }
    dlp_EmitterDef emitter = dlp_default_emitter_def();
    emitter.material = 2;
    emitter.position = (dlp_Vec3){0.3, 0.1, 0.4};
    emitter.radius = 0.04;
    emitter.speed = 1.0;
    assert_int_equal(dlp_world_add_emitter(world, &emitter, NULL), DLP_OK);
}

dlp_World *step_across_checkpoint(dlp_World *world, const char *file, int steps, double dt)
{
    dlp_Error error = {DLP_OK, ""};
    for (int step = 0; step < steps; step++) {
        if (step == steps / 2) {
            assert_int_equal(dlp_world_save(world, file), DLP_OK);
            dlp_world_destroy(world);
            if (dlp_world_load(file, NULL, &world, &error) != DLP_OK) {
                fail_msg("%s", error.text);
            }
        }
        step_or_fail(world, dt);
    }
    return world;
}

static uint64_t run(const KitchenTest *test, int variant, int threads, int simd, int parts)
{
    dlp_World *world = test->make(variant, threads, simd, parts);
    for (int step = 0; step < test->steps; step++) {
        step_or_fail(world, test->dt);
    }
    if (parts == 1 && test->check != NULL) {
        test->check(world, variant);
    }
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static uint64_t reference(const KitchenTest *test, int variant)
{
    const uint64_t hash = run(test, variant, 1, 1, 1);
    print_message("variant %d: %016" PRIx64 "\n", variant, hash);
    return hash;
}

static void threads_widths_and_parts_give_the_same_bits(void **state)
{
    const KitchenTest *test = *state;
    static const int threads[] = {1, 2, 8};
    const int widest = dlp__width_most();
    for (int variant = 0; variant < test->variants; variant++) {
        const uint64_t expected = reference(test, variant);
        for (int t = 0; t < 3; t++) {
            assert_true(run(test, variant, threads[t], widest, 1) == expected);
        }
        for (int width = 4; width < widest; width *= 2) {
            assert_true(run(test, variant, 2, width, 1) == expected);
        }
        for (int parts = 2; parts <= 8 && variant < test->divisible; parts *= 2) {
            assert_true(run(test, variant, 2, widest, parts) == expected);
        }
    }
}

static void a_checkpoint_goes_on_bit_for_bit(void **state)
{
    const KitchenTest *test = *state;
    for (int variant = 0; variant < test->variants; variant++) {
        dlp_World *world = step_across_checkpoint(test->make(variant, 2, dlp__width_most(), 1), test->file, test->steps,
                                                  test->dt);
        assert_true(dlp_world_hash(world) == reference(test, variant));
        dlp_world_destroy(world);
    }
}

int run_kitchen_tests(const KitchenTest *test)
{
    KitchenTest state = *test;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(threads_widths_and_parts_give_the_same_bits, &state),
        cmocka_unit_test_prestate(a_checkpoint_goes_on_bit_for_bit, &state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
