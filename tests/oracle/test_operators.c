/* The operators of src/sph on disordered particles with free surfaces, against exact fields and a double-precision sum
 * over all pairs; and every vector width against width 1, bit for bit. */
#include "sph/operators.h"

#include "base/simd.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIDE = 12, COUNT = SIDE * SIDE * SIDE };
static const double SPACING = 0.01, SUPPORT = 0.025;
static const dlp__FieldId FIELDS[] = {DLP_FIELD_id,
                                      DLP_FIELD_position,
                                      DLP_FIELD_velocity,
                                      DLP_FIELD_density,
                                      DLP_FIELD_specific_volume,
                                      DLP_FIELD_correction_matrix,
                                      DLP_FIELD_velocity_gradient,
                                      DLP_FIELD_scalar,
                                      DLP_FIELD_laplacian,
                                      DLP_FIELD_NONE};

typedef struct Block {
    dlp__Memory memory;
    dlp__Parallel parallel;
    dlp__Domains domains;
    dlp__OperatorArguments arguments;
} Block;

static double noise(void)
{
    return (double)rand() / RAND_MAX - 0.5;
}

/* A cube of particles, each up to `disorder` spacings off its lattice site along each axis. */
static Block *make_block(dlp_KernelKind kind, double disorder, int width)
{
    Block *b = calloc(1, sizeof *b);
    const double zero[3] = {0, 0, 0};
    dlp__memory_init(&b->memory, NULL);
    dlp__parallel_init(&b->parallel, 1, NULL);
    dlp__domains_init(&b->domains, &b->memory, &b->parallel, 1, NULL, FIELDS);
    b->domains.width = width;
    b->domains.support = (float)SUPPORT;
    assert_true(dlp__cell_frame_init(&b->domains.frame, SUPPORT, zero, zero));
    b->arguments = (dlp__OperatorArguments){dlp__kernel(kind, SUPPORT), (float)(SPACING * SPACING * SPACING)};
    dlp__Particles *p = &b->domains.part[0].particles;
    assert_int_equal(dlp__particles_add(p, COUNT), 0);
    srand(7);
    for (int i = 0; i < COUNT; i++) {
        p->id[0][i] = (uint64_t)i;
        p->position[0][i] = (float)(SPACING * (i % SIDE + 2.0 * disorder * noise()));
        int y = i / SIDE % SIDE, z = i / (SIDE * SIDE);
        p->position[1][i] = (float)(SPACING * (y + 2.0 * disorder * noise()));
        p->position[2][i] = (float)(SPACING * (z + 2.0 * disorder * noise()));
    }
    int64_t removed;
    dlp__domains_update(&b->domains, &removed);
    assert_int_equal(b->domains.failure, DLP_OK);
    assert_true(dlp__neighbors_reserve_counts(&b->domains.part[0].boundary, &b->memory, COUNT));
    for (int i = 0; i < COUNT; i++) {
        p->specific_volume[0][i] = 0.001f;
    }
    return b;
}

static void release_block(Block *b)
{
    dlp__domains_release(&b->domains);
    assert_int_equal(b->memory.bytes, 0);
    free(b);
}

static dlp__Particles *particles_of(Block *b)
{
    return &b->domains.part[0].particles;
}

static void run(Block *b, const dlp__Stage *stage)
{
    dlp__run(&b->domains, stage, &b->arguments);
    assert_int_equal(b->domains.failure, DLP_OK);
}

static void density_is_the_kernel_sum_over_all_pairs(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Block *b = make_block((dlp_KernelKind)kind, 0.3, dlp__width_most());
        run(b, &dlp__operators(b->domains.width)->density);
        const dlp__Particles *p = particles_of(b);
        for (int i = 0; i < COUNT; i += 7) {
            double sum = 0.0;
            for (int j = 0; j < COUNT; j++) {
                double x = (double)p->position[0][i] - (double)p->position[0][j];
                double y = (double)p->position[1][i] - (double)p->position[1][j];
                double z = (double)p->position[2][i] - (double)p->position[2][j];
                sum += 1e-6 * dlp__kernel_value(&b->arguments.kernel, sqrt(x * x + y * y + z * z));
            }
            assert_true(fabs((double)p->density[0][i] / (1000.0 * sum) - 1.0) < 2e-6); /* single precision, 70 terms */
        }
        release_block(b);
    }
}

/* u = A x + b has the gradient A everywhere, at free surfaces and corners too. */
static void the_velocity_gradient_is_exact_for_linear_fields_on_disordered_particles(void **state)
{
    (void)state;
    static const double gradient[9] = {1.0, -2.0, 0.5, 3.0, -0.25, 1.5, -1.0, 2.5, -0.75};
    for (int kind = 0; kind < 4; kind++) {
        Block *b = make_block((dlp_KernelKind)kind, 0.3, dlp__width_most());
        dlp__Particles *p = particles_of(b);
        for (int i = 0; i < COUNT; i++) {
            for (int a = 0; a < 3; a++) {
                double sum = 0.1 * a;
                for (int c = 0; c < 3; c++) {
                    sum += gradient[3 * a + c] * (double)p->position[c][i];
                }
                p->velocity[a][i] = (float)sum;
            }
        }
        run(b, &dlp__operators(b->domains.width)->correction_matrix);
        run(b, &dlp__operators(b->domains.width)->velocity_gradient);
        for (int i = 0; i < COUNT; i++) {
            for (int n = 0; n < 9;
                 n++) { /* velocities near 0.3 m/s rounded to 24 bits, over 1 cm: 1e-5 of the largest */
                assert_true(fabs((double)p->velocity_gradient[n][i] - gradient[n]) < 1e-4);
            }
        }
        release_block(b);
    }
}

static void particles_in_a_plane_get_a_zero_gradient(void **state)
{
    (void)state;
    Block *b = make_block(DLP_KERNEL_WENDLAND_C2, 0.0, dlp__width_most());
    dlp__Particles *p = particles_of(b);
    for (int i = 0; i < COUNT; i++) { /* layers far apart */
        p->position[2][i] *= 10.0f;
        p->velocity[0][i] = p->position[0][i];
    }
    int64_t removed;
    dlp__domains_update(&b->domains, &removed);
    assert_int_equal(b->domains.failure, DLP_OK);
    run(b, &dlp__operators(b->domains.width)->correction_matrix);
    for (int i = 0; i < COUNT; i++) {
        for (int n = 0; n < 6; n++) {
            assert_true(p->correction_matrix[n][i] == 0.0f);
        }
    }
    release_block(b);
}

/* q = x^2 + 2 y^2 - z^2 has the Laplacian 4. On a lattice the operator is wrong only by the kernel's second moment,
 * which the trace of K corrects; disorder adds noise, so the mean is tested. */
static void the_laplacian_of_a_quadratic_field_is_correct_inside(void **state)
{
    (void)state;
    for (int disordered = 0; disordered < 2; disordered++) {
        Block *b = make_block(DLP_KERNEL_WENDLAND_C2, disordered ? 0.1 : 0.0, dlp__width_most());
        dlp__Particles *p = particles_of(b);
        for (int i = 0; i < COUNT; i++) {
            double x = (double)p->position[0][i], y = (double)p->position[1][i], z = (double)p->position[2][i];
            p->scalar[0][i] = (float)(x * x + 2.0 * y * y - z * z);
        }
        run(b, &dlp__operators(b->domains.width)->correction_matrix);
        run(b, &dlp__operators(b->domains.width)->laplacian);
        double sum = 0.0;
        int inside = 0;
        for (int i = 0; i < COUNT; i++) {
            bool deep = true;
            for (int a = 0; a < 3; a++) {
                deep = deep && p->position[a][i] > 0.034f && p->position[a][i] < (SIDE - 1) * 0.01f - 0.034f;
            }
            if (deep) {
                sum += (double)p->laplacian[0][i];
                inside++;
                assert_true(disordered || fabs((double)p->laplacian[0][i] - 4.0) < 0.01);
            }
        }
        assert_true(inside > 50 && fabs(sum / inside - 4.0) < 0.1);
        release_block(b);
    }
}

static void every_width_computes_the_same_bits(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        Block *oracle = make_block((dlp_KernelKind)kind, 0.3, 1);
        for (int width = 1; width <= dlp__width_most(); width = width == 1 ? 4 : 2 * width) {
            Block *b = width == 1 ? oracle : make_block((dlp_KernelKind)kind, 0.3, width);
            const dlp__Operators *operators = dlp__operators(width);
            dlp__Particles *p = particles_of(b);
            for (int i = 0; i < COUNT; i++) {
                p->velocity[0][i] = sinf(100.0f * p->position[1][i]);
                p->velocity[1][i] = cosf(130.0f * p->position[2][i]);
                p->velocity[2][i] = sinf(90.0f * p->position[0][i]);
                p->scalar[0][i] = p->velocity[0][i];
            }
            run(b, &operators->density);
            run(b, &operators->correction_matrix);
            run(b, &operators->velocity_gradient);
            run(b, &operators->laplacian);
            const dlp__Particles *o = particles_of(oracle);
            assert_memory_equal(p->density[0], o->density[0], COUNT * sizeof(float));
            assert_memory_equal(p->laplacian[0], o->laplacian[0], COUNT * sizeof(float));
            for (int n = 0; n < 9; n++) {
                assert_memory_equal(p->velocity_gradient[n], o->velocity_gradient[n], COUNT * sizeof(float));
            }
            if (width > 1) {
                release_block(b);
            }
        }
        release_block(oracle);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(density_is_the_kernel_sum_over_all_pairs),
        cmocka_unit_test(the_velocity_gradient_is_exact_for_linear_fields_on_disordered_particles),
        cmocka_unit_test(particles_in_a_plane_get_a_zero_gradient),
        cmocka_unit_test(the_laplacian_of_a_quadratic_field_is_correct_inside),
        cmocka_unit_test(every_width_computes_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
