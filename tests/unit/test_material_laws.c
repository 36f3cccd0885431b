/* Materials with laws at other temperatures, frozen, and as the fluids that replace them where a method has no laws. */
#include "materials/flow_law.h"
#include "materials/law_equivalent.h"
#include "materials/thermal.h"

#include <dollop/rheology.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_close(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected))) {
        fail_msg("%.15g, expected %.15g", value, expected);
    }
}

/* One of each flow law. */
static dlp_MaterialDef flow_material(int32_t law)
{
    dlp_MaterialDef m = dlp_default_material_def();
    m.flow_law = law;
    const bool is_power = law == DLP_FLOW_POWER_LAW || law == DLP_FLOW_HERSCHEL_BULKLEY;
    m.viscosity = is_power || law == DLP_FLOW_TABLE ? 0.0 : 8.0;
    m.consistency = is_power ? 5.0 : 0.0;
    m.flow_index = is_power || law == DLP_FLOW_CARREAU || law == DLP_FLOW_CROSS ? 0.4 : 1.0;
    m.yield_stress = law == DLP_FLOW_CASSON || law == DLP_FLOW_BINGHAM || law == DLP_FLOW_HERSCHEL_BULKLEY ? 15.0 : 0.0;
    if (law == DLP_FLOW_CARREAU || law == DLP_FLOW_CROSS) {
        m.infinite_viscosity = 0.5;
        m.thinning_time = 3.0;
        m.transition = 1.5;
    }
    if (law == DLP_FLOW_TABLE) {
        m.flow_curve = (dlp_FlowCurve){4, {{0.0, 4.0}, {0.1, 5.0}, {1.0, 8.0}, {100.0, 90.0}}};
    }
    return m;
}

static void viscosity_follows_williams_landel_and_ferry(void **state)
{
    (void)state;
    dlp_MaterialDef m = dlp_default_material_def();
    m.viscosity = 10.0;
    m.wlf_c1 = 8.86;
    m.wlf_c2 = 101.6;
    m.reference_temperature = 300.0;
    assert_true(dlp__thermal_is_needed(&m));
    static const double temperatures[] = {290.0, 300.0, 320.0, 400.0};
    for (int i = 0; i < 4; i++) {
        const double above = temperatures[i] - 300.0;
        const dlp_MaterialDef there = dlp_material_at(&m, NULL, 0, temperatures[i]);
        assert_close(there.viscosity, 10.0 * pow(10.0, -8.86 * above / (101.6 + above)), 1e-12);
        assert_true(there.wlf_c1 == 0.0 && there.wlf_c2 == 0.0 && !dlp__thermal_is_needed(&there));
    }
    assert_true(dlp_material_at(&m, NULL, 0, 198.0).viscosity == 1e12); /* colder than T0 - c2: it does not flow */
    assert_true(dlp_material_at(&m, NULL, 0, 100.0).viscosity == 1e12);
}

static void two_laws_of_temperature_or_half_of_one_are_refused(void **state)
{
    (void)state;
    dlp_MaterialDef m = dlp_default_material_def();
    dlp_Error error = {.text = ""};
    m.wlf_c1 = 8.86;
    assert_int_equal(dlp__thermal_check(&m, &error), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "wlf_c1 alone"));
    m.wlf_c2 = 101.6;
    assert_int_equal(dlp__thermal_check(&m, &error), DLP_OK);
    m.activation_energy = 1e4;
    assert_int_equal(dlp__thermal_check(&m, &error), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "remove one of them"));
}

/* In steady shear, stress above the yield stress at a rate and temperature is that of the reference temperature at a times the rate. */
static void every_flow_law_shifts_along_the_rate(void **state)
{
    (void)state;
    for (int law = 0; law < DLP_FLOW_LAW_COUNT; law++) {
        dlp_MaterialDef m = flow_material(law);
        m.wlf_c1 = 5.0;
        m.wlf_c2 = 80.0;
        m.reference_temperature = 300.0;
        m.modulus = 123.0;
        m.solvent_viscosity = 0.3;
        m.recovery_time = 2.0;
        m.breakdown = 0.7;
        const double a = pow(10.0, -5.0 * 15.0 / 95.0);
        const dlp_MaterialDef hot = dlp_material_at(&m, NULL, 0, 315.0);
        for (double rate = 0.01; rate < 2e3; rate *= 7.0) {
            const double there = dlp__structure_steady(&hot, rate), here = dlp__structure_steady(&m, a * rate);
            assert_close(there, here, 1e-12);
            assert_close(dlp__flow_stress(&hot, rate, there), dlp__flow_stress(&m, a * rate, here), 1e-12);
        }
        assert_true(hot.modulus == m.modulus && hot.yield_stress == m.yield_stress && hot.breakdown == m.breakdown);
        assert_close(hot.solvent_viscosity, 0.3 * a, 1e-12);
        assert_true(dlp__flow_yield_stress(&hot, 1.0) == dlp__flow_yield_stress(&m, 1.0));
    }
}

static void relaxation_times_of_modes_shift_and_moduli_stay(void **state)
{
    (void)state;
    dlp_MaterialDef m = dlp_default_material_def();
    m.modes = (dlp_RelaxationModes){2, {{0.1, 500.0}, {1.0, 50.0}}};
    m.elastic_law = DLP_ELASTIC_GIESEKUS;
    m.mobility = 0.3;
    m.activation_energy = 5e4;
    const dlp_MaterialDef cold = dlp_material_at(&m, NULL, 0, 280.0);
    const double a = exp(5e4 / 8.314462618 * (1.0 / 280.0 - 1.0 / 293.15));
    for (int k = 0; k < 2; k++) {
        assert_close(cold.modes.mode[k].relaxation_time, a * m.modes.mode[k].relaxation_time, 1e-12);
        assert_true(cold.modes.mode[k].modulus == m.modes.mode[k].modulus);
    }
    assert_true(cold.viscosity == 0.0 && cold.mobility == 0.3 && cold.elastic_law == DLP_ELASTIC_GIESEKUS);
}

static void a_table_of_viscosities_shifts_laws_without_one(void **state)
{
    (void)state;
    const dlp_ViscosityKey keys[] = {{293.15, 40.0}, {313.15, 10.0}};
    const dlp_MaterialDef m = flow_material(DLP_FLOW_POWER_LAW), hot = dlp_material_at(&m, keys, 2, 313.15);
    assert_true(hot.viscosity == 0.0);
    assert_close(hot.consistency, m.consistency * pow(0.25, m.flow_index), 1e-6);
}

static void a_frozen_material_has_no_laws(void **state)
{
    (void)state;
    for (int law = 0; law < DLP_FLOW_LAW_COUNT; law++) {
        dlp_MaterialDef m = flow_material(law);
        m.melting_point = 280.0;
        m.frozen_modulus = 1e6;
        m.recovery_time = 2.0;
        m.breakdown = 0.7;
        const dlp_MaterialDef ice = dlp_material_at(&m, NULL, 0, 270.0);
        assert_true(!dlp__law_is_present(&ice) && ice.flow_curve.count == 0 && ice.yield_stress == 0.0);
        assert_true(ice.modulus == 1e6 && ice.viscosity == 0.0);
        const dlp_MaterialDef water = dlp_material_at(&m, NULL, 0, 290.0);
        assert_true(water.flow_law == law && water.recovery_time == 2.0);
    }
}

static void the_equivalent_has_the_stress_of_the_law(void **state)
{
    (void)state;
    for (int law = 0; law < DLP_FLOW_LAW_COUNT; law++) {
        dlp_MaterialDef m = flow_material(law);
        m.recovery_time = 2.0;
        m.breakdown = 0.7;
        m.modulus = 300.0;
        for (double rate = 0.1; rate < 200.0; rate *= 10.0) {
            const double structure = 1.0 / (1.0 + 2.0 * 0.7 * rate);
            const dlp_MaterialDef fluid = dlp_material_equivalent(&m, rate);
            assert_close(fluid.viscosity * rate, dlp__flow_stress(&m, rate, structure), 1e-12);
            assert_true(!dlp__law_is_present(&fluid) && fluid.modulus == 300.0 && fluid.relaxation_time == 0.0);
            assert_true(fluid.consistency == 0.0 && fluid.flow_index == 1.0 && fluid.transition == 2.0);
            assert_true(fluid.flow_curve.count == 0 && fluid.breakdown == 0.0);
        }
    }
}

static void modes_become_one_with_their_total_modulus_and_viscosity(void **state)
{
    (void)state;
    dlp_MaterialDef m = dlp_default_material_def();
    m.modes = (dlp_RelaxationModes){2, {{0.1, 500.0}, {1.0, 50.0}}};
    m.solvent_viscosity = 3.0;
    const dlp_MaterialDef fluid = dlp_material_equivalent(&m, 1.0);
    assert_close(fluid.modulus, 550.0, 1e-14);
    assert_close(fluid.viscosity, 100.0, 1e-14);
    assert_true(fluid.modes.count == 0 && fluid.solvent_viscosity == 3.0);
}

/* Steady conformation of an elastic law in shear at the Weissenberg number x, by fixed-point iteration: shear component of Q. */
static double steady_shear(const dlp_MaterialDef *m, double x)
{
    /* Upper-convected, dQ/dt = 0: relax(Q) = x (L Q + Q L^T); components xx, xy, yy, in small steps of time towards the steady state. */
    double xx = 1.0, xy = 0.0, yy = 1.0;
    const double dt = 0.01 / (1.0 + x);
    for (int k = 0; k < 40000; k++) {
        const double n = xx + yy - 2.0, alpha = m->elastic_law == DLP_ELASTIC_GIESEKUS ? m->mobility : 0.0;
        const double speed = m->elastic_law == DLP_ELASTIC_PTT_LINEAR        ? 1.0 + m->ptt_epsilon * n
                             : m->elastic_law == DLP_ELASTIC_PTT_EXPONENTIAL ? exp(m->ptt_epsilon * n)
                                                                             : 1.0;
        const double a = xx - 1.0, b = xy, c = yy - 1.0;
        const double rxx = speed * a + alpha * (a * a + b * b), rxy = speed * b + alpha * b * (a + c),
                     ryy = speed * c + alpha * (b * b + c * c);
        xx += dt * (2.0 * x * xy - rxx);
        xy += dt * (x * yy - rxy);
        yy -= dt * ryy;
    }
    return xy;
}

static void elastic_laws_thin_as_their_steady_state_does(void **state)
{
    (void)state;
    for (int law = DLP_ELASTIC_GIESEKUS; law < DLP_ELASTIC_LAW_COUNT; law++) {
        for (double time = 0.1; time < 20.0; time *= 4.0) {
            dlp_MaterialDef m = dlp_default_material_def();
            m.viscosity = 10.0;
            m.relaxation_time = time;
            m.elastic_law = law;
            m.mobility = law == DLP_ELASTIC_GIESEKUS ? 0.3 : 0.0;
            m.ptt_epsilon = law == DLP_ELASTIC_GIESEKUS ? 0.0 : 0.2;
            const dlp_MaterialDef fluid = dlp_material_equivalent(&m, 1.0);
            assert_close(fluid.viscosity, 10.0 / time * steady_shear(&m, time), 1e-6);
            assert_close(fluid.modulus, 10.0 / time, 1e-12);
        }
    }
    dlp_MaterialDef limit = dlp_default_material_def();
    limit.modes = (dlp_RelaxationModes){1, {{2.0, 5.0}}};
    limit.elastic_law = DLP_ELASTIC_GIESEKUS;
    limit.mobility = 1.0;
    assert_close(dlp_material_equivalent(&limit, 1.0).viscosity, 10.0 / (1.0 + 4.0), 1e-4);
}

static void a_material_without_laws_is_its_own_equivalent(void **state)
{
    (void)state;
    dlp_MaterialDef m = dlp_default_material_def();
    m.viscosity = 10.0;
    m.relaxation_time = 0.5;
    m.extensibility = 5.0;
    const dlp_MaterialDef same = dlp_material_equivalent(&m, 1.0);
    assert_memory_equal(&same, &m, sizeof m);
    const dlp_MaterialDef wrong = dlp_material_equivalent(&m, NAN);
    assert_memory_equal(&wrong, &m, sizeof m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(viscosity_follows_williams_landel_and_ferry),
        cmocka_unit_test(two_laws_of_temperature_or_half_of_one_are_refused),
        cmocka_unit_test(every_flow_law_shifts_along_the_rate),
        cmocka_unit_test(relaxation_times_of_modes_shift_and_moduli_stay),
        cmocka_unit_test(a_table_of_viscosities_shifts_laws_without_one),
        cmocka_unit_test(a_frozen_material_has_no_laws),
        cmocka_unit_test(the_equivalent_has_the_stress_of_the_law),
        cmocka_unit_test(modes_become_one_with_their_total_modulus_and_viscosity),
        cmocka_unit_test(elastic_laws_thin_as_their_steady_state_does),
        cmocka_unit_test(a_material_without_laws_is_its_own_equivalent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
