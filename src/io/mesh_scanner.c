/* Scanning words, lines and numbers of mesh files, error messages with positions, and adding scaled vertices. */
#include "io/mesh_scanner.h"

#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NUMBER_LENGTH = 128 }; /* longer words are not numbers */

dlp__MeshScanner dlp__mesh_scanner(const char *bytes, int64_t size, double scale)
{
    return (dlp__MeshScanner){.begin = bytes, .next = bytes, .end = bytes + size, .line = 1, .scale = scale};
}

int64_t dlp__scanner_bytes_left(const dlp__MeshScanner *scanner)
{
    return scanner->end - scanner->next;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* The number of bytes of a backslash and the line end after it, or 0. */
static int64_t continuation_length(const dlp__MeshScanner *scanner, const char *at)
{
    if (!scanner->continued || *at != '\\') {
        return 0;
    }
    const int64_t left = scanner->end - at;
    if (left >= 2 && at[1] == '\n') {
        return 2;
    }
    return left >= 3 && at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

bool dlp__scanner_word(dlp__MeshScanner *scanner, dlp__Word *word)
{
    while (scanner->next < scanner->end) {
        const int64_t continuation_bytes = continuation_length(scanner, scanner->next);
        if (continuation_bytes == 0 && !is_blank(*scanner->next)) {
            break;
        }
        scanner->next += continuation_bytes > 0 ? continuation_bytes : 1;
        scanner->line += continuation_bytes > 0;
    }
    const char *begin = scanner->next;
    while (scanner->next < scanner->end && *scanner->next != '\n' && !is_blank(*scanner->next) &&
           continuation_length(scanner, scanner->next) == 0) {
        scanner->next++;
    }
    *word = (dlp__Word){begin, (size_t)(scanner->next - begin)};
    return word->length > 0;
}

bool dlp__scanner_next_line(dlp__MeshScanner *scanner)
{
    const size_t left = (size_t)dlp__scanner_bytes_left(scanner);
    const char *end = left > 0 ? memchr(scanner->next, '\n', left) : NULL;
    scanner->next = end != NULL ? end + 1 : scanner->end;
    scanner->line += end != NULL;
    return scanner->next < scanner->end;
}

bool dlp__scanner_word_any_line(dlp__MeshScanner *scanner, dlp__Word *word)
{
    while (!dlp__scanner_word(scanner, word)) {
        if (!dlp__scanner_next_line(scanner)) {
            return false;
        }
    }
    return true;
}

bool dlp__word_is(dlp__Word word, const char *name)
{
    return word.length == strlen(name) && memcmp(word.text, name, word.length) == 0;
}

static char to_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool dlp__word_is_any_case(dlp__Word word, const char *name)
{
    if (word.length != strlen(name)) {
        return false;
    }
    for (size_t n = 0; n < word.length; n++) {
        if (to_lower(word.text[n]) != name[n]) {
            return false;
        }
    }
    return true;
}

static size_t skip_sign(const char *text)
{
    return *text == '-' || *text == '+' ? 1 : 0;
}

static size_t skip_digits(const char *text)
{
    size_t n = 0;
    while (text[n] >= '0' && text[n] <= '9') {
        n++;
    }
    return n;
}

/* Decimal numbers only: strtod would also accept "nan", "infinity" and hexadecimal numbers. */
static bool is_decimal(const char *text)
{
    const char *at = text + skip_sign(text);
    const size_t integer_digits = skip_digits(at);
    at += integer_digits;
    size_t fraction_digits = 0;
    if (*at == '.') {
        fraction_digits = skip_digits(++at);
        at += fraction_digits;
    }
    if (integer_digits + fraction_digits == 0) {
        return false;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += skip_sign(at);
        const size_t exponent = skip_digits(at);
        if (exponent == 0) {
            return false;
        }
        at += exponent;
    }
    return *at == 0;
}

bool dlp__word_number(dlp__Word word, double *number)
{
    char copy[MAX_NUMBER_LENGTH];
    if (word.length >= sizeof copy || memchr(word.text, 0, word.length) != NULL) {
        return false;
    }
    memcpy(copy, word.text, word.length);
    copy[word.length] = 0;
    if (!is_decimal(copy)) {
        return false;
    }
    *number = strtod(copy, NULL);
    return isfinite(*number);
}

bool dlp__word_integer(dlp__Word word, int64_t *number)
{
    static const int64_t MAX = INT64_MAX / 16; /* small sums and multiples do not overflow */
    const bool negative = word.length > 0 && word.text[0] == '-';
    int64_t value = 0;
    size_t n = negative ? 1 : 0;
    if (n == word.length) {
        return false;
    }
    for (; n < word.length; n++) {
        const char c = word.text[n];
        if (c < '0' || c > '9' || value > MAX / 10) {
            return false;
        }
        value = 10 * value + (c - '0');
    }
    *number = negative ? -value : value;
    return true;
}

dlp__PrintableWord dlp__scanner_printable(const dlp__MeshScanner *scanner, dlp__Word word)
{
    dlp__PrintableWord shown = {{0}};
    if (!scanner->quotable) {
        return (dlp__PrintableWord){"..."};
    }
    const size_t max_length = sizeof shown.text - 4;
    const size_t length = word.length < max_length ? word.length : max_length;
    for (size_t n = 0; n < length; n++) {
        shown.text[n] = word.text[n] > ' ' && word.text[n] <= '~' ? word.text[n] : '?';
    }
    if (word.length > max_length) {
        memcpy(shown.text + max_length, "...", 4);
    }
    return shown;
}

dlp_Result dlp__scanner_fail(const dlp__MeshScanner *scanner, dlp_Error *error, dlp_Result code, const char *format,
                             ...)
{
    const bool lines = scanner->line > 0;
    va_list arguments;
    va_start(arguments, format);
    dlp__fail_with(error, code, format, arguments);
    va_end(arguments);
    dlp__error_prefix(error, "%s %lld: ", lines ? "line" : "byte",
                      (long long)(lines ? scanner->line : scanner->next - scanner->begin));
    return code;
}

dlp_Result dlp__scanner_add_vertex(const dlp__MeshScanner *scanner, dlp_Model *model, const double position[3],
                                   dlp_Error *error)
{
    double scaled[3];
    for (int a = 0; a < 3; a++) {
        scaled[a] = position[a] * scanner->scale;
        if (!(fabs(scaled[a]) <= DLP_MAX_MODEL_COORDINATE)) {
            return dlp__scanner_fail(
                scanner, error, DLP_ERROR_NOT_FINITE,
                "vertex %lld has %g as its %c: with the scale of %g m, coordinates must be at most 1e9 m",
                (long long)model->vertex_count + 1, position[a], "xyz"[a], scanner -> scale);
        }
    }
    dlp__model_add_vertex(model, scaled[0], scaled[1], scaled[2]);
    return DLP_OK;
}

dlp_Result dlp__scanner_read_vertex(dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error)
{
    double position[3];
    for (int a = 0; a < 3; a++) {
        dlp__Word word;
        if (!dlp__scanner_word(scanner, &word)) {
            return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT,
                                     "vertex %lld has %d of its three numbers: the file is damaged or cut off",
                                     (long long)model->vertex_count + 1, a);
        }
        if (!dlp__word_number(word, &position[a])) {
            return dlp__scanner_fail(scanner, error, DLP_ERROR_FORMAT, "'%s' in vertex %lld is not a finite number",
                                     dlp__scanner_printable(scanner, word).text, (long long)model->vertex_count + 1);
        }
    }
    return dlp__scanner_add_vertex(scanner, model, position, error);
}

void dlp__fan_add_corner(dlp__Fan *fan, dlp_Model *model, int64_t vertex)
{
    if (fan->corners >= 2) {
        dlp__model_add_triangle(model, fan->first, fan->last, vertex);
    }
    if (fan->corners == 0) {
        fan->first = vertex;
    }
    fan->last = vertex;
    fan->corners++;
}
