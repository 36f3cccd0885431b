/* Material laws over a time step: exact in steady flow, of second order while the flow changes, and no creep below a yield stress. */
#include "materials/flow_law.h"
#include "materials/law_step.h"
#include "support/random_law.h"

#include <dollop/rheology.h>
#include <dollop/world.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { XX = 0, ZZ = 2, XZ = 4 };

static dlp_MaterialDef elastic(dlp_ElasticLaw law, double parameter)
{
    dlp_MaterialDef m = dlp_default_material_def();
    m.modulus = 100.0;
    m.relaxation_time = 0.1;
    m.elastic_law = law;
    m.mobility = law == DLP_ELASTIC_GIESEKUS ? parameter : 0.0;
    m.ptt_epsilon = law == DLP_ELASTIC_PTT_LINEAR || law == DLP_ELASTIC_PTT_EXPONENTIAL ? parameter : 0.0;
    m.extensibility = law == DLP_ELASTIC_MAXWELL ? parameter : 0.0;
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

/* Simple shear: x along the flow, z along the gradient. Returns the shear stress. */
static double shear(const dlp_MaterialDef *material, double rate, double dt, int steps, dlp__LawState *state)
{
    const dlp__LawParts law = dlp__law_parts(material);
    const double gradient[9] = {0, 0, rate, 0, 0, 0, 0, 0, 0};
    dlp__LawElement element[DLP_MODES_MOST];
    double stress = 0.0;
    for (int k = 0; k < steps; k++) {
        dlp__law_advance(&law, gradient, dt, state, element);
    }
    for (int mode = 0; mode < law.mode_count; mode++) {
        stress += element[mode].modulus * state->strain[mode][XZ];
    }
    return stress;
}

/* sqrt(s:s / 2) of the deviator s. */
static double size_of(const double m[6])
{
    const double mean = (m[0] + m[1] + m[2]) / 3.0, a = m[0] - mean, b = m[1] - mean, c = m[2] - mean;
    return sqrt(0.5 * (a * a + b * b + c * c) + m[3] * m[3] + m[4] * m[4] + m[5] * m[5]);
}

static double error_of(double found, double exact)
{
    return fabs(found / exact - 1.0);
}

/* Elastic laws to rounding; a paste without a modulus as far as its numerical one goes. */
static void steady_stress_is_that_of_the_law_at_any_time_step(void **state)
{
    (void)state;
    const dlp_MaterialDef laws[] = {elastic(DLP_ELASTIC_MAXWELL, 0.0),
                                    elastic(DLP_ELASTIC_MAXWELL, 8.0),
                                    elastic(DLP_ELASTIC_GIESEKUS, 0.3),
                                    elastic(DLP_ELASTIC_PTT_LINEAR, 0.1),
                                    elastic(DLP_ELASTIC_PTT_EXPONENTIAL, 0.1),
                                    paste(1e4),
                                    paste(0.0)};
    const double rates[] = {0.1, 1.0, 10.0}, steps[] = {1e-3, 1e-2, 0.1};
    for (size_t n = 0; n < sizeof laws / sizeof laws[0]; n++) {
        for (int k = 0; k < 9; k++) {
            const double rate = rates[k % 3], dt = fmin(steps[k / 3], 0.5 / rate);
            dlp__LawState memory = {.damage = 0.0};
            const double found = shear(&laws[n], rate, dt, (int)(30.0 / fmin(rate, 3.0) / dt), &memory);
            const double exact = dlp_material_shear_stress(&laws[n], rate), bound = n < 6 ? 1e-3 : 2e-3;
            if (error_of(found, exact) > bound) {
                fail_msg("law %d, rate %g, step %g s: %.9g Pa instead of %.9g", (int)n, rate, dt, found, exact);
            }
        }
    }
}

static double constant(void *user, double time)
{
    (void)time;
    return *(const double *)user;
}

static void start_up_is_of_second_order(void **state)
{
    (void)state;
    const dlp_MaterialDef laws[] = {elastic(DLP_ELASTIC_MAXWELL, 8.0), elastic(DLP_ELASTIC_GIESEKUS, 0.3),
                                    elastic(DLP_ELASTIC_PTT_LINEAR, 0.1), elastic(DLP_ELASTIC_PTT_EXPONENTIAL, 0.1)};
    double rate = 20.0;
    const double time = 0.12;
    for (size_t n = 0; n < sizeof laws / sizeof laws[0]; n++) {
        dlp_ShearState exact;
        assert_int_equal(dlp_material_shear(&laws[n], constant, &rate, &time, 1, &exact, NULL), DLP_OK);
        double errors[2];
        for (int k = 0; k < 2; k++) {
            dlp__LawState memory = {.damage = 0.0};
            const int steps = k == 0 ? 24 : 48;
            errors[k] = error_of(shear(&laws[n], rate, time / steps, steps, &memory), exact.stress);
        }
        if (!(errors[0] < 0.02 && errors[1] < fmax(0.35 * errors[0], 1e-5))) {
            fail_msg("law %d: %.3g at 24 steps, %.3g at 48", (int)n, errors[0], errors[1]);
        }
    }
}

static void a_paste_keeps_a_stress_below_its_yield_stress(void **state)
{
    (void)state;
    const dlp_MaterialDef m = paste(1e4);
    dlp__LawState memory = {.damage = 0.0};
    const double before = shear(&m, 0.09, 1e-3, 100, &memory); /* 90 Pa */
    const double after = shear(&m, 0.0, 0.01, 100000, &memory);
    assert_true(error_of(before, 90.0) < 1e-2 && after == before);
}

/* Of steps with random gradients, from slow to violent ones: the stress at the end, with an error of at most 1e-6, flows at the rate at
 * which the element relaxed. */
static void a_paste_relaxes_at_the_rate_of_its_last_stress(void **state)
{
    (void)state;
    const double bound = 1e-6, indices[] = {0.3, 0.5, 1.0, 1.6};
    uint64_t random = 7;
    for (int n = 0; n < 4000; n++) {
        dlp_MaterialDef m = paste(n % 3 == 0 ? 0.0 : n % 3 == 1 ? 1e3 : 1e6);
        m.flow_index = indices[n / 3 % 4];
        const dlp__LawParts law = dlp__law_parts(&m);
        const double rate = random_law_between(&random, 1e-2, 1e3);
        const double dt = fmin(random_law_between(&random, 1e-5, 1.0), 1.0 / rate);
        dlp__LawState memory = {.damage = 0.0};
        dlp__LawElement element[DLP_MODES_MOST];
        for (int step = 0; step < 5; step++) {
            double gradient[9];
            for (int k = 0; k < 9; k++) {
                gradient[k] = rate * (2.0 * random_law_part(&random) - 1.0);
            }
            dlp__law_advance(&law, gradient, dt, &memory, element);
            const double size = size_of(memory.strain[0]), stress = law.mode[0].modulus * size;
            const double flow = element[0].relaxation * size;
            if (flow < dlp__flow_rate_at(&m, (1.0 - bound) * stress, 1.0) * (1.0 - bound) ||
                flow > dlp__flow_rate_at(&m, (1.0 + bound) * stress, 1.0) * (1.0 + bound)) {
                fail_msg("index %g, rate %g, dt %g: flows at %.9g instead of %.9g", m.flow_index, rate, dt, flow,
                         dlp__flow_rate_at(&m, stress, 1.0));
            }
        }
    }
}

static void stress_relaxes_to_the_yield_stress(void **state)
{
    (void)state;
    const dlp_MaterialDef m = paste(1e4);
    dlp__LawState memory = {.damage = 0.0};
    shear(&m, 10.0, 1e-3, 1000, &memory);
    assert_true(error_of(shear(&m, 0.0, 0.1, 20000, &memory), m.yield_stress) < 0.02);
}

/* ds/dt = (1 - s) / recovery_time - breakdown rate s */
static void structure_follows_its_equation(void **state)
{
    (void)state;
    dlp_MaterialDef m = paste(0.0);
    m.recovery_time = 2.0;
    m.breakdown = 0.5;
    dlp__LawState memory = {.damage = 0.0};
    shear(&m, 4.0, 1e-3, 20000, &memory);
    assert_true(fabs(memory.damage - 0.8) < 2e-3); /* s = 1 / (1 + 2 0.5 4) */
}

/* Largest strain of a step about 10; any law. */
static void any_law_stays_finite_and_positive(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int trial = 0; trial < 2000; trial++) {
        dlp_MaterialDef m = random_law(&seed);
        if (dlp_material_check(&m, NULL) != DLP_OK) {
            continue;
        }
        const dlp__LawParts law = dlp__law_parts(&m);
        dlp__LawState memory = {.damage = 0.0};
        for (int k = 0; k < 20; k++) {
            dlp__LawElement element[DLP_MODES_MOST];
            double gradient[9];
            const double dt = pow(10.0, 6.0 * random_law_part(&seed) - 6.0);
            for (int n = 0; n < 9; n++) {
                gradient[n] = (6.0 * random_law_part(&seed) - 3.0) / dt;
            }
            dlp__law_advance(&law, gradient, dt, &memory, element);
            for (int mode = 0; mode < law.mode_count; mode++) {
                const double *q = memory.strain[mode];
                if (!(isfinite(q[XZ]) && q[XX] >= -1.0 && q[ZZ] >= -1.0)) {
                    fail_msg("trial %d, step %d of %g s, flow law %d, elastic law %d: Q - I is %g, %g, %g", trial, k,
                             dt, (int)m.flow_law, (int)m.elastic_law, q[XX], q[ZZ], q[XZ]);
                }
                assert_true(element[mode].relaxation >= 0.0 && isfinite(element[mode].modulus));
            }
            assert_true(memory.damage >= 0.0 && memory.damage <= 1.0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steady_stress_is_that_of_the_law_at_any_time_step),
        cmocka_unit_test(start_up_is_of_second_order),
        cmocka_unit_test(a_paste_keeps_a_stress_below_its_yield_stress),
        cmocka_unit_test(a_paste_relaxes_at_the_rate_of_its_last_stress),
        cmocka_unit_test(stress_relaxes_to_the_yield_stress),
        cmocka_unit_test(structure_follows_its_equation),
        cmocka_unit_test(any_law_stays_finite_and_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
