/* Springs give one result for any number of threads and any vector width in both forms, for any number of subdomains in
 * gather form, and across a checkpoint with springs alive.
 * ctest: threaded
 * ctest: timeout 300 */
#include "base/simd.h"
#include "methods/springs/springs_plan.h"
#include "support/kitchen.h"
#include "support/scale.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double DT = 0.004; /* s */

static int step_count(void)
{
    return small_scale() ? 20 : 60;
}

static KitchenDef kitchen_def(void)
{
    dlp_MaterialDef clay = dlp_default_material_def(), jelly = clay, water = clay;
    clay.modulus = 1000.0;
    jelly.modulus = 500.0;
    jelly.density = 1300.0;
    water.viscosity = 0.1;
    KitchenDef def = {{clay, jelly, water}, 0.5, dlp_default_solid_def()};
    def.ball.friction = 0.0;
    def.ball.density = 500.0; /* it floats */
    return def;
}

/* Clay, jelly and water. */
static dlp_World *make_kitchen(int form, int threads, int simd, int parts)
{
    dlp_WorldDef def = kitchen_world("springs", threads, simd, parts);
    def.support = 2.57;
    dlp_World *world = make_world(&def);
    set_method(world, "form", form);
    set_method(world, "beta", 1.0);
    set_method(world, "sound_speed", 4.0);
    const KitchenDef kitchen = kitchen_def();
    fill_kitchen(world, &kitchen);
    set_material_param(world, 0, "plasticity", 30.0);
    set_material_param(world, 0, "yield_ratio", 0.05);
    set_material_param(world, 0, "compress_yield_ratio", 0.0);
    return world;
}

static uint64_t run(int form, int threads, int simd, int parts)
{
    dlp_World *world = make_kitchen(form, threads, simd, parts);
    for (int step = 0; step < step_count(); step++) {
        step_or_fail(world, DT);
    }
    assert_true(dlp__bonds_count(&world->bonds) > 1000);
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

/* The reference is width 1 on one thread in one subdomain. */
static uint64_t oracle(int form)
{
    static uint64_t hash[3];
    if (hash[form] == 0) {
        hash[form] = run(form, 1, 1, 1);
        print_message("form %d: %016" PRIx64 "\n", form, hash[form]);
    }
    return hash[form];
}

static void threads_widths_and_parts_give_the_same_bits(void **state)
{
    (void)state;
    const int most = dlp__width_most();
    for (int form = DLP_SPRINGS_GATHER; form <= DLP_SPRINGS_SEQUENCE; form++) {
        static const int threads[] = {1, 2, 8};
        for (int t = 0; t < 3; t++) {
            assert_true(run(form, threads[t], most, 1) == oracle(form));
        }
    }
    for (int width = 4; width < most; width *= 2) {
        assert_true(run(DLP_SPRINGS_GATHER, 2, width, 1) == oracle(DLP_SPRINGS_GATHER));
    }
    for (int parts = 2; parts <= 4; parts *= 2) {
        assert_true(run(DLP_SPRINGS_GATHER, 2, most, parts) == oracle(DLP_SPRINGS_GATHER));
    }
}

static void a_checkpoint_goes_on_bit_for_bit(void **state)
{
    (void)state;
    for (int form = DLP_SPRINGS_GATHER; form <= DLP_SPRINGS_SEQUENCE; form++) {
        dlp_World *world = step_across_checkpoint(make_kitchen(form, 2, dlp__width_most(), 1), "springs.dollop",
                                                  step_count(), DT);
        assert_true(dlp_world_hash(world) == oracle(form));
        dlp_world_destroy(world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_widths_and_parts_give_the_same_bits),
        cmocka_unit_test(a_checkpoint_goes_on_bit_for_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
