/* Strict validation of the text before it is parsed. Some versions of libfyaml do not return on malformed UTF-8, and a control
 * character in a name could be printed to a terminal. */
#include "scene/scene_internal.h"

/* The number of bytes of the character at `s`, or 0 if it is malformed; `value` is its code point. */
static size_t decode(const unsigned char *s, size_t left, uint32_t *value)
{
    static const uint32_t smallest[5] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = s[0] < 0x80             ? 1
                  : (s[0] & 0xe0) == 0xc0 ? 2
                  : (s[0] & 0xf0) == 0xe0 ? 3
                  : (s[0] & 0xf8) == 0xf0 ? 4
                                          : 0;
    if (size == 0 || size > left) {
        return 0;
    }
    *value = size == 1 ? s[0] : s[0] & (0xffu >> (size + 1));
    for (size_t i = 1; i < size; i++) {
        if ((s[i] & 0xc0) != 0x80) {
            return 0;
        }
        *value = *value << 6 | (s[i] & 0x3fu);
    }
    bool surrogate = *value >= 0xd800 && *value <= 0xdfff;
    return *value < smallest[size] || surrogate || *value > 0x10ffff ? 0 : size;
}

/* Line and paragraph separators and NEL are rejected, too: parsers disagree on whether they end a line. */
static bool is_control(uint32_t c)
{
    return (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 ||
           c == 0xfeff || (c & 0xfffe) == 0xfffe;
}

size_t dlp__scene_utf8_check(const char *text, size_t length, const char **problem)
{
    const unsigned char *bytes = (const unsigned char *)text;
    for (size_t i = 0; i < length;) {
        uint32_t c = 0;
        size_t size = decode(bytes + i, length - i, &c);
        if (size == 0 || is_control(c)) {
            *problem = size == 0 ? "invalid UTF-8" : "a control character";
            return i;
        }
        i += size;
    }
    return length;
}
