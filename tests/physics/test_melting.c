/* The effect of temperature on flow: the viscosity of honey, and materials that freeze, keep their shape, melt and
 * freeze again.
 * ctest: timeout 300 */
#include "support/scale.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const dlp_ViscosityKey HONEY[] = {{293.15, 19.0}, {303.15, 6.5}, {313.15, 2.0}};

static dlp_WorldDef world_def(double spacing)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = spacing;
    def.threads = 2;
    return def;
}

static void add_floor(dlp_World *world, double temperature)
{
    dlp_SolidDef plane = dlp_default_solid_def();
    plane.friction = 1.0;
    plane.temperature = temperature;
    assert_int_equal(dlp_world_add_solid(world, &plane, NULL), DLP_OK);
}

static dlp_WorldStats stats_of(const dlp_World *world)
{
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    return stats;
}

/* A cube of creeping honey starts to sink at 0.0832 density gravity side^2 / viscosity: the viscosity (Pa.s)
 * measured from that. */
static double viscosity_of_slump(double temperature, double expected, bool by_curve)
{
    const double side = 0.002, density = 1420.0;
    dlp_WorldDef def = world_def(side / 12);
    dlp_World *world = make_world(&def);
    dlp_MaterialDef honey = dlp_default_material_def();
    honey.density = density;
    honey.viscosity = 19.0;
    honey.heat_capacity = 2400.0;
    honey.conductivity = 0.5;
    honey.activation_energy = by_curve ? 0.0 : 85e3;
    assert_int_equal(dlp_world_add_material(world, &honey, NULL), DLP_OK);
    assert_int_equal(dlp_world_set_material_viscosities(world, 0, HONEY, by_curve ? 3 : 0), DLP_OK);
    add_floor(world, 0.0);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = (dlp_Vec3){side, side, side};
    fluid.shape.position.z = 0.5 * side;
    fluid.temperature = temperature;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    const double dt = 0.4 * density * side * side / expected;
    double fastest = 0.0;
    for (int step = 0; step < 8; step++) {
        step_or_fail(world, dt);
        const dlp_WorldStats stats = stats_of(world);
        const double mass = density * side * side * side;
        fastest = fmax(fastest, -stats.momentum.z / mass);
    }
    dlp_world_destroy(world);
    return 0.0832 * density * 9.81 * side * side / fastest;
}

static void honey_has_the_viscosity_of_its_temperature(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    for (int n = 0; n < 3; n++) {
        const double found = viscosity_of_slump(HONEY[n].temperature, HONEY[n].viscosity, true);
        print_message("honey at %.0f degC: %.3f Pa.s, known %.1f\n", HONEY[n].temperature - 273.15, found,
                      HONEY[n].viscosity);
        assert_true(fabs(found / HONEY[n].viscosity - 1.0) < 0.03);
    }
    const double known = 19.0 * exp(85e3 / 8.314462618 * (1.0 / 303.15 - 1.0 / 293.15));
    const double found = viscosity_of_slump(303.15, known, false);
    print_message("by Arrhenius at 30 degC: %.3f Pa.s, known %.3f\n", found, known);
    assert_true(fabs(found / known - 1.0) < 0.03);
}

/* A material between wax and jelly with high conductivity. */
static dlp_MaterialDef wax(void)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = 10.0;
    material.heat_capacity = 100.0;
    material.conductivity = 20.0;
    material.melting_point = 330.0;
    material.liquidus = 335.0;
    material.latent_heat = 1000.0;
    material.frozen_modulus = 5e4;
    material.temperature = 350.0;
    return material;
}

static void set_floor(dlp_World *world, double temperature)
{
    dlp_SolidDef plane;
    assert_int_equal(dlp_world_get_solid(world, 0, &plane), DLP_OK);
    plane.temperature = temperature;
    assert_int_equal(dlp_world_set_solid(world, 0, &plane), DLP_OK);
}

/* Mean density of particles away from free surfaces, relative to the material's. With half a neighbourhood, the
 * kernel sum depends on the position of a particle and not on its volume. */
static double inner_density(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    double sum = 0.0;
    int64_t count = 0;
    for (int64_t i = 0; i < p->count; i++) {
        if (p->conduction[DLP_HEAT_SURFACE][i] == 0.0f) {
            sum += (double)(p->density[0][i] * p->specific_volume[0][i]);
            count++;
        }
    }
    assert_true(count > 0);
    return sum / (double)count;
}

/* The same lattice as a cube, as a slab of a third of its height and as a ball. */
static void inner_density_does_not_depend_on_the_shape(void **state)
{
    (void)state;
    const double d = 0.002;
    for (int n = 0; n < 3; n++) {
        dlp_WorldDef def = world_def(d);
        dlp_World *world = make_world(&def);
        const dlp_MaterialDef material = wax();
        assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
        add_floor(world, 0.0);
        if (n == 2) {
            add_fluid_ball(world, 8 * d, (dlp_Vec3){0, 0, 20 * d}, (dlp_Vec3){0, 0, 0}, (dlp_Vec3){0, 0, 0});
        } else {
            add_lattice(world, 0, n == 0 ? (const int[]){14, 14, 14} : (const int[]){24, 24, 5}, (dlp_Vec3){0, 0, 0});
        }
        step_or_fail(world, 1e-6);
        const double density = inner_density(world);
        print_message("%s: density %.4f\n", n == 0 ? "cube" : n == 1 ? "slab" : "ball", density);
        assert_true(fabs(density - 1.0) < 0.005);
        dlp_world_destroy(world);
    }
}

/* A spreading drop is frozen, stays still, melts and spreads further, and is frozen again. */
static void frozen_material_keeps_its_shape_and_volume(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    dlp_WorldDef def = world_def(0.002);
    dlp_World *world = make_world(&def);
    const dlp_MaterialDef material = wax();
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    add_floor(world, 350.0);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = (dlp_Vec3){0.024, 0.024, 0.02};
    fluid.shape.position.z = 0.01;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    const double dt = 0.002;
    for (int step = 0; step < 15; step++) {
        step_or_fail(world, dt);
    }
    const double full = inner_density(world);
    double height[2], density[2];
    print_message("fluid: density %.4f\n", full);
    for (int round = 0; round < 2; round++) {
        set_floor(world, 290.0);
        int freezing = 0;
        for (; freezing < 2000 && stats_of(world).temperature_max > 329.0; freezing++) {
            step_or_fail(world, dt);
        }
        const dlp_WorldStats frozen = stats_of(world);
        for (int step = 0; step < 150; step++) {
            step_or_fail(world, dt);
        }
        const dlp_WorldStats later = stats_of(world);
        height[round] = later.center.z;
        density[round] = inner_density(world);
        print_message("frozen in %.2f s at a mean height of %.3f mm, %.3f mm after 0.3 s, density %.4f, %.4f m/s\n",
                      freezing * dt, 1e3 * frozen.center.z, 1e3 * later.center.z, density[round], later.speed_max);
        assert_true(frozen.temperature_max <= 329.0);
        assert_true(fabs(later.center.z / frozen.center.z - 1.0) < 0.01);
        assert_true(later.speed_max < 0.01);
        set_floor(world, 380.0);
        for (int step = 0; step < 2000 && round == 0 && stats_of(world).temperature_min < 336.0; step++) {
            step_or_fail(world, dt);
        }
        for (int step = 0; step < 50 && round == 0; step++) {
            step_or_fail(world, dt);
        }
    }
    assert_true(height[1] < 0.9 * height[0]); /* it has flowed in between */
    assert_true(fabs(density[0] / full - 1.0) < 0.02 && fabs(density[1] / full - 1.0) < 0.02);
    dlp_world_destroy(world);
}

/* Initially frozen wax, or a permanently elastic material. */
static dlp_World *make_frozen_world(double gravity, bool for_good)
{
    dlp_WorldDef def = world_def(0.004);
    def.gravity.z = -gravity;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = for_good ? dlp_default_material_def() : wax();
    material.viscosity = for_good ? 0.0 : 2.0;
    material.modulus = for_good ? 2e4 : 0.0;
    material.frozen_modulus = for_good ? 0.0 : 2e4;
    material.temperature = 290.0;
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    return world;
}

/* Heat from the floor rises through the block, which stands in its own melt. */
static void a_block_that_melts_from_below_sinks_without_jumping(void **state)
{
    (void)state;
    dlp_World *world = make_frozen_world(9.81, false);
    const double dt = 0.002, d = world->def.spacing;
    add_floor(world, 370.0);
    add_lattice(world, 0, (const int[]){10, 10, 8}, (dlp_Vec3){0, 0, 0});
    double lowest = INFINITY, rise = 0.0, fastest = 0.0;
    int step = 0;
    for (; step < 1500 && (step == 0 || stats_of(world).temperature_min < 330.0); step++) {
        step_or_fail(world, dt);
        const dlp_WorldStats stats = stats_of(world);
        lowest = fmin(lowest, stats.center.z);
        rise = fmax(rise, stats.center.z - lowest);
        fastest = fmax(fastest, stats.speed_max);
    }
    print_message("molten in %.2f s: sunk to %.2f mm, risen on the way by %.3f mm, fastest %.3f m/s\n", step * dt,
                  1e3 * lowest, 1e3 * rise, fastest);
    assert_true(step < 1500);
    assert_true(lowest < 0.5 * 4.0 * d); /* half of its initial height */
    assert_true(rise < 0.05 * d);        /* its oscillation when placed */
    assert_true(fastest < 0.2);          /* a fall from 2 mm */
    dlp_world_destroy(world);
}

/* Largest distance (m) of particles from the best-fitting rotation of `start` about z. */
static double off_a_turn(dlp_World *world, float (*start)[3])
{
    const dlp__Particles *p = particles_of(world);
    double along = 0.0, across = 0.0, worst = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        const float *from = start[p->id[0][i]];
        along += (double)(from[0] * p->position[0][i] + from[1] * p->position[1][i]);
        across += (double)(from[0] * p->position[1][i] - from[1] * p->position[0][i]);
    }
    const double size = hypot(along, across), c = along / size, s = across / size;
    for (int64_t i = 0; i < p->count; i++) {
        const double x = (double)start[p->id[0][i]][0], y = (double)start[p->id[0][i]][1];
        worst = fmax(worst,
                     hypot(c * x - s * y - (double)p->position[0][i], s * x + c * y - (double)p->position[1][i]));
    }
    return worst;
}

/* A bar that turns three times about its centre. */
static void a_frozen_body_rotates_rigidly(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    const double spin = 10.0, dt = 0.002;
    dlp_World *world = make_frozen_world(0.0, false);
    const double d = world->def.spacing;
    dlp_FluidDef bar = dlp_default_fluid_def();
    bar.shape.size = (dlp_Vec3){16 * d, 8 * d, 6 * d};
    bar.spin.z = spin;
    assert_int_equal(dlp_world_add_fluid(world, &bar, NULL), DLP_OK);
    const double before = stats_of(world).angular.z;
    dlp__Particles *p = particles_of(world);
    float(*start)[3] = calloc((size_t)p->count, sizeof *start);
    assert_non_null(start);
    for (int64_t i = 0; i < p->count; i++) {
        for (int a = 0; a < 3; a++) {
            start[p->id[0][i]][a] = p->position[a][i];
        }
    }
    for (int step = 0; (double)step * dt * spin < 6.0 * 3.14159; step++) {
        step_or_fail(world, dt);
    }
    const double kept = stats_of(world).angular.z / before, off = off_a_turn(world, start) / d;
    print_message("after three turns: %.4f of the angular momentum, off by %.3f spacings\n", kept, off);
    assert_true(fabs(kept - 1.0) < 0.01);
    assert_true(off < 0.1);
    free(start);
    dlp_world_destroy(world);
}

/* A body that never melted equals an elastic body bit for bit; its bounce is tested with those. */
static void a_frozen_ball_bounces_as_an_elastic_one(void **state)
{
    (void)state;
    SKIP_IF_SMALL();
    dlp_World *world[2];
    double fastest = 0.0;
    for (int n = 0; n < 2; n++) {
        world[n] = make_frozen_world(9.81, n == 1);
        add_floor(world[n], 0.0);
        add_fluid_ball(world[n], 0.03, (dlp_Vec3){0, 0, 0.033}, (dlp_Vec3){0.1, 0, -1.0}, (dlp_Vec3){0, 0, 0});
        const double mass = (double)stats_of(world[n]).particles * 1000.0 * pow(world[n]->def.spacing, 3.0);
        for (int step = 0; step < 100; step++) {
            step_or_fail(world[n], 0.0005);
            fastest = n == 0 ? fmax(fastest, stats_of(world[n]).momentum.z / mass) : fastest;
        }
    }
    const dlp__Particles *frozen = particles_of(world[0]), *elastic = particles_of(world[1]);
    print_message("thrown down at 1 m/s, back up at %.3f m/s\n", fastest);
    assert_true(fastest > 0.5);
    assert_int_equal(frozen->count, elastic->count);
    for (int a = 0; a < 3; a++) {
        assert_memory_equal(frozen->position[a], elastic->position[a], (size_t)frozen->count * sizeof(float));
    }
    dlp_world_destroy(world[1]);
    dlp_world_destroy(world[0]);
}

/* The material laws. */
static void enthalpy_and_temperature_are_consistent(void **state)
{
    (void)state;
    dlp_MaterialDef material = wax();
    for (int n = 0; n < 2; n++) {
        for (int k = 0; k < 2700; k++) {
            const double t = 1.0 + 0.37 * k;
            const double enthalpy = dlp__thermal_enthalpy(&material, t);
            assert_true(fabs(dlp__thermal_temperature(&material, enthalpy) - t) < 1e-9);
            const double slope = (dlp__thermal_temperature(&material, enthalpy + 1e-3) - t) / 1e-3;
            assert_true(fabs(slope - dlp__thermal_slope(&material, enthalpy + 5e-4)) < 1e-6);
            assert_true(dlp__thermal_molten(&material, enthalpy) >= 0.0 &&
                        dlp__thermal_molten(&material, enthalpy) <= 1.0);
        }
        material.liquidus = 0.0; /* a sharp melting point */
    }
    const double solid = dlp__thermal_enthalpy(&material, 329.999999), liquid = dlp__thermal_enthalpy(&material, 330.0);
    assert_true(fabs(liquid - solid - 1000.0) < 0.01);
    assert_true(dlp__thermal_temperature(&material, 0.5 * (solid + liquid)) == 330.0);
    assert_true(fabs(dlp__thermal_molten(&material, 0.5 * (solid + liquid)) - 0.5) < 1e-3);
    assert_true(dlp__thermal_slope(&material, 0.5 * (solid + liquid)) == 0.0);
    const dlp_MaterialDef ice = dlp__thermal_material(&material, NULL, 300.0, 0.0);
    assert_true(ice.modulus == 5e4 && ice.viscosity == 0.0);
    const dlp_MaterialDef slush = dlp__thermal_material(&material, NULL, 330.0, 0.1);
    assert_true(fabs(slush.viscosity - 10000.0) < 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(enthalpy_and_temperature_are_consistent),
        cmocka_unit_test(honey_has_the_viscosity_of_its_temperature),
        cmocka_unit_test(inner_density_does_not_depend_on_the_shape),
        cmocka_unit_test(frozen_material_keeps_its_shape_and_volume),
        cmocka_unit_test(a_block_that_melts_from_below_sinks_without_jumping),
        cmocka_unit_test(a_frozen_body_rotates_rigidly),
        cmocka_unit_test(a_frozen_ball_bounces_as_an_elastic_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
