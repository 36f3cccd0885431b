/* The deviatoric stresses of method mps against their formulas, at single particles; and the sums over a lattice by brute force. */
#include "methods/mps/mps_plan.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const double ETA = 28.0, YOUNG = 1050.0; /* Pa s and Pa, of the paper */

static dlp_MaterialDef thread_fluid(void)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = 1160.0;
    material.viscosity = ETA;
    material.modulus = YOUNG / 3.0;
    return material;
}

static dlp__MpsLaw law_of(dlp__MpsStress stress, double frequency, double shear)
{
    const dlp_MaterialDef material = thread_fluid();
    const dlp__MpsMaterial own = {.stress = stress, .frequency = frequency};
    return dlp__mps_law(&material, &own, shear);
}

static void assert_law(dlp__MpsLaw law, double viscosity, double modulus, double rate)
{
    const double slack = 1e-12;
    if (!(fabs(law.viscosity - viscosity) <= slack * (1.0 + viscosity)) ||
        !(fabs(law.modulus - modulus) <= slack * (1.0 + modulus)) || !(fabs(law.rate - rate) <= slack * (1.0 + rate))) {
        fail_msg("viscosity %g, modulus %g, rate %g instead of %g, %g, %g", law.viscosity, law.modulus, law.rate,
                 viscosity, modulus, rate);
    }
}

static void auto_is_what_the_material_says(void **state)
{
    (void)state;
    const dlp__MpsMaterial own = {.stress = DLP_MPS_AUTO};
    dlp_MaterialDef material = dlp_default_material_def();
    material.viscosity = 0.0;
    assert_law(dlp__mps_law(&material, &own, 5.0), 0.0, 0.0, 0.0);
    material.viscosity = 3.0;
    material.solvent_viscosity = 0.5;
    assert_law(dlp__mps_law(&material, &own, 5.0), 3.5, 0.0, 0.0);
    material.relaxation_time = 0.25; /* Maxwell by viscosity and time */
    assert_law(dlp__mps_law(&material, &own, 5.0), 0.5, 12.0, 4.0);
    material.viscosity = 0.0; /* by modulus and time */
    material.modulus = 80.0;
    assert_law(dlp__mps_law(&material, &own, 5.0), 0.5, 80.0, 4.0);
    material.relaxation_time = 0.0; /* by viscosity and modulus */
    material.viscosity = 3.0;
    assert_law(dlp__mps_law(&material, &own, 5.0), 0.5, 80.0, 80.0 / 3.0);
    material.viscosity = material.solvent_viscosity = 0.0; /* elastic */
    assert_law(dlp__mps_law(&material, &own, 5.0), 0.0, 80.0, 0.0);
}

static void viscous_and_elastic_have_one_part_only(void **state)
{
    (void)state;
    assert_law(law_of(DLP_MPS_VISCOUS, 1.0, 7.0), ETA, 0.0, 0.0);         /* eq. 4 */
    assert_law(law_of(DLP_MPS_ELASTIC, 1.0, 7.0), 0.0, YOUNG / 3.0, 0.0); /* eq. 8, nu = 1/2 */
}

/* Eq. 9 is 1 at rest, falls to 0.528 at 30.76 1/s, and stays there. */
static void the_blend_follows_its_weight(void **state)
{
    (void)state;
    assert_law(law_of(DLP_MPS_BLEND, 1.0, 0.0), ETA, 0.0, 0.0);
    double least = 1.0, last = 2.0;
    for (int n = 0; n < 800; n++) {
        const double rate = 0.25 * n;
        const dlp__MpsLaw law = law_of(DLP_MPS_BLEND, 1.0, rate);
        const double alpha = law.viscosity / ETA;
        if (rate < 30.76) {
            assert_true(fabs(alpha - (4.99e-4 * rate * rate - 3.07e-2 * rate + 1.0)) < 1e-12);
        }
        assert_true(fabs(law.modulus - (1.0 - alpha) * YOUNG / 3.0) < 1e-9);
        assert_true(law.rate == 0.0 && alpha <= last);
        least = fmin(least, alpha);
        last = alpha;
    }
    assert_true(fabs(least - 0.528) < 5e-4);
}

/* Storage and loss modulus of eq. 15, |E*|^2 = E'^2 + E''^2, between a viscous fluid at low and an elastic solid at high frequency. */
static void the_complex_modulus_has_its_limits(void **state)
{
    (void)state;
    const double mu = YOUNG / 3.0;
    for (int n = 0; n < 16; n++) {
        const double omega = 1e-3 * pow(3.0, n), x = omega * ETA;
        assert_law(law_of(DLP_MPS_COMPLEX, omega, 3.0), mu * mu * x / (mu * mu + x * x) / omega,
                   mu * x * x / (mu * mu + x * x), 0.0);
    }
    const dlp__MpsLaw slow = law_of(DLP_MPS_COMPLEX, 1e-6, 3.0), fast = law_of(DLP_MPS_COMPLEX, 1e8, 3.0);
    assert_true(fabs(slow.viscosity / ETA - 1.0) < 1e-9 && slow.modulus < 1e-9 * mu);
    assert_true(fabs(fast.modulus / mu - 1.0) < 1e-9 && fast.viscosity < 1e-9 * ETA);
}

/* Eq. 20 with the viscosity of eq. 21: tau = 2 mu eps and tau = |E*| eps. */
static void the_printed_complex_stress_is_that_of_the_paper(void **state)
{
    (void)state;
    const double omega = 3.14159265358979 / 4.0;
    static const double rates[] = {0.0, 4.0, 20.0, 30.0};
    for (int n = 0; n < 4; n++) {
        const double eta = 1.80e-4 * rates[n] * rates[n] - 1.11e-2 * rates[n] + 3.62e-1, x = omega * eta;
        const double storage = YOUNG * x * x / (YOUNG * YOUNG + x * x),
                     loss = YOUNG * YOUNG * x / (YOUNG * YOUNG + x * x);
        assert_law(law_of(DLP_MPS_COMPLEX_PRINTED, omega, rates[n]), 0.0, 0.5 * sqrt(storage * storage + loss * loss),
                   0.0);
    }
    /* almost no stress: about omega eta / 2, 0.14 Pa instead of 350 */
    assert_true(law_of(DLP_MPS_COMPLEX_PRINTED, omega, 0.0).modulus < 0.15);
}

static void no_law_is_negative_or_not_finite(void **state)
{
    (void)state;
    for (int stress = DLP_MPS_AUTO; stress <= DLP_MPS_COMPLEX_PRINTED; stress++) {
        for (int n = 0; n < 7 * 7 * 7 * 5; n++) {
            static const double values[] = {0.0, 1e-12, 1e-6, 1.0, 1e3, 1e9, 1e12},
                                rates[] = {0.0, 1e-9, 30.0, 1e6, 1e30};
            dlp_MaterialDef material = dlp_default_material_def();
            material.viscosity = values[n % 7];
            material.modulus = values[n / 7 % 7];
            material.relaxation_time = values[n / 49 % 7];
            const dlp__MpsMaterial own = {.stress = stress, .frequency = n % 3 == 0 ? 1e-9 : n % 3 == 1 ? 1.0 : 1e9};
            if (dlp__mps_check_material(&material, &own, NULL) == DLP_OK) {
                const dlp__MpsLaw law = dlp__mps_law(&material, &own, rates[n / 343]);
                const double stabilizing = dlp__mps_stabilizing(&law, 1000.0, 0.01, 9.81, 1e-3);
                assert_true(isfinite(law.viscosity) && isfinite(law.modulus) && isfinite(law.rate));
                assert_true(law.viscosity >= 0.0 && law.modulus >= 0.0 && law.rate >= 0.0);
                assert_true(isfinite(stabilizing) && stabilizing >= law.viscosity);
            }
        }
    }
}

static void a_stress_without_its_parameters_is_rejected(void **state)
{
    (void)state;
    static const struct {
        int stress;
        bool viscosity, modulus; /* needed */
    } needs[] = {{DLP_MPS_VISCOUS, true, false},
                 {DLP_MPS_ELASTIC, false, true},
                 {DLP_MPS_BLEND, true, true},
                 {DLP_MPS_COMPLEX, true, true},
                 {DLP_MPS_COMPLEX_PRINTED, false, true}};
    for (int n = 0; n < 5; n++) {
        for (int k = 0; k < 4; k++) {
            dlp_MaterialDef material = dlp_default_material_def();
            material.viscosity = k % 2 != 0 ? ETA : 0.0;
            material.modulus = k / 2 != 0 ? YOUNG : 0.0;
            const dlp__MpsMaterial own = {.stress = needs[n].stress, .frequency = 1.0};
            const bool fits = (k % 2 != 0 || !needs[n].viscosity) && (k / 2 != 0 || !needs[n].modulus);
            dlp_Error error = {DLP_OK, ""};
            assert_int_equal(dlp__mps_check_material(&material, &own, &error), fits ? DLP_OK : DLP_ERROR_ARGUMENT);
            assert_true(fits || strstr(error.text, "needs a") != NULL);
        }
    }
}

/* Steady viscosity of a Maxwell fluid is modulus times relaxation time. */
static void the_steady_viscosity_is_that_of_the_fluid(void **state)
{
    (void)state;
    const dlp__MpsLaw maxwell = {0.5, 12.0, 4.0}, solid = {0.0, 12.0, 0.0};
    assert_true(fabs(dlp__mps_steady(&maxwell) - 3.5) < 1e-12);
    assert_true(dlp__mps_steady(&solid) == 0.0);
}

/* The potential of eq. 13 for C_p = 1 and a spacing of 1. As printed it is largest at r = 1, so the method reverses its sign. */
static double potential(double r, double reach)
{
    return r < reach ? (r - 1.5 + 0.5 * reach) * (r - reach) * (r - reach) / 3.0 : 0.0;
}

/* Work that separates two halves of a lattice, per area: all pairs across the plane z = 1/2 with the lower particle in one column. */
static double work_of_separation(double reach)
{
    const int most = (int)ceil(reach);
    double sum = 0.0;
    for (int below = 0; below > -most; below--) {
        for (int above = 1; above <= most; above++) {
            for (int n = 0; n < (2 * most + 1) * (2 * most + 1); n++) {
                const int x = n % (2 * most + 1) - most, y = n / (2 * most + 1) - most;
                sum += potential(sqrt((double)(x * x + y * y + (above - below) * (above - below))), reach);
            }
        }
    }
    return sum;
}

static void separating_two_half_lattices_takes_twice_the_surface_tension(void **state)
{
    (void)state;
    static const double reaches[] = {2.1, 2.6, 3.1, 4.2};
    for (int n = 0; n < 4; n++) {
        const double work = dlp__mps_cohesion_coefficient(reaches[n]) * work_of_separation(reaches[n]);
        print_message("reach %.1f: %.6f N/m for a surface tension of 1\n", reaches[n], work);
        assert_true(fabs(work - 2.0) < 1e-9);
    }
}

/* The force in mps_flow_wide.c, attractive beyond a spacing, is the slope of this potential. */
static void the_force_is_the_slope_of_the_potential(void **state)
{
    (void)state;
    const double reach = 3.1, h = 1e-6;
    for (int n = 3; n < 31; n++) {
        const double r = 0.1 * n;
        const double slope = (potential(r + h, reach) - potential(r - h, reach)) / (2.0 * h);
        assert_true(fabs(slope - (r - 1.0) * (r - reach)) < 1e-6);
    }
}

static void the_lattice_has_the_known_sums(void **state)
{
    (void)state;
    /* r_e = 2.1: 6 at 1, 12 at sqrt 2, 8 at sqrt 3, 6 at 2 */
    const double w1 = 1.1, w2 = 2.1 / sqrt(2.0) - 1.0, w3 = 2.1 / sqrt(3.0) - 1.0, w4 = 0.05;
    const dlp__MpsLattice rest = dlp__mps_lattice(2.1);
    const double n0 = 6 * w1 + 12 * w2 + 8 * w3 + 6 * w4;
    assert_true(fabs(rest.number_density - n0) < 1e-12);
    assert_true(fabs(rest.lambda - (6 * w1 + 24 * w2 + 24 * w3 + 24 * w4) / n0) < 1e-12);
    assert_true(fabs(rest.closeness - (6 * w1 + 6 * w2 + 8 * w3 / 3.0 + 1.5 * w4)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(auto_is_what_the_material_says),
        cmocka_unit_test(viscous_and_elastic_have_one_part_only),
        cmocka_unit_test(the_blend_follows_its_weight),
        cmocka_unit_test(the_complex_modulus_has_its_limits),
        cmocka_unit_test(the_printed_complex_stress_is_that_of_the_paper),
        cmocka_unit_test(no_law_is_negative_or_not_finite),
        cmocka_unit_test(a_stress_without_its_parameters_is_rejected),
        cmocka_unit_test(the_steady_viscosity_is_that_of_the_fluid),
        cmocka_unit_test(separating_two_half_lattices_takes_twice_the_surface_tension),
        cmocka_unit_test(the_force_is_the_slope_of_the_potential),
        cmocka_unit_test(the_lattice_has_the_known_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
