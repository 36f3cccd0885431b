/* The samples that represent walls, against the layers of particles that they replace. */
#include "sph/wall_table.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { KINDS = 4, CUTS = 4000 };
static const double PI = 3.14159265358979323846;

/* Kernel sum and normal gradient of layers at s + d/2, s + 3d/2, ..., each summed in rings about the particle. */
static void sum_layers(const dlp__Kernel *kernel, double spacing, double s, double *value, double *gradient)
{
    double h = (double)kernel->support;
    *value = *gradient = 0.0;
    int layers = (int)ceil((h - s) / spacing - 0.5);
    for (int k = 0; k < layers; k++) {
        double z = s + (k + 0.5) * spacing;
        double dw = sqrt(h * h - z * z) / CUTS;
        for (int j = 0; j < CUTS; j++) {
            double w = dw * (j + 0.5), r = sqrt(w * w + z * z), ring = 2.0 * PI * w * dw * spacing;
            *value += ring * dlp__kernel_value(kernel, r);
            *gradient += ring * dlp__kernel_slope(kernel, r) * z / r;
        }
    }
}

static void check_kernel(dlp_KernelKind kind, double spacing, double support)
{
    double h = support * spacing;
    dlp__Kernel kernel = dlp__kernel(kind, h);
    dlp__WallTable table;
    dlp__wall_table_init(&table, &kernel, spacing);
    double at_rest, steepest;
    sum_layers(&kernel, spacing, 0.5 * spacing, &at_rest, &steepest);
    for (int i = 0; i < 20; i++) {
        double s = (h - 0.5 * spacing) * i / 20.3, share, value, gradient;
        sum_layers(&kernel, spacing, s, &share, &gradient);
        value = share * share / at_rest; /* g of wall_table.h, and its gradient */
        gradient *= 2.0 * share / at_rest;
        dlp__WallSample sample;
        assert_true(dlp__wall_sample(&table, (float)s, &sample));
        double r = (double)sample.distance, volume = (double)sample.volume;
        assert_true(r >= 0.0 && r < h && volume > 0.0);
        /* Tolerances: linear interpolation between 256 entries, and the midpoint rule with CUTS intervals. */
        assert_true(fabs(volume * dlp__kernel_value(&kernel, r) - value) < 1e-3);
        assert_true(fabs(volume * dlp__kernel_slope(&kernel, r) - gradient) <
                    0.01 * fabs(gradient) + 0.01 * fabs(steepest));
        assert_true(fabs((double)sample.share - share) < 2e-4);
    }
}

static void a_sample_has_the_value_and_gradient_of_its_layers(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        check_kernel((dlp_KernelKind)kind, 0.01, 2.0);
        check_kernel((dlp_KernelKind)kind, 1.0, 2.5);
        check_kernel((dlp_KernelKind)kind, 2.0, 3.0);
    }
}

/* Kernel sum of a particle on a cubic lattice that fills z >= layer * spacing below it. */
static double lattice_sum(const dlp__Kernel *kernel, double spacing, int layers_below)
{
    double sum = 0.0;
    for (int x = -4; x <= 4; x++) {
        for (int y = -4; y <= 4; y++) {
            for (int z = -layers_below; z <= 4; z++) {
                sum += dlp__kernel_value(kernel, spacing * sqrt((double)(x * x + y * y + z * z)));
            }
        }
    }
    return sum * spacing * spacing * spacing;
}

/* 0.5 %: a layer is uniform, while a lattice has a point directly opposite the particle. */
static void a_lattice_that_ends_half_a_spacing_before_a_wall_is_at_rest(void **state)
{
    (void)state;
    for (int kind = 0; kind < KINDS; kind++) {
        dlp__Kernel kernel = dlp__kernel((dlp_KernelKind)kind, 0.02);
        dlp__WallTable table;
        dlp__wall_table_init(&table, &kernel, 0.01);
        double full = lattice_sum(&kernel, 0.01, 4);
        for (int layer = 0; layer < 2; layer++) {
            dlp__WallSample sample = {0};
            (void)dlp__wall_sample(&table, 0.01f * ((float)layer + 0.5f), &sample);
            assert_true(fabs(lattice_sum(&kernel, 0.01, layer) + (double)sample.share - full) < 0.005);
        }
    }
}

static void a_wall_out_of_reach_has_no_sample(void **state)
{
    (void)state;
    dlp__Kernel kernel = dlp__kernel(DLP_KERNEL_CUBIC_SPLINE, 0.02);
    dlp__WallTable table;
    dlp__WallSample sample;
    dlp__wall_table_init(&table, &kernel, 0.01);
    assert_false(dlp__wall_sample(&table, 0.015f, &sample));
    assert_false(dlp__wall_sample(&table, 1e30f, &sample));
    assert_false(dlp__wall_sample(&table, NAN, &sample));
    assert_true(dlp__wall_sample(&table, 0.0149f, &sample));
    assert_true(sample.share < 1e-4f && sample.share >= 0.0f);
}

static void inside_a_solid_the_sample_is_that_of_its_surface(void **state)
{
    (void)state;
    dlp__Kernel kernel = dlp__kernel(DLP_KERNEL_WENDLAND_C2, 0.025);
    dlp__WallTable table;
    dlp__WallSample inside, on;
    dlp__wall_table_init(&table, &kernel, 0.01);
    assert_true(dlp__wall_sample(&table, -1e30f, &inside));
    assert_true(dlp__wall_sample(&table, 0.0f, &on));
    assert_true(inside.distance == on.distance && inside.volume == on.volume);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sample_has_the_value_and_gradient_of_its_layers),
        cmocka_unit_test(a_lattice_that_ends_half_a_spacing_before_a_wall_is_at_rest),
        cmocka_unit_test(a_wall_out_of_reach_has_no_sample),
        cmocka_unit_test(inside_a_solid_the_sample_is_that_of_its_surface),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
