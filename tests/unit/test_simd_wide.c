/* Vectors lane by lane against plain scalar arithmetic, bit for bit; built and run once per width. */
#include "base/simd.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { W = DLP_WIDTH, ROUNDS = 2000 };

static uint64_t random_state = 1;

static uint32_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(random_state >> 32);
}

static float float_of(uint32_t bits)
{
    float x = 0.0f;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint32_t bits_of(float x)
{
    uint32_t bits = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Any float at all, special ones often: both zeros, the smallest and largest (de)normals, infinities and NaN. */
static float any_float(void)
{
    static const uint32_t special[] = {
        0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff, 0x00800000, 0x80800000,
        0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x3f800000, 0xbf800000, 0x00400000,
    };
    uint32_t pick = random_bits();
    if (pick % 3 == 0) {
        return float_of(special[(pick >> 8) % (sizeof special / sizeof special[0])]);
    }
    uint32_t bits = random_bits();
    bool is_nan = (bits & 0x7f800000) == 0x7f800000 && (bits & 0x007fffff) != 0;
    return is_nan ? 1.0f : float_of(bits);
}

/* An ordinary number around one. */
static float plain_float(void)
{
    return (float)(int32_t)random_bits() * 0x1p-30f;
}

static void fill(float *values, float (*draw)(void))
{
    for (int lane = 0; lane < W; lane++) {
        values[lane] = draw();
    }
}

/* The same bits, or both NaN: which NaN is the processor's choice. */
static void assert_same(float got, float expected)
{
    if (isnan(expected)) {
        assert_true(isnan(got));
    } else {
        assert_int_equal(bits_of(got), bits_of(expected));
    }
}

static void assert_lanes(dlp__Wide got, const float *expected)
{
    float lane[W];
    dlp__wide_store(lane, got);
    for (int i = 0; i < W; i++) {
        assert_same(lane[i], expected[i]);
    }
}

static int32_t int_lane(dlp__WideInt values, int lane)
{
    int32_t all[W];
    memcpy(all, &values, sizeof all);
    return all[lane];
}

static void a_vector_has_as_many_lanes_as_its_width(void **state)
{
    (void)state;
    assert_int_equal(sizeof(dlp__Wide), W * sizeof(float));
    assert_int_equal(sizeof(dlp__WideInt), W * sizeof(int32_t));
}

static void each_width_has_its_place_in_the_table(void **state)
{
    (void)state;
    assert_int_equal(dlp__width_index(1), 0);
    assert_int_equal(dlp__width_index(4), 1);
    assert_int_equal(dlp__width_index(8), 2);
    assert_int_equal(dlp__width_index(16), 3);
    assert_true(dlp__width_index(DLP_WIDTH) < DLP_WIDTHS);
}

static void load_and_store_keep_bits_at_any_address(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        float from[W + 3], to[W + 3];
        int shift = round % 4 < 3 ? round % 4 : 0;
        for (int i = 0; i < W + 3; i++) {
            from[i] = any_float();
            to[i] = 7.0f;
        }
        dlp__wide_store(to + shift, dlp__wide_load(from + shift));
        for (int i = 0; i < W + 3; i++) {
            bool inside = i >= shift && i < shift + W;
            assert_int_equal(bits_of(to[i]), bits_of(inside ? from[i] : 7.0f));
        }
    }
}

static void a_constant_fills_every_lane_with_its_own_bits(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        float value = any_float(), expected[W];
        int32_t number = (int32_t)random_bits();
        for (int i = 0; i < W; i++) {
            expected[i] = value;
        }
        assert_lanes(dlp__wide(value), expected);
        for (int i = 0; i < W; i++) {
            assert_int_equal(int_lane(dlp__wide_int(number), i), number);
        }
    }
}

static void integers_load_and_count(void **state)
{
    (void)state;
    int32_t from[W + 1];
    for (int i = 0; i <= W; i++) {
        from[i] = (int32_t)random_bits();
    }
    for (int i = 0; i < W; i++) {
        assert_int_equal(int_lane(dlp__wide_load_int(from + 1), i), from[i + 1]);
        assert_int_equal(int_lane(dlp__wide_count_from(-3), i), i - 3);
        assert_int_equal(int_lane(dlp__wide_count_from(2000000000), i), 2000000000 + i);
    }
}

static void arithmetic_is_that_of_single_floats_and_never_fused(void **state)
{
    (void)state;
    int fused_differs = 0;
    for (int round = 0; round < ROUNDS; round++) {
        float a[W], b[W], c[W], sum[W], product[W], quotient[W], both[W];
        fill(a, round % 2 == 0 ? any_float : plain_float);
        fill(b, round % 2 == 0 ? any_float : plain_float);
        fill(c, round % 2 == 0 ? any_float : plain_float);
        for (int i = 0; i < W; i++) {
            volatile float product_i = a[i] * b[i]; /* rounded on its own */
            volatile float sum_i = a[i] + b[i], quotient_i = a[i] / b[i], both_i = product_i + c[i];
            sum[i] = sum_i;
            product[i] = product_i;
            quotient[i] = quotient_i;
            both[i] = both_i;
            fused_differs += bits_of(fmaf(a[i], b[i], c[i])) != bits_of(both[i]);
        }
        dlp__Wide x = dlp__wide_load(a), y = dlp__wide_load(b), z = dlp__wide_load(c);
        assert_lanes(x + y, sum);
        assert_lanes(x * y, product);
        assert_lanes(x / y, quotient);
        assert_lanes(x * y + z, both);
    }
    assert_true(fused_differs > ROUNDS / 10); /* a fused one would have been noticed */
}

static void comparisons_set_all_bits_of_a_lane_or_none(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        float a[W], b[W];
        int32_t m[W], n[W];
        fill(a, any_float);
        fill(b, any_float);
        for (int i = 0; i < W; i++) {
            m[i] = (int32_t)random_bits() >> (round % 31);
            n[i] = (int32_t)random_bits() >> (round % 31);
            b[i] = random_bits() % 4 == 0 ? a[i] : b[i];
        }
        dlp__WideMask less = dlp__wide_less(dlp__wide_load(a), dlp__wide_load(b));
        dlp__WideMask int_less = dlp__wide_int_less(dlp__wide_load_int(m), dlp__wide_load_int(n));
        unsigned both = dlp__wide_bits(dlp__wide_both(less, int_less)), not_less = dlp__wide_bits(dlp__wide_not(less));
        for (int i = 0; i < W; i++) {
            assert_int_equal(dlp__wide_bits(less) >> i & 1, a[i] < b[i]);
            assert_int_equal(dlp__wide_bits(int_less) >> i & 1, m[i] < n[i]);
            assert_int_equal(both >> i & 1, a[i] < b[i] && m[i] < n[i]);
            assert_int_equal(not_less >> i & 1, !(a[i] < b[i]));
        }
    }
}

static void select_and_where_pick_bits_by_lane(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        float yes[W], no[W], selected[W], where[W];
        int32_t choice[W];
        fill(yes, any_float);
        fill(no, any_float);
        for (int i = 0; i < W; i++) {
            choice[i] = random_bits() % 2 == 0 ? -1 : 0;
            selected[i] = choice[i] != 0 ? yes[i] : no[i];
            where[i] = choice[i] != 0 ? yes[i] : 0.0f;
        }
        dlp__WideMask mask = dlp__wide_int_less(dlp__wide_load_int(choice), dlp__wide_int(0));
        assert_lanes(dlp__wide_select(mask, dlp__wide_load(yes), dlp__wide_load(no)), selected);
        assert_lanes(dlp__wide_where(mask, dlp__wide_load(yes)), where);
    }
}

static void max_and_min_keep_the_first_of_equals_with_its_sign(void **state)
{
    (void)state;
    for (int round = 0; round < ROUNDS; round++) {
        float a[W], b[W], most[W], least[W];
        fill(a, any_float);
        fill(b, any_float);
        for (int i = 0; i < W; i++) { /* +0 beside -0 is the case that processors disagree on */
            if (random_bits() % 4 == 0) {
                a[i] = float_of(random_bits() & 0x80000000);
                b[i] = float_of(random_bits() & 0x80000000);
            }
            most[i] = a[i] < b[i] ? b[i] : a[i];
            least[i] = b[i] < a[i] ? b[i] : a[i];
        }
        assert_lanes(dlp__wide_max(dlp__wide_load(a), dlp__wide_load(b)), most);
        assert_lanes(dlp__wide_min(dlp__wide_load(a), dlp__wide_load(b)), least);
    }
}

/* A root in double, rounded once more, is the correctly rounded single one: 53 >= 2 * 24 + 2 bits. */
static void square_roots_are_correctly_rounded(void **state)
{
    (void)state;
    for (int round = 0; round < 20 * ROUNDS; round++) {
        float a[W], root[W];
        fill(a, any_float);
        for (int i = 0; i < W; i++) {
            a[i] = random_bits() % 16 != 0 ? fabsf(a[i]) : a[i]; /* some negative ones, for NaN and -0 */
            root[i] = (float)sqrt((double)a[i]);
        }
        assert_lanes(dlp__wide_sqrt(dlp__wide_load(a)), root);
    }
}

static void denormals_are_not_flushed_to_zero(void **state)
{
    (void)state;
    float tiny[W], half[W];
    for (int i = 0; i < W; i++) {
        tiny[i] = (float)(2 * i + 2) * FLT_TRUE_MIN;
        half[i] = (float)(i + 1) * FLT_TRUE_MIN;
    }
    assert_lanes(dlp__wide_load(tiny) * dlp__wide(0.5f), half);
    assert_lanes(dlp__wide_load(tiny) - dlp__wide_load(half), half);
}

static void bits_tell_the_lanes_that_are_set(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < (W == 16 ? 65536u : 1u << W); bits += 1 + bits / 512) {
        int32_t lanes[W];
        for (int i = 0; i < W; i++) {
            lanes[i] = (bits >> i & 1) != 0 ? -1 : 0;
        }
        assert_int_equal(dlp__wide_bits(dlp__wide_int_less(dlp__wide_load_int(lanes), dlp__wide_int(0))), bits);
    }
}

static void compress_moves_chosen_lanes_together_and_writes_no_farther(void **state)
{
    (void)state;
    for (unsigned bits = 0; bits < (W == 16 ? 65536u : 1u << W); bits++) {
        int32_t values[W], to[W + 4], expected[W];
        int count = 0;
        for (int i = 0; i < W; i++) {
            values[i] = (int32_t)random_bits();
            if ((bits >> i & 1) != 0) {
                expected[count++] = values[i];
            }
        }
        for (int i = 0; i < W + 4; i++) {
            to[i] = 0x5a5a5a5a;
        }
        assert_int_equal(dlp__wide_compress(to, dlp__wide_load_int(values), bits), count);
        assert_memory_equal(to, expected, (size_t)count * sizeof to[0]);
        for (int i = W; i < W + 4; i++) {
            assert_int_equal(to[i], 0x5a5a5a5a);
        }
    }
}

static void rows_are_turned_into_one_vector_per_component(void **state)
{
    (void)state;
    enum { ROWS = 1000 };
    static float rows[8 * ROWS];
    for (int i = 0; i < 8 * ROWS; i++) {
        rows[i] = any_float();
    }
    for (int round = 0; round < ROUNDS; round++) {
        int32_t index[W];
        float component[4][W], joined[8][W];
        for (int lane = 0; lane < W; lane++) {
            index[lane] = round == 0 ? 0 : round == 1 ? ROWS - 1 : (int32_t)(random_bits() % ROWS);
            for (int c = 0; c < 4; c++) {
                component[c][lane] = rows[4 * index[lane] + c];
            }
            for (int c = 0; c < 8; c++) {
                joined[c][lane] = rows[8 * index[lane] + c];
            }
        }
        dlp__WideRow row = dlp__wide_rows(rows, index);
        assert_lanes(row.x, component[0]);
        assert_lanes(row.y, component[1]);
        assert_lanes(row.z, component[2]);
        assert_lanes(row.w, component[3]);
        dlp__WideRow both[2];
        dlp__wide_joined_rows(rows, index, &both[0], &both[1]);
        for (int n = 0; n < 2; n++) {
            assert_lanes(both[n].x, joined[4 * n]);
            assert_lanes(both[n].y, joined[4 * n + 1]);
            assert_lanes(both[n].z, joined[4 * n + 2]);
            assert_lanes(both[n].w, joined[4 * n + 3]);
        }
    }
}

static void vectors_are_turned_into_one_row_per_lane(void **state)
{
    (void)state;
    enum { STEP = 7 };
    for (int round = 0; round < ROUNDS; round++) {
        float component[4][W], rows[STEP * W];
        for (int i = 0; i < STEP * W; i++) {
            rows[i] = 0.25f;
        }
        for (int i = 0; i < 4 * W; i++) {
            component[i / W][i % W] = any_float();
        }
        const dlp__WideRow row = {dlp__wide_load(component[0]), dlp__wide_load(component[1]),
                                  dlp__wide_load(component[2]), dlp__wide_load(component[3])};
        dlp__wide_store_rows(rows, STEP, row);
        for (int i = 0; i < STEP * W; i++) {
            const float untouched = 0.25f, *expected = i % STEP < 4 ? &component[i % STEP][i / STEP] : &untouched;
            assert_memory_equal(&rows[i], expected, sizeof rows[i]);
        }
    }
}

static void four_floats_are_repeated_over_all_lanes(void **state)
{
    (void)state;
    const float four[4] = {any_float(), any_float(), any_float(), any_float()};
    for (int part = 0; part < 16 / W; part++) {
        float expected[W];
        for (int lane = 0; lane < W; lane++) {
            expected[lane] = four[(part * W + lane) % 4];
        }
        assert_lanes(dlp__wide_repeat(four, part), expected);
    }
}

static int DLP_WIDE(named)(void)
{
    return DLP_WIDTH;
}

static int call_by_name(int width)
{
#if DLP_WIDTH == 1
    return width == 1 ? named_w1() : 0;
#elif DLP_WIDTH == 4
    return width == 4 ? named_w4() : 0;
#elif DLP_WIDTH == 8
    return width == 8 ? named_w8() : 0;
#else
    return width == 16 ? named_w16() : 0;
#endif
}

static void names_carry_their_width(void **state)
{
    (void)state;
    assert_int_equal(call_by_name(DLP_WIDTH), DLP_WIDTH);
}

int main(void)
{
    if (dlp__width_most() < DLP_WIDTH) {
        return 77; /* this machine has no such vectors */
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_vector_has_as_many_lanes_as_its_width),
        cmocka_unit_test(each_width_has_its_place_in_the_table),
        cmocka_unit_test(load_and_store_keep_bits_at_any_address),
        cmocka_unit_test(a_constant_fills_every_lane_with_its_own_bits),
        cmocka_unit_test(integers_load_and_count),
        cmocka_unit_test(arithmetic_is_that_of_single_floats_and_never_fused),
        cmocka_unit_test(comparisons_set_all_bits_of_a_lane_or_none),
        cmocka_unit_test(select_and_where_pick_bits_by_lane),
        cmocka_unit_test(max_and_min_keep_the_first_of_equals_with_its_sign),
        cmocka_unit_test(square_roots_are_correctly_rounded),
        cmocka_unit_test(denormals_are_not_flushed_to_zero),
        cmocka_unit_test(bits_tell_the_lanes_that_are_set),
        cmocka_unit_test(compress_moves_chosen_lanes_together_and_writes_no_farther),
        cmocka_unit_test(rows_are_turned_into_one_vector_per_component),
        cmocka_unit_test(vectors_are_turned_into_one_row_per_lane),
        cmocka_unit_test(four_floats_are_repeated_over_all_lanes),
        cmocka_unit_test(names_carry_their_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
