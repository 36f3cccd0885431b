/* The version of the headers and of the library are the same, as a text and as numbers. */
#include <dollop/dollop.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#if DLP_VERSION_NUMBER < 100 /* usable by the preprocessor */
#error "dollop is at least version 0.1.0"
#endif

static void headers_and_library_have_the_same_version(void **state)
{
    (void)state;
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", DLP_VERSION_MAJOR, DLP_VERSION_MINOR, DLP_VERSION_PATCH);
    assert_string_equal(DLP_VERSION, text);
    assert_string_equal(dlp_version(), text);
    assert_string_equal(dlp_version(), DLP_TEST_PROJECT_VERSION);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(headers_and_library_have_the_same_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
