/* Axes of plots: marks are round numbers, cover the data and are labelled as one would by hand. */
#include "apps/plot/plot_ticks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void marks_of_a_linear_axis_are_round_and_cover_the_data(void **state)
{
    (void)state;
    const PlotTicks ticks = plot_ticks_linear(0.03, 1.17, 6);
    assert_float_equal(ticks.least, 0, 1e-12);
    assert_float_equal(ticks.most, 1.2, 1e-12);
    assert_int_equal(ticks.count, 7);
    assert_string_equal(ticks.label[0], "0.0");
    assert_string_equal(ticks.label[6], "1.2");
}

static void every_range_gets_a_few_marks_inside_its_axis(void **state)
{
    (void)state;
    for (int exponent = -12; exponent <= 12; exponent++) {
        for (int lead = 4; lead < 40; lead++) {
            const double least = -pow(10, exponent), most = lead * pow(10, exponent) / 4;
            const PlotTicks ticks = plot_ticks_linear(least, most, 6);
            assert_in_range(ticks.count, 3, 12);
            const double rounding = 1e-5 * (most - least);
            assert_true(ticks.least <= least + rounding && ticks.most >= most - rounding);
        }
    }
}

static void an_axis_of_one_value_has_room_around_it(void **state)
{
    (void)state;
    const PlotTicks ticks = plot_ticks_linear(5, 5, 6), zero = plot_ticks_linear(0, 0, 6);
    assert_true(ticks.least < 5 && ticks.most > 5 && ticks.count >= 3);
    assert_true(zero.least < 0 && zero.most > 0 && zero.count >= 3);
}

static void a_log_axis_has_powers_of_ten_and_a_short_one_more(void **state)
{
    (void)state;
    const PlotTicks tall = plot_ticks_log(3e-5, 40), small = plot_ticks_log(0.3, 4), one = plot_ticks_log(7, 7);
    assert_int_equal(tall.count, 8);
    assert_string_equal(tall.label[0], "1e-05");
    assert_string_equal(tall.label[7], "100");
    assert_float_equal(small.least, 0.2, 1e-12);
    assert_float_equal(small.most, 5, 1e-12);
    assert_int_equal(small.count, 5); /* 0.2 0.5 1 2 5 */
    assert_true(one.least < 7 && one.most >= 7);
}

static void numbers_read_as_written_by_hand(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0, "0"},
                 {-0.0, "0"},
                 {4096, "4096"},
                 {12000000, "12000000"},
                 {0.123456, "0.1235"},
                 {-2.5, "-2.5"},
                 {1.2346e-7, "1.235e-07"},
                 {NAN, "-"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[PLOT_NUMBER_SIZE];
        plot_format_number(text, sizeof text, cases[i].value, 4);
        assert_string_equal(text, cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_of_a_linear_axis_are_round_and_cover_the_data),
        cmocka_unit_test(every_range_gets_a_few_marks_inside_its_axis),
        cmocka_unit_test(an_axis_of_one_value_has_room_around_it),
        cmocka_unit_test(a_log_axis_has_powers_of_ten_and_a_short_one_more),
        cmocka_unit_test(numbers_read_as_written_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
