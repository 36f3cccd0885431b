/* The coupled operator of the physical solver: symmetric and positive, also with mirror images in walls; rigid
 * motion causes no force; conjugate gradients converge to the solution; and the blocks of the preconditioner are those of the operator. */
#include "base/simd.h"
#include "methods/physical/physical_solver.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double D = 0.01; /* m */

/* A disordered lump in the corner of a tank, or free. Its velocities are set to `flow` before each step. */
static dlp_World *make_lump(bool in_corner, double friction, double viscosity, uint64_t seed)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = D;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.threads = 1;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = viscosity;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    if (in_corner) {
        dlp_SolidDef tank = dlp_default_solid_def();
        tank.shape.kind = DLP_SHAPE_CONTAINER;
        tank.shape.size = (dlp_Vec3){1, 1, 1};
        tank.shape.position = (dlp_Vec3){0.5, 0.5, 0.5};
        tank.friction = friction;
        assert_int_equal(dlp_world_add_solid(world, &tank, NULL), DLP_OK);
    }
    float points[3 * 343];
    for (int i = 0; i < 343; i++) {
        const int at[3] = {i % 7, i / 7 % 7, i / 49};
        for (int a = 0; a < 3; a++) {
            points[3 * i + a] = (float)(D * (at[a] + 0.5 + 0.3 * (random_number(&seed) - 0.5)));
        }
    }
    assert_int_equal(dlp_world_add_points(world, 0, points, 343, (dlp_Vec3){0, 0, 0}), DLP_OK);
    return world;
}

static double noise_of(uint64_t id, int axis, int pattern)
{
    uint64_t seed = id * 0x9e3779b97f4a7c15u + (uint64_t)(axis * 7919 + pattern * 104729 + 1);
    random_number(&seed);
    return random_number(&seed) - 0.5;
}

typedef struct Pattern {
    int number;
    dlp_Vec3 spin;
} Pattern;

static void give_pattern(void *user, uint64_t id, const float x[3], float velocity[3])
{
    const Pattern *pattern = user;
    const double spin[3] = {pattern->spin.y * (double)x[2] - pattern->spin.z * (double)x[1],
                            pattern->spin.z * (double)x[0] - pattern->spin.x * (double)x[2],
                            pattern->spin.x * (double)x[1] - pattern->spin.y * (double)x[0]};
    for (int a = 0; a < 3; a++) {
        velocity[a] = (float)(pattern->number > 0 ? 1e-3 * noise_of(id, a, pattern->number) : spin[a]);
    }
}

/* One step from pattern `from`, solved to single precision, so that M u = M pattern - dt A u; returns the product of
 * the result with pattern `with`. A is symmetric if and only if these products are. */
static double response(bool in_corner, double friction, int from, int with)
{
    dlp_World *world = make_lump(in_corner, friction, 50.0, 3);
    set_method(world, "tolerance", 1e-6);
    set_method(world, "iterations", 2000);
    set_method(world, "fick_shift", 0.0);
    set_method(world, "density_shift", 0.0);
    Pattern pattern = {.number = from};
    assert_int_equal(dlp_world_push(world, give_pattern, &pattern), DLP_OK);
    step_or_fail(world, 1e-3);
    const dlp__Particles *p = particles_of(world);
    double sum = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        for (int a = 0; a < 3; a++) {
            sum += (double)p->velocity[a][i] * 1e-3 * noise_of(p->id[0][i], a, with);
        }
    }
    dlp_world_destroy(world);
    return sum;
}

static void the_operator_is_symmetric(void **state)
{
    (void)state;
    const struct {
        bool in_corner;
        double friction;
    } cases[] = {{false, 0.0}, {true, 1.0}, {true, 0.0}, {true, 0.4}};
    for (int n = 0; n < 4; n++) {
        double there = response(cases[n].in_corner, cases[n].friction, 1, 2);
        double back = response(cases[n].in_corner, cases[n].friction, 2, 1);
        double own = response(cases[n].in_corner, cases[n].friction, 1, 1);
        print_message("%d: %.6e and %.6e of %.6e\n", n, there, back, own);
        assert_true(own > 0.0);
        assert_true(fabs(there - back) < 2e-4 * own);
    }
}

/* At any stiffness: rotation causes no stress, also at free surfaces. */
static void a_spinning_lump_has_no_force(void **state)
{
    (void)state;
    dlp_World *world = make_lump(false, 0.0, 1e4, 5);
    Pattern pattern = {.spin = {0.3, -0.2, 0.5}};
    assert_int_equal(dlp_world_push(world, give_pattern, &pattern), DLP_OK);
    dlp_WorldStats before, after;
    dlp_world_stats(world, &before);
    for (int step = 0; step < 20; step++) {
        step_or_fail(world, 1e-3);
    }
    dlp_world_stats(world, &after);
    const double loss = 1.0 - after.angular.z / before.angular.z;
    print_message("angular momentum lost: %.2e, energy %.2e\n", loss,
                  1.0 - after.kinetic_energy / before.kinetic_energy);
    assert_true(fabs(loss) < 1e-3);
    assert_true(fabs(1.0 - after.kinetic_energy / before.kinetic_energy) < 2e-3);
    dlp_world_destroy(world);
}

/* Column `axis` of the operator's block of particle i: the product for a unit velocity of this particle alone. */
static void operator_column(dlp_World *world, const dlp__PhysicalArguments *arguments, int64_t i, int axis,
                            double column[3])
{
    const dlp__PhysicalOperatorStages *stages = &dlp__physical_operator_stages_w1;
    dlp__Particles *p = particles_of(world);
    for (int a = 0; a < 3; a++) {
        memset(p->search[a], 0, (size_t)p->count * sizeof(float));
    }
    p->search[axis][i] = 1.0f;
    dlp__run(&world->domains, &stages->flux, arguments);
    dlp__run(&world->domains, &stages->divergence, arguments);
    for (int a = 0; a < 3; a++) {
        column[a] = (double)p->product[a][i];
    }
}

/* The largest entry of inverse block times block minus identity, for a particle. */
static double block_error(dlp_World *world, const dlp__PhysicalArguments *arguments, int64_t i)
{
    static const int entry[3][3] = {{0, 3, 4}, {3, 1, 5}, {4, 5, 2}};
    const dlp__Particles *p = particles_of(world);
    double error = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double column[3];
        operator_column(world, arguments, i, axis, column);
        for (int a = 0; a < 3; a++) {
            double sum = a == axis ? -1.0 : 0.0;
            for (int b = 0; b < 3; b++) {
                sum += (double)p->velocity_gradient[entry[a][b]][i] * column[b];
            }
            error = fmax(error, fabs(sum));
        }
    }
    return error;
}

/* The blocks take the stabilization coefficient of the neighbours to be the particle's own, which is inexact at free surfaces. */
static void the_blocks_are_those_of_the_operator(void **state)
{
    (void)state;
    dlp_World *world = make_lump(false, 0.0, 50.0, 3);
    Pattern pattern = {.number = 1};
    const float dt = 1e-3f;
    assert_int_equal(dlp_world_push(world, give_pattern, &pattern), DLP_OK);
    step_or_fail(world, (double)dt); /* leaves coefficients, lists and pair weights */
    dlp__Particles *p = particles_of(world);
    const dlp__PhysicalArguments arguments = {.dt = dt, .inertia = 1.0f};
    for (int64_t i = 0; i < p->count; i++) {
        p->mobility[0][i] = p->specific_volume[0][i];
    }
    dlp__run(&world->domains, &dlp__physical_block_stages_w1.invert, &arguments);
    double worst = 0.0, sum = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const double error = block_error(world, &arguments, i);
        worst = fmax(worst, error);
        sum += error;
    }
    print_message("error of the inverse blocks: %.2e on average, %.2e at most\n", sum / (double)p->count, worst);
    assert_true(worst < 0.1);
    assert_true(sum < 0.02 * (double)p->count);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_operator_is_symmetric),
                                       cmocka_unit_test(a_spinning_lump_has_no_force),
                                       cmocka_unit_test(the_blocks_are_those_of_the_operator)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
