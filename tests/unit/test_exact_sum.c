/* Sums that do not depend on the order of their terms, for terms of any size and sign. */
#include "base/exact_sum.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { TERMS = 20000 };

static void add_terms(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const double *const *lists = context;
    for (int64_t i = begin; i < end; i++) {
        dlp__exact_add(sum, lists[part][i]);
    }
}

static double sum_of(const double *terms, int64_t first)
{
    const double *lists[2] = {terms, terms + first};
    const int64_t counts[2] = {first, TERMS - first};
    dlp__Parallel parallel;
    double scale = 1.0;
    dlp__parallel_init(&parallel, first == 0 ? 1 : 2, NULL);
    return dlp__exact_sum(&parallel, 2, counts, add_terms, lists, &scale);
}

static void a_sum_is_the_same_in_any_order(void **state)
{
    (void)state;
    double *terms = malloc(TERMS * sizeof *terms);
    assert_non_null(terms);
    for (int size = -200; size <= 200; size += 40) {
        uint64_t seed = 1000 + (uint64_t)size;
        double plain = 0.0, largest = 0.0;
        for (int i = 0; i < TERMS; i++) {
            terms[i] = ldexp(random_number(&seed) - 0.3, size - (int)(30.0 * random_number(&seed)));
            plain += terms[i];
            largest = fmax(largest, fabs(terms[i]));
        }
        const double sum = sum_of(terms, 0);
        assert_true(fabs(sum - plain) < 1e-9 * fabs(plain) + 1e-12 * largest);
        for (int i = 0; i < TERMS; i++) { /* shuffled */
            int other = (int)(random_number(&seed) * TERMS);
            double term = terms[i];
            terms[i] = terms[other];
            terms[other] = term;
        }
        assert_true(sum_of(terms, TERMS / 3) == sum);
    }
    free(terms);
}

/* The scale must not go to and fro between terms that are large and a sum that is small. */
static void large_terms_may_cancel(void **state)
{
    (void)state;
    double *terms = calloc(TERMS, sizeof *terms);
    assert_non_null(terms);
    for (int i = 0; i < TERMS; i++) {
        terms[i] = i % 2 == 0 ? 1e6 + i : -1e6 - (i - 1);
    }
    assert_true(sum_of(terms, 0) == 0.0);
    terms[7] += ldexp(1.0, -20);
    assert_true(sum_of(terms, 0) == ldexp(1.0, -20));
    free(terms);
}

static void what_is_not_finite_is_told(void **state)
{
    (void)state;
    double *terms = calloc(TERMS, sizeof *terms);
    assert_non_null(terms);
    assert_true(sum_of(terms, 0) == 0.0);
    terms[5] = NAN;
    assert_true(isnan(sum_of(terms, 0)));
    terms[5] = INFINITY;
    assert_true(isnan(sum_of(terms, 0)));
    free(terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_sum_is_the_same_in_any_order),
                                       cmocka_unit_test(large_terms_may_cancel),
                                       cmocka_unit_test(what_is_not_finite_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
