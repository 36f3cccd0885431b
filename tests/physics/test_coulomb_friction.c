/* Friction between 0 and 1 is a Coulomb coefficient in every method: a block that slides on a floor is slowed by the coefficient
 * times its weight, whatever the time step. The momentum of the fluid changes by nothing else. Known answer: v = v0 - mu g t. */
#include "support/scale.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double SPEED = 1.0, COEFFICIENT = 0.1, GRAVITY = 9.81; /* m/s, -, m/s2 */

/* m/s2, at which a block of 10 by 10 by 4 particles is slowed over 0.1 s, after it has come to rest on the floor. */
static double deceleration(const char *method, double friction, double dt)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "%s", method);
    def.spacing = 0.01;
    def.threads = 1;
    def.periodic_size = (dlp_Vec3){0.1, 0.1, 0.0}; /* a periodic layer: it cannot spread */
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = 0.5;
    dlp_SolidDef floor = dlp_default_solid_def();
    floor.friction = friction;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_solid(world, &floor, NULL), DLP_OK);
    add_lattice(world, 0, (const int[]){10, 10, 4}, (dlp_Vec3){0, 0, 0});
    const double settle = 0.3, time = 0.1;
    dlp_WorldStats before, after;
    dlp__Particles *p = particles_of(world);
    for (int step = 0; step < (int)lround(settle / dt); step++) {
        step_or_fail(world, dt);
    }
    p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        p->velocity[0][i] += (float)SPEED;
    }
    dlp_world_stats(world, &before);
    for (int step = 0; step < (int)lround(time / dt); step++) {
        step_or_fail(world, dt);
    }
    dlp_world_stats(world, &after);
    const double mass = 1000.0 * 1e-6 * (double)after.particles;
    dlp_world_destroy(world);
    return (before.momentum.x - after.momentum.x) / (mass * time);
}

/* Measured over mu g; a step four times shorter must give the same. In position-based methods the weight on the first
 * layer has an error of up to a tenth (test_wall_pressure), and the block is still settling. */
static void check(const char *method, double tolerance)
{
    const double steps[] = {1.0 / 240.0, 1.0 / 480.0, 1.0 / 960.0};
    for (int n = 0; n < (small_scale() ? 1 : 3); n++) {
        const double ratio = deceleration(method, COEFFICIENT, steps[n]) / (COEFFICIENT * GRAVITY);
        print_message("%s at %.2g s: %.3f of mu g\n", method, steps[n], ratio);
        assert_true(fabs(ratio - 1.0) < tolerance);
    }
}

static void a_sliding_block_of_pbf_is_slowed_by_its_weight(void **state)
{
    (void)state;
    check("pbf", 0.1);
}

static void a_sliding_block_of_conformation_is_slowed_by_its_weight(void **state)
{
    (void)state;
    check("conformation", 0.1);
}

static void a_sliding_block_of_links_is_slowed_by_its_weight(void **state)
{
    (void)state;
    check("links", 0.1);
}

static void a_sliding_block_of_springs_is_slowed_by_its_weight(void **state)
{
    (void)state;
    check("springs", 0.1);
}

static void a_sliding_block_of_physical_is_slowed_by_its_weight(void **state)
{
    (void)state;
    check("physical", 0.1);
}

static void without_friction_nothing_slows_it(void **state)
{
    (void)state;
    static const char *const methods[] = {"pbf", "conformation", "links", "springs", "physical"};
    for (int m = 0; m < 5; m++) {
        assert_true(fabs(deceleration(methods[m], 0.0, 1.0 / 240.0)) < 0.01);
    }
}

static void what_method_physical_cannot_do_is_refused(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    dlp_World *world = make_world(&def);
    dlp_SolidDef ball = dlp_default_solid_def();
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = 0.1;
    ball.density = 500.0;
    ball.friction = 0.3;
    assert_int_equal(dlp_world_add_solid(world, &ball, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "no Coulomb friction between fluid and a free body"));
    ball.friction = 1.0;
    const dlp_Result added = dlp_world_add_solid(world, &ball, NULL);
    assert_true(added == DLP_OK || added == DLP_ERROR_UNSUPPORTED); /* a build without ODE has no free bodies */
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sliding_block_of_pbf_is_slowed_by_its_weight),
        cmocka_unit_test(a_sliding_block_of_conformation_is_slowed_by_its_weight),
        cmocka_unit_test(a_sliding_block_of_links_is_slowed_by_its_weight),
        cmocka_unit_test(a_sliding_block_of_springs_is_slowed_by_its_weight),
        cmocka_unit_test(a_sliding_block_of_physical_is_slowed_by_its_weight),
        cmocka_unit_test(without_friction_nothing_slows_it),
        cmocka_unit_test(what_method_physical_cannot_do_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
