/* Error messages with file, line and column, the source line, and a caret under the offending text. */
#include "base/error.h"
#include "base/printable.h"
#include "scene/scene_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum {
    SHOWN = 96,          /* bytes of a source line in a message */
    SETTING_SHOWN = 80,  /* bytes of a setting in a message     */
    MESSAGE_BYTES = 512, /* leaves space in dlp_Error for two source lines */
};

typedef struct Position {
    size_t begin, end; /* of the line, in bytes of the source */
    int line, column;  /* from 1; columns count characters    */
} Position;

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

/* Make the text safe for any terminal and one column per character: line breaks become spaces; control characters and bytes of invalid
 * UTF-8 become question marks. */
static void make_printable(char *text)
{
    const size_t length = strlen(text);
    size_t used = 0;
    for (size_t i = 0; i < length;) {
        uint32_t c = 0;
        const size_t size = dlp__utf8_decode(text + i, length - i, &c);
        if (size == 0 || dlp__is_control(c) || dlp__is_bidirectional(c)) {
            text[used++] = c == '\n' || c == '\r' || c == '\t' ? ' ' : '?';
        } else {
            memmove(text + used, text + i, size);
            used += size;
        }
        i += size > 0 ? size : 1;
    }
    text[used] = 0;
}

static Position find_position(const dlp__SceneSource *source, size_t offset)
{
    const char *text = source->text;
    Position position = {0, source->length, 1, 1};
    offset = offset < source->length ? offset : source->length;
    for (size_t i = 0; i < offset; i++) {
        bool lone_return = text[i] == '\r' && text[i + 1] != '\n';
        if (text[i] == '\n' || lone_return) {
            position.line++;
            position.begin = i + 1;
        }
    }
    for (size_t i = position.begin; i < offset; i++) {
        position.column += starts_character(text[i]);
    }
    for (position.end = offset; position.end < source->length; position.end++) {
        if (text[position.end] == '\n' || text[position.end] == '\r') {
            break;
        }
    }
    return position;
}

/* "   12 |   spacin: 2 mm" and a second line with the caret. Long lines are cut around the location. */
static void describe_line(const dlp__SceneSource *source, dlp__SceneLocation location, char *text, size_t size)
{
    Position position = find_position(source, location.offset);
    const char *line = source->text;
    size_t at = location.offset < source->length ? location.offset : source->length;
    size_t begin = position.begin;
    size_t end = position.end;
    if (end - begin > SHOWN) {
        begin = at - begin > SHOWN / 2 ? at - SHOWN / 2 : begin;
        end = end - begin > SHOWN ? begin + SHOWN : end;
    }
    while (begin < at && !starts_character(line[begin])) {
        begin++;
    }
    while (end > at && end < position.end && !starts_character(line[end])) {
        end--;
    }
    char shown[SHOWN + 1] = "";
    char caret[2 * SHOWN + 2];
    size_t carets = 0;
    size_t shown_bytes = 0;
    for (size_t i = begin; i < end; i++) {
        shown[shown_bytes++] = line[i] != 0 ? line[i] : ' ';
        if (i < at && starts_character(line[i])) {
            caret[carets++] = ' ';
        } else if (i > at && i < at + location.width && starts_character(line[i])) {
            caret[carets++] = '~';
        } else if (i == at) {
            caret[carets++] = '^';
        }
    }
    if (at >= end) {
        caret[carets++] = '^';
    }
    shown[shown_bytes] = 0;
    caret[carets] = 0;
    make_printable(shown);
    snprintf(text, size, "\n%5d | %s\n      | %s", position.line, shown, caret);
}

void dlp__scene_describe_location(const dlp_Scene *scene, dlp__SceneLocation location, char *text, size_t size)
{
    const dlp__SceneSource *source = &scene->sources[location.source];
    if (source->name == NULL) {
        int shown = source->length > SETTING_SHOWN ? SETTING_SHOWN : (int)source->length;
        while (shown > 0 && shown < (int)source->length && !starts_character(source->text[shown])) {
            shown--;
        }
        snprintf(text, size, "setting '%.*s%s'", shown, source->text, shown < (int)source->length ? "..." : "");
    } else {
        Position position = find_position(source, location.offset);
        snprintf(text, size, "%.200s:%d:%d", source->name, position.line, position.column);
    }
    make_printable(text);
}

dlp_Result dlp__scene_fail(dlp__SceneReader *reader, dlp__SceneLocation location, const char *format, ...)
{
    char message[MESSAGE_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    make_printable(message);

    char where[256];
    dlp__scene_describe_location(reader->scene, location, where, sizeof where);
    char lines[3 * SHOWN + 32] = "";
    if (reader->scene->sources[location.source].name != NULL) {
        describe_line(&reader->scene->sources[location.source], location, lines, sizeof lines);
    }
    return dlp__fail(reader->error, DLP_ERROR_SCENE, "%s: %s%s", where, message, lines);
}

dlp_Result dlp__scene_fail_memory(dlp__SceneReader *reader)
{
    return dlp__fail(reader->error, DLP_ERROR_MEMORY, "out of memory while reading the scene");
}
