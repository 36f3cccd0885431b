/* Method mps gives one result for any number of threads, any vector width and any number of subdomains, in both schemes, and across a
 * checkpoint with elastic strain.
 * ctest: threaded
 * ctest: timeout 300 */
#include "base/simd.h"
#include "methods/mps/mps_plan.h"
#include "support/kitchen.h"
#include "support/scale.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double DT = 0.002; /* s */

static int step_count(void)
{
    return small_scale() ? 6 : 20;
}

/* Jelly with surface tension, honey and a Maxwell fluid; the ball floats. */
static dlp_World *make_kitchen(int cohesion, int threads, int simd, int parts)
{
    dlp_MaterialDef jelly = dlp_default_material_def(), honey = jelly, dough = jelly;
    jelly.modulus = 1000.0;
    honey.viscosity = 10.0;
    honey.density = 1300.0;
    dough.viscosity = 50.0;
    dough.relaxation_time = 0.1;
    KitchenDef kitchen = {{jelly, honey, dough}, 0.5, dlp_default_solid_def()};
    kitchen.ball.density = 500.0;
    const dlp_WorldDef def = kitchen_world("mps", threads, simd, parts);
    dlp_World *world = make_world(&def);
    set_method(world, "cohesion", cohesion);
    fill_kitchen(world, &kitchen);
    set_material_param(world, 0, "surface_tension", 0.5);
    set_material_param(world, 0, "contact_angle", 1.0471975511965976);
    return world;
}

static uint64_t run(int cohesion, int threads, int simd, int parts)
{
    dlp_World *world = make_kitchen(cohesion, threads, simd, parts);
    for (int step = 0; step < step_count(); step++) {
        step_or_fail(world, DT);
    }
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

/* The reference is width 1 on one thread in one subdomain. */
static uint64_t oracle(int cohesion)
{
    static uint64_t hash[2];
    if (hash[cohesion] == 0) {
        hash[cohesion] = run(cohesion, 1, 1, 1);
        print_message("cohesion %d: %016" PRIx64 "\n", cohesion, hash[cohesion]);
    }
    return hash[cohesion];
}

static void threads_widths_and_parts_give_the_same_bits(void **state)
{
    (void)state;
    const int most = dlp__width_most();
    for (int cohesion = DLP_MPS_BY_PRESSURE; cohesion <= DLP_MPS_BY_POTENTIAL; cohesion++) {
        static const int threads[] = {1, 2, 8};
        for (int t = 0; t < 3; t++) {
            assert_true(run(cohesion, threads[t], most, 1) == oracle(cohesion));
        }
        for (int parts = 2; parts <= 8; parts *= 2) {
            assert_true(run(cohesion, 2, most, parts) == oracle(cohesion));
        }
    }
    for (int width = 4; width < most; width *= 2) {
        assert_true(run(DLP_MPS_BY_PRESSURE, 2, width, 1) == oracle(DLP_MPS_BY_PRESSURE));
    }
}

static void a_checkpoint_goes_on_bit_for_bit(void **state)
{
    (void)state;
    for (int cohesion = DLP_MPS_BY_PRESSURE; cohesion <= DLP_MPS_BY_POTENTIAL; cohesion++) {
        dlp_World *world = step_across_checkpoint(make_kitchen(cohesion, 2, dlp__width_most(), 1), "mps.dollop",
                                                  step_count(), DT);
        assert_true(dlp_world_hash(world) == oracle(cohesion));
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
