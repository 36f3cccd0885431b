/* The smoothing kernels against their definition: unit integral, slope, support. */
#include "sph/kernel.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { KINDS = 4, STEPS = 20000 };
static const double PI = 3.14159265358979323846;
static const double SUPPORTS[] = {1.0, 0.013, 7.5}; /* m */

/* The integral over space of r^power times W or W', by the midpoint rule on shells. */
static double moment(const dlp__Kernel *kernel, bool slope, int power)
{
    double h = (double)kernel->support, sum = 0.0;
    for (int i = 0; i < STEPS; i++) {
        double r = h * (i + 0.5) / STEPS;
        double w = slope ? dlp__kernel_slope(kernel, r) : dlp__kernel_value(kernel, r);
        sum += w * pow(r, power) * 4.0 * PI * r * r * h / STEPS;
    }
    return sum;
}

static void for_each_kernel(void (*check)(const dlp__Kernel *kernel))
{
    for (int kind = 0; kind < KINDS; kind++) {
        for (int k = 0; k < 3; k++) {
            dlp__Kernel kernel = dlp__kernel((dlp_KernelKind)kind, SUPPORTS[k]);
            check(&kernel);
        }
    }
}

static void check_integral(const dlp__Kernel *kernel)
{
    assert_true(fabs(moment(kernel, false, 0) - 1.0) < 1e-6);
}

static void every_kernel_integrates_to_one(void **state)
{
    (void)state;
    for_each_kernel(check_integral);
}

/* By parts, the integral of r W' is -3 times that of W. This also determines the norm of the spiky kernel. */
static void check_gradient_moment(const dlp__Kernel *kernel)
{
    assert_true(fabs(moment(kernel, true, 1) + 3.0) < 1e-5);
}

static void every_gradient_has_the_moment_of_a_unit_kernel(void **state)
{
    (void)state;
    for_each_kernel(check_gradient_moment);
}

static double spiky(double h, double r)
{
    return r < h ? 15.0 / (PI * h * h * h) * pow(1.0 - r / h, 3.0) : 0.0;
}

static void check_slope(const dlp__Kernel *kernel)
{
    double h = (double)kernel->support, step = 1e-5 * h;
    for (int i = 1; i < 200; i++) {
        double r = h * i / 200.0, difference;
        if (kernel->kind == DLP_KERNEL_POLY6_SPIKY) {
            difference = (spiky(h, r + step) - spiky(h, r - step)) / (2.0 * step);
        } else {
            difference = (dlp__kernel_value(kernel, r + step) - dlp__kernel_value(kernel, r - step)) / (2.0 * step);
        }
        assert_true(fabs(dlp__kernel_slope(kernel, r) - difference) < 1e-5 * fabs((double)kernel->scale) / h);
    }
}

static void the_slope_is_the_derivative_of_the_value(void **state)
{
    (void)state;
    for_each_kernel(check_slope);
}

static void check_support(const dlp__Kernel *kernel)
{
    double h = (double)kernel->support;
    assert_true(dlp__kernel_value(kernel, h) == 0.0 && dlp__kernel_slope(kernel, h) == 0.0);
    assert_true(dlp__kernel_value(kernel, 1.5 * h) == 0.0 && dlp__kernel_slope(kernel, 1.5 * h) == 0.0);
    double almost = h * (1.0 - 1e-5); /* no jump there: the slope falls as (1 - q)^2 or faster */
    assert_true(fabs(dlp__kernel_slope(kernel, almost)) < 1e-9 * fabs((double)kernel->slope) * h);
    double last = dlp__kernel_value(kernel, 0.0);
    for (int i = 1; i < 100; i++) {
        double value = dlp__kernel_value(kernel, h * i / 100.0);
        assert_true(value > 0.0 && value < last && dlp__kernel_slope(kernel, h * i / 100.0) < 0.0);
        last = value;
    }
}

static void kernels_decrease_monotonically_and_vanish_at_the_support(void **state)
{
    (void)state;
    for_each_kernel(check_support);
}

/* The polynomials that the header documents for the vector code. */
static double header_value(dlp_KernelKind kind, double q)
{
    switch (kind) {
    case DLP_KERNEL_CUBIC_SPLINE: return pow(1 - q, 3) - 4 * pow(fmax(0.5 - q, 0), 3);
    case DLP_KERNEL_POLY6_SPIKY: return pow(1 - q * q, 3);
    case DLP_KERNEL_WENDLAND_C2: return pow(1 - q, 4) * (4 * q + 1);
    case DLP_KERNEL_WENDLAND_C4: return pow(1 - q, 6) * (35 * q * q + 18 * q + 3);
    }
    return NAN;
}

static double header_slope(dlp_KernelKind kind, double q)
{
    switch (kind) {
    case DLP_KERNEL_CUBIC_SPLINE: return q < 0.5 ? 2 - 3 * q : (1 - q) * (1 - q) / q;
    case DLP_KERNEL_POLY6_SPIKY: return (1 - q) * (1 - q) / q;
    case DLP_KERNEL_WENDLAND_C2: return pow(1 - q, 3);
    case DLP_KERNEL_WENDLAND_C4: return pow(1 - q, 5) * (5 * q + 1);
    }
    return NAN;
}

static void check_forms(const dlp__Kernel *kernel)
{
    for (int i = 1; i < 100; i++) {
        double q = i / 100.0, r = q * (double)kernel->support;
        double value = (double)kernel->scale * header_value(kernel->kind, q);
        double slope = (double)kernel->slope * header_slope(kernel->kind, q) * r;
        assert_true(fabs(dlp__kernel_value(kernel, r) - value) <= 1e-10 * value);
        assert_true(fabs(dlp__kernel_slope(kernel, r) - slope) <= 1e-10 * -slope);
        assert_true(fabs((double)(kernel->per_h * kernel->support) - 1.0) < 1e-6);
    }
}

static void scale_and_slope_match_the_formulas_in_the_header(void **state)
{
    (void)state;
    for_each_kernel(check_forms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_integrates_to_one),
        cmocka_unit_test(every_gradient_has_the_moment_of_a_unit_kernel),
        cmocka_unit_test(the_slope_is_the_derivative_of_the_value),
        cmocka_unit_test(kernels_decrease_monotonically_and_vanish_at_the_support),
        cmocka_unit_test(scale_and_slope_match_the_formulas_in_the_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
