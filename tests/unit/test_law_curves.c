/* Steady and oscillatory curves of material laws against closed forms, limits and the equations that they must satisfy. */
#include "materials/flow_law.h"
#include "materials/law_modulus.h"
#include "support/random_law.h"

#include <dollop/dollop.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#define COUNT(list) (int)(sizeof(list) / sizeof *(list))

static void assert_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance * fabs(expected) + 1e-300)) {
        fail_msg("%.17g is not within %g of %.17g", value, tolerance, expected);
    }
}

static dlp_MaterialDef elastic(double viscosity, double modulus)
{
    dlp_MaterialDef m = dlp_default_material_def();
    m.viscosity = viscosity;
    m.modulus = modulus;
    return m;
}

static dlp_MaterialDef giesekus(double mobility)
{
    dlp_MaterialDef m = elastic(20.0, 40.0); /* 0.5 s */
    m.elastic_law = DLP_ELASTIC_GIESEKUS;
    m.mobility = mobility;
    return m;
}

static dlp_MaterialDef ptt(dlp_ElasticLaw law, double epsilon)
{
    dlp_MaterialDef m = elastic(20.0, 40.0);
    m.elastic_law = law;
    m.ptt_epsilon = epsilon;
    return m;
}

static dlp_MaterialDef herschel_bulkley(double yield, double consistency, double index)
{
    dlp_MaterialDef m = dlp_default_material_def();
    m.flow_law = DLP_FLOW_HERSCHEL_BULKLEY;
    m.yield_stress = yield;
    m.consistency = consistency;
    m.flow_index = index;
    return m;
}

static dlp_MaterialDef bingham(double yield, double viscosity)
{
    dlp_MaterialDef m = elastic(viscosity, 0.0);
    m.flow_law = DLP_FLOW_BINGHAM;
    m.yield_stress = yield;
    return m;
}

static dlp_MaterialDef thinning(dlp_FlowLaw law, double index)
{
    dlp_MaterialDef m = elastic(50.0, 0.0);
    m.flow_law = (int32_t)law;
    m.infinite_viscosity = 0.02;
    m.thinning_time = 3.0;
    m.flow_index = index;
    return m;
}

static dlp_MaterialDef table(bool yields)
{
    dlp_MaterialDef m = dlp_default_material_def();
    m.flow_law = DLP_FLOW_TABLE;
    const dlp_FlowPoint points[] = {{0.0, 10.0}, {0.1, 20.0}, {1.0, 30.0}, {10.0, 75.0}, {100.0, 300.0}};
    m.flow_curve.count = yields ? 5 : 4;
    memcpy(m.flow_curve.point, points + (yields ? 0 : 1), (size_t)m.flow_curve.count * sizeof *points);
    return m;
}

/* One material of every flow law, and some limits. */
static int flow_laws(dlp_MaterialDef list[12])
{
    int n = 0;
    list[n++] = elastic(3.0, 0.0);
    list[n++] = herschel_bulkley(0.0, 8.0, 0.6);
    list[n - 1].flow_law = DLP_FLOW_POWER_LAW;
    list[n++] = thinning(DLP_FLOW_CARREAU, 0.3);
    list[n++] = thinning(DLP_FLOW_CARREAU, 0.1);
    list[n - 1].transition = 0.5;
    list[n++] = thinning(DLP_FLOW_CROSS, 0.2);
    list[n++] = bingham(30.0, 5.0);
    list[n - 1].flow_law = DLP_FLOW_CASSON;
    list[n++] = bingham(30.0, 5.0);
    list[n++] = herschel_bulkley(100.0, 10.0, 0.4);
    list[n++] = herschel_bulkley(5.0, 0.1, 1.6);
    list[n++] = table(false);
    list[n++] = table(true);
    return n;
}

static void the_rate_at_a_stress_inverts_the_flow_law_over_8_decades(void **state)
{
    (void)state;
    dlp_MaterialDef list[12];
    const int count = flow_laws(list);
    for (int m = 0; m < count; m++) {
        dlp_Error error = {DLP_OK, ""};
        assert_int_equal(dlp_material_check(&list[m], &error), DLP_OK);
        for (double rate = 1e-4; rate <= 1e4; rate *= 1.7) {
            for (double structure = 1.0; structure > 0.1; structure -= 0.4) {
                const double stress = dlp__flow_stress(&list[m], rate, structure);
                /* above the yield stress a rate is as uncertain as the stress is over its part above yield */
                const double above = stress - dlp__flow_yield_stress(&list[m], structure),
                             slope = dlp__flow_slope(&list[m], rate, 1.0);
                assert_near(dlp__flow_rate_at(&list[m], stress, structure), rate,
                            1e-11 + 1e-14 * stress / above / slope);
            }
        }
    }
}

static void the_slope_is_the_derivative_of_the_flow_law(void **state)
{
    (void)state;
    dlp_MaterialDef list[12];
    const int count = flow_laws(list);
    for (int m = 0; m < count; m++) {
        for (double rate = 1.3e-4; rate <= 1e4; rate *= 1.7) {
            const double step = 1e-5, more = dlp__flow_stress(&list[m], rate * exp(step), 0.8),
                         less = dlp__flow_stress(&list[m], rate * exp(-step), 0.8);
            const double slope = log(more / less) / (2.0 * step);
            assert_true(fabs(dlp__flow_slope(&list[m], rate, 0.8) - slope) <= 1e-8);
        }
    }
}

static void flow_laws_reach_their_limits(void **state)
{
    (void)state;
    const dlp_MaterialDef hb = herschel_bulkley(30.0, 5.0, 1.0), paste = bingham(30.0, 5.0);
    dlp_MaterialDef power = herschel_bulkley(0.0, 8.0, 0.6), same = power, casson = bingham(0.0, 5.0);
    power.flow_law = DLP_FLOW_POWER_LAW;
    casson.flow_law = DLP_FLOW_CASSON;
    for (double rate = 1e-3; rate < 1e4; rate *= 10.0) {
        assert_near(dlp_material_shear_stress(&hb, rate), dlp_material_shear_stress(&paste, rate), 1e-14);
        assert_near(dlp_material_shear_stress(&paste, rate), 30.0 + 5.0 * rate, 1e-14);
        assert_near(dlp_material_shear_stress(&same, rate), dlp_material_shear_stress(&power, rate), 1e-14);
        assert_near(dlp_material_shear_stress(&power, rate), 8.0 * pow(rate, 0.6), 1e-14);
        assert_near(dlp_material_shear_stress(&casson, rate), 5.0 * rate, 1e-14);
        assert_near(dlp_material_shear_stress(&paste, -rate), -30.0 - 5.0 * rate, 1e-14);
        assert_true(dlp_material_normal_stress(&paste, rate) == 0.0);
        assert_near(dlp_material_extensional_stress(&paste, rate), sqrt(3.0) * (30.0 + 5.0 * sqrt(3.0) * rate), 1e-14);
    }
    assert_true(dlp_material_shear_stress(&paste, 0.0) == 30.0 && dlp_material_yield_stress(&paste) == 30.0);
    for (int law = DLP_FLOW_CARREAU; law <= DLP_FLOW_CROSS; law++) {
        const dlp_MaterialDef m = thinning((dlp_FlowLaw)law, 0.3);
        assert_near(dlp_material_shear_stress(&m, 1e-9) / 1e-9, 50.0, 1e-5);
        assert_near(dlp_material_shear_stress(&m, 1e12) / 1e12, 0.02, 1e-4);
        /* between, a power law: 50 (3 rate)^(n - 1) */
        assert_near(dlp_material_shear_stress(&m, 1e3) / 1e3 - 0.02, (50.0 - 0.02) * pow(3e3, -0.7),
                    law == DLP_FLOW_CROSS ? 5e-3 : 1e-6);
    }
    for (int yields = 0; yields < 2; yields++) {
        const dlp_MaterialDef m = table(yields);
        for (int64_t k = yields; k < m.flow_curve.count; k++) {
            assert_near(dlp_material_shear_stress(&m, m.flow_curve.point[k].rate), m.flow_curve.point[k].stress, 1e-12);
        }
    }
}

static void steady_structure_scales_viscosity_and_yield_stress(void **state)
{
    (void)state;
    dlp_MaterialDef m = bingham(30.0, 5.0);
    m.recovery_time = 4.0;
    m.breakdown = 0.05;
    const double rate = 7.0, structure = 1.0 / (1.0 + 4.0 * 0.05 * rate);
    assert_near(dlp_material_shear_stress(&m, rate), structure * (30.0 + 5.0 * rate), 1e-13);
    assert_near(dlp__structure_after(&m, 0.3, 0.0, 2.0), 1.0 - 0.7 * exp(-0.5), 1e-13);
    assert_near(dlp__structure_after(&m, 0.9, rate, 1e9), structure, 1e-13);
    /* a Maxwell fluid: the rate of flow is t over its viscosity */
    dlp_MaterialDef maxwell = elastic(20.0, 40.0);
    maxwell.recovery_time = 4.0;
    maxwell.breakdown = 0.05;
    const double stress = dlp_material_shear_stress(&maxwell, rate), first = dlp_material_normal_stress(&maxwell, rate);
    const double now = stress / (20.0 * rate), flow = sqrt(stress * stress + first * first / 3.0) / (now * 20.0);
    assert_near(first, 2.0 * stress * stress / 40.0, 1e-12);
    assert_near(now, 1.0 / (1.0 + 4.0 * 0.05 * flow), 1e-10);
}

static void maxwell_and_oldroyd_b_have_a_constant_viscosity(void **state)
{
    (void)state;
    dlp_MaterialDef m = elastic(20.0, 40.0);
    m.solvent_viscosity = 3.0;
    for (double rate = 1e-3; rate < 1e4; rate *= 10.0) {
        assert_near(dlp_material_shear_stress(&m, rate), 23.0 * rate, 1e-14);
        assert_near(dlp_material_normal_stress(&m, rate), 2.0 * 20.0 * 0.5 * rate * rate, 1e-14);
    }
    for (double rate = -1.9; rate < 0.99; rate += 0.1) {
        const double along = 40.0 * rate / (1.0 - rate), across = -20.0 * rate / (1.0 + 0.5 * rate);
        assert_near(dlp_material_extensional_stress(&m, rate) + 1e-9, along - across + 9.0 * rate + 1e-9, 1e-9);
    }
    assert_true(isnan(dlp_material_extensional_stress(&m, 1.0)) && isnan(dlp_material_extensional_stress(&m, 5.0)));
    assert_true(isnan(dlp_material_extensional_stress(&m, -2.0)));
}

static void an_elastic_solid_has_no_steady_stress(void **state)
{
    (void)state;
    dlp_MaterialDef m = elastic(0.0, 40.0);
    m.solvent_viscosity = 2.0;
    double storage = 0.0, loss = 0.0;
    dlp_material_moduli(&m, 3.0, &storage, &loss);
    assert_true(isnan(dlp_material_shear_stress(&m, 1.0)) && isnan(dlp_material_normal_stress(&m, 1.0)));
    assert_true(isnan(dlp_material_extensional_stress(&m, 1.0)));
    assert_true(storage == 40.0 && loss == 6.0);
}

/* Newton's method from below on f^3 - f^2 = c. */
static double cubic(double c)
{
    double f = 1.0 + cbrt(c);
    for (int k = 0; k < 100; k++) {
        f -= (f * f * f - f * f - c) / (3.0 * f * f - 2.0 * f);
    }
    return f;
}

static void linear_ptt_and_fene_p_satisfy_the_cubic_of_steady_shear(void **state)
{
    (void)state;
    const dlp_MaterialDef m = ptt(DLP_ELASTIC_PTT_LINEAR, 0.1);
    dlp_MaterialDef fene = elastic(20.0, 40.0);
    fene.extensibility = sqrt(10.0);
    for (double rate = 1e-4; rate < 1e6; rate *= 10.0) {
        const double w = 0.5 * rate, f = cubic(2.0 * 0.1 * w * w);
        assert_near(dlp_material_shear_stress(&m, rate), 40.0 * w / f, 1e-11);
        assert_near(dlp_material_normal_stress(&m, rate), 80.0 * w * w / (f * f), 1e-11);
        assert_near(dlp_material_shear_stress(&fene, rate), 40.0 * w / f, 1e-11);
        assert_near(dlp_material_normal_stress(&fene, rate), 80.0 * w * w / (f * f), 1e-11);
    }
}

/* The residual of an elastic law in a steady flow with Q - I = a (xx, yy, zz, xz) and its velocity gradient. */
static void assert_steady(const dlp_MaterialDef *m, const double a[4], double shear, double extension)
{
    const double time = m->viscosity / m->modulus, trace = a[0] + a[1] + a[2], epsilon = m->ptt_epsilon,
                 b = m->extensibility * m->extensibility;
    const double alpha = m->elastic_law == DLP_ELASTIC_GIESEKUS ? m->mobility : 0.0;
    const double f = b > 0.0                                         ? (b - 3.0) / (b - 3.0 - trace)
                     : m->elastic_law == DLP_ELASTIC_PTT_LINEAR      ? 1.0 + epsilon * trace
                     : m->elastic_law == DLP_ELASTIC_PTT_EXPONENTIAL ? exp(epsilon * trace)
                                                                     : 1.0;
    const double extra = b > 0.0 ? f - 1.0 : 0.0, l[3] = {extension, -0.5 * extension, -0.5 * extension};
    const double square[4] = {a[0] * a[0] + a[3] * a[3], a[1] * a[1], a[2] * a[2] + a[3] * a[3], a[3] * (a[0] + a[2])};
    double made[4] = {0.0, 0.0, 0.0, shear * (1.0 + a[2])};
    for (int n = 0; n < 3; n++) {
        made[n] = 2.0 * l[n] * (1.0 + a[n]) + (n == 0 ? 2.0 * shear * a[3] : 0.0);
    }
    for (int n = 0; n < 4; n++) {
        const double lost = (f * a[n] + (n < 3 ? extra : 0.0) + alpha * square[n]) / time;
        const double size = fabs(f * a[n]) / time + fabs(alpha * square[n]) / time + fabs(made[n]) + fabs(extra) / time;
        if (fabs(made[n] - lost) > 1e-9 * (size + 1.0)) {
            fail_msg("component %d of law %d: %.12g is not %.12g", n, m->elastic_law, made[n], lost);
        }
    }
}

static void giesekus_in_steady_shear_satisfies_its_equations(void **state)
{
    (void)state;
    const double mobility[] = {1e-6, 0.01, 0.3, 0.5, 0.7, 0.99, 1.0};
    for (int k = 0; k < COUNT(mobility); k++) {
        const dlp_MaterialDef m = giesekus(mobility[k]);
        for (double rate = 1e-3; rate < 1e3; rate *= 3.0) {
            const double xz = dlp_material_shear_stress(&m, rate) / 40.0,
                         first = dlp_material_normal_stress(&m, rate) / 40.0;
            /* azz from the equation of xz: rate (1 + azz) = 2 (1 + alpha (axx + azz)) axz with axx = first + azz */
            const double zz = (2.0 * xz * (1.0 + mobility[k] * first) - rate) / (rate - 4.0 * mobility[k] * xz);
            if (fabs(rate - 4.0 * mobility[k] * xz) > 1e-2 * rate) {
                const double a[4] = {first + zz, 0.0, zz, xz};
                assert_steady(&m, a, rate, 0.0);
                assert_true(zz <= 1e-9 && zz > -1.0);
            }
        }
        /* slow flow: viscosity, Psi1 = 2 eta lambda */
        assert_near(dlp_material_shear_stress(&m, 1e-4), 20.0 * 1e-4, 1e-7);
        assert_near(dlp_material_normal_stress(&m, 1e-4), 2.0 * 20.0 * 0.5 * 1e-8, 1e-7);
    }
    const dlp_MaterialDef slow = giesekus(0.3);
    const double rate = 0.1, xz = dlp_material_shear_stress(&slow, rate) / 40.0,
                 first = dlp_material_normal_stress(&slow, rate) / 40.0;
    assert_near((2.0 * xz * (1.0 + 0.3 * first) - rate) / (rate - 1.2 * xz) / first, -0.15,
                0.01); /* N2 / N1 = -alpha / 2 */
}

static void laws_without_their_parameter_are_maxwell(void **state)
{
    (void)state;
    const dlp_MaterialDef plain = elastic(20.0, 40.0);
    dlp_MaterialDef fene = plain;
    fene.extensibility = 1e7;
    const dlp_MaterialDef list[] = {giesekus(0.0),
                                    giesekus(1e-13),
                                    ptt(DLP_ELASTIC_PTT_LINEAR, 0.0),
                                    ptt(DLP_ELASTIC_PTT_LINEAR, 1e-13),
                                    ptt(DLP_ELASTIC_PTT_EXPONENTIAL, 0.0),
                                    ptt(DLP_ELASTIC_PTT_EXPONENTIAL, 1e-13),
                                    fene};
    for (int k = 0; k < COUNT(list); k++) {
        for (double rate = 0.01; rate < 20.0; rate *= 2.0) {
            assert_near(dlp_material_shear_stress(&list[k], rate), 20.0 * rate, 1e-9);
            assert_near(dlp_material_normal_stress(&list[k], rate), 20.0 * rate * rate, 1e-9);
        }
        for (double rate = -1.5; rate < 0.95; rate += 0.2) {
            assert_near(dlp_material_extensional_stress(&list[k], rate), dlp_material_extensional_stress(&plain, rate),
                        1e-9);
        }
    }
}

static void extension_satisfies_the_equations_of_each_law(void **state)
{
    (void)state;
    dlp_MaterialDef fene = elastic(20.0, 40.0);
    fene.extensibility = 5.0;
    const dlp_MaterialDef list[] = {ptt(DLP_ELASTIC_PTT_LINEAR, 0.05), ptt(DLP_ELASTIC_PTT_EXPONENTIAL, 0.05), fene};
    for (int k = 0; k < COUNT(list); k++) {
        const dlp_MaterialDef *m = &list[k];
        for (double rate = -20.0; rate < 20.0; rate += 0.37) {
            const double tension = dlp_material_extensional_stress(m, rate) / 40.0, w = 0.5 * rate;
            /* the tension t = 3 w f / ((f - 2 w) (f + w)) gives f: t f^2 - (t w + 3 w) f - 2 t w^2 = 0, the larger root */
            const double p = tension * w + 3.0 * w,
                         f = (p + copysign(sqrt(p * p + 8.0 * tension * tension * w * w), tension)) / (2.0 * tension);
            const double scale = m->extensibility > 0.0 ? 1.0 : f;
            const double xx = scale / (f - 2.0 * w) - 1.0, yy = scale / (f + w) - 1.0, a[4] = {xx, yy, yy, 0.0};
            assert_steady(m, a, 0.0, rate);
        }
    }
    const dlp_MaterialDef m = giesekus(0.2);
    for (double rate = -20.0; rate < 20.0; rate += 0.37) {
        /* the quadratic of each component: 0.2 a^2 + (1 - 2 w) a = 2 w along, with -w / 2 for w across */
        const double w = 0.5 * rate, p = 1.0 - 2.0 * w, q = 1.0 + w;
        const double xx = (-p + sqrt(p * p + 1.6 * w)) / 0.4, yy = (-q + sqrt(q * q - 0.8 * w)) / 0.4,
                     a[4] = {xx, yy, yy, 0.0};
        assert_steady(&m, a, 0.0, rate);
        assert_near(dlp_material_extensional_stress(&m, rate), 40.0 * (xx - yy), 1e-9);
    }
}

static void a_spectrum_is_the_sum_of_its_modes(void **state)
{
    (void)state;
    const dlp_RelaxationMode modes[] = {{0.01, 500.0}, {0.3, 60.0}, {5.0, 4.0}};
    dlp_MaterialDef all = giesekus(0.2);
    all.viscosity = all.modulus = 0.0;
    all.modes.count = 3;
    memcpy(all.modes.mode, modes, sizeof modes);
    dlp_Error error;
    assert_int_equal(dlp_material_check(&all, &error), DLP_OK);
    for (double rate = 0.01; rate < 1e4; rate *= 10.0) {
        double shear = 0.0, normal = 0.0, tension = 0.0, storage = 0.0, loss = 0.0, part[2], sum[2];
        for (int k = 0; k < 3; k++) {
            dlp_MaterialDef one = giesekus(0.2);
            one.viscosity = 0.0;
            one.relaxation_time = modes[k].relaxation_time;
            one.modulus = modes[k].modulus;
            shear += dlp_material_shear_stress(&one, rate);
            normal += dlp_material_normal_stress(&one, rate);
            tension += dlp_material_extensional_stress(&one, rate);
            dlp_material_moduli(&one, rate, &part[0], &part[1]);
            const double x = rate * modes[k].relaxation_time;
            assert_near(part[0], modes[k].modulus * x * x / (1.0 + x * x), 1e-13);
            assert_near(part[1], modes[k].modulus * x / (1.0 + x * x), 1e-13);
            storage += part[0];
            loss += part[1];
        }
        dlp_material_moduli(&all, rate, &sum[0], &sum[1]);
        assert_near(dlp_material_shear_stress(&all, rate), shear, 1e-13);
        assert_near(dlp_material_normal_stress(&all, rate), normal, 1e-13);
        assert_near(dlp_material_extensional_stress(&all, rate), tension, 1e-13);
        assert_near(sum[0], storage, 1e-13);
        assert_near(sum[1], loss, 1e-13);
    }
}

static void moduli_of_flow_laws_are_those_at_rest(void **state)
{
    (void)state;
    double storage, loss;
    dlp_MaterialDef m = thinning(DLP_FLOW_CARREAU, 0.3);
    dlp_material_moduli(&m, 2.0, &storage, &loss);
    assert_true(storage == 0.0 && loss == 100.0);
    m.modulus = 100.0; /* a Maxwell element of 0.5 s */
    dlp_material_moduli(&m, 2.0, &storage, &loss);
    assert_near(storage, 50.0, 1e-14);
    assert_near(loss, 50.0, 1e-14);
    m = herschel_bulkley(0.0, 8.0, 0.6);
    dlp_material_moduli(&m, 2.0, &storage, &loss);
    assert_true(isnan(storage) && isnan(loss)); /* a power law has no limit */
    m = herschel_bulkley(100.0, 10.0, 0.4);
    m.solvent_viscosity = 3.0;
    dlp_material_moduli(&m, 2.0, &storage, &loss);
    assert_true(isnan(storage) && loss == 6.0); /* rigid */
    m.modulus = 1e4;
    dlp_material_moduli(&m, 2.0, &storage, &loss);
    assert_true(storage == 1e4 && loss == 6.0);
}

static void saramito_counts_normal_stress_as_part_of_the_stress_of_flow(void **state)
{
    (void)state;
    dlp_MaterialDef m = herschel_bulkley(100.0, 10.0, 0.4);
    m.modulus = 1e3;
    for (double rate = 1e-3; rate < 1e5; rate *= 3.0) {
        const double s = dlp_material_shear_stress(&m, rate), first = dlp_material_normal_stress(&m, rate);
        const double t = sqrt(s * s + first * first / 3.0), flow = dlp__flow_rate_at(&m, t, 1.0);
        assert_near(first, 2.0 * s * s / 1e3, 1e-12);
        assert_near(s * 1e3 * flow / t, 1e3 * rate, 1e-9); /* relaxation at G flow / t balances shear */
        /* in extension: xx and yy relax at the same rate */
        const double tension = dlp_material_extensional_stress(&m, rate), size = tension / sqrt(3.0);
        const double speed = 1e3 * dlp__flow_rate_at(&m, size, 1.0) / size;
        assert_near(tension, 1e3 * (2.0 * rate / (speed - 2.0 * rate) + rate / (speed + rate)), 1e-6);
        const double squeeze = dlp_material_extensional_stress(&m, -rate),
                     other = 1e3 * dlp__flow_rate_at(&m, -squeeze / sqrt(3.0), 1.0) / (-squeeze / sqrt(3.0));
        assert_near(squeeze, 1e3 * (-2.0 * rate / (other + 2.0 * rate) - rate / (other - rate)), 1e-6);
    }
    /* METHODS.md section 14: 0.7 to 3 % below the flow law */
    const double below = dlp_material_shear_stress(&m, 1.0) / 110.0;
    assert_true(below > 0.97 && below < 0.995);
    m.modulus = 1e9;
    assert_near(dlp_material_shear_stress(&m, 1.0), 110.0, 1e-12);
    m.modulus = 0.0;
    assert_near(dlp__law_modulus(&m), 100.0 * (100.0 + 10.0 * pow(100.0, 0.4)), 1e-14);
    assert_true(dlp_material_shear_stress(&m, 1.0) == 110.0);
}

/* No law but that of an elastic solid, a strongly thickening elastic one, or a fluid stretched for ever is without a steady stress. */
static bool has_steady_shear(const dlp_MaterialDef *m)
{
    return m->flow_law != DLP_FLOW_NEWTONIAN ? m->modulus == 0.0 || m->flow_index < 1.7
                                             : m->viscosity > 0.0 || m->modulus == 0.0;
}

static void random_laws_are_finite_or_nan_in_bounded_time(void **state)
{
    (void)state;
    const clock_t start = clock();
    uint64_t random = 1;
    int checked = 0;
    for (int k = 0; k < 10000; k++) {
        const dlp_MaterialDef m = random_law(&random);
        if (dlp_material_check(&m, NULL) != DLP_OK) {
            continue;
        }
        checked++;
        const double rate = random_law_between(&random, 1e-4, 1e4);
        const double stress = dlp_material_shear_stress(&m, rate), normal = dlp_material_normal_stress(&m, rate);
        const double tension = dlp_material_extensional_stress(&m, random_law_part(&random) < 0.5 ? rate : -rate);
        double storage = 0.0, loss = 0.0;
        dlp_material_moduli(&m, rate, &storage, &loss);
        assert_true(isfinite(stress) || (isnan(stress) && (!has_steady_shear(&m) || m.flow_law == DLP_FLOW_TABLE)));
        assert_true(isnan(normal) == isnan(stress) && !isinf(normal) && !isinf(tension) && !isinf(storage) &&
                    !isinf(loss));
        assert_true(!(stress < 0.0) && !(normal < 0.0) && !(storage < 0.0) && !(loss < 0.0));
        assert_true(isnan(stress) || fabs(dlp_material_shear_stress(&m, -rate) + stress) <= 1e-12 * stress);
    }
    assert_true(checked > 5000);
    const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%d laws in %.3f s\n", checked, seconds);
    assert_true(seconds < 2.0);
}

static void null_materials_have_no_curves(void **state)
{
    (void)state;
    const dlp_MaterialDef water = elastic(1e-3, 0.0);
    double storage = 0.0, loss = 0.0;
    dlp_material_moduli(NULL, 1.0, &storage, &loss);
    dlp_material_moduli(&water, 1.0, NULL, NULL);
    assert_true(isnan(storage) && isnan(loss) && isnan(dlp_material_shear_stress(NULL, 1.0)));
    assert_true(isnan(dlp_material_normal_stress(NULL, 1.0)) && isnan(dlp_material_extensional_stress(NULL, 1.0)));
    assert_true(isnan(dlp_material_yield_stress(NULL)) && isnan(dlp_material_shear_stress(&water, NAN)));
    const dlp_MaterialDef three = {.size = sizeof three};
    dlp_Error error = {DLP_OK, ""};
    assert_int_equal(dlp_material_check(&three, &error), DLP_ERROR_ARGUMENT);
    assert_true(strlen(error.text) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rate_at_a_stress_inverts_the_flow_law_over_8_decades),
        cmocka_unit_test(the_slope_is_the_derivative_of_the_flow_law),
        cmocka_unit_test(flow_laws_reach_their_limits),
        cmocka_unit_test(steady_structure_scales_viscosity_and_yield_stress),
        cmocka_unit_test(maxwell_and_oldroyd_b_have_a_constant_viscosity),
        cmocka_unit_test(an_elastic_solid_has_no_steady_stress),
        cmocka_unit_test(linear_ptt_and_fene_p_satisfy_the_cubic_of_steady_shear),
        cmocka_unit_test(giesekus_in_steady_shear_satisfies_its_equations),
        cmocka_unit_test(laws_without_their_parameter_are_maxwell),
        cmocka_unit_test(extension_satisfies_the_equations_of_each_law),
        cmocka_unit_test(a_spectrum_is_the_sum_of_its_modes),
        cmocka_unit_test(moduli_of_flow_laws_are_those_at_rest),
        cmocka_unit_test(saramito_counts_normal_stress_as_part_of_the_stress_of_flow),
        cmocka_unit_test(random_laws_are_finite_or_nan_in_bounded_time),
        cmocka_unit_test(null_materials_have_no_curves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
