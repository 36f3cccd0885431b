/* Long accumulators: sums are exact and do not depend on the order of their terms. */
#include "base/long_accumulator.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static double sum_of(const double *terms, int count, bool backwards)
{
    dlp__LongAccumulator sum = {{0}, 0};
    for (int n = 0; n < count; n++) {
        dlp__long_add(&sum, terms[backwards ? count - 1 - n : n]);
    }
    return dlp__long_value(&sum);
}

static void large_terms_cancel_exactly(void **state)
{
    const double terms[] = {1e30, 3.5, -1e-20, -1e30, 1e15, -1e15, 1e-20, -0.5};
    (void)state;
    assert_true(sum_of(terms, 8, false) == 3.0);
    assert_true(sum_of(terms, 8, true) == 3.0);
}

static void the_order_of_terms_does_not_matter(void **state)
{
    double terms[1000];
    (void)state;
    for (int n = 0; n < 1000; n++) {
        terms[n] = sin(n * 12.9898) * pow(10.0, n % 37 - 18);
    }
    const double forwards = sum_of(terms, 1000, false), backwards = sum_of(terms, 1000, true);
    assert_true(forwards == backwards);
    assert_true(sum_of(terms, 1, false) == terms[0]);
}

static void what_is_too_large_or_not_finite_is_reported(void **state)
{
    const double huge[] = {1.0, 1e80}, broken[] = {1.0, (double)NAN}, tiny[] = {1e-80, -2.0};
    (void)state;
    assert_true(isnan(sum_of(huge, 2, false)));
    assert_true(isnan(sum_of(broken, 2, false)));
    assert_true(sum_of(tiny, 2, false) == -2.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_terms_cancel_exactly),
        cmocka_unit_test(the_order_of_terms_does_not_matter),
        cmocka_unit_test(what_is_too_large_or_not_finite_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
