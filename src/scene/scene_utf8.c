/* Strict validation of the text before it is parsed. Some versions of libfyaml do not return on malformed UTF-8, a control character in
 * a name could be printed to a terminal, and characters that change the direction of text make a scene look different from what it
 * says. */
#include "base/printable.h"
#include "scene/scene_internal.h"

size_t dlp__scene_utf8_check(const char *text, size_t length, const char **problem)
{
    for (size_t i = 0; i < length;) {
        uint32_t c = 0;
        const size_t size = dlp__utf8_decode(text + i, length - i, &c);
        const bool is_layout = c == '\t' || c == '\n' || c == '\r';
        *problem = size == 0                          ? "invalid UTF-8"
                   : dlp__is_control(c) && !is_layout ? "a control character"
                   : dlp__is_bidirectional(c)         ? "a character that changes the direction of text"
                                                      : NULL;
        if (*problem != NULL) {
            return i;
        }
        i += size;
    }
    return length;
}
