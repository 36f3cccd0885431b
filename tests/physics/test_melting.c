/* What temperature does to how materials flow: honey by its temperature, and what freezes, holds its form, melts and freezes again.
 * ctest: timeout 300 */
#include "support/scale.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const dlp_ViscosityKey HONEY[] = {{293.15, 19.0}, {303.15, 6.5}, {313.15, 2.0}};

static dlp_WorldDef world_def(double spacing)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "conformation");
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

/* A cube of creeping honey begins to sink at 0.0832 density gravity side^2 / viscosity: the viscosity (Pa.s) by which it does. */
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

static void honey_flows_by_its_temperature(void **state)
{
    (void)state;
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

/* Something between wax and jelly, of which heat goes fast. */
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

static double mean_density(dlp_World *world)
{
    const dlp__Particles *p = particles_of(world);
    double sum = 0.0;
    for (int64_t i = 0; i < p->count; i++) {
        sum += (double)p->density[0][i] / (double)p->count;
    }
    return sum;
}

/* A drop that spreads is frozen on its way, lies still, melts and spreads on, and is frozen again. */
static void what_freezes_keeps_its_form_and_volume(void **state)
{
    (void)state;
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
    const double full = mean_density(world);
    double height[2], density[2];
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
        density[round] = mean_density(world) / full;
        print_message("frozen in %.2f s at a mean height of %.3f mm, %.3f mm after 0.3 s, density %.4f\n",
                      freezing * dt, 1e3 * frozen.center.z, 1e3 * later.center.z, density[round]);
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
    assert_true(height[1] < 0.9 * height[0]); /* it has flowed between */
    assert_true(fabs(density[0] - 1.0) < 0.02 && fabs(density[1] / density[0] - 1.0) < 0.02);
    dlp_world_destroy(world);
}

/* The laws themselves. */
static void enthalpy_and_temperature_go_together(void **state)
{
    (void)state;
    dlp_MaterialDef material = wax();
    for (int n = 0; n < 2; n++) {
        for (double t = 1.0; t < 1000.0; t += 0.37) {
            const double enthalpy = dlp__thermal_enthalpy(&material, t);
            assert_true(fabs(dlp__thermal_temperature(&material, enthalpy) - t) < 1e-9);
            const double slope = (dlp__thermal_temperature(&material, enthalpy + 1e-3) - t) / 1e-3;
            assert_true(fabs(slope - dlp__thermal_slope(&material, enthalpy + 5e-4)) < 1e-6);
            assert_true(dlp__thermal_molten(&material, enthalpy) >= 0.0 &&
                        dlp__thermal_molten(&material, enthalpy) <= 1.0);
        }
        material.liquidus = 0.0; /* sharply */
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
        cmocka_unit_test(enthalpy_and_temperature_go_together),
        cmocka_unit_test(honey_flows_by_its_temperature),
        cmocka_unit_test(what_freezes_keeps_its_form_and_volume),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
