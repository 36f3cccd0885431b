/* Invariants and the largest eigenvalue of symmetric matrices in lanes, against matrices made from known eigenvalues; built and run once
 * per width. */
#include "methods/physical/physical_pairs.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { W = DLP_WIDTH, ROUNDS = 3000 };

static uint64_t random_state = 1;

static double random_part(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (double)(random_state >> 40) / 8388608.0 - 1.0;
}

/* Rows of a rotation, from a random quaternion. */
static void random_rotation(double r[3][3])
{
    double q[4], size = 0.0;
    for (int n = 0; n < 4; n++) {
        q[n] = random_part();
        size += q[n] * q[n];
    }
    for (int n = 0; n < 4; n++) {
        q[n] /= sqrt(size);
    }
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double rows[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                               {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                               {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    for (int n = 0; n < 9; n++) {
        r[n / 3][n % 3] = rows[n / 3][n % 3];
    }
}

/* Component ab of the matrix with these eigenvalues along the rows of r. */
static float component(double r[3][3], const double value[3], int a, int b)
{
    return (float)(r[0][a] * value[0] * r[0][b] + r[1][a] * value[1] * r[1][b] + r[2][a] * value[2] * r[2][b]);
}

/* The same matrix in one lane among random ones. */
static SymmetricMatrix matrix_in(int lane, double r[3][3], const double value[3])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    dlp__Wide part[6];
    for (int n = 0; n < 6; n++) {
        float lanes[W];
        for (int k = 0; k < W; k++) {
            lanes[k] = k == lane ? component(r, value, row[n], column[n]) : (float)random_part();
        }
        part[n] = dlp__wide_load(lanes);
    }
    return (SymmetricMatrix){part[0], part[1], part[2], part[3], part[4], part[5]};
}

static double lane_of(dlp__Wide wide, int lane)
{
    float lanes[W];
    dlp__wide_store(lanes, wide);
    return (double)lanes[lane];
}

static void the_largest_eigenvalue_does_not_depend_on_the_frame(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        double r[3][3], value[3], square = 0.0;
        const double scale = pow(10.0, 6.0 * random_part());
        random_rotation(r);
        for (int n = 0; n < 3; n++) {
            value[n] = scale * random_part();
        }
        const double mean = (value[0] + value[1] + value[2]) / 3.0;
        const double largest = fmax(value[0], fmax(value[1], value[2]));
        for (int n = 0; n < 3; n++) {
            square += (value[n] - mean) * (value[n] - mean);
        }
        const double size = sqrt(square / 6.0);
        const int lane = round % W;
        const SymmetricMatrix m = matrix_in(lane, r, value);
        assert_true(fabs(lane_of(largest_eigenvalue(&m), lane) - largest) < 8e-4 * size + 2e-6 * scale);
        assert_true(fabs(lane_of(invariants_of(&m).mean, lane) - mean) < 2e-6 * scale);
        assert_true(fabs(lane_of(invariants_of(&m).size, lane) - size) < 2e-6 * scale);
    }
}

static void the_cosine_tells_extension_from_shear(void **state)
{
    static const double value[3][3] = {{2, -1, -1}, {1, 0, -1}, {1, 1, -2}}, cosine[3] = {1, 0, -1};
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        double r[3][3];
        random_rotation(r);
        const SymmetricMatrix m = matrix_in(round % W, r, value[round % 3]);
        assert_true(fabs(lane_of(invariants_of(&m).cosine, round % W) - cosine[round % 3]) < 1e-5);
    }
}

static void nothing_has_no_direction(void **state)
{
    double identity[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    (void)state;
    for (int n = 0; n < 2; n++) {
        const double value[3] = {n * 3.0, n * 3.0, n * 3.0};
        const SymmetricMatrix m = matrix_in(0, identity, value);
        assert_true(lane_of(largest_eigenvalue(&m), 0) == value[0]);
        assert_true(lane_of(invariants_of(&m).cosine, 0) == 0.0);
    }
}

int main(void)
{
    if (W > dlp__width_most()) {
        return 77; /* not on this machine */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_largest_eigenvalue_does_not_depend_on_the_frame),
        cmocka_unit_test(the_cosine_tells_extension_from_shear),
        cmocka_unit_test(nothing_has_no_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
