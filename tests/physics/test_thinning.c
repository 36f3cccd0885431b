/* Threads under surface tension: the law of slender threads has the known rates of thinning, and the necks of particles in the virtual rheometer
 * follow it. With DOLLOP_TEST_SCALE=full at 6 particles a radius, and an Oldroyd-B thread.
 * ctest: full
 * ctest: timeout 600 */
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

#define PI 3.14159265358979323846

enum { RADII = 100, TIMES = 200 };

static dlp_MaterialDef viscous(void)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = 1000.0;
    material.viscosity = 2.0;
    material.surface_tension = 0.05;
    return material;
}

static dlp_MaterialDef oldroyd_b(double solvent, double modulus, double relaxation_time)
{
    dlp_MaterialDef material = viscous();
    material.viscosity = modulus * relaxation_time;
    material.relaxation_time = relaxation_time;
    material.solvent_viscosity = solvent;
    return material;
}

/* Slope over time of the radius, or of its logarithm, of a slender thread of radius 1 mm with a wave while its neck thins from one radius to
 * another. */
static double slope(const dlp_MaterialDef *material, double duration, double from, double to, bool of_logarithm)
{
    const double unit = 1e-3;
    double radii[RADII], times[TIMES], necks[TIMES], begin = NAN, end = NAN;
    dlp_Error error = {0};
    for (int n = 0; n < RADII; n++) {
        radii[n] = unit * (1.0 + 0.3 * cos(PI * (n + 0.5) / RADII)) / sqrt(1.045);
    }
    for (int n = 0; n < TIMES; n++) {
        times[n] = duration * (n + 1) / TIMES;
    }
    dlp_ThreadDef thread = dlp_default_thread_def();
    thread.length = 4.0 * PI * unit;
    thread.radii = radii;
    thread.count = RADII;
    thread.window = 0.2 * unit;
    if (dlp_material_thread(material, &thread, times, TIMES, necks, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    for (int n = 1; n < TIMES; n++) {
        const double part[2] = {(necks[n - 1] - from * unit) / (necks[n - 1] - necks[n]),
                                (necks[n - 1] - to * unit) / (necks[n - 1] - necks[n])};
        begin = part[0] >= 0.0 && part[0] < 1.0 ? times[n - 1] + part[0] * (times[n] - times[n - 1]) : begin;
        end = part[1] >= 0.0 && part[1] < 1.0 ? times[n - 1] + part[1] * (times[n] - times[n - 1]) : end;
    }
    return (of_logarithm ? log(to / from) : unit * (to - from)) / (end - begin);
}

/* 0.0709 surface tension over viscosity: Papageorgiou, Phys. Fluids 7 (1995), for a neck that is about to break; thicker ones
 * thin a little faster. */
static void a_viscous_slender_neck_thins_at_the_known_rate(void **state)
{
    (void)state;
    const dlp_MaterialDef material = viscous();
    const double ratio = slope(&material, 0.52, 0.3, 0.15, false) * material.viscosity /
                         (-0.0709 * material.surface_tension);
    print_message("a viscous neck thins at %.3f times the known rate\n", ratio);
    assert_true(fabs(ratio - 1.0) < 0.1);
}

/* Entov and Hinch, J. Non-Newtonian Fluid Mech. 72 (1997): exp(-t / (3 relaxation time)) once elasticity balances
 * surface tension; the pressure of the bulge adds some percent. */
static void an_elastic_slender_neck_thins_exponentially(void **state)
{
    (void)state;
    const double relaxation_time = 0.2;
    const dlp_MaterialDef material = oldroyd_b(0.2, 5.0, relaxation_time);
    const double ratio = slope(&material, 0.24, 0.21, 0.18, true) * -3.0 * relaxation_time;
    print_message("an elastic neck thins at %.3f times the known rate\n", ratio);
    assert_true(fabs(ratio - 1.0) < 0.1);
}

static void follow(const dlp_MaterialDef *material, int64_t edge, double most)
{
    dlp_RheometerDef def = dlp_default_rheometer_def();
    dlp_Measurement *measurement = NULL;
    dlp_Error error = {0};
    double worst = 0.0;
    def.test = DLP_RHEOMETER_THINNING;
    def.edge = edge;
    def.threads = 1;
    assert_int_equal(dlp_rheometer_complete(&def, material, &error), DLP_OK);
    def.to *= 0.9; /* necks of less than three spacings thin too fast */
    def.points = 5;
    if (dlp_rheometer_run(&def, material, &measurement, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    for (int k = 0; k < dlp_measurement_count(measurement); k++) {
        const double deviation = dlp_measurement_error(measurement, k);
        worst = deviation <= worst ? worst : deviation; /* NaN counts */
    }
    const dlp_MeasuredPoint *first = dlp_measurement_point(measurement, 0),
                            *last = dlp_measurement_point(measurement, 4);
    print_message("a neck thins from %.4g to %.4g m (law %.4g m), within %.2f %% of the law\n", first->measured.radius,
                  last->measured.radius, last->law.radius, 100.0 * worst);
    assert_true(last->law.radius < 0.8 * first->law.radius);
    assert_true(worst < most);
    dlp_measurement_destroy(measurement);
}

static void necks_of_particles_follow_the_law(void **state)
{
    (void)state;
    const dlp_MaterialDef newtonian = viscous(), elastic = oldroyd_b(0.5, 5.0, 0.4);
    follow(&newtonian, full_scale() ? 6 : 4, 0.05);
    if (full_scale()) {
        follow(&elastic, 6, 0.05);
    }
}

static void expect_refusal(const dlp_MaterialDef *material, dlp_Result code, const char *part)
{
    dlp_RheometerDef def = dlp_default_rheometer_def();
    dlp_Error error = {0};
    def.test = DLP_RHEOMETER_THINNING;
    assert_int_equal(dlp_rheometer_complete(&def, material, &error), code);
    if (!strstr(error.text, part)) {
        fail_msg("'%s' does not mention '%s'", error.text, part);
    }
}

static void materials_without_a_law_of_thinning_are_refused(void **state)
{
    (void)state;
    dlp_MaterialDef dry = viscous(), ptt = oldroyd_b(0.5, 5.0, 0.4), solid = viscous(), thin = viscous();
    dry.surface_tension = 0.0;
    expect_refusal(&dry, DLP_ERROR_ARGUMENT, "surface_tension");
    ptt.elastic_law = DLP_ELASTIC_PTT_LINEAR;
    ptt.ptt_epsilon = 0.1;
    expect_refusal(&ptt, DLP_ERROR_UNSUPPORTED, "Oldroyd-B");
    solid.viscosity = 0.0;
    solid.modulus = 1000.0;
    expect_refusal(&solid, DLP_ERROR_ARGUMENT, "solids");
    thin.viscosity = 1e-3;
    expect_refusal(&thin, DLP_ERROR_ARGUMENT, "inertia");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_viscous_slender_neck_thins_at_the_known_rate),
        cmocka_unit_test(an_elastic_slender_neck_thins_exponentially),
        cmocka_unit_test(necks_of_particles_follow_the_law),
        cmocka_unit_test(materials_without_a_law_of_thinning_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
