/* Errors, warnings and notes on standard error. */
#include "messages.h"

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

static void print_message(const char *label, const char *color, const char *format, va_list arguments)
{
    if (message_colors(STDERR_FILENO)) {
        fprintf(stderr, "\x1b[%sm%s:\x1b[0m ", color, label);
    } else {
        fprintf(stderr, "%s: ", label);
    }
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void message_error(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("error", "1;31", format, arguments);
    va_end(arguments);
}

void message_warning(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("warning", "1;33", format, arguments);
    va_end(arguments);
}

void message_note(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    print_message("note", "1", format, arguments);
    va_end(arguments);
}
