/* Formatted output to memory. */
#include "scene/scene_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool reserve(dlp__SceneText *out, size_t bytes)
{
    if (out->capacity - out->length > bytes) {
        return true;
    }
    size_t capacity = 2 * out->capacity + bytes + 1;
    char *text = realloc(out->text, capacity);
    if (text == NULL) {
        out->failed = true;
        return false;
    }
    out->text = text;
    out->capacity = capacity;
    return true;
}

void dlp__scene_write(dlp__SceneText *out, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int bytes = out->failed ? -1 : vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (bytes < 0 || !reserve(out, (size_t)bytes)) {
        out->failed = true;
        return;
    }
    va_start(arguments, format);
    vsnprintf(out->text + out->length, out->capacity - out->length, format, arguments);
    va_end(arguments);
    out->length += (size_t)bytes;
}
