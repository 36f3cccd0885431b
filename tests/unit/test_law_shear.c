/* Histories of shear and creep of material laws against closed forms, a fine Runge-Kutta integration and the steady curves. */
#include "materials/flow_law.h"
#include "materials/law_modulus.h"
#include "support/random_law.h"

#include <dollop/dollop.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define COUNT(list) (int)(sizeof(list) / sizeof *(list))

static const double PI = 3.14159265358979323846;

/* The histories are accurate to this. */
static const double ACCURACY = 1e-6;

static void assert_close(double value, double expected, double error)
{
    if (!(fabs(value - expected) <= error)) {
        fail_msg("%.12g is not within %g of %.12g", value, error, expected);
    }
}

static void assert_near(double value, double expected)
{
    assert_close(value, expected, ACCURACY * fabs(expected));
}

static dlp_MaterialDef elastic(double viscosity, double modulus)
{
    dlp_MaterialDef m = dlp_default_material_def();
    m.viscosity = viscosity;
    m.modulus = modulus;
    return m;
}

static dlp_MaterialDef law_of(dlp_ElasticLaw law, double parameter)
{
    dlp_MaterialDef m = elastic(20.0, 40.0); /* 0.5 s */
    m.elastic_law = (int32_t)law;
    m.mobility = law == DLP_ELASTIC_GIESEKUS ? parameter : 0.0;
    m.ptt_epsilon = law == DLP_ELASTIC_GIESEKUS ? 0.0 : parameter;
    return m;
}

static dlp_MaterialDef fene(double extensibility)
{
    dlp_MaterialDef m = elastic(20.0, 40.0);
    m.extensibility = extensibility;
    return m;
}

static dlp_MaterialDef paste(double modulus)
{
    dlp_MaterialDef m = dlp_default_material_def();
    m.flow_law = DLP_FLOW_HERSCHEL_BULKLEY;
    m.yield_stress = 100.0;
    m.consistency = 10.0;
    m.flow_index = 0.4;
    m.modulus = modulus;
    return m;
}

/* A shear rate that is constant up to a time, and another one after it. */
typedef struct Steps {
    double rate, until, later;
} Steps;

static double stepped(void *user, double time)
{
    const Steps *steps = user;
    return time < steps->until ? steps->rate : steps->later;
}

static void shear_by(const dlp_MaterialDef *m, dlp_ShearRateFunction rate, void *user, const double *times, int count,
                     dlp_ShearState *states)
{
    dlp_Error error = {DLP_OK, ""};
    if (dlp_material_shear(m, rate, user, times, count, states, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
}

static void shear(const dlp_MaterialDef *m, Steps steps, const double *times, int count, dlp_ShearState *states)
{
    shear_by(m, stepped, &steps, times, count, states);
}

static void creep(const dlp_MaterialDef *m, double stress, const double *times, int count, dlp_ShearState *states)
{
    dlp_Error error = {DLP_OK, ""};
    if (dlp_material_creep(m, stress, times, count, states, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
}

static const double TIMES[] = {0.0, 1e-4, 0.01, 0.1, 0.3, 0.5, 1.0, 2.0, 10.0};
enum { TIME_COUNT = COUNT(TIMES) };

static void oldroyd_b_starts_up_and_relaxes_exponentially(void **state)
{
    (void)state;
    dlp_ShearState states[TIME_COUNT];
    dlp_MaterialDef m = elastic(20.0, 40.0);
    m.solvent_viscosity = 3.0;
    shear(&m, (Steps){7.0, INFINITY, 0.0}, TIMES, TIME_COUNT, states);
    for (int k = 0; k < TIME_COUNT; k++) {
        const double x = TIMES[k] / 0.5, relaxed = -expm1(-x);
        const double first = 2.0 * 20.0 * 0.5 * 49.0 * (x < 1e-3 ? x * x * (0.5 - x / 3.0) : 1.0 - (1.0 + x) * exp(-x));
        assert_near(states[k].stress, 20.0 * 7.0 * relaxed + 21.0);
        assert_near(states[k].normal_stress, first);
        assert_near(states[k].strain, 7.0 * TIMES[k]);
        assert_true(states[k].rate == 7.0 && states[k].structure == 1.0 && states[k].time == TIMES[k]);
    }
    /* cessation at a time that is not asked for */
    shear(&m, (Steps){7.0, 0.123456, 0.0}, TIMES, TIME_COUNT, states);
    for (int k = 4; k < TIME_COUNT; k++) {
        assert_close(states[k].stress, 20.0 * 7.0 * -expm1(-0.123456 / 0.5) * exp(-(TIMES[k] - 0.123456) / 0.5),
                     30.0 * ACCURACY);
        assert_near(states[k].strain, 7.0 * 0.123456);
    }
    /* and at one that is: the solvent stops at once */
    shear(&m, (Steps){7.0, 0.5, 0.0}, TIMES, TIME_COUNT, states);
    assert_near(states[5].stress, 20.0 * 7.0 * -expm1(-1.0));
}

/* The components xx, yy, zz and xz of Q - I of an elastic law as written in the issue, in steady shear. */
static void reference_slope(const dlp_MaterialDef *m, double rate, const double a[4], double change[4])
{
    const double time = m->viscosity / m->modulus, trace = a[0] + a[1] + a[2], b = m->extensibility * m->extensibility;
    const double alpha = m->mobility, f = b > 0.0                                    ? (b - 3.0) / (b - 3.0 - trace)
                                          : m->elastic_law == DLP_ELASTIC_PTT_LINEAR ? 1.0 + m->ptt_epsilon * trace
                                          : m->elastic_law == DLP_ELASTIC_PTT_EXPONENTIAL ? exp(m->ptt_epsilon * trace)
                                                                                          : 1.0;
    const double extra = b > 0.0 ? f - 1.0 : 0.0;
    change[0] = 2.0 * rate * a[3] - (f * a[0] + extra + alpha * (a[0] * a[0] + a[3] * a[3])) / time;
    change[1] = -(f * a[1] + extra + alpha * a[1] * a[1]) / time;
    change[2] = -(f * a[2] + extra + alpha * (a[2] * a[2] + a[3] * a[3])) / time;
    change[3] = rate * (1.0 + a[2]) - (f * a[3] + alpha * a[3] * (a[0] + a[2])) / time;
}

static void reference_step(const dlp_MaterialDef *m, double rate, double dt, double a[4])
{
    double slope[4][4], moved[4];
    const double at[] = {0.0, 0.5, 0.5, 1.0};
    for (int s = 0; s < 4; s++) {
        for (int n = 0; n < 4; n++) {
            moved[n] = a[n] + (s > 0 ? at[s] * dt * slope[s - 1][n] : 0.0);
        }
        reference_slope(m, rate, moved, slope[s]);
    }
    for (int n = 0; n < 4; n++) {
        a[n] += dt / 6.0 * (slope[0][n] + 2.0 * slope[1][n] + 2.0 * slope[2][n] + slope[3][n]);
    }
}

static void start_up_agrees_with_fine_runge_kutta_through_its_overshoot(void **state)
{
    (void)state;
    enum { STEPS = 40000, POINTS = 200 };
    const dlp_MaterialDef list[] = {law_of(DLP_ELASTIC_GIESEKUS, 0.3), law_of(DLP_ELASTIC_GIESEKUS, 0.9),
                                    law_of(DLP_ELASTIC_PTT_LINEAR, 0.2), law_of(DLP_ELASTIC_PTT_EXPONENTIAL, 0.2),
                                    fene(4.0)};
    const double rate = 20.0, dt = 1.0 / STEPS;
    for (int m = 0; m < COUNT(list); m++) {
        double times[POINTS], a[4] = {0}, most = 0.0, most_time = 0.0, highest = 0.0, highest_time = 0.0;
        dlp_ShearState states[POINTS];
        for (int k = 0; k < POINTS; k++) {
            times[k] = (k + 1.0) / POINTS;
        }
        shear(&list[m], (Steps){rate, INFINITY, 0.0}, times, POINTS, states);
        for (int k = 1; k <= STEPS; k++) {
            reference_step(&list[m], rate, dt, a);
            const double b = list[m].extensibility * list[m].extensibility;
            const double g = 40.0 * (b > 0.0 ? (b - 3.0) / (b - 3.0 - a[0] - a[1] - a[2]) : 1.0);
            if (k % (STEPS / POINTS) == 0) {
                const dlp_ShearState *now = &states[k / (STEPS / POINTS) - 1];
                assert_near(now->stress, g * a[3]);
                assert_near(now->normal_stress, g * (a[0] - a[2]));
                highest_time = now->stress > highest ? now->time : highest_time;
                highest = fmax(highest, now->stress);
            }
            most_time = g * a[3] > most ? k * dt : most_time;
            most = fmax(most, g * a[3]);
        }
        assert_true(highest > 1.05 * states[POINTS - 1].stress && fabs(highest_time - most_time) <= 1.0 / POINTS);
        assert_close(highest, most, 1e-3 * most); /* between two points */
    }
}

static void a_spectrum_starts_up_as_the_sum_of_its_modes(void **state)
{
    (void)state;
    dlp_MaterialDef all = law_of(DLP_ELASTIC_GIESEKUS, 0.2);
    all.viscosity = all.modulus = 0.0;
    all.modes.count = DLP_MODES_MOST;
    dlp_ShearState sum[TIME_COUNT], one[TIME_COUNT];
    double stress[TIME_COUNT] = {0}, normal[TIME_COUNT] = {0};
    for (int k = 0; k < DLP_MODES_MOST; k++) {
        all.modes.mode[k] = (dlp_RelaxationMode){1e-4 * pow(10.0, k), 1e4 * pow(0.2, k)};
        dlp_MaterialDef mode = law_of(DLP_ELASTIC_GIESEKUS, 0.2);
        mode.modulus = all.modes.mode[k].modulus;
        mode.viscosity = mode.modulus * all.modes.mode[k].relaxation_time;
        shear(&mode, (Steps){30.0, INFINITY, 0.0}, TIMES, TIME_COUNT, one);
        for (int t = 0; t < TIME_COUNT; t++) {
            stress[t] += one[t].stress;
            normal[t] += one[t].normal_stress;
        }
    }
    shear(&all, (Steps){30.0, INFINITY, 0.0}, TIMES, TIME_COUNT, sum);
    for (int t = 0; t < TIME_COUNT; t++) {
        assert_near(sum[t].stress, stress[t]);
        assert_near(sum[t].normal_stress, normal[t]);
    }
}

static double oscillating(void *user, double time)
{
    const double frequency = *(const double *)user;
    return 1e-4 * frequency * cos(frequency * time);
}

static void small_oscillations_measure_the_moduli(void **state)
{
    (void)state;
    enum { POINTS = 64 };
    dlp_MaterialDef spectrum = law_of(DLP_ELASTIC_GIESEKUS, 0.3), solid = elastic(0.0, 40.0),
                    thin = elastic(50.0, 100.0);
    spectrum.viscosity = spectrum.modulus = 0.0;
    spectrum.modes = (dlp_RelaxationModes){2, {{0.1, 300.0}, {1.0, 20.0}}};
    solid.solvent_viscosity = 2.0;
    thin.flow_law = DLP_FLOW_CARREAU;
    thin.flow_index = 0.4;
    thin.thinning_time = 0.3;
    const dlp_MaterialDef list[] = {spectrum, solid, thin};
    for (int m = 0; m < COUNT(list); m++) {
        double frequency = 3.0, times[POINTS], storage, loss, elastic_part = 0.0, viscous_part = 0.0;
        dlp_ShearState states[POINTS];
        for (int k = 0; k < POINTS; k++) {
            times[k] = 2.0 * PI / frequency * (8.0 + (double)k / POINTS); /* when the start is forgotten */
        }
        shear_by(&list[m], oscillating, &frequency, times, POINTS, states);
        for (int k = 0; k < POINTS; k++) {
            elastic_part += states[k].stress * sin(frequency * times[k]) * 2.0 / POINTS / 1e-4;
            viscous_part += states[k].stress * cos(frequency * times[k]) * 2.0 / POINTS / 1e-4;
        }
        dlp_material_moduli(&list[m], frequency, &storage, &loss);
        assert_close(elastic_part, storage, 1e-5 * (storage + loss));
        assert_close(viscous_part, loss, 1e-5 * (storage + loss));
    }
}

static void every_history_ends_on_the_steady_curve(void **state)
{
    (void)state;
    dlp_MaterialDef saramito = paste(1e3), thin = elastic(50.0, 100.0), thixotropic = paste(1e3),
                    slow = elastic(20.0, 40.0);
    thin.flow_law = DLP_FLOW_CROSS;
    thin.flow_index = 0.4;
    thin.thinning_time = 0.3;
    thixotropic.recovery_time = slow.recovery_time = 3.0;
    thixotropic.breakdown = slow.breakdown = 0.5;
    const dlp_MaterialDef list[] = {elastic(20.0, 0.0),
                                    elastic(20.0, 40.0),
                                    law_of(DLP_ELASTIC_GIESEKUS, 0.3),
                                    law_of(DLP_ELASTIC_PTT_LINEAR, 0.1),
                                    law_of(DLP_ELASTIC_PTT_EXPONENTIAL, 0.1),
                                    fene(5.0),
                                    saramito,
                                    thin,
                                    thixotropic,
                                    slow};
    const double end[] = {1e3};
    for (int m = 0; m < COUNT(list); m++) {
        for (double rate = 0.1; rate < 200.0; rate *= 5.0) {
            dlp_ShearState now;
            shear(&list[m], (Steps){rate, INFINITY, 0.0}, end, 1, &now);
            assert_near(now.stress, dlp_material_shear_stress(&list[m], rate));
            assert_close(now.normal_stress, dlp_material_normal_stress(&list[m], rate),
                         ACCURACY * (now.normal_stress + now.stress));
            shear(&list[m], (Steps){-rate, INFINITY, 0.0}, end, 1, &now);
            assert_near(now.stress, -dlp_material_shear_stress(&list[m], rate));
        }
    }
}

static void a_thixotropic_fluid_follows_its_structure(void **state)
{
    (void)state;
    dlp_ShearState states[TIME_COUNT];
    dlp_MaterialDef m = elastic(5.0, 0.0);
    m.recovery_time = 4.0;
    m.breakdown = 0.3;
    shear(&m, (Steps){7.0, 0.5, 0.0}, TIMES, TIME_COUNT, states);
    for (int k = 0; k < TIME_COUNT; k++) {
        const double broken = dlp__structure_after(&m, 1.0, 7.0, fmin(TIMES[k], 0.5));
        assert_near(states[k].structure, dlp__structure_after(&m, broken, 0.0, fmax(TIMES[k] - 0.5, 0.0)));
        assert_near(states[k].stress, states[k].structure * 5.0 * states[k].rate);
    }
    /* in creep breakdown * rate * s is constant: ds/dt = (1 - s) / 4 - 0.3 * 0.4 */
    creep(&m, 2.0, TIMES, TIME_COUNT, states);
    for (int k = 0; k < TIME_COUNT; k++) {
        assert_near(states[k].structure, 1.0 - 0.48 * -expm1(-0.25 * TIMES[k]));
        assert_near(states[k].rate * states[k].structure, 0.4);
    }
    /* under a larger stress the structure is gone after -4 ln(1 - 1 / 2.4) s: it runs away */
    dlp_Error error;
    assert_int_equal(dlp_material_creep(&m, 10.0, TIMES, TIME_COUNT, states, &error), DLP_ERROR_NOT_FINITE);
    assert_near(states[7].structure, 1.0 - 2.4 * -expm1(-0.5));
    assert_true(isnan(states[8].structure));
}

static void creep_of_linear_laws_is_exact(void **state)
{
    (void)state;
    dlp_ShearState states[TIME_COUNT];
    dlp_MaterialDef maxwell = elastic(20.0, 40.0), jeffreys = maxwell, kelvin = elastic(0.0, 40.0),
                    water = elastic(1e-3, 0.0);
    jeffreys.solvent_viscosity = kelvin.solvent_viscosity = 3.0;
    creep(&maxwell, -8.0, TIMES, TIME_COUNT, states);
    for (int k = 0; k < TIME_COUNT; k++) {
        assert_near(states[k].strain, -8.0 / 40.0 - 8.0 / 20.0 * TIMES[k]);
        assert_near(states[k].rate, -8.0 / 20.0);
        assert_true(states[k].stress == -8.0);
    }
    creep(&jeffreys, 8.0, TIMES, TIME_COUNT, states);
    for (int k = 0; k < TIME_COUNT; k++) {
        const double steady = 8.0 / 23.0, first = 8.0 / 3.0, speed = 40.0 / 3.0 + 2.0;
        assert_near(states[k].rate, steady + (first - steady) * exp(-speed * TIMES[k]));
        assert_near(states[k].strain, steady * TIMES[k] - (first - steady) * expm1(-speed * TIMES[k]) / speed);
    }
    creep(&kelvin, 8.0, TIMES, TIME_COUNT, states);
    for (int k = 0; k < TIME_COUNT; k++) {
        assert_near(states[k].strain, 8.0 / 40.0 * -expm1(-40.0 / 3.0 * TIMES[k]));
    }
    creep(&water, 8.0, TIMES, TIME_COUNT, states);
    assert_near(states[8].strain, 8.0 / 1e-3 * 10.0);
    creep(&water, 0.0, TIMES, TIME_COUNT, states);
    assert_true(states[8].strain == 0.0);
}

static void creep_ends_at_the_rate_whose_stress_it_has(void **state)
{
    (void)state;
    const dlp_MaterialDef list[] = {law_of(DLP_ELASTIC_GIESEKUS, 0.3), law_of(DLP_ELASTIC_PTT_LINEAR, 0.1), fene(5.0)};
    const double times[] = {0.0, 300.0};
    for (int m = 0; m < COUNT(list); m++) {
        for (int solvent = 0; solvent < 2; solvent++) {
            dlp_MaterialDef law = list[m];
            law.solvent_viscosity = 0.1 * solvent;
            const double rate = 3.0, stress = dlp_material_shear_stress(&law, rate);
            dlp_ShearState states[2];
            creep(&law, stress, times, 2, states);
            assert_near(states[1].rate, rate);
            assert_near(states[1].normal_stress, dlp_material_normal_stress(&law, rate));
            assert_true(solvent == 1 || states[0].strain > 0.0);
        }
    }
    dlp_MaterialDef thin = elastic(50.0, 0.0);
    thin.flow_law = DLP_FLOW_CARREAU;
    thin.flow_index = 0.4;
    thin.thinning_time = 0.3;
    thin.solvent_viscosity = 2.0;
    dlp_ShearState states[2];
    creep(&thin, dlp_material_shear_stress(&thin, 40.0), times, 2, states);
    assert_near(states[0].rate, 40.0);
    assert_near(states[1].strain, 40.0 * 300.0);
}

static void a_paste_creeps_only_above_its_yield_stress(void **state)
{
    (void)state;
    dlp_ShearState states[TIME_COUNT];
    const double moduli[] = {1e5, 0.0};
    for (int n = 0; n < 2; n++) {
        const dlp_MaterialDef m = paste(moduli[n]);
        const double modulus = dlp__law_modulus(&m);
        creep(&m, 99.0, TIMES, TIME_COUNT, states);
        for (int k = 0; k < TIME_COUNT; k++) {
            assert_near(states[k].strain, 99.0 / modulus);
            assert_true(states[k].rate == 0.0);
        }
        creep(&m, 120.0, TIMES, TIME_COUNT, states);
        assert_close(states[8].rate, dlp__flow_rate_at(&m, 120.0, 1.0), 0.01 * states[8].rate); /* N1 adds to t */
        assert_near(states[8].normal_stress, 2.0 * 120.0 * 120.0 / modulus);
        assert_near(states[8].rate,
                    dlp__flow_rate_at(&m, sqrt(120.0 * 120.0 + pow(states[8].normal_stress, 2) / 3.0), 1.0) * 120.0 /
                        sqrt(120.0 * 120.0 + pow(states[8].normal_stress, 2) / 3.0));
    }
}

static void a_paste_at_rest_keeps_its_yield_stress(void **state)
{
    (void)state;
    const dlp_MaterialDef m = paste(1e4);
    const double times[] = {1.0, 1.0001, 1.01, 1.1, 10.0, 1e3, 1e6};
    dlp_ShearState states[COUNT(times)];
    shear(&m, (Steps){10.0, 1.0, 0.0}, times, COUNT(times), states);
    assert_near(states[0].stress, dlp_material_shear_stress(&m, 10.0));
    for (int k = 1; k < COUNT(times); k++) {
        const double t = sqrt(pow(states[k].stress, 2) + pow(states[k].normal_stress, 2) / 3.0);
        assert_true(states[k].stress <= states[k - 1].stress && t > 100.0 * (1.0 - ACCURACY));
        assert_close(states[k].strain, 10.0, 1e-5);
    }
    /* dt/dtime = -G ((t - 100) / 10)^2.5 at rest: (t - 100) ~ 10 (1.5 G / 10 time)^(-1 / 1.5) */
    const double t = sqrt(pow(states[5].stress, 2) + pow(states[5].normal_stress, 2) / 3.0);
    assert_close(t - 100.0, 10.0 * pow(1.5 * 1e4 / 10.0 * 999.0, -1.0 / 1.5),
                 1e-3 * 10.0 * pow(1.5 * 1e3 * 999.0, -1.0 / 1.5) + 1e-4);
}

static void a_paste_is_an_elastic_solid_before_it_yields(void **state)
{
    (void)state;
    const dlp_MaterialDef m = paste(1e4);
    const double times[] = {0.001, 0.005, 0.0099, 1.0};
    dlp_ShearState states[4];
    shear(&m, (Steps){1.0, INFINITY, 0.0}, times, 4, states);
    for (int k = 0; k < 3; k++) {
        assert_near(states[k].stress, 1e4 * times[k]);
        assert_near(states[k].normal_stress, 1e4 * times[k] * times[k]);
    }
    assert_near(states[3].stress, dlp_material_shear_stress(&m, 1.0));
}

static void a_runaway_is_reported_with_the_states_before_it(void **state)
{
    (void)state;
    /* exponential PTT supports no more than a largest shear stress */
    const dlp_MaterialDef m = law_of(DLP_ELASTIC_PTT_EXPONENTIAL, 0.5);
    dlp_ShearState states[TIME_COUNT];
    dlp_Error error = {DLP_OK, ""};
    assert_int_equal(dlp_material_creep(&m, 400.0, TIMES, TIME_COUNT, states, &error), DLP_ERROR_NOT_FINITE);
    assert_non_null(strstr(error.text, "creep"));
    assert_true(isfinite(states[0].strain) && isnan(states[TIME_COUNT - 1].strain));
    const dlp_MaterialDef inviscid = elastic(0.0, 0.0);
    assert_int_equal(dlp_material_creep(&inviscid, 1.0, TIMES, TIME_COUNT, states, &error), DLP_ERROR_NOT_FINITE);
    assert_true(isnan(states[0].rate));
}

static void random_laws_give_finite_states_or_an_error(void **state)
{
    (void)state;
    uint64_t random = 5;
    int followed = 0, checked = 0;
    for (int k = 0; k < 60; k++) {
        const dlp_MaterialDef m = random_law(&random);
        const double times[] = {0.0, 1e-3, 0.1, 1.0};
        Steps steps = {random_law_between(&random, 1e-3, 1e3), 0.5, 0.0};
        for (int test = 0; test < 2; test++) {
            dlp_ShearState states[4];
            dlp_Error error = {DLP_OK, ""};
            const dlp_Result result = test == 0 ? dlp_material_shear(&m, stepped, &steps, times, 4, states, &error)
                                                : dlp_material_creep(&m, 10.0, times, 4, states, &error);
            assert_true(result == DLP_OK || strlen(error.text) > 0);
            assert_true(result == DLP_OK || result == DLP_ERROR_NOT_FINITE || result == DLP_ERROR_ARGUMENT);
            for (int t = 0; t < 4 && result == DLP_OK; t++) {
                if (!(isfinite(states[t].stress) && isfinite(states[t].strain) && states[t].structure >= 0.0)) {
                    fail_msg("law %d at %g s: stress %g Pa, strain %g, structure %g", k, times[t], states[t].stress,
                             states[t].strain, states[t].structure);
                }
            }
            checked += result != DLP_ERROR_ARGUMENT;
            followed += result == DLP_OK;
        }
    }
    assert_true(checked > 80 && followed > 0.7 * checked);
}

static void bad_arguments_are_refused(void **state)
{
    (void)state;
    const double backwards[] = {1.0, 0.5}, early[] = {-1.0, 0.5}, fine[] = {0.0, 1.0};
    const dlp_MaterialDef m = elastic(1.0, 0.0);
    dlp_MaterialDef three = elastic(1.0, 2.0);
    three.relaxation_time = 3.0;
    dlp_ShearState states[2];
    Steps steps = {1.0, INFINITY, 0.0};
    dlp_Error error;
    assert_int_equal(dlp_material_shear(&m, stepped, &steps, backwards, 2, states, &error), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(error.text, "increase"));
    assert_int_equal(dlp_material_shear(&m, stepped, &steps, early, 2, states, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_material_shear(&m, stepped, &steps, fine, -1, states, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_material_shear(&three, stepped, &steps, fine, 2, states, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_material_creep(&m, NAN, fine, 2, states, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_material_shear(&m, stepped, &steps, fine, 0, states, NULL), DLP_OK);
    assert_int_equal(dlp_material_shear(NULL, stepped, &steps, fine, 2, states, &error), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_material_shear(&m, NULL, &steps, fine, 2, states, &error), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_material_shear(&m, stepped, &steps, NULL, 2, states, &error), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_material_shear(&m, stepped, &steps, fine, 2, NULL, &error), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_material_creep(NULL, 1.0, fine, 2, states, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_material_creep(&m, 1.0, NULL, 2, states, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_material_creep(&m, 1.0, fine, 2, NULL, NULL), DLP_ERROR_ARGUMENT);
    steps.rate = NAN;
    assert_int_equal(dlp_material_shear(&m, stepped, &steps, fine, 2, states, &error), DLP_ERROR_NOT_FINITE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(oldroyd_b_starts_up_and_relaxes_exponentially),
        cmocka_unit_test(start_up_agrees_with_fine_runge_kutta_through_its_overshoot),
        cmocka_unit_test(a_spectrum_starts_up_as_the_sum_of_its_modes),
        cmocka_unit_test(small_oscillations_measure_the_moduli),
        cmocka_unit_test(every_history_ends_on_the_steady_curve),
        cmocka_unit_test(a_thixotropic_fluid_follows_its_structure),
        cmocka_unit_test(creep_of_linear_laws_is_exact),
        cmocka_unit_test(creep_ends_at_the_rate_whose_stress_it_has),
        cmocka_unit_test(a_paste_creeps_only_above_its_yield_stress),
        cmocka_unit_test(a_paste_at_rest_keeps_its_yield_stress),
        cmocka_unit_test(a_paste_is_an_elastic_solid_before_it_yields),
        cmocka_unit_test(a_runaway_is_reported_with_the_states_before_it),
        cmocka_unit_test(random_laws_give_finite_states_or_an_error),
        cmocka_unit_test(bad_arguments_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
