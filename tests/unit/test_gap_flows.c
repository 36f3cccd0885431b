/* What the law predicts for coaxial cylinders and for plates that approach each other, against formulas in closed form. */
#include <dollop/rheology.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static dlp_MaterialDef power_law(double consistency, double index)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.flow_law = DLP_FLOW_POWER_LAW;
    material.consistency = consistency;
    material.flow_index = index;
    return material;
}

static dlp_MaterialDef bingham(double yield_stress, double viscosity)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.flow_law = DLP_FLOW_BINGHAM;
    material.yield_stress = yield_stress;
    material.viscosity = viscosity;
    return material;
}

static void expect_near(double value, double known, double tolerance)
{
    if (!(fabs(value / known - 1.0) < tolerance)) {
        fail_msg("%.8g is not %.8g within %g", value, known, tolerance);
    }
}

/* The rotation at a stress at the bob: n/2 (stress / K)^(1/n) (1 - (R1/R2)^(2/n)). */
static void torque_of_a_power_law_fluid_is_that_of_theory(void **state)
{
    (void)state;
    static const double indices[] = {0.3, 0.5, 1.0, 1.5};
    for (int k = 0; k < 4; k++) {
        const double n = indices[k], a = 0.05, b = 0.08, stress = 40.0;
        const dlp_MaterialDef material = power_law(12.0, n);
        const double rotation = 0.5 * n * pow(stress / 12.0, 1.0 / n) * (1.0 - pow(a / b, 2.0 / n));
        expect_near(dlp_material_couette_torque(&material, a, b, rotation), 2.0 * PI * a * a * stress, 1e-6);
    }
}

/* Reiner and Riwlin, where the whole gap flows; and where it flows up to the radius at which the stress is the yield stress. */
static void torque_of_a_bingham_fluid_is_that_of_reiner_and_riwlin(void **state)
{
    (void)state;
    const double a = 0.05, b = 0.08, yield = 20.0, viscosity = 3.0;
    const dlp_MaterialDef material = bingham(yield, viscosity);
    static const double stresses[] = {22.0, 40.0, 55.0, 200.0};
    for (int k = 0; k < 4; k++) {
        const double stress = stresses[k], end = fmin(b, a * sqrt(stress / yield));
        const double rotation = 0.5 * stress / viscosity * (1.0 - a * a / (end * end)) -
                                yield / viscosity * log(end / a);
        expect_near(dlp_material_couette_torque(&material, a, b, rotation), 2.0 * PI * a * a * stress, 1e-4);
    }
}

/* Scott 1931; Stefan 1874 at index 1. The radius is 300 gaps, so that stretching does not matter. */
static void force_of_a_power_law_fluid_is_that_of_scott(void **state)
{
    (void)state;
    const double r = 0.3, h = 1e-3, v = 2e-4;
    static const double indices[] = {0.4, 0.7, 1.0};
    for (int k = 0; k < 3; k++) {
        const double n = indices[k];
        const dlp_MaterialDef material = power_law(12.0, n);
        const double disc = 2.0 * PI * 12.0 / (n + 3.0) * pow((2.0 * n + 1.0) / n * v, n) * pow(r, n + 3.0) /
                            pow(h, 2.0 * n + 1.0);
        expect_near(dlp_material_squeeze_force(&material, DLP_SQUEEZE_DISC, r, h, v), disc, 2e-3);
    }
    const dlp_MaterialDef newtonian = power_law(12.0, 1.0);
    expect_near(dlp_material_squeeze_force(&newtonian, DLP_SQUEEZE_STRIP, r, h, v), 96.0 * v * pow(r / h, 3.0), 1e-3);
}

/* Prandtl 1923: the mean pressure on a strip is (L / h + pi / 2) times the yield stress of shear; on a disc 2/3 R / h, and sqrt(3) pi / 4 for the
 * stretching. */
static void force_of_a_plastic_is_that_of_prandtl(void **state)
{
    (void)state;
    const dlp_MaterialDef material = bingham(20.0, 1e-6);
    const double r = 0.1, h = 0.01, v = 1e-4;
    expect_near(dlp_material_squeeze_force(&material, DLP_SQUEEZE_STRIP, r, h, v), 2.0 * r * 20.0 * (r / h + 0.5 * PI),
                1e-3);
    expect_near(dlp_material_squeeze_force(&material, DLP_SQUEEZE_DISC, r, h, v),
                PI * r * r * 20.0 * (2.0 / 3.0 * r / h + sqrt(3.0) * PI / 4.0), 1e-3);
}

static void without_a_flow_curve_there_is_no_force(void **state)
{
    (void)state;
    dlp_MaterialDef solid = dlp_default_material_def();
    solid.modulus = 1000.0;
    assert_true(isnan(dlp_material_couette_torque(&solid, 0.05, 0.08, 1.0)));
    assert_true(isnan(dlp_material_squeeze_force(&solid, DLP_SQUEEZE_DISC, 0.05, 0.01, 1.0)));
    assert_true(isnan(dlp_material_couette_torque(NULL, 0.05, 0.08, 1.0)));
    const dlp_MaterialDef fluid = power_law(1.0, 1.0);
    assert_true(isnan(dlp_material_couette_torque(&fluid, 0.08, 0.05, 1.0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torque_of_a_power_law_fluid_is_that_of_theory),
        cmocka_unit_test(torque_of_a_bingham_fluid_is_that_of_reiner_and_riwlin),
        cmocka_unit_test(force_of_a_power_law_fluid_is_that_of_scott),
        cmocka_unit_test(force_of_a_plastic_is_that_of_prandtl),
        cmocka_unit_test(without_a_flow_curve_there_is_no_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
