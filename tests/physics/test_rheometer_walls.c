/* The virtual rheometer between walls: force of a squeezed disc, torque on bob, cup and vane, against the law. With DOLLOP_TEST_SCALE=full for
 * more laws and twice the rates.
 * ctest: full
 * ctest: timeout 1200 */
#include "support/scale.h"

#include <dollop/rheology.h>
#include <dollop/rheometer.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct Law {
    const char *name;
    dlp_MaterialDef material;
} Law;

static dlp_MaterialDef flow_law(dlp_FlowLaw law, double yield, double viscosity, double consistency, double index)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = 1000.0;
    material.flow_law = law;
    material.yield_stress = yield;
    material.viscosity = viscosity;
    material.consistency = consistency;
    material.flow_index = index;
    return material;
}

/* The first two are measured always. */
static int make_laws(Law laws[])
{
    const Law list[] = {
        {"newtonian", flow_law(DLP_FLOW_NEWTONIAN, 0.0, 20.0, 0.0, 1.0)},
        {"Bingham", flow_law(DLP_FLOW_BINGHAM, 20.0, 10.0, 0.0, 1.0)},
        {"Herschel-Bulkley", flow_law(DLP_FLOW_HERSCHEL_BULKLEY, 20.0, 0.0, 20.0, 0.5)},
        {"power law", flow_law(DLP_FLOW_POWER_LAW, 0.0, 0.0, 20.0, 0.5)},
        {"Casson", flow_law(DLP_FLOW_CASSON, 10.0, 5.0, 0.0, 1.0)},
    };
    memcpy(laws, list, sizeof list);
    return full_scale() ? (int)(sizeof list / sizeof list[0]) : 2;
}

static dlp_Measurement *measure(dlp_RheometerDef def, const dlp_MaterialDef *material)
{
    dlp_Measurement *measurement = NULL;
    dlp_Error error = {0};
    def.threads = 1;
    if (dlp_rheometer_run(&def, material, &measurement, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return measurement;
}

static dlp_RheometerDef cup_def(dlp_RheometerTest test)
{
    dlp_RheometerDef def = dlp_default_rheometer_def();
    def.test = test;
    def.edge = full_scale() ? 8 : 6;
    def.from = 1.0;
    def.to = full_scale() ? 10.0 : 1.0;
    def.points = full_scale() ? 3 : 1;
    return def;
}

static void torques_on_bob_and_cup_are_within_3_percent(void **state)
{
    (void)state;
    Law laws[8];
    const int count = make_laws(laws);
    for (int n = 0; n < count; n++) {
        dlp_Measurement *measurement = measure(cup_def(DLP_RHEOMETER_COUETTE), &laws[n].material);
        for (int k = 0; k < dlp_measurement_count(measurement); k++) {
            const dlp_MeasuredPoint *point = dlp_measurement_point(measurement, k);
            const double law = dlp_material_couette_torque(&laws[n].material, dlp_measurement_def(measurement).radius,
                                                           dlp_measurement_def(measurement).cup, point->rotation);
            print_message("%s at %g 1/s: torque over that of the law %.4f on the bob, %.4f on the cup\n", laws[n].name,
                          point->rate, point->measured.torque / law, point->measured.cup_torque / law);
            assert_true(fabs(point->measured.torque / law - 1.0) < 0.03);
            assert_true(fabs(point->measured.cup_torque / law - 1.0) < 0.03);
            assert_true(point->law.torque == law);
        }
        dlp_measurement_destroy(measurement);
    }
}

/* Between crossed blades a Newtonian fluid moves slower than the blades, a plastic one does not: four blades in unbounded fluid have the
 * torque of a bob with the square of the radius (1 - 1/4) times as large (Atkinson and Sherwood 1992), in a cup 0.63 of the torque of a bob as wide
 * as the vane if their blades are thin. */
static void a_vane_has_a_smaller_torque_than_a_bob_less_so_in_a_paste(void **state)
{
    (void)state;
    Law laws[8];
    double ratio[2];
    make_laws(laws);
    for (int n = 0; n < 2; n++) {
        dlp_Measurement *measurement = measure(cup_def(DLP_RHEOMETER_VANE), &laws[n].material);
        const dlp_MeasuredPoint *point = dlp_measurement_point(measurement, 0);
        ratio[n] = point->measured.torque / point->law.torque;
        print_message("%s: torque of a vane over that of a bob %.3f, on the cup %.3f\n", laws[n].name, ratio[n],
                      point->measured.cup_torque / point->law.torque);
        assert_true(fabs(point->measured.cup_torque / point->measured.torque - 1.0) < 0.06); /* 6 particles across */
        dlp_measurement_destroy(measurement);
    }
    assert_true(ratio[0] > 0.63 && ratio[0] < 0.85);
    assert_true(ratio[1] > ratio[0] + 0.05 && ratio[1] < 1.05);
}

static void the_force_of_a_squeezed_disc_is_within_10_percent(void **state)
{
    (void)state;
    Law laws[8];
    const int count = make_laws(laws);
    for (int n = full_scale() ? 0 : 1; n < count; n++) {
        dlp_RheometerDef def = dlp_default_rheometer_def();
        def.test = DLP_RHEOMETER_SQUEEZE;
        def.edge = full_scale() ? 10 : 6;
        def.to = 0.01 * (double)def.edge;
        def.from = (full_scale() ? 0.8 : 0.9) * def.to;
        def.points = 2;
        dlp_Measurement *measurement = measure(def, &laws[n].material);
        for (int k = 0; k < 2; k++) {
            const dlp_MeasuredPoint *point = dlp_measurement_point(measurement, k);
            const double error = dlp_measurement_error(measurement, k);
            print_message("%s, gap %.4f m: force %.4g N, %.1f %% from the law\n", laws[n].name, point->gap,
                          point->measured.force, 100.0 * error);
            assert_true(error < 0.10);
        }
        dlp_measurement_destroy(measurement);
    }
}

static void expect_refusal(dlp_RheometerDef def, const dlp_MaterialDef *material, const char *part)
{
    dlp_Error error = {0};
    assert_int_equal(dlp_rheometer_complete(&def, material, &error), DLP_ERROR_ARGUMENT);
    if (!strstr(error.text, part)) {
        fail_msg("'%s' does not mention '%s'", error.text, part);
    }
}

static void shapes_without_sense_are_refused(void **state)
{
    (void)state;
    const dlp_MaterialDef material = flow_law(DLP_FLOW_NEWTONIAN, 0.0, 1.0, 0.0, 1.0);
    dlp_MaterialDef solid = dlp_default_material_def();
    solid.modulus = 1000.0;
    dlp_RheometerDef def = dlp_default_rheometer_def();
    def.test = DLP_RHEOMETER_SQUEEZE;
    expect_refusal(def, &solid, "no flow curve");
    def.to = 0.01;
    def.from = 0.002;
    expect_refusal(def, &material, "closes");
    def.from = 0.008;
    def.radius = 0.01;
    expect_refusal(def, &material, "at least 2 gaps");
    def = dlp_default_rheometer_def();
    def.test = DLP_RHEOMETER_VANE;
    def.blades = 3;
    expect_refusal(def, &material, "blades");
    def.blades = 0;
    def.radius = 0.05;
    def.cup = 0.04;
    expect_refusal(def, &material, "in a cup");
    def.cup = 0.06;
    def.spacing = 1e-3;
    def.radius = 0.05;
    def.edge = 0;
    assert_int_equal(dlp_rheometer_complete(&def, &material, NULL), DLP_OK);
    assert_int_equal(def.edge, 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(torques_on_bob_and_cup_are_within_3_percent),
        cmocka_unit_test(a_vane_has_a_smaller_torque_than_a_bob_less_so_in_a_paste),
        cmocka_unit_test(the_force_of_a_squeezed_disc_is_within_10_percent),
        cmocka_unit_test(shapes_without_sense_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
