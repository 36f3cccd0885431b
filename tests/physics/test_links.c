/* Links between particles (method links) against known answers: extension rates of a pair, a block and a viscous lump,
 * conservation of momentum, rest, which pairs are linked, and the effect of temperature.
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

/* Two particles are pulled apart: their link lengthens by the mean of both rates, and their distance is its length. */
static void a_pair_separates_as_fast_as_its_link_lengthens(void **state)
{
    (void)state;
    const double rates[2] = {2.0, 6.0}, apart = 1.5 * LINKS_SPACING;
    const int steps = 50;
    const LinksFluid light = stretching_fluid(rates[0]);
    LinksFluid heavy = stretching_fluid(rates[1]);
    heavy.def.density = 4000.0;
    dlp_World *world = make_links(0.0, &light);
    add_links_fluid(world, &heavy);
    for (int m = 0; m < 2; m++) {
        const float place[3] = {(float)(m * apart), 0.0f, 0.0f};
        assert_int_equal(dlp_world_add_points(world, m, place, 1, (dlp_Vec3){0, 0, 0}), DLP_OK);
    }
    run_links(world, 1, LINKS_DT); /* creates the link */
    dlp__Particles *p = particles_of(world);
    const dlp_WorldStats before = stats_of_links(world);
    for (int n = 0; n < steps; n++) {
        for (int64_t i = 0; i < 2; i++) {
            p->velocity[0][i] = p->material[0][i] == 0 ? -4.0f : 1.0f; /* zero total momentum */
        }
        run_links(world, 1, LINKS_DT);
    }
    const dlp_WorldStats after = stats_of_links(world);
    const double found = fabs((double)(p->position[0][0] - p->position[0][1])) / apart;
    const double expected = pow(1.0 + 0.5 * (rates[0] + rates[1]) * LINKS_DT, steps);
    print_message("stretched to %.5f, expected %.5f; centre went by %.2g m\n", found, expected,
                  after.center.x - before.center.x);
    assert_true(fabs(found / expected - 1.0) < 1e-3);
    assert_true(fabs(after.center.x - before.center.x) < 1e-6);
    dlp_world_destroy(world);
}

/* A rotating body of two materials in free fall for 0.25 s. */
static void a_falling_lump_keeps_its_momentum(void **state)
{
    (void)state;
    LinksFluid material = stretching_fluid(1.0);
    dlp_World *world = make_links(2.0, &material);
    material.def.density = 300.0;
    material.own.extension_rate = 0.2;
    add_links_fluid(world, &material);
    add_fluid_ball(world, 0.06, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){1.0, 0.5, -0.25}, (dlp_Vec3){1.0, -2.0, 4.0});
    dlp__Particles *p = particles_of(world);
    double mass = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        p->material[0][i] = p->position[0][i] > 0.0f;
        mass += world->materials[p->material[0][i]].density * LINKS_SPACING * LINKS_SPACING * LINKS_SPACING;
    }
    const double dt = 1.0 / 1024.0;
    const int steps = 256;
    const dlp_WorldStats before = stats_of_links(world);
    run_links(world, steps, dt);
    const dlp_WorldStats after = stats_of_links(world);
    const dlp_Vec3 expected = dlp__add(before.momentum, dlp__vec3(0, 0, -mass * 2.0 * dt * steps));
    const dlp_Vec3 spin = dlp__sub(before.angular, dlp__cross(before.center, before.momentum));
    const dlp_Vec3 spin_after = dlp__sub(after.angular, dlp__cross(after.center, after.momentum));
    const double linear = dlp__length(dlp__sub(after.momentum, expected)) / dlp__length(expected);
    const double angular = dlp__length(dlp__sub(spin_after, spin)) / dlp__length(spin);
    print_message("momentum off by %.2g, angular momentum by %.2g, %.1f links a particle\n", linear, angular,
                  (double)dlp__bonds_count(&world->bonds) / (double)p->count);
    assert_true(dlp__bonds_count(&world->bonds) > 20 * p->count);
    assert_true(linear < 1e-4);
    assert_true(angular < 0.05);
    dlp_world_destroy(world);
}

/* On a free-slip floor gravity uses all the extension that links allow: the block spreads to both sides at their rate,
 * and sinks at twice that rate. */
static void a_block_slumps_at_the_rate_of_its_links(void **state)
{
    (void)state;
    const double rate = 0.001 / LINKS_DT;
    const LinksFluid material = stretching_fluid(rate);
    dlp_World *world = make_links(LINKS_GRAVITY, &material);
    add_links_floor(world, 0.0);
    add_links_cube(world, 12);
    const int settle = 110, steps = small_scale() ? 110 : 330;
    run_links(world, settle, LINKS_DT);
    const double from = links_width(world);
    run_links(world, steps, LINKS_DT);
    const double found = log(links_width(world) / from) / (steps * LINKS_DT);
    print_message("spreads at %.3f 1/s, links lengthen at %.3f 1/s\n", found, rate);
    assert_true(fabs(found / rate - 1.0) < 0.1);
    dlp_world_destroy(world);
}

/* Height of the centre of a ball that slumps for half a second. */
static double slumped_height(double rate)
{
    const LinksFluid material = stretching_fluid(rate);
    dlp_World *world = make_links(LINKS_GRAVITY, &material);
    add_links_floor(world, 1.0);
    add_fluid_ball(world, 0.06, (dlp_Vec3){0, 0, 0.06}, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0});
    run_links(world, (int)(0.5 / LINKS_DT), LINKS_DT);
    const double height = stats_of_links(world).center.z;
    dlp_world_destroy(world);
    return height;
}

static void lumps_slump_in_the_order_of_their_rates(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    const double rates[] = {0.0, 0.001 / LINKS_DT, 0.003 / LINKS_DT, 0.005 / LINKS_DT, LINKS_NONE};
    double last = INFINITY;
    for (int n = 0; n < 5; n++) {
        const double height = slumped_height(rates[n]);
        print_message("links that lengthen by %.3f 1/s: the centre is %.4f m high\n", rates[n], height);
        assert_true(height < 0.97 * last);
        last = height;
    }
}

static void a_ball_that_cannot_lengthen_comes_to_rest_for_good(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    LinksFluid material = stretching_fluid(0.0);
    material.own.smooth.smoothing = 0.05; /* with less, its particle lattice collapses once in the first seconds */
    dlp_World *world = make_links(LINKS_GRAVITY, &material);
    add_links_floor(world, 1.0);
    add_fluid_ball(world, 0.06, (dlp_Vec3){0, 0, 0.065}, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0});
    run_links(world, (int)(0.5 / LINKS_DT), LINKS_DT);
    const double height = stats_of_links(world).center.z;
    double most = 0.0;
    for (int n = 0; n < 10; n++) {
        run_links(world, (int)(0.05 / LINKS_DT), LINKS_DT);
        most = fmax(most, stats_of_links(world).kinetic_energy);
    }
    const double later = stats_of_links(world).center.z;
    print_message("%.2g J at most, centre at %.4f m, half a second later at %.4f m\n", most, height, later);
    assert_true(most < 1e-4);
    assert_true(fabs(later - height) < 0.01 * height);
    dlp_world_destroy(world);
}

/* On a free-slip floor a Newtonian lump of height H sinks by H' = -rho g H^2 / (6 eta), so H = H0 / (1 + rho g H0 t / (6 eta)), and
 * keeps its volume. It is measured by its width, because it is compressed by 3 % as it settles under its weight. */
static void a_viscous_lump_spreads_as_its_viscosity_asks(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    for (int n = 0; n < 2; n++) {
        const double viscosity = n == 0 ? 100.0 : 400.0;
        LinksFluid material = links_fluid();
        material.def.viscosity = viscosity;
        dlp_World *world = make_links(LINKS_GRAVITY, &material);
        add_links_floor(world, 0.0);
        add_links_cube(world, 12);
        const double start = links_width(world), time = 0.3;
        run_links(world, (int)(time / LINKS_DT), LINKS_DT);
        const double found = links_width(world) / start;
        const double expected = sqrt(1.0 + 1000.0 * LINKS_GRAVITY * 12 * LINKS_SPACING * time / (6.0 * viscosity));
        print_message("%g Pa s: %.4f times as wide, expected %.4f\n", viscosity, found, expected);
        assert_true(fabs((found - 1.0) / (expected - 1.0) - 1.0) < 0.1);
        dlp_world_destroy(world);
    }
}

/* Height (m) of the topmost particle, `steps` later. */
static double top_after(dlp_World *world, int steps)
{
    run_links(world, steps, LINKS_DT);
    return stats_of_links(world).upper.z;
}

/* A slumping lump is frozen: it keeps its shape and comes to rest. Then it melts, and continues to slump. */
static void a_lump_freezes_and_melts_with_its_material(void **state)
{
    (void)state;
    LinksFluid wax = stretching_fluid(3.0), solid = links_fluid();
    wax.own.smooth.smoothing = solid.own.smooth.smoothing = 0.05;
    solid.def.modulus = 1e6;
    dlp_World *world = make_links(LINKS_GRAVITY, &wax);
    add_links_floor(world, 1.0);
    add_links_cube(world, 8);
    const double start = top_after(world, 0), warm = top_after(world, 100);
    set_links_fluid(world, 0, &solid);
    run_links(world, 200, LINKS_DT);
    const double cold = top_after(world, 0), energy = stats_of_links(world).kinetic_energy,
                 later = top_after(world, 300);
    set_links_fluid(world, 0, &wax);
    const double molten = top_after(world, 100);
    print_message("top at %.4f m, slumps to %.4f, frozen at %.4f with %.2g J and %.4f later, molten to %.4f\n", start,
                  warm, cold, energy, later, molten);
    assert_true(warm < 0.95 * start);
    assert_true(energy < 1e-4);
    assert_true(fabs(later - cold) < 0.01 * cold);
    assert_true(molten < 0.97 * later);
    dlp_world_destroy(world);
}

/* Stretched to both sides and released; its links stay the same. */
static void an_elastic_body_springs_back(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    LinksFluid jelly = links_fluid();
    jelly.def.modulus = 5000.0;
    dlp_World *world = make_links(0.0, &jelly);
    add_links_cube(world, 8);
    run_links(world, 2, LINKS_DT); /* creates the links */
    dlp__Particles *p = particles_of(world);
    const int64_t links = dlp__bonds_count(&world->bonds);
    const double start = links_width(world);
    for (int64_t i = 0; i < p->count; i++) {
        p->position[0][i] *= 1.3f;
        p->position[1][i] *= 1.3f;
        p->position[2][i] /= 1.69f;
    }
    run_links(world, (int)(1.0 / LINKS_DT), LINKS_DT);
    const double end = links_width(world);
    print_message("stretched to 1.3 of its width, back at %.4f\n", end / start);
    assert_true(fabs(end / start - 1.0) < 0.05);
    assert_true(dlp__bonds_count(&world->bonds) == links);
    dlp_world_destroy(world);
}

/* The modulus (Pa) from the frequency k sqrt(G / rho) of a standing shear wave in an unbounded body. */
static double modulus_of_wave(double asked, int iterations, double dt)
{
    const int along = 16;
    const double pi = 3.14159265358979324, wave = 2.0 * pi / (along * LINKS_SPACING);
    LinksFluid jelly = links_fluid();
    jelly.def.modulus = asked;
    jelly.own.smooth.smoothing = 0.0;
    dlp_World *world = make_links_in((dlp_Vec3){0, 0, 0},
                                     (dlp_Vec3){6 * LINKS_SPACING, 6 * LINKS_SPACING, along * LINKS_SPACING}, &jelly);
    set_method(world, "iterations", iterations);
    add_lattice(world, 0, (const int[]){6, 6, along},
                (dlp_Vec3){0.5 * LINKS_SPACING, 0.5 * LINKS_SPACING, 0.5 * LINKS_SPACING});
    run_links(world, 1, dt); /* creates the links */
    dlp__Particles *p = particles_of(world);
    for (int64_t i = 0; i < p->count; i++) {
        p->velocity[0][i] = (float)(0.02 * sqrt(asked / jelly.def.density) * sin(wave * (double)p->position[2][i]));
    }
    const double longest = 10.0 / (wave * sqrt(asked / jelly.def.density));
    double speed = 1.0, last = 1.0, time = 0.0;
    for (; speed > 0.0 && time < longest; time += dt) { /* until it reverses, after a quarter of its period */
        run_links(world, 1, dt);
        last = speed;
        speed = 0.0;
        for (int64_t i = 0; i < p->count; i++) {
            speed += (double)p->velocity[0][i] * sin(wave * (double)p->position[2][i]);
        }
    }
    const double frequency = 0.5 * pi / (time + dt * speed / (last - speed));
    dlp_world_destroy(world);
    return jelly.def.density * frequency * frequency / (wave * wave);
}

static void an_elastic_body_has_the_modulus_asked_for(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    const struct {
        double modulus;
        int iterations;
        double dt;
    } waves[] = {{100.0, 6, LINKS_DT},   {1000.0, 6, LINKS_DT},        {1000.0, 2, LINKS_DT},
                 {1000.0, 30, LINKS_DT}, {1000.0, 6, 0.25 * LINKS_DT}, {10000.0, 6, LINKS_DT}};
    for (size_t n = 0; n < sizeof waves / sizeof waves[0]; n++) {
        const double found = modulus_of_wave(waves[n].modulus, waves[n].iterations, waves[n].dt);
        print_message("%g Pa, %d iterations in %.2g s: %.4g Pa\n", waves[n].modulus, waves[n].iterations, waves[n].dt,
                      found);
        assert_true(fabs(found / waves[n].modulus - 0.9) < 0.12);
    }
}

/* An elastic slab on a no-slip slope: gravity pulls at each of its layers, and only the lowest is held. */
static void a_slab_stays_on_a_rough_slope(void **state)
{
    (void)state;
    LinksFluid gel = links_fluid();
    gel.def.modulus = 1e5;
    dlp_World *world = make_links_in((dlp_Vec3){LINKS_GRAVITY * sin(0.4), 0, -LINKS_GRAVITY * cos(0.4)},
                                     (dlp_Vec3){0, 0, 0}, &gel);
    add_links_floor(world, 1.0);
    add_lattice(world, 0, (const int[]){12, 8, 4}, (dlp_Vec3){0, 0, 0.5 * LINKS_SPACING});
    run_links(world, 100, 0.002);
    const double before = stats_of_links(world).center.x;
    run_links(world, 100, 0.002);
    const double speed = (stats_of_links(world).center.x - before) / 0.2;
    print_message("slides by %.2f mm/s\n", 1e3 * speed);
    assert_true(fabs(speed) < 1e-3);
    dlp_world_destroy(world);
}

/* In a flowing heap every pair closer than h is linked, none farther than 2 h, and both ends of a link hold the same
 * length. Links are found at predicted positions, so pairs near these limits may differ. */
static void neighbors_are_linked_and_separated_particles_are_not(void **state)
{
    (void)state;
    const LinksFluid material = stretching_fluid(20.0);
    dlp_World *world = make_links(LINKS_GRAVITY, &material);
    add_links_floor(world, 0.0);
    add_links_cube(world, 8);
    run_links(world, 200, LINKS_DT);
    dlp__BondPart *part = &world->bonds.part[0];
    const dlp__Particles *p = particles_of(world);
    const double h = (double)world->kernel.support;
    assert_true(dlp__bonds_merge(&world->bonds, part, NULL, &world->parallel));
    int64_t near = 0;
    for (int64_t i = 0; i < p->count; i++) {
        for (int64_t j = 0; j < p->count; j++) {
            double r2 = 0.0;
            for (int a = 0; a < 3; a++) {
                const double way = (double)p->position[a][i] - (double)p->position[a][j];
                r2 += way * way;
            }
            const double r = sqrt(r2);
            const dlp__Bond *there = dlp__bonds_find(part, p->id[0][i], p->id[0][j]);
            const dlp__Bond *back = dlp__bonds_find(part, p->id[0][j], p->id[0][i]);
            near += i != j && r < h;
            assert_true(i == j || r > 0.95 * h || there != NULL);
            assert_true(r < 2.05 * h || there == NULL);
            assert_true((there == NULL) == (back == NULL));
            assert_true(there == NULL || (back != NULL && there->length == back->length));
        }
    }
    print_message("%lld links, %lld of neighbours\n", (long long)part->count, (long long)near);
    assert_true(part->count > near);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pair_separates_as_fast_as_its_link_lengthens),
        cmocka_unit_test(a_falling_lump_keeps_its_momentum),
        cmocka_unit_test(a_block_slumps_at_the_rate_of_its_links),
        cmocka_unit_test(lumps_slump_in_the_order_of_their_rates),
        cmocka_unit_test(a_ball_that_cannot_lengthen_comes_to_rest_for_good),
        cmocka_unit_test(a_viscous_lump_spreads_as_its_viscosity_asks),
        cmocka_unit_test(a_lump_freezes_and_melts_with_its_material),
        cmocka_unit_test(an_elastic_body_springs_back),
        cmocka_unit_test(an_elastic_body_has_the_modulus_asked_for),
        cmocka_unit_test(a_slab_stays_on_a_rough_slope),
        cmocka_unit_test(neighbors_are_linked_and_separated_particles_are_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
