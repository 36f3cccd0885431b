#include "io/model_text.h"

#include "base/error.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER_LENGTH = 128 }; /* longer ones are no numbers that anybody means */

dlp__ModelText dlp__model_text(const char *bytes, int64_t size, double scale)
{
    return (dlp__ModelText){.begin = bytes, .next = bytes, .end = bytes + size, .line = 1, .scale = scale};
}

int64_t dlp__text_left(const dlp__ModelText *text)
{
    return text->end - text->next;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* How many bytes a backslash and the end of the line behind it take, or 0. */
static int64_t continuation(const dlp__ModelText *text, const char *at)
{
    if (!text->continued || *at != '\\') {
        return 0;
    }
    const int64_t left = text->end - at;
    if (left >= 2 && at[1] == '\n') {
        return 2;
    }
    return left >= 3 && at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

bool dlp__text_word(dlp__ModelText *text, dlp__Word *word)
{
    while (text->next < text->end) {
        const int64_t joined = continuation(text, text->next);
        if (joined == 0 && !is_blank(*text->next)) {
            break;
        }
        text->next += joined > 0 ? joined : 1;
        text->line += joined > 0;
    }
    const char *begin = text->next;
    while (text->next < text->end && *text->next != '\n' && !is_blank(*text->next) &&
           continuation(text, text->next) == 0) {
        text->next++;
    }
    *word = (dlp__Word){begin, (size_t)(text->next - begin)};
    return word->length > 0;
}

bool dlp__text_line(dlp__ModelText *text)
{
    const size_t left = (size_t)dlp__text_left(text);
    const char *end = left > 0 ? memchr(text->next, '\n', left) : NULL;
    text->next = end != NULL ? end + 1 : text->end;
    text->line += end != NULL;
    return text->next < text->end;
}

bool dlp__text_word_anywhere(dlp__ModelText *text, dlp__Word *word)
{
    while (!dlp__text_word(text, word)) {
        if (!dlp__text_line(text)) {
            return false;
        }
    }
    return true;
}

bool dlp__word_is(dlp__Word word, const char *name)
{
    return word.length == strlen(name) && memcmp(word.text, name, word.length) == 0;
}

static char small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

bool dlp__word_is_loosely(dlp__Word word, const char *name)
{
    if (word.length != strlen(name)) {
        return false;
    }
    for (size_t n = 0; n < word.length; n++) {
        if (small(word.text[n]) != name[n]) {
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

/* Decimal numbers only: strtod would also take "nan", "infinity" and hexadecimal ones. */
static bool is_decimal(const char *text)
{
    const char *at = text + skip_sign(text);
    const size_t whole = skip_digits(at);
    at += whole;
    size_t part = 0;
    if (*at == '.') {
        part = skip_digits(++at);
        at += part;
    }
    if (whole + part == 0) {
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
    char copy[NUMBER_LENGTH];
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
    static const int64_t MOST = INT64_MAX / 16; /* leaves room to add and to multiply by small numbers */
    const bool negative = word.length > 0 && word.text[0] == '-';
    int64_t value = 0;
    size_t n = negative ? 1 : 0;
    if (n == word.length) {
        return false;
    }
    for (; n < word.length; n++) {
        const char c = word.text[n];
        if (c < '0' || c > '9' || value > MOST / 10) {
            return false;
        }
        value = 10 * value + (c - '0');
    }
    *number = negative ? -value : value;
    return true;
}

dlp__ShownWord dlp__word_shown(dlp__Word word)
{
    dlp__ShownWord shown = {{0}};
    const size_t most = sizeof shown.text - 4;
    const size_t length = word.length < most ? word.length : most;
    for (size_t n = 0; n < length; n++) {
        shown.text[n] = word.text[n] > ' ' && word.text[n] <= '~' ? word.text[n] : '?';
    }
    if (word.length > most) {
        memcpy(shown.text + most, "...", 4);
    }
    return shown;
}

dlp_Result dlp__text_fail(const dlp__ModelText *text, dlp_Error *error, dlp_Result code, const char *format, ...)
{
    const bool lines = text->line > 0;
    va_list arguments;
    va_start(arguments, format);
    dlp__fail_with(error, code, format, arguments);
    va_end(arguments);
    dlp__error_prefix(error, "%s %lld: ", lines ? "line" : "byte",
                      (long long)(lines ? text->line : text->next - text->begin));
    return code;
}

dlp_Result dlp__text_add_vertex(const dlp__ModelText *text, dlp_Model *model, const double place[3], dlp_Error *error)
{
    double scaled[3];
    for (int a = 0; a < 3; a++) {
        scaled[a] = place[a] * text->scale;
        if (!(fabs(scaled[a]) <= DLP_MODEL_FARTHEST)) {
            return dlp__text_fail(
                text, error, DLP_ERROR_NOT_FINITE,
                "vertex %lld has %g as its %c: times the scale of %g m, numbers up to 1e9 m can be used",
                (long long)model->vertex_count + 1, place[a], "xyz"[a], text -> scale);
        }
    }
    dlp__model_vertex(model, scaled[0], scaled[1], scaled[2]);
    return DLP_OK;
}

dlp_Result dlp__text_read_vertex(dlp__ModelText *text, dlp_Model *model, dlp_Error *error)
{
    double place[3];
    for (int a = 0; a < 3; a++) {
        dlp__Word word;
        if (!dlp__text_word(text, &word)) {
            return dlp__text_fail(text, error, DLP_ERROR_FORMAT,
                                  "vertex %lld has %d of its three numbers: the file is damaged or cut off",
                                  (long long)model->vertex_count + 1, a);
        }
        if (!dlp__word_number(word, &place[a])) {
            return dlp__text_fail(text, error, DLP_ERROR_FORMAT, "'%s' in vertex %lld is not a finite number",
                                  dlp__word_shown(word).text, (long long)model->vertex_count + 1);
        }
    }
    return dlp__text_add_vertex(text, model, place, error);
}

void dlp__fan_corner(dlp__Fan *fan, dlp_Model *model, int64_t vertex)
{
    if (fan->corners >= 2) {
        dlp__model_triangle(model, fan->first, fan->last, vertex);
    }
    if (fan->corners == 0) {
        fan->first = vertex;
    }
    fan->last = vertex;
    fan->corners++;
}
