/* Text from outside is escaped before it is printed: whatever its bytes are, the result is UTF-8 without control characters. */
#include "base/error.h"
#include "base/printable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void control_characters_are_escaped(void **state)
{
    (void)state;
    static const char *const cases[][3] = {
        /* text, for a terminal, in JSON */
        {"plain \xc3\xa9\xe6\xb0\xb4\xf0\x9f\x8d\xaf", "plain \xc3\xa9\xe6\xb0\xb4\xf0\x9f\x8d\xaf",
         "plain \xc3\xa9\xe6\xb0\xb4\xf0\x9f\x8d\xaf"},
        {"a\x1b[31mb", "a\\x1b[31mb", "a\\u001b[31mb"},
        {"\r\n\t\x7f", "\\x0d\\x0a\\x09\\x7f", "\\u000d\\n\\u0009\\u007f"},
        {"\xc2\x9b", "\\u009b", "\\u009b"}, /* CSI of 8-bit terminals */
        {"\xd8\x9c\xe2\x80\x8e\xe2\x80\x8f", "\\u061c\\u200e\\u200f", "\\u061c\\u200e\\u200f"},
        {"\xe2\x80\xaa\xe2\x80\xae\xe2\x81\xa6\xe2\x81\xa9", "\\u202a\\u202e\\u2066\\u2069",
         "\\u202a\\u202e\\u2066\\u2069"},
        {"\xff\xc0\xaf\xe2\x80", "\\xff\\xc0\\xaf\\xe2\\x80", "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd"},
        {"\xf4\x8f\xbf\xbf", "\\u10ffff", "\\udbff\\udfff"}, /* a non-character */
        {"\"\\", "\"\\", "\\\"\\\\"},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[128];
        assert_int_equal(dlp_text_escape(DLP_TEXT_TERMINAL, cases[i][0], text, sizeof text), strlen(cases[i][0]));
        assert_string_equal(text, cases[i][1]);
        assert_int_equal(dlp_text_escape(DLP_TEXT_JSON, cases[i][0], text, sizeof text), strlen(cases[i][0]));
        assert_string_equal(text, cases[i][2]);
    }
}

static void a_long_text_is_escaped_in_pieces(void **state)
{
    (void)state;
    const char *text = "\x1b\x1b\x1b\x1b\x1b\x1b\x1b\xe2\x80\xae"
                       "end";
    char whole[128] = "", piece[16];
    while (*text != 0) {
        const size_t read = dlp_text_escape(DLP_TEXT_TERMINAL, text, piece, sizeof piece);
        assert_true(read > 0);
        text += read;
        strncat(whole, piece, sizeof whole - strlen(whole) - 1);
    }
    assert_string_equal(whole, "\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\x1b\\u202eend");
    assert_int_equal(dlp_text_escape(DLP_TEXT_JSON, NULL, piece, sizeof piece), 0);
    assert_string_equal(piece, "");
    assert_int_equal(dlp_text_escape(DLP_TEXT_JSON, "a", NULL, 7), 0);
    assert_int_equal(dlp_text_escape(DLP_TEXT_JSON, "a", piece, 0), 0);
}

/* Any bytes, from a linear congruential generator. */
static void the_result_is_plain_text_for_any_bytes(void **state)
{
    (void)state;
    uint32_t random = 1;
    for (int round = 0; round < 20000; round++) {
        char text[24], escaped[256];
        for (size_t i = 0; i < sizeof text - 1; i++) {
            random = random * 1664525u + 1013904223u;
            const unsigned char byte = (unsigned char)(random >> 24);
            text[i] = (char)(round % 2 == 0 && byte < 0x80 ? byte | 0x80 : byte);
        }
        text[sizeof text - 1] = 0;
        dlp_text_escape(round % 3 == 0 ? DLP_TEXT_JSON : DLP_TEXT_TERMINAL, text, escaped, sizeof escaped);
        for (size_t i = 0, left = strlen(escaped); left > 0;) {
            uint32_t c = 0;
            const size_t size = dlp__utf8_decode(escaped + i, left, &c);
            assert_true(size > 0 && !dlp__is_control(c) && !dlp__is_bidirectional(c));
            i += size;
            left -= size;
        }
    }
}

static void errors_are_printable(void **state)
{
    (void)state;
    dlp_Error error = {.text = ""};
    dlp__fail(&error, DLP_ERROR_FILE, "'%s' is wrong:\n    1 | \x9b%s", "a\x1b]0;x\x07", "\xe2\x80\xae");
    assert_string_equal(error.text, "'a\\x1b]0;x\\x07' is wrong:\n    1 | \\x9b\\u202e");
    dlp__error_prefix(&error, "%s: ", "\x1b[2J");
    assert_string_equal(error.text, "\\x1b[2J: 'a\\x1b]0;x\\x07' is wrong:\n    1 | \\x9b\\u202e");
    char longest[4096];
    memset(longest, 0x1b, sizeof longest - 1);
    longest[sizeof longest - 1] = 0;
    dlp__fail(&error, DLP_ERROR_FILE, "%s", longest);
    assert_true(strlen(error.text) > sizeof error.text - 8 && strspn(error.text, "\\x1b") == strlen(error.text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(control_characters_are_escaped),
        cmocka_unit_test(a_long_text_is_escaped_in_pieces),
        cmocka_unit_test(the_result_is_plain_text_for_any_bytes),
        cmocka_unit_test(errors_are_printable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
