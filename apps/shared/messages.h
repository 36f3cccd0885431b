/* Errors, warnings and notes on standard error, coloured on a terminal unless NO_COLOR is set. */
#ifndef DOLLOP_MESSAGES_H
#define DOLLOP_MESSAGES_H

#include <stdbool.h>

/* Whether colour escape sequences may be written to the descriptor. */
bool message_colors(int descriptor);

/* A text from outside (a path, a name, the content of a file) for a line of output: what a terminal would interpret is escaped. Messages
 * do that themselves. */
typedef struct PrintableText {
    char text[8192];
} PrintableText;
PrintableText printable(const char *text);

typedef enum MessageKind { MESSAGE_ERROR, MESSAGE_WARNING, MESSAGE_NOTE } MessageKind;

/* Pass the text of each message to `listener` as well; null: to none. */
typedef void (*MessageListener)(MessageKind kind, const char *text);
void messages_listen(MessageListener listener);

void message_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_warning(const char *format, ...) __attribute__((format(printf, 1, 2)));
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
