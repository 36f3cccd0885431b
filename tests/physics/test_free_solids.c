/* Free solids in fluid: flotation, sinking, conservation of momentum, and restoring from files.
 * ctest: timeout 300 */
#include "support/scale.h"
#include "support/tank_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static TankDef tank_def(double density, double viscosity)
{
    return (TankDef){.method = "physical",
                     .density = density,
                     .viscosity = viscosity,
                     .gravity = 9.81,
                     .friction = 1.0,
                     .threads = 2,
                     .parts = 1};
}

static void a_ball_floats_by_its_density(void **state)
{
    (void)state;
    static const double densities[] = {300.0, 600.0, 900.0};
    for (int n = 0; n < 3; n++) {
        const int steps = small_scale() ? 6 : 240, late = steps / 2;
        const TankDef def = tank_def(densities[n], 2.0);
        Tank tank = make_tank(&def);
        double part = 0.0;
        for (int step = 0; step < steps; step++) {
            step_or_fail(tank.world, 1.0 / 240.0);
            part += step >= late ? submerged(&tank) / late : 0.0; /* averaged, because it bobs */
        }
        print_message("density %g: %.3f of it is under the surface\n", densities[n], part);
        assert_true(small_scale() || fabs(part / (1e-3 * densities[n]) - 1.0) < 0.1);
        dlp_world_destroy(tank.world);
    }
}

static void a_heavy_ball_sinks_to_the_bottom(void **state)
{
    (void)state;
    const TankDef def = tank_def(1200.0, 1.0);
    Tank tank = make_tank(&def);
    for (int step = 0; step < (small_scale() ? 5 : 200); step++) {
        step_or_fail(tank.world, 1.0 / 240.0);
    }
    print_message("its centre is at a height of %.3f m\n", ball_of(&tank)->state.position.z);
    assert_true(small_scale() || fabs(ball_of(&tank)->state.position.z - BALL_RADIUS) < 0.003);
    dlp_world_destroy(tank.world);
}

/* Ten times lighter than the fluid, which is honey: if forces lagged behind by a step, it would be thrown out. */
static void a_light_ball_in_honey_is_stable(void **state)
{
    (void)state;
    const TankDef def = tank_def(100.0, 10.0);
    Tank tank = make_tank(&def);
    double fastest = 0.0;
    for (int step = 0; step < (small_scale() ? 5 : 120); step++) {
        step_or_fail(tank.world, 1.0 / 120.0);
        fastest = fmax(fastest, dlp__length(ball_of(&tank)->state.velocity));
    }
    print_message("at most %.3f m/s\n", fastest);
    assert_true(fastest < 0.5);
    dlp_world_destroy(tank.world);
}

/* Fluid that hits a ball in free space: the ball gains the momentum that the fluid loses. */
static void momentum_is_conserved(void **state)
{
    (void)state;
    TankDef def = tank_def(500.0, 5.0);
    def.gravity = 0.0;
    Tank tank = make_tank(&def);
    const dlp_Vec3 before = collide(&tank);
    for (int step = 0; step < 40; step++) {
        step_or_fail(tank.world, 1.0 / 240.0);
    }
    const double ball = ball_mass(&def) * dlp__length(ball_of(&tank)->state.velocity);
    const double gain = dlp__length(dlp__sub(momentum_of(&tank, &def), before));
    print_message("the ball has %.4f of the momentum; %.2g of it is not conserved\n", ball / dlp__length(before),
                  gain / dlp__length(before));
    assert_true(ball > 0.01 * dlp__length(before));
    assert_true(gain < 1e-4 * dlp__length(before));
    dlp_world_destroy(tank.world);
}

static uint64_t hash_with(int threads, int parts)
{
    TankDef def = tank_def(400.0, 2.0);
    def.threads = threads;
    def.parts = parts;
    return tank_hash(&def, 8);
}

static void results_are_bit_identical_for_any_threads_and_parts(void **state)
{
    (void)state;
    const uint64_t hash = hash_with(1, 1);
    assert_true(hash_with(2, 1) == hash);
    assert_true(hash_with(8, 1) == hash);
    assert_true(hash_with(2, 4) == hash);
}

static void a_checkpoint_restores_the_bodies(void **state)
{
    (void)state;
    const TankDef def = tank_def(400.0, 2.0);
    Tank tank = make_tank(&def);
    for (int step = 0; step < 8; step++) {
        step_or_fail(tank.world, 1.0 / 240.0);
    }
    resume_tank(&tank);
    dlp_world_destroy(tank.world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_floats_by_its_density),
                                       cmocka_unit_test(a_heavy_ball_sinks_to_the_bottom),
                                       cmocka_unit_test(a_light_ball_in_honey_is_stable),
                                       cmocka_unit_test(momentum_is_conserved),
                                       cmocka_unit_test(results_are_bit_identical_for_any_threads_and_parts),
                                       cmocka_unit_test(a_checkpoint_restores_the_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
