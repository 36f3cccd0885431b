/* Numbers with units: accepted forms and their exact values, and rejected forms with the reason. */
#include "scene/scene_suggest.h"
#include "scene/scene_units.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define PI 3.14159265358979323846

static dlp__QuantityFault parse(const char *text, const char *si, double *value)
{
    const char *bad = NULL;
    size_t length = 0;
    return dlp__scene_parse_quantity(text, si, value, &bad, &length);
}

static const struct {
    const char *text, *si;
    double value;
} quantities[] = {
    {"2", "m", 2.0},
    {"-2.5e-3", "m", -2.5e-3},
    {".5", "", 0.5},
    {"+7.", "", 7.0},
    {"2 mm", "m", 0.002},
    {"2mm", "m", 0.002},
    {"12.5 mm", "m", 0.0125},
    {"1 cm", "m", 0.01},
    {"3 um", "m", 3e-6},
    {"3 \xc2\xb5m", "m", 3e-6},
    {"3 \xce\xbcm", "m", 3e-6},
    {"1 in", "m", 0.0254},
    {"1.5 km", "m", 1500.0},
    {"10 Pa.s", "Pa.s", 10.0},
    {"10 Pa s", "Pa.s", 10.0},
    {"10 Pa*s", "Pa.s", 10.0},
    {"10 Pa\xc2\xb7s", "Pa.s", 10.0},
    {"1 mPa.s", "Pa.s", 0.001},
    {"1 cP", "Pa.s", 0.001},
    {"1 kg/m/s", "Pa.s", 1.0},
    {"1 cSt", "m2/s", 1e-6},
    {"3 kPa", "Pa", 3000.0},
    {"1 N/m2", "Pa", 1.0},
    {"72 mN/m", "N/m", 0.072},
    {"1420 kg/m3", "kg/m3", 1420.0},
    {"1 g/cm3", "kg/m3", 1000.0},
    {"1 g/cm^3", "kg/m3", 1000.0},
    {"1 g cm-3", "kg/m3", 1000.0},
    {"1 g/cm\xc2\xb3", "kg/m3", 1000.0},
    {"1 kg/L", "kg/m3", 1000.0},
    {"9.81 m/s2", "m/s2", 9.81},
    {"9.81 m/s^2", "m/s2", 9.81},
    {"9.81 m.s-2", "m/s2", 9.81},
    {"5 cm/s", "m/s", 0.05},
    {"36 km/h", "m/s", 10.0},
    {"1 ms", "s", 0.001},
    {"2 min", "s", 120.0},
    {"90 deg", "rad", PI / 2.0},
    {"180\xc2\xb0", "rad", PI},
    {"60 rpm", "rad/s", 2.0 * PI},
    {"1 rev/min", "rad/s", 2.0 * PI / 60.0},
    {"2 Hz", "1/s", 2.0},
    {"24 fps", "1/s", 24.0},
    {"3 1/s", "Hz", 3.0},
    {"20 degC", "K", 293.15},
    {"-40 \xc2\xb0"
     "C",
     "K", 233.15},
    {"32 degF", "K", 273.15},
    {"300 K", "K", 300.0},
    {"4.18 kJ/kg/K", "J/kg/K", 4180.0},
    {"4.18 kJ/(kg.K)", "J/kg/K", 4180.0},
    {"4.18 kJ / (kg K)", "J/kg/K", 4180.0},
    {"0.5 L/s", "m3/s", 0.0005},
    {"3 ml/s", "m3/s", 3e-6},
    {"6 l/min", "m3/s", 1e-4},
    {"2 cm3/s", "m3/s", 2e-6},
    {"5 g/s", "kg/s", 0.005},
    {"3 kg/min", "kg/s", 0.05},
    {"1.5 kg/s", "kg/s", 1.5},
    {"18.7 Pa.s^n", "Pa.s^n", 18.7},
    {"10.8 mPa s^n", "Pa.s^n", 0.0108},
    {"2 N.s^n/m2", "Pa.s^n", 2.0},
    {"50 %", "", 0.5},
    {"3 mm/m", "", 0.003},
};

static void quantities_are_converted_to_si(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof quantities / sizeof quantities[0]; i++) {
        double value = NAN;
        dlp__QuantityFault fault = parse(quantities[i].text, quantities[i].si, &value);
        if (fault != DLP_QUANTITY_OK || !(fabs(value - quantities[i].value) <= 4e-16 * fabs(quantities[i].value))) {
            fail_msg("'%s' in %s: fault %d, %.17g instead of %.17g", quantities[i].text, quantities[i].si, (int)fault,
                     value, quantities[i].value);
        }
    }
}

static void invalid_quantities_are_rejected_with_the_reason(void **state)
{
    (void)state;
    static const struct {
        const char *text, *si;
        dlp__QuantityFault fault;
        const char *bad;
    } cases[] = {
        {"", "m", DLP_QUANTITY_NO_NUMBER, ""},
        {"mm", "m", DLP_QUANTITY_NO_NUMBER, "mm"},
        {"abc", "", DLP_QUANTITY_NO_NUMBER, "abc"},
        {"-", "", DLP_QUANTITY_NO_NUMBER, "-"},
        {".", "", DLP_QUANTITY_NO_NUMBER, "."},
        {"- 2", "", DLP_QUANTITY_NO_NUMBER, "- 2"},
        {".inf", "", DLP_QUANTITY_NOT_FINITE, ".inf"},
        {"-.Inf", "", DLP_QUANTITY_NOT_FINITE, "-.Inf"},
        {".NaN", "", DLP_QUANTITY_NOT_FINITE, ".NaN"},
        {"1e999", "", DLP_QUANTITY_NOT_FINITE, "1e999"},
        {"1e308 km", "m", DLP_QUANTITY_NOT_FINITE, "km"},
        {"2 mn", "m", DLP_QUANTITY_UNKNOWN_UNIT, "mn"},
        {"2 5", "m", DLP_QUANTITY_UNKNOWN_UNIT, "5"},
        {"2 11", "", DLP_QUANTITY_UNKNOWN_UNIT, "11"},
        {"2 m/", "m", DLP_QUANTITY_UNKNOWN_UNIT, "m/"},
        {"2 m^", "m", DLP_QUANTITY_UNKNOWN_UNIT, "m^"},
        {"2 m-", "m", DLP_QUANTITY_UNKNOWN_UNIT, "m-"},
        {"2 m10", "m", DLP_QUANTITY_UNKNOWN_UNIT, "m10"},
        {"2 /s", "1/s", DLP_QUANTITY_UNKNOWN_UNIT, "/s"},
        {"2 J/(kg", "J/kg", DLP_QUANTITY_UNKNOWN_UNIT, "kg"},
        {"2 kmin", "s", DLP_QUANTITY_UNKNOWN_UNIT, "kmin"},
        {"2 degC/m", "K/m", DLP_QUANTITY_UNKNOWN_UNIT, "degC"},
        {"2 m/degC", "m/K", DLP_QUANTITY_UNKNOWN_UNIT, "degC"},
        {"2 m.m.m.m.m.m.m.m.m", "m9", DLP_QUANTITY_UNKNOWN_UNIT, "m"},
        {"2 Pa^n", "Pa", DLP_QUANTITY_UNKNOWN_UNIT, "Pa^n"},
        {"2 Pa.s^nm", "Pa.s^n", DLP_QUANTITY_UNKNOWN_UNIT, "s^nm"},
        {"2 kg", "m", DLP_QUANTITY_WRONG_DIMENSION, "kg"},
        {"2 Pa.s", "Pa.s^n", DLP_QUANTITY_WRONG_DIMENSION, "Pa.s"},
        {"2 Pa.s^n", "Pa.s", DLP_QUANTITY_WRONG_DIMENSION, "Pa.s^n"},
        {"2 m", "", DLP_QUANTITY_WRONG_DIMENSION, "m"},
        {"2 Hz", "rad/s", DLP_QUANTITY_WRONG_DIMENSION, "Hz"},
        {"2 deg", "", DLP_QUANTITY_WRONG_DIMENSION, "deg"},
        {"1 g/cm2", "kg/m3", DLP_QUANTITY_WRONG_DIMENSION, "g/cm2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0.0;
        const char *bad = NULL;
        size_t length = 0;
        dlp__QuantityFault fault = dlp__scene_parse_quantity(cases[i].text, cases[i].si, &value, &bad, &length);
        if (fault != cases[i].fault || strlen(cases[i].bad) != length || memcmp(cases[i].bad, bad, length) != 0) {
            fail_msg("'%s' in %s: fault %d at '%.*s', expected %d at '%s'", cases[i].text, cases[i].si, (int)fault,
                     (int)length, bad, (int)cases[i].fault, cases[i].bad);
        }
    }
}

static void a_decimal_prefix_gives_the_same_double_as_the_number_in_si(void **state)
{
    (void)state;
    for (int i = 1; i < 1000; i++) {
        char with_unit[32];
        char plain[32];
        snprintf(with_unit, sizeof with_unit, "%d mm", i);
        snprintf(plain, sizeof plain, "%d.%03d", i / 1000, i % 1000);
        double a = 0.0;
        double b = 1.0;
        assert_int_equal(parse(with_unit, "m", &a), DLP_QUANTITY_OK);
        assert_int_equal(parse(plain, "m", &b), DLP_QUANTITY_OK);
        assert_memory_equal(&a, &b, sizeof a);
    }
}

static void suggested_units_are_valid_and_start_with_the_si_unit(void **state)
{
    (void)state;
    static const char *const units[] = {"m", "kg/m3", "Pa.s", "m/s2", "rad/s", "K", "N/m", "J/kg/K", "W/m/K"};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        assert_string_equal(dlp__scene_common_unit(units[i], 0), units[i]);
        for (int j = 0; dlp__scene_common_unit(units[i], j) != NULL; j++) {
            char text[64];
            double value = 0.0;
            snprintf(text, sizeof text, "1 %s", dlp__scene_common_unit(units[i], j));
            assert_int_equal(parse(text, units[i], &value), DLP_QUANTITY_OK);
        }
    }
}

static void numbers_are_formatted_short_and_exact(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } cases[] = {{0.0, "0"},
                 {0.1, "0.1"},
                 {1e-6, "1e-6"},
                 {1e6, "1e6"},
                 {1e300, "1e300"},
                 {-9.81, "-9.81"},
                 {1.0 / 3.0, "0.3333333333333333"},
                 {1e-300, "1e-300"},
                 {65535, "65535"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];
        assert_string_equal(dlp__scene_format_number(cases[i].value, text), cases[i].text);
    }
}

static void the_locale_of_the_caller_is_restored(void **state)
{
    (void)state;
    locale_t before = uselocale((locale_t)0);
    dlp__SceneLocale locale = dlp__scene_enter_locale();
    assert_true(uselocale((locale_t)0) != before);
    dlp__scene_leave_locale(locale);
    assert_true(uselocale((locale_t)0) == before);
}

static void the_edit_distance_counts_changes_insertions_and_swaps(void **state)
{
    (void)state;
    assert_int_equal(dlp__scene_distance("", ""), 0);
    assert_int_equal(dlp__scene_distance("", "abc"), 3);
    assert_int_equal(dlp__scene_distance("viscosty", "viscosity"), 1);
    assert_int_equal(dlp__scene_distance("wrold", "world"), 1);
    assert_int_equal(dlp__scene_distance("Frame-Rate", "frame_rate"), 0);
    assert_int_equal(dlp__scene_distance("kitten", "sitting"), 3);
}

static void only_similar_names_are_suggested(void **state)
{
    (void)state;
    static const struct {
        const char *wrong, *nearest;
    } cases[] = {{"viscosty", "viscosity"},  {"densty", "density"}, {"dens", "density"},
                 {"VISCOSITY", "viscosity"}, {"banana", NULL},      {"x", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        dlp__Suggestion suggestion = dlp__scene_suggest(cases[i].wrong);
        dlp__scene_offer(&suggestion, "density");
        dlp__scene_offer(&suggestion, "viscosity");
        dlp__scene_offer(&suggestion, "m");
        if (cases[i].nearest == NULL) {
            assert_null(suggestion.nearest);
        } else {
            assert_string_equal(suggestion.nearest, cases[i].nearest);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantities_are_converted_to_si),
        cmocka_unit_test(invalid_quantities_are_rejected_with_the_reason),
        cmocka_unit_test(a_decimal_prefix_gives_the_same_double_as_the_number_in_si),
        cmocka_unit_test(suggested_units_are_valid_and_start_with_the_si_unit),
        cmocka_unit_test(numbers_are_formatted_short_and_exact),
        cmocka_unit_test(the_locale_of_the_caller_is_restored),
        cmocka_unit_test(the_edit_distance_counts_changes_insertions_and_swaps),
        cmocka_unit_test(only_similar_names_are_suggested),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
