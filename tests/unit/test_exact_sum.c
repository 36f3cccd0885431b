/* Sums that do not depend on the order of their terms, for terms of any size and sign. */
#include "base/exact_sum.h"
#include "base/simd.h"
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

enum { PRODUCTS = 1003 };

/* Merged totals at the limits of their limbs, as sums over ranks meet them: in every order the integers are those of a wider type. */
static void carries_are_kept_at_the_limits_of_limbs(void **state)
{
    static const int64_t limit = (int64_t)1 << 32, most = (int64_t)1 << 62; /* 2^24 terms of the scale */
    const int64_t high[] = {0, 1, limit - 1, limit, limit + 1, -1, -limit, 1 - limit, most, -most, most - 1, 1 - most};
    enum { COUNT = sizeof high / sizeof high[0] };
    (void)state;
    for (int order = 0; order < COUNT; order++) {
        for (int times = 1; times < 1000; times += 333) { /* ranks */
            dlp__ExactSum total = dlp__exact_begin(38);
            double result = 0.0;
            int exponent = 38;
            for (int n = 0; n < COUNT * times; n++) {
                const dlp__ExactSum part = {
                    .per_scale = 1.0, .high = high[(n * 5 + order) % COUNT], .bits = most, .nonzero = true};
                dlp__exact_merge(&total, &part);
                assert_true(total.high >= 0 && total.high < limit);
            }
            assert_true(dlp__exact_end(&total, &exponent, &result));
            assert_true(result == times * (0x1p32 + 1.0)); /* what does not cancel */
        }
    }
}

/* More than 2^31 terms of the scale, which no single limb holds. */
static void sums_go_beyond_a_limb(void **state)
{
    dlp__ExactSum part = dlp__exact_begin(0), total = dlp__exact_begin(0);
    double result = 0.0;
    int exponent = 0;
    (void)state;
    for (int n = 0; n < 1 << 24; n++) {
        dlp__exact_add(&part, 1.0 - 0x1p-30);
    }
    for (int rank = 0; rank < 4096; rank++) {
        dlp__exact_merge(&total, &part);
    }
    assert_true(dlp__exact_end(&total, &exponent, &result));
    assert_true(result == 0x1p36 * (1.0 - 0x1p-30));
}

/* Floats of very different sizes, as rows of three components. */
static void fill_floats(float values[3][PRODUCTS], uint64_t *seed, int size)
{
    for (int a = 0; a < 3; a++) {
        for (int i = 0; i < PRODUCTS; i++) {
            values[a][i] = ldexpf((float)random_number(seed) - 0.4f, size - (int)(25.0 * random_number(seed)));
        }
    }
}

/* One term at a time. */
static dlp__ExactSum add_plainly(const dlp__ExactProducts *terms, int exponent)
{
    dlp__ExactSum sum = dlp__exact_begin(exponent);
    for (int i = 0; i < PRODUCTS; i++) {
        double term = 0.0;
        for (int a = 0; a < terms->components; a++) {
            term += (double)terms->a[a][i] * (double)terms->b[a][i];
        }
        dlp__exact_add(&sum, terms->factor != NULL ? (double)terms->factor[i] * term : term);
    }
    return sum;
}

static void check_products(const dlp__ExactProducts *terms, int exponent)
{
    static const dlp__ExactProductsFunction versions[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__exact_products);
    const dlp__ExactSum plain = add_plainly(terms, exponent);
    for (int n = 0; n <= dlp__width_index(dlp__width_most()); n++) {
        dlp__ExactSum sum = dlp__exact_begin(exponent);
        versions[n](terms, 0, 500, &sum);
        versions[n](terms, 500, PRODUCTS, &sum);
        assert_int_equal(sum.overflow, plain.overflow);
        if (!plain.overflow) {
            assert_true(sum.high == plain.high && sum.low == plain.low);
            assert_int_equal(sum.nonzero, plain.nonzero);
            assert_int_equal(sum.bits < 64, plain.bits < 64);
        }
    }
}

static void products_are_added_alike_for_all_widths(void **state)
{
    (void)state;
    static float a[3][PRODUCTS], b[3][PRODUCTS];
    float *const rows_a[3] = {a[0], a[1], a[2]}, *const rows_b[3] = {b[0], b[1], b[2]};
    uint64_t seed = 5;
    for (int size = -30; size <= 30; size += 6) {
        fill_floats(a, &seed, size);
        fill_floats(b, &seed, size);
        for (int exponent = 2 * size - 40; exponent <= 2 * size + 40; exponent += 8) {
            check_products(&(dlp__ExactProducts){rows_a, rows_b, NULL, 3}, exponent);
            check_products(&(dlp__ExactProducts){rows_a, rows_a, b[1], 2}, exponent + size);
        }
    }
    memset(a, 0, sizeof a);
    check_products(&(dlp__ExactProducts){rows_a, rows_b, NULL, 3}, 0);
    static const float bad[] = {NAN, INFINITY, -INFINITY};
    for (int n = 0; n < 3; n++) {
        for (int at = 0; at < PRODUCTS; at += PRODUCTS / 2) {
            a[1][at] = bad[n];
            check_products(&(dlp__ExactProducts){rows_a, rows_b, NULL, 3}, 0);
            a[1][at] = 0.0f;
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(products_are_added_alike_for_all_widths),
                                       cmocka_unit_test(a_sum_is_the_same_in_any_order),
                                       cmocka_unit_test(large_terms_may_cancel),
                                       cmocka_unit_test(what_is_not_finite_is_told),
                                       cmocka_unit_test(carries_are_kept_at_the_limits_of_limbs),
                                       cmocka_unit_test(sums_go_beyond_a_limb)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
