/* Text from outside (scenes, names, paths, files) made safe to print: nothing in it can control a terminal or hide other text. */
#ifndef DLP_BASE_PRINTABLE_H
#define DLP_BASE_PRINTABLE_H

#include <dollop/types.h>

/* The number of bytes of the UTF-8 character at `text`, of which `left` bytes exist, or 0 if it is malformed. */
size_t dlp__utf8_decode(const char *text, size_t left, uint32_t *character);

/* Whether a character controls the display instead of being shown: control characters, line and paragraph separators, byte order marks
 * and non-characters. */
bool dlp__is_control(uint32_t character);

/* Whether a character changes the direction of the text around it, so that it is displayed in another order than it is read. */
bool dlp__is_bidirectional(uint32_t character);

/* As dlp_text_escape() for a terminal, but line breaks of the text remain. */
void dlp__printable_lines(const char *text, char *printable, size_t size);

#endif
