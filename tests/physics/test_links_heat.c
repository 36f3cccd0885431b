/* The effect of temperature on method links: slumping, freezing and melting.
 * ctest: slow
 * ctest: timeout 600 */
#include "support/links_fixture.h"
#include "support/scale.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static double same_for_all(void *user, uint64_t id, const float position[3], double temperature)
{
    (void)id, (void)position, (void)temperature;
    return *(const double *)user;
}

static void warm(dlp_World *world, double temperature)
{
    assert_int_equal(dlp_world_warm(world, same_for_all, &temperature), DLP_OK);
}

/* The extension rate of links follows the fluidity at the temperature, whichever way the material defines it. */
static void a_block_slumps_by_its_temperature(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    static const dlp_ViscosityKey keys[] = {{290.0, 12.0}, {310.0, 4.0}};
    const struct {
        double temperature, activation;
        dlp_ViscosityLines lines;
        double factor; /* of the rate at 290 K */
    } cases[] = {
        {290.0, 0.0, DLP_LINES_LOGARITHM, 1.0},
        {300.0, 0.0, DLP_LINES_LOGARITHM, sqrt(3.0)},
        {300.0, 0.0, DLP_LINES_FLUIDITY, 2.0},
        {300.0, 60e3, DLP_LINES_LOGARITHM, exp(60e3 / 8.314462618 * (1.0 / 290.0 - 1.0 / 300.0))},
    };
    for (int n = 0; n < 4; n++) {
        const double rate = 0.8 * cases[n].factor;
        LinksFluid material = stretching_fluid(0.8);
        material.def.reference_temperature = 290.0;
        material.def.viscosity_lines = cases[n].lines;
        material.def.activation_energy = cases[n].activation;
        dlp_World *world = make_links(LINKS_GRAVITY, &material);
        assert_int_equal(dlp_world_set_material_viscosities(world, 0, keys, cases[n].activation > 0.0 ? 0 : 2), DLP_OK);
        add_links_floor(world, 0.0);
        add_links_cube(world, 12);
        warm(world, cases[n].temperature);
        run_links(world, 110, LINKS_DT);
        const double from = links_width(world);
        const int steps = 110;
        run_links(world, steps, LINKS_DT);
        const double found = log(links_width(world) / from) / (steps * LINKS_DT);
        print_message("at %.0f K spreads at %.3f 1/s, links lengthen at %.3f 1/s\n", cases[n].temperature, found, rate);
        assert_true(fabs(found / rate - 1.0) < 0.1);
        dlp_world_destroy(world);
    }
}

/* A material that is liquid above 330 K. */
static LinksFluid freezing(void)
{
    LinksFluid material = stretching_fluid(6.0);
    material.def.temperature = 350.0;
    material.def.melting_point = 330.0;
    material.def.frozen_modulus = 1e6;
    material.own.smooth.smoothing = 0.05;
    return material;
}

/* kg/m3, of particles inside the fluid. */
static double inner_density(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    double sum = 0.0;
    int64_t count = 0;
    for (int64_t i = 0; i < p->count; i++) {
        int around = 0;
        for (int64_t j = 0; j < p->count; j++) {
            double r2 = 0.0;
            for (int a = 0; a < 3; a++) {
                const double way = (double)p->position[a][i] - (double)p->position[a][j];
                r2 += way * way;
            }
            around += r2 < 2.2 * 2.2 * LINKS_SPACING * LINKS_SPACING;
        }
        if (around > 40) {
            sum += (double)p->density[0][i];
            count++;
        }
    }
    return count > 0 ? sum / (double)count : 0.0;
}

/* A slumping heap is frozen, melts, and is frozen again. */
static void freezing_and_melting_can_be_undone(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    const LinksFluid material = freezing();
    dlp_World *world = make_links(LINKS_GRAVITY, &material);
    add_links_floor(world, 1.0);
    add_links_cube(world, 10);
    double density[2] = {0.0, 0.0}, height[2];
    for (int round = 0; round < 2; round++) {
        warm(world, 350.0);
        run_links(world, 80, LINKS_DT);
        warm(world, 300.0);
        run_links(world, 400, LINKS_DT);
        const double before = stats_of_links(world).center.z;
        run_links(world, 100, LINKS_DT);
        const dlp_WorldStats frozen = stats_of_links(world);
        density[round] = inner_density(world);
        height[round] = frozen.center.z;
        print_message("frozen: inside %.1f kg/m3, centre at %.4f m (%.4f before), at most %.4f m/s\n", density[round],
                      height[round], before, frozen.speed_max);
        assert_true(frozen.speed_max < 0.02);
        assert_true(fabs(height[round] / before - 1.0) < 0.01);
    }
    assert_true(height[1] < 0.95 * height[0]);
    assert_true(fabs(density[1] / density[0] - 1.0) < 0.02);
    dlp_world_destroy(world);
}

/* m, of the particles about their centre: the root mean square distance */
static double spread_of(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    const dlp_Vec3 center = stats_of_links(world).center;
    double sum = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const dlp_Vec3 way = dlp__sub(dlp__vec3(p->position[0][i], p->position[1][i], p->position[2][i]), center);
        sum += dlp__dot(way, way);
    }
    return sqrt(sum / (double)p->count);
}

/* A ball that freezes while it rotates continues to rotate as a rigid body and bounces off the floor; a liquid ball does not. */
static void a_frozen_ball_rotates_rigidly_and_bounces(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    double risen[2];
    for (int frozen = 0; frozen < 2; frozen++) {
        LinksFluid material = freezing();
        material.own.smooth.smoothing = 0.0;
        dlp_World *world = make_links(0.0, &material);
        add_links_floor(world, 0.0);
        add_fluid_ball(world, 0.05, (dlp_Vec3){0, 0, 0.25}, (dlp_Vec3){0, 0, -1.0}, (dlp_Vec3){0, 0, 6.0});
        warm(world, frozen ? 300.0 : 350.0);
        run_links(world, 20, LINKS_DT);
        const double size = spread_of(world), spin = stats_of_links(world).angular.z;
        run_links(world, 140, LINKS_DT);
        const double later = spread_of(world), spin_later = stats_of_links(world).angular.z;
        run_links(world, 200, LINKS_DT);
        const dlp_WorldStats after = stats_of_links(world);
        const double mass = 1000.0 * LINKS_SPACING * LINKS_SPACING * LINKS_SPACING * (double)particles_of(world)->count;
        risen[frozen] = after.momentum.z / mass;
        print_message("%s: %.4f of its size, %.4f of its spin, off the floor at %.3f m/s of 1\n",
                      frozen ? "frozen" : "liquid", later / size, spin_later / spin, risen[frozen]);
        assert_true(!frozen || (fabs(later / size - 1.0) < 0.01 && fabs(spin_later / spin - 1.0) < 0.02));
        dlp_world_destroy(world);
    }
    assert_true(risen[1] > 0.3 && risen[1] > 2.0 * risen[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_slumps_by_its_temperature),
        cmocka_unit_test(freezing_and_melting_can_be_undone),
        cmocka_unit_test(a_frozen_ball_rotates_rigidly_and_bounces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
