/* The virtual rheometer finds the laws of materials in the particles of method physical: flow curves, normal stresses, moduli, start-up,
 * creep and relaxation. With DOLLOP_TEST_SCALE=full over four decades at three spacings and three time steps. An argument chooses tests by
 * name, such as 'flow curve of Giesekus' or 'moduli*'.
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

enum { EDGE = 5, LAWS = 18, SPECTRA = 5, OTHERS = 4 };

/* A material with a law, and the fastest rate (1/s) of its flow curve. The name is that of the test. */
typedef struct Law {
    const char *name;
    dlp_MaterialDef material;
    double fastest;
} Law;

static dlp_MaterialDef base(void)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = 1000.0;
    return material;
}

static dlp_MaterialDef flow_law(dlp_FlowLaw law, double yield, double viscosity, double consistency, double index)
{
    dlp_MaterialDef material = base();
    material.flow_law = law;
    material.yield_stress = yield;
    material.viscosity = viscosity;
    material.consistency = consistency;
    material.flow_index = index;
    return material;
}

static dlp_MaterialDef thinning(dlp_FlowLaw law, double index)
{
    dlp_MaterialDef material = flow_law(law, 0.0, 100.0, 0.0, index);
    material.infinite_viscosity = 0.1;
    material.thinning_time = 2.0;
    material.transition = 2.0;
    return material;
}

static dlp_MaterialDef table(void)
{
    static const dlp_FlowPoint points[] = {{0.01, 1.0}, {1.0, 20.0}, {10.0, 60.0}, {100.0, 300.0}};
    dlp_MaterialDef material = flow_law(DLP_FLOW_TABLE, 0.0, 0.0, 0.0, 1.0);
    material.flow_curve.count = 4;
    memcpy(material.flow_curve.point, points, sizeof points);
    return material;
}

static dlp_MaterialDef saramito(void)
{
    dlp_MaterialDef material = flow_law(DLP_FLOW_HERSCHEL_BULKLEY, 30.0, 0.0, 10.0, 0.5);
    material.modulus = 1000.0;
    return material;
}

static dlp_MaterialDef elastic(dlp_ElasticLaw law, double solvent)
{
    dlp_MaterialDef material = base();
    material.viscosity = 100.0;
    material.relaxation_time = 1.0;
    material.elastic_law = law;
    material.mobility = law == DLP_ELASTIC_GIESEKUS ? 0.2 : material.mobility;
    material.ptt_epsilon = law > DLP_ELASTIC_GIESEKUS ? 0.1 : material.ptt_epsilon;
    material.solvent_viscosity = solvent;
    return material;
}

static dlp_MaterialDef fene_p(void)
{
    dlp_MaterialDef material = elastic(DLP_ELASTIC_MAXWELL, 1.0);
    material.extensibility = 5.0;
    return material;
}

/* The solvent makes the stress rise with the rate; without it the flow would split into bands. */
static dlp_MaterialDef thixotropic(void)
{
    dlp_MaterialDef material = flow_law(DLP_FLOW_BINGHAM, 20.0, 5.0, 0.0, 1.0);
    material.solvent_viscosity = 60.0;
    material.recovery_time = 5.0;
    material.breakdown = 0.5;
    return material;
}

/* Times from 0.01 s, evenly on a logarithmic scale over as many decades as there are modes but one half. */
static dlp_MaterialDef spectrum(int modes)
{
    dlp_MaterialDef material = base();
    material.modes.count = modes;
    for (int n = 0; n < modes; n++) {
        material.modes.mode[n] = (dlp_RelaxationMode){0.01 * pow(10.0, 0.5 * n), 1000.0 / pow(2.0, n)};
    }
    return material;
}

static void make_laws(Law laws[LAWS])
{
    const Law list[] = {
        {"flow curve of newtonian", flow_law(DLP_FLOW_NEWTONIAN, 0.0, 1.0, 0.0, 1.0), 100.0},
        {"flow curve of power law", flow_law(DLP_FLOW_POWER_LAW, 0.0, 0.0, 10.0, 0.5), 100.0},
        {"flow curve of power law, thickening", flow_law(DLP_FLOW_POWER_LAW, 0.0, 0.0, 10.0, 1.5), 100.0},
        {"flow curve of Carreau", thinning(DLP_FLOW_CARREAU, 0.4), 100.0},
        {"flow curve of Cross", thinning(DLP_FLOW_CROSS, 0.3), 100.0},
        {"flow curve of Casson", flow_law(DLP_FLOW_CASSON, 10.0, 2.0, 0.0, 1.0), 100.0},
        {"flow curve of Bingham", flow_law(DLP_FLOW_BINGHAM, 20.0, 1.0, 0.0, 1.0), 100.0},
        {"flow curve of Herschel-Bulkley", flow_law(DLP_FLOW_HERSCHEL_BULKLEY, 30.0, 0.0, 10.0, 0.5), 100.0},
        {"flow curve of table", table(), 100.0},
        {"flow curve of Saramito", saramito(), 100.0},
        {"flow curve of thixotropic Bingham", thixotropic(), 100.0},
        {"flow curve of Maxwell", elastic(DLP_ELASTIC_MAXWELL, 0.0), 5.0},
        {"flow curve of Oldroyd-B", elastic(DLP_ELASTIC_MAXWELL, 20.0), 5.0},
        {"flow curve of Giesekus", elastic(DLP_ELASTIC_GIESEKUS, 1.0), 20.0},
        {"flow curve of linear PTT", elastic(DLP_ELASTIC_PTT_LINEAR, 1.0), 20.0},
        {"flow curve of exponential PTT", elastic(DLP_ELASTIC_PTT_EXPONENTIAL, 1.0), 20.0},
        {"flow curve of FENE-P", fene_p(), 20.0},
        {"flow curve of three modes", spectrum(3), 20.0},
    };
    _Static_assert(sizeof list == LAWS * sizeof list[0], "LAWS is their number");
    memcpy(laws, list, sizeof list);
}

static dlp_Measurement *measure(const dlp_RheometerDef *def, const dlp_MaterialDef *material)
{
    dlp_Measurement *measurement = NULL;
    dlp_Error error = {0};
    if (dlp_rheometer_run(def, material, &measurement, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return measurement;
}

static dlp_RheometerDef test_def(dlp_RheometerTest test)
{
    dlp_RheometerDef def = dlp_default_rheometer_def();
    def.test = test;
    def.edge = EDGE;
    def.threads = 1;
    return def;
}

static double worst_of(const dlp_Measurement *measurement)
{
    double worst = 0.0;
    for (int k = 0; k < dlp_measurement_count(measurement); k++) {
        const double error = dlp_measurement_error(measurement, k);
        worst = error <= worst ? worst : error; /* NaN counts */
    }
    return worst;
}

/* The largest error of N1 where it is at least a twentieth of the stress. */
static double worst_normal(const dlp_Measurement *measurement)
{
    double worst = 0.0;
    for (int k = 0; k < dlp_measurement_count(measurement); k++) {
        const dlp_MeasuredPoint *point = dlp_measurement_point(measurement, k);
        if (point->law.normal_stress > 0.05 * point->law.stress) {
            worst = fmax(worst, fabs(point->measured.normal_stress / point->law.normal_stress - 1.0));
        }
    }
    return worst;
}

/* The largest errors of the flow curve and of N1, at spacings and steps of 1/2, 1 and 2 times the chosen ones when full. */
static void flow_errors(const Law *law, double *stress, double *normal)
{
    static const double factors[] = {1.0, 0.5, 2.0};
    const int count = full_scale() ? 3 : 1;
    dlp_RheometerDef def = test_def(DLP_RHEOMETER_FLOW), chosen = def;
    def.to = law->fastest;
    def.from = (full_scale() ? 1e-4 : 1e-2) * law->fastest;
    def.points = full_scale() ? 5 : 2;
    chosen = def;
    assert_int_equal(dlp_rheometer_complete(&chosen, &law->material, NULL), DLP_OK);
    for (int n = 0; n < count * count; n++) {
        def.spacing = chosen.spacing * factors[n / count];
        def.time_step_factor = factors[n % count];
        dlp_Measurement *measurement = measure(&def, &law->material);
        *stress = fmax(*stress, worst_of(measurement));
        *normal = fmax(*normal, worst_normal(measurement));
        dlp_measurement_destroy(measurement);
    }
}

/* The stress within 2 %, the first normal stress difference within 5 %. */
static void flow_curve_is_that_of_the_law(void **state)
{
    const Law *law = *state;
    double stress = 0.0, normal = 0.0;
    flow_errors(law, &stress, &normal);
    print_message("%s: within %.2f %%, N1 within %.2f %%\n", law->name, 100.0 * stress, 100.0 * normal);
    assert_true(stress < 0.02);
    assert_true(normal < 0.05);
}

/* A number of relaxation modes. */
typedef struct Spectrum {
    const char *name; /* of the test */
    int modes;
} Spectrum;

static Spectrum spectra[SPECTRA] = {
    {"moduli of 1 mode", 1},  {"moduli of 2 modes", 2}, {"moduli of 3 modes", 3},
    {"moduli of 5 modes", 5}, {"moduli of 8 modes", 8},
};

/* Within 2 % of the complex modulus. Without DOLLOP_TEST_SCALE=full only one point of three modes. */
static void moduli_are_those_of_the_law(void **state)
{
    const Spectrum *chosen = *state;
    if (!full_scale() && chosen->modes != 3) {
        skip();
    }
    const dlp_MaterialDef material = spectrum(chosen->modes);
    dlp_RheometerDef def = test_def(DLP_RHEOMETER_OSCILLATION);
    def.points = full_scale() ? 5 : 1;
    dlp_Measurement *measurement = measure(&def, &material);
    const double worst = worst_of(measurement);
    print_message("%s: within %.2f %% of the complex modulus\n", chosen->name, 100.0 * worst);
    dlp_measurement_destroy(measurement);
    assert_true(worst < 0.02);
}

/* The time and the height of the largest stress. */
typedef struct Peak {
    double time, stress;
} Peak;

/* By a parabola through the largest point and its neighbours. */
static Peak find_peak(const dlp_Measurement *measurement, bool of_law)
{
    int top = 1;
    double y[3];
    const int last = dlp_measurement_count(measurement) - 1;
    for (int k = 1; k < last; k++) {
        const dlp_MeasuredPoint *a = dlp_measurement_point(measurement, k),
                                *b = dlp_measurement_point(measurement, top);
        top = (of_law ? a->law.stress > b->law.stress : a->measured.stress > b->measured.stress) ? k : top;
    }
    for (int n = 0; n < 3; n++) {
        const dlp_MeasuredPoint *point = dlp_measurement_point(measurement, top - 1 + n);
        y[n] = of_law ? point->law.stress : point->measured.stress;
    }
    const double dt = dlp_measurement_point(measurement, top + 1)->time - dlp_measurement_point(measurement, top)->time;
    const double shift = 0.5 * (y[0] - y[2]) / (y[0] - 2.0 * y[1] + y[2]);
    return (Peak){dlp_measurement_point(measurement, top)->time + shift * dt, y[1] - 0.25 * (y[0] - y[2]) * shift};
}

static void startup_overshoots_at_the_time_and_to_the_height_of_the_law(void **state)
{
    (void)state;
    const dlp_MaterialDef material = elastic(DLP_ELASTIC_GIESEKUS, 1.0);
    dlp_RheometerDef def = test_def(DLP_RHEOMETER_STARTUP);
    def.rate = 10.0;
    def.from = 0.04;
    def.to = 0.8;
    def.points = 20;
    dlp_Measurement *measurement = measure(&def, &material);
    const Peak found = find_peak(measurement, false), law = find_peak(measurement, true);
    print_message("overshoot at %.4f s (law %.4f) to %.2f Pa (%.2f)\n", found.time, law.time, found.stress, law.stress);
    dlp_measurement_destroy(measurement);
    assert_true(fabs(found.time / law.time - 1.0) < 0.05);
    assert_true(fabs(found.stress / law.stress - 1.0) < 0.05);
}

static double last_strain(const dlp_MaterialDef *material, double stress, double duration, double *law)
{
    dlp_RheometerDef def = test_def(DLP_RHEOMETER_CREEP);
    def.stress = stress;
    def.from = 0.2 * duration;
    def.to = duration;
    def.points = 5;
    dlp_Measurement *measurement = measure(&def, material);
    const dlp_MeasuredPoint *last = dlp_measurement_point(measurement, 4);
    const double strain = last->measured.strain;
    *law = last->law.strain;
    print_message("creep at %g Pa: strain %.5f (law %.5f), stress %.4f Pa\n", stress, strain, *law,
                  last->measured.stress);
    dlp_measurement_destroy(measurement);
    return strain;
}

/* Yield stress 30 Pa, modulus 1000 Pa. */
static void a_paste_creeps_above_its_yield_stress_and_rests_below(void **state)
{
    (void)state;
    const dlp_MaterialDef material = saramito();
    double law = 0.0;
    const double below = last_strain(&material, 20.0, 1.0, &law);
    /* elastic strain without flow; disordered particles give in by some percent after the stress is applied */
    assert_true(fabs(below - law) < 0.08 * law);
    const double above = last_strain(&material, 45.0, 1.0, &law);
    assert_true(fabs(above - law) < 0.05 * law);
    assert_true(above > 10.0 * below);
}

static void stress_relaxes_like_the_modulus_of_the_law(void **state)
{
    (void)state;
    const dlp_MaterialDef material = spectrum(3);
    dlp_RheometerDef def = test_def(DLP_RHEOMETER_RELAXATION);
    def.strain = 0.2;
    def.from = 0.01;
    def.to = 0.5;
    def.points = 6;
    dlp_Measurement *measurement = measure(&def, &material);
    const double worst = worst_of(measurement);
    print_message("relaxation within %.2f %% of the first stress\n", 100.0 * worst);
    dlp_measurement_destroy(measurement);
    assert_true(worst < 0.02);
}

static void expect_refusal(dlp_RheometerDef def, const dlp_MaterialDef *material, const char *part)
{
    dlp_Measurement *measurement = NULL;
    dlp_Error error = {0};
    assert_int_equal(dlp_rheometer_run(&def, material, &measurement, &error), DLP_ERROR_ARGUMENT);
    assert_null(measurement);
    if (!strstr(error.text, part)) {
        fail_msg("'%s' does not mention '%s'", error.text, part);
    }
}

static void definitions_without_sense_are_refused(void **state)
{
    (void)state;
    const dlp_MaterialDef material = flow_law(DLP_FLOW_NEWTONIAN, 0.0, 1.0, 0.0, 1.0);
    dlp_MaterialDef solid = base();
    solid.modulus = 1000.0;
    dlp_RheometerDef def = test_def(DLP_RHEOMETER_FLOW);
    def.test = 99;
    expect_refusal(def, &material, "no test 99");
    def = test_def(DLP_RHEOMETER_FLOW);
    expect_refusal(def, &solid, "no flow curve");
    def.spacing = NAN;
    expect_refusal(def, &material, "not a value");
    def = test_def(DLP_RHEOMETER_FLOW);
    def.from = 2.0;
    def.to = 1.0;
    expect_refusal(def, &material, "is empty");
    def = test_def(DLP_RHEOMETER_FLOW);
    def.edge = 3;
    expect_refusal(def, &material, "particles");
}

int main(int argc, char **argv)
{
    Law laws[LAWS];
    struct CMUnitTest tests[OTHERS + LAWS + SPECTRA] = {
        cmocka_unit_test(startup_overshoots_at_the_time_and_to_the_height_of_the_law),
        cmocka_unit_test(a_paste_creeps_above_its_yield_stress_and_rests_below),
        cmocka_unit_test(stress_relaxes_like_the_modulus_of_the_law),
        cmocka_unit_test(definitions_without_sense_are_refused),
    };
    make_laws(laws);
    for (int n = 0; n < LAWS; n++) {
        tests[OTHERS + n] = (struct CMUnitTest){
            .name = laws[n].name, .test_func = flow_curve_is_that_of_the_law, .initial_state = &laws[n]};
    }
    for (int n = 0; n < SPECTRA; n++) {
        tests[OTHERS + LAWS + n] = (struct CMUnitTest){
            .name = spectra[n].name, .test_func = moduli_are_those_of_the_law, .initial_state = &spectra[n]};
    }
    if (argc > 1) {
        cmocka_set_test_filter(argv[1]);
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
