/* Cholesky's method within an envelope, against systems of which the solution is known. */
#include "base/simd.h"
#include "krylov/skyline.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { ROWS = 120, ENTRIES = ROWS * (ROWS + 1) / 2 };

typedef struct System {
    dlp__Skyline matrix;
    int32_t first[ROWS];
    int64_t start[ROWS];
    double entry[ENTRIES], x[ROWS], right[ROWS];
} System;

static void add_entry(System *system, int row, int column, double value)
{
    system->matrix.entry[system->matrix.start[row] + column] = value;
    system->right[row] += value * system->x[column];
    system->right[column] += row != column ? value * system->x[row] : 0.0;
}

/* Rows of random length, the last few across the whole matrix as those around a periodic axis; `diagonal` over the sum of a
 * row's entries makes it positive or not. */
static void make_system(System *system, uint64_t seed, double diagonal)
{
    *system = (System){.matrix = {.rows = ROWS}};
    system->matrix.first = system->first;
    system->matrix.start = system->start;
    system->matrix.entry = system->entry;
    for (int i = 0; i < ROWS; i++) {
        int reach = i >= ROWS - 3 ? i : (int)(random_number(&seed) * 20.0);
        system->first[i] = i > reach ? i - reach : 0;
        system->x[i] = random_number(&seed) - 0.5;
    }
    assert_true(dlp__skyline_layout(&system->matrix) <= ENTRIES);
    double weight[ROWS] = {0};
    for (int i = 0; i < ROWS; i++) {
        for (int j = system->first[i]; j < i; j++) {
            double value = random_number(&seed) - 0.5;
            add_entry(system, i, j, value);
            weight[i] += fabs(value);
            weight[j] += fabs(value);
        }
    }
    for (int i = 0; i < ROWS; i++) {
        add_entry(system, i, i, diagonal * (weight[i] + 1e-3));
    }
}

static bool factor(System *system, int threads, int width)
{
    dlp__Parallel parallel;
    dlp__parallel_init(&parallel, threads, NULL);
    system->matrix.width = width;
    return dlp__skyline_factor(&system->matrix, &parallel);
}

static void a_known_solution_is_found(void **state)
{
    (void)state;
    static System system;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_system(&system, seed, 1.01);
        assert_true(factor(&system, 1, 1));
        dlp__skyline_solve(&system.matrix, system.right);
        for (int i = 0; i < ROWS; i++) {
            assert_true(fabs(system.right[i] - system.x[i]) < 1e-9);
        }
    }
}

static void all_threads_and_widths_give_the_same_bits(void **state)
{
    (void)state;
    static System system, other;
    static const int widths[] = {1, 4, 8, 16};
    for (uint64_t seed = 1; seed <= 4; seed++) {
        make_system(&system, seed, 1.01);
        assert_true(factor(&system, 1, 1));
        dlp__skyline_solve(&system.matrix, system.right);
        for (int n = 0; n < 8 && widths[n / 2] <= dlp__width_most(); n++) {
            make_system(&other, seed, 1.01);
            assert_true(factor(&other, n % 2 == 0 ? 1 : 3, widths[n / 2]));
            dlp__skyline_solve(&other.matrix, other.right);
            assert_memory_equal(other.entry, system.entry, sizeof system.entry);
            assert_memory_equal(other.right, system.right, sizeof system.right);
        }
    }
}

static void what_is_not_positive_is_refused(void **state)
{
    (void)state;
    static System system;
    make_system(&system, 1, -1.0);
    assert_false(factor(&system, 1, 1));
    make_system(&system, 1, (double)NAN);
    assert_false(factor(&system, 1, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_solution_is_found),
        cmocka_unit_test(all_threads_and_widths_give_the_same_bits),
        cmocka_unit_test(what_is_not_positive_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
