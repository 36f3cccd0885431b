/* Errors, warnings and notes on standard error. */
#include "messages.h"

#include <dollop/types.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool message_colors(int descriptor)
{
    const char *no_color = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(descriptor) && !(no_color && *no_color) && terminal && strcmp(terminal, "dumb") != 0;
}

static MessageListener current_listener;

void messages_listen(MessageListener listener)
{
    current_listener = listener;
}

PrintableText printable(const char *text)
{
    PrintableText copy;
    dlp_text_escape(DLP_TEXT_TERMINAL, text, copy.text, sizeof copy.text);
    return copy;
}

/* Each line of the text, made printable. */
static void print_lines(char *text)
{
    for (char *line = text; line;) {
        char *end = strchr(line, '\n');
        if (end) {
            *end = 0;
        }
        fprintf(stderr, "%s\n", printable(line).text);
        if (end) {
            *end = '\n';
        }
        line = end ? end + 1 : NULL;
    }
}

static void print_message(MessageKind kind, const char *format, va_list arguments)
{
    enum { TEXT_BYTES = 8192 };
    static const char *const labels[] = {"error", "warning", "note"}, *const colors[] = {"1;31", "1;33", "1"};
    char text[TEXT_BYTES];
    vsnprintf(text, sizeof text, format, arguments);
    if (message_colors(STDERR_FILENO)) {
        fprintf(stderr, "\x1b[%sm%s:\x1b[0m ", colors[kind], labels[kind]);
    } else {
        fprintf(stderr, "%s: ", labels[kind]);
    }
    print_lines(text);
    if (current_listener) {
        current_listener(kind, text);
    }
}

void message_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(MESSAGE_ERROR, format, arguments);
    va_end(arguments);
}

void message_warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(MESSAGE_WARNING, format, arguments);
    va_end(arguments);
}

void message_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message(MESSAGE_NOTE, format, arguments);
    va_end(arguments);
}
