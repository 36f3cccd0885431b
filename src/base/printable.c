/* Escapes for everything that a terminal would interpret instead of show. */
#include "base/printable.h"

#include <stdio.h>
#include <string.h>

size_t dlp__utf8_decode(const char *text, size_t left, uint32_t *character)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    const unsigned char *s = (const unsigned char *)text;
    const size_t size = s[0] < 0x80             ? 1
                        : (s[0] & 0xe0) == 0xc0 ? 2
                        : (s[0] & 0xf0) == 0xe0 ? 3
                        : (s[0] & 0xf8) == 0xf0 ? 4
                                                : 0;
    if (size == 0 || size > left) {
        return 0;
    }
    uint32_t value = size == 1 ? s[0] : s[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
        value = value << 6 | (s[i] & 0x3fu);
    }
    *character = value;
    const bool surrogate = value >= 0xd800 && value <= 0xdfff;
    return value < smallest[size] || surrogate || value > 0x10ffff ? 0 : size;
}

/* Line and paragraph separators and NEL count, too: programs disagree on whether they end a line. */
bool dlp__is_control(uint32_t c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff || (c & 0xfffe) == 0xfffe;
}

bool dlp__is_bidirectional(uint32_t c)
{
    return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

/* One character or its escape; returns the number of bytes read. */
static size_t escape_character(dlp_TextForm form, const char *text, size_t left, char escape[16])
{
    uint32_t c = 0;
    const size_t size = dlp__utf8_decode(text, left, &c);
    const bool json = form == DLP_TEXT_JSON;
    if (size == 0 || (c < 0x80 && dlp__is_control(c) && !json)) {
        snprintf(escape, 16, json ? "\\ufffd" : "\\x%02x", (unsigned char)text[0]);
        return 1;
    }
    if (json && (c == '"' || c == '\\' || c == '\n')) {
        snprintf(escape, 16, "\\%c", c == '\n' ? 'n' : (int)c);
    } else if (json && c > 0xffff && dlp__is_control(c)) { /* as a pair of surrogates */
        snprintf(escape, 16, "\\u%04x\\u%04x", (unsigned)(0xd7c0 + (c >> 10)), (unsigned)(0xdc00 + (c & 0x3ff)));
    } else if (dlp__is_control(c) || dlp__is_bidirectional(c)) {
        snprintf(escape, 16, "\\u%04x", (unsigned)c);
    } else {
        memcpy(escape, text, size);
        escape[size] = 0;
    }
    return size;
}

/* Escapes `length` bytes of `text` as far as they fit; returns the number of bytes read, and adds those written to `used`. */
static size_t escape_text(dlp_TextForm form, const char *text, size_t length, char *escaped, size_t size, size_t *used)
{
    size_t i = 0;
    escaped[*used] = 0;
    while (i < length) {
        char escape[16];
        const size_t read = escape_character(form, text + i, length - i, escape), bytes = strlen(escape);
        if (*used + bytes >= size) {
            break;
        }
        memcpy(escaped + *used, escape, bytes + 1);
        *used += bytes;
        i += read;
    }
    return i;
}

size_t dlp_text_escape(dlp_TextForm form, const char *text, char *escaped, size_t size)
{
    size_t used = 0;
    return escaped != NULL && size > 0 ? escape_text(form, text, text != NULL ? strlen(text) : 0, escaped, size, &used)
                                       : 0;
}

void dlp__printable_lines(const char *text, char *printable, size_t size)
{
    for (size_t used = 0;;) {
        const size_t line = strcspn(text, "\n"),
                     read = escape_text(DLP_TEXT_TERMINAL, text, line, printable, size, &used);
        if (read < line || text[line] == 0 || used + 1 >= size) {
            return;
        }
        printable[used++] = '\n';
        text += line + 1;
        printable[used] = 0;
    }
}
