/* Free bodies predicted through the step of position-based fluids: flotation, sinking, stability of light bodies,
 * conservation of momentum, and restoring from files.
 * ctest: timeout 300 */
#include "support/kitchen.h"
#include "support/scale.h"
#include "support/tank_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const double DT = 1.0 / 240.0; /* s */

static TankDef tank_def(double density)
{
    return (TankDef){.method = "pbf", .density = density, .gravity = 9.81, .friction = 0.5, .threads = 2, .parts = 1};
}

/* The other solver that predicts bodies. */
static TankDef jacobi_def(double density, double viscosity)
{
    TankDef def = tank_def(density);
    def.method = "conformation";
    def.viscosity = viscosity;
    def.friction = 1.0;
    return def;
}

/* The fraction of the ball under the surface, averaged over the second half of the steps, because it bobs. */
static double float_ball(const TankDef *def, int steps)
{
    Tank tank = make_tank(def);
    const int late = steps / 2;
    double part = 0.0;
    for (int step = 0; step < steps; step++) {
        step_or_fail(tank.world, DT);
        part += step >= steps - late ? submerged(&tank) / late : 0.0;
    }
    print_message("density %g: %.3f of it is under the surface\n", def->density, part);
    dlp_world_destroy(tank.world);
    return part;
}

static void a_ball_floats_by_its_density(void **state)
{
    (void)state;
    static const double densities[] = {500.0, 800.0};
    for (int n = 0; n < 2; n++) {
        const TankDef def = tank_def(densities[n]);
        const double part = float_ball(&def, small_scale() ? 8 : 200);
        assert_true(small_scale() || fabs(part / (1e-3 * densities[n]) - 1.0) < 0.1);
    }
    const TankDef def = jacobi_def(700.0, 1.0);
    const double part = float_ball(&def, small_scale() ? 4 : 120);
    assert_true(small_scale() || fabs(part / 0.7 - 1.0) < 0.15);
}

/* On the floor, or on a trapped layer of particles. */
static void a_heavy_ball_sinks_to_the_bottom(void **state)
{
    (void)state;
    const TankDef def = tank_def(1500.0);
    Tank tank = make_tank(&def);
    for (int step = 0; step < (small_scale() ? 5 : 160); step++) {
        step_or_fail(tank.world, DT);
    }
    print_message("its centre is at a height of %.3f m\n", ball_of(&tank)->state.position.z);
    assert_true(small_scale() || fabs(ball_of(&tank)->state.position.z - BALL_RADIUS) < 0.01); /* one spacing */
    dlp_world_destroy(tank.world);
}

/* If the ball applied all impulses of the nearby particles at once, which are heavier than itself, it would be
 * thrown out of the fluid. */
static void a_light_ball_is_not_thrown_about(void **state)
{
    (void)state;
    const TankDef defs[] = {tank_def(100.0), tank_def(20.0), jacobi_def(100.0, 10.0)};
    for (int n = 0; n < 3; n++) {
        Tank tank = make_tank(&defs[n]);
        double fastest = 0.0, highest = 0.0, late = 0.0;
        const int steps = small_scale() ? 5 : 80;
        for (int step = 0; step < steps; step++) {
            step_or_fail(tank.world, DT);
            const dlp__BodyState *ball = &ball_of(&tank)->state;
            fastest = fmax(fastest, dlp__length(ball->velocity));
            late = step > steps / 2 ? fmax(late, dlp__length(ball->velocity)) : late;
            highest = fmax(highest, ball->position.z);
        }
        print_message("%s, density %g: at most %.3f m/s, later %.3f m/s, up to %.3f m\n", defs[n].method,
                      defs[n].density, fastest, late, highest);
        assert_true(fastest < 0.5);
        assert_true(highest < TANK_DEPTH + 1.5 * BALL_RADIUS);
        dlp_world_destroy(tank.world);
    }
}

/* Fluid that hits a ball in free space: the ball gains the momentum that the fluid loses. */
static void momentum_is_conserved(void **state)
{
    (void)state;
    TankDef defs[] = {tank_def(500.0), jacobi_def(500.0, 5.0)};
    for (int n = 0; n < 2; n++) {
        defs[n].gravity = 0.0;
        Tank tank = make_tank(&defs[n]);
        const dlp_Vec3 before = collide(&tank);
        for (int step = 0; step < 40; step++) {
            step_or_fail(tank.world, DT);
        }
        const double ball = ball_mass(&defs[n]) * dlp__length(ball_of(&tank)->state.velocity);
        const double gain = dlp__length(dlp__sub(momentum_of(&tank, &defs[n]), before));
        print_message("%s: the ball has %.4f of the momentum; %.2g of it is not conserved\n", defs[n].method,
                      ball / dlp__length(before), gain / ball);
        assert_true(ball > 0.01 * dlp__length(before));
        assert_true(gain < 1e-4 * ball);
        dlp_world_destroy(tank.world);
    }
}

static uint64_t hash_with(TankDef def, int threads, int parts)
{
    def.threads = threads;
    def.parts = parts;
    return tank_hash(&def, 8);
}

static void results_are_bit_identical_for_any_threads_and_parts(void **state)
{
    (void)state;
    const TankDef defs[] = {tank_def(400.0), jacobi_def(400.0, 2.0)};
    for (int n = 0; n < 2; n++) {
        const uint64_t hash = hash_with(defs[n], 1, 1);
        assert_true(hash_with(defs[n], 2, 1) == hash);
        assert_true(hash_with(defs[n], 8, 1) == hash);
        assert_true(hash_with(defs[n], 2, 2) == hash);
        assert_true(hash_with(defs[n], 2, 4) == hash);
    }
}

/* Fluids of different density that hit a ball: reactions use the mass of the current particle in every part. */
static uint64_t kitchen_hash(int parts)
{
    const dlp_WorldDef def = kitchen_world("pbf", 2, 0, parts);
    dlp_World *world = make_world(&def);
    KitchenDef kitchen = {{dlp_default_material_def(), dlp_default_material_def(), dlp_default_material_def()},
                          0.5,
                          dlp_default_solid_def()};
    kitchen.material[1].density = 1300.0;
    kitchen.ball.friction = 0.0;
    kitchen.ball.density = 500.0;
    fill_kitchen(world, &kitchen);
    for (int step = 0; step < (small_scale() ? 20 : 40); step++) {
        step_or_fail(world, DT);
    }
    const uint64_t hash = dlp_world_hash(world);
    dlp_world_destroy(world);
    return hash;
}

static void results_with_two_fluids_are_bit_identical_for_any_threads_and_parts(void **state)
{
    (void)state;
    const uint64_t hash = kitchen_hash(1);
    assert_true(kitchen_hash(2) == hash);
    assert_true(kitchen_hash(4) == hash);
}

static void a_checkpoint_restores_the_bodies(void **state)
{
    (void)state;
    const TankDef defs[] = {tank_def(400.0), jacobi_def(400.0, 2.0)};
    for (int n = 0; n < 2; n++) {
        Tank tank = make_tank(&defs[n]);
        for (int step = 0; step < 8; step++) {
            step_or_fail(tank.world, DT);
        }
        resume_tank(&tank);
        dlp_world_destroy(tank.world);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_floats_by_its_density),
        cmocka_unit_test(a_heavy_ball_sinks_to_the_bottom),
        cmocka_unit_test(a_light_ball_is_not_thrown_about),
        cmocka_unit_test(momentum_is_conserved),
        cmocka_unit_test(results_are_bit_identical_for_any_threads_and_parts),
        cmocka_unit_test(results_with_two_fluids_are_bit_identical_for_any_threads_and_parts),
        cmocka_unit_test(a_checkpoint_restores_the_bodies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
