/* What the command says on standard error: errors, warnings and notes, coloured on a terminal unless NO_COLOR is set. */
#ifndef DOLLOP_MESSAGES_H
#define DOLLOP_MESSAGES_H

#include <stdbool.h>

/* Whether escape sequences may be written to that descriptor. */
bool message_colors(int descriptor);

void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
