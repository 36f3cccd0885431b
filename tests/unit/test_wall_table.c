/* The samples that stand for walls against the half space itself, summed in small rings. */
#include "solids/wall_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { KINDS = 4, CUTS = 300 };
static const double PI = 3.14159265358979323846;

/* Integrals of W and of the normal part of its gradient over z > s, in cylinder coordinates about the particle. */
static void sum_half_space(const dlp__Kernel *kernel, double s, double *value, double *gradient)
{
    double h = (double)kernel->support, dz = (h - s) / CUTS;
    *value = *gradient = 0.0;
    for (int i = 0; i < CUTS; i++) {
        double z = s + dz * (i + 0.5), widest = sqrt(fmax(h * h - z * z, 0.0)), dw = widest / CUTS;
        for (int j = 0; j < CUTS; j++) {
            double w = dw * (j + 0.5), r = sqrt(w * w + z * z), ring = 2.0 * PI * w * dw * dz;
            *value += ring * dlp__kernel_value(kernel, r);
            *gradient += ring * dlp__kernel_slope(kernel, r) * z / r;
        }
    }
}

static void check_kernel(dlp_KernelKind kind, double h)
{
    dlp__Kernel kernel = dlp__kernel(kind, h);
    dlp__WallTable table;
    dlp__wall_table_init(&table, &kernel);
    for (int i = -19; i < 20; i++) {
        double s = h * i / 20.3, value, gradient;
        sum_half_space(&kernel, s, &value, &gradient);
        dlp__WallSample sample;
        assert_true(dlp__wall_sample(&table, (float)s, &sample));
        double r = (double)sample.distance, volume = (double)sample.volume, mirror = (double)sample.mirror;
        assert_true(r >= 0.0 && r < h && volume > 0.0 && mirror >= 0.0);
        /* Tolerances: straight lines between 256 entries, and the midpoint rule at CUTS cuts. */
        assert_true(fabs((volume + mirror) * dlp__kernel_value(&kernel, r) - value) < 1e-4);
        assert_true(fabs((volume - mirror) * dlp__kernel_slope(&kernel, r) - gradient) < 1e-3 / h);
        assert_true(fabs((double)sample.share - value) < 1e-4);
        assert_true(kind == DLP_KERNEL_POLY6_SPIKY || mirror == 0.0);
    }
}

static void a_sample_has_the_kernel_sum_and_gradient_of_a_half_space(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        check_kernel((dlp_KernelKind)kind, 0.02);
        check_kernel((dlp_KernelKind)kind, 3.0);
    }
}

static void a_particle_on_the_wall_sees_half_its_kernel_beyond(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        dlp__Kernel kernel = dlp__kernel((dlp_KernelKind)kind, 1.0);
        dlp__WallTable table;
        dlp__WallSample sample;
        dlp__wall_table_init(&table, &kernel);
        assert_true(dlp__wall_sample(&table, 0.0f, &sample));
        assert_true(fabs((double)sample.share - 0.5) < 1e-4);
    }
}

static void a_wall_out_of_reach_shows_nothing(void **state)
{
    (void)state;
    dlp__Kernel kernel = dlp__kernel(DLP_KERNEL_CUBIC_SPLINE, 0.02);
    dlp__WallTable table;
    dlp__WallSample sample;
    dlp__wall_table_init(&table, &kernel);
    assert_false(dlp__wall_sample(&table, 0.02f, &sample));
    assert_false(dlp__wall_sample(&table, 1e30f, &sample));
    assert_false(dlp__wall_sample(&table, NAN, &sample));
    assert_true(dlp__wall_sample(&table, 0.0199f, &sample));
    assert_true(sample.share < 1e-6f && sample.share >= 0.0f);
}

static void deep_inside_a_solid_the_whole_kernel_is_beyond(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        dlp__Kernel kernel = dlp__kernel((dlp_KernelKind)kind, 0.02);
        dlp__WallTable table;
        dlp__WallSample sample;
        dlp__wall_table_init(&table, &kernel);
        for (int k = 0; k < 2; k++) {
            assert_true(dlp__wall_sample(&table, k == 0 ? -0.02f : -1e30f, &sample));
            double r = (double)sample.distance, volume = (double)sample.volume, mirror = (double)sample.mirror;
            assert_true(fabs((double)sample.share - 1.0) < 1e-6);
            assert_true(fabs((volume + mirror) * dlp__kernel_value(&kernel, r) - 1.0) < 1e-5);
            assert_true(fabs((volume - mirror) * dlp__kernel_slope(&kernel, r)) < 1e-5 / 0.02);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_has_the_kernel_sum_and_gradient_of_a_half_space),
        cmocka_unit_test(a_particle_on_the_wall_sees_half_its_kernel_beyond),
        cmocka_unit_test(a_wall_out_of_reach_shows_nothing),
        cmocka_unit_test(deep_inside_a_solid_the_whole_kernel_is_beyond),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
