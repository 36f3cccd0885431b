/* Cholesky's method within an envelope, against systems of which the solution is known. */
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

static void a_known_solution_is_found(void **state)
{
    (void)state;
    static System system;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        make_system(&system, seed, 1.01);
        assert_true(dlp__skyline_factor(&system.matrix));
        dlp__skyline_solve(&system.matrix, system.right);
        for (int i = 0; i < ROWS; i++) {
            assert_true(fabs(system.right[i] - system.x[i]) < 1e-9);
        }
    }
}

static void what_is_not_positive_is_refused(void **state)
{
    (void)state;
    static System system;
    make_system(&system, 1, -1.0);
    assert_false(dlp__skyline_factor(&system.matrix));
    make_system(&system, 1, (double)NAN);
    assert_false(dlp__skyline_factor(&system.matrix));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_solution_is_found),
        cmocka_unit_test(what_is_not_positive_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
