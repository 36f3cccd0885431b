/* Collects messages and writes them as members of JSON objects. */
#include "json_report.h"

#include "apps/shared/messages.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXTS_MAX = 100 }; /* a run may repeat a warning thousands of times */

typedef struct TextList {
    char *items[TEXTS_MAX];
    int count;
} TextList;

typedef struct Report {
    bool active;
    char *error;    /* the first that has not been written; null: none */
    TextList notes; /* that followed it */
    TextList warnings;
    bool written; /* the last failure */
} Report;

static Report report;

static void list_add(TextList *list, const char *text)
{
    if (list->count < TEXTS_MAX) {
        list->items[list->count] = strdup(text);
        list->count += list->items[list->count] != NULL;
    }
}

static void list_clear(TextList *list)
{
    while (list->count > 0) {
        free(list->items[--list->count]);
    }
}

static void list_write(Json *json, const char *key, const TextList *list)
{
    json_key(json, key);
    fputc('[', json->file);
    for (int i = 0; i < list->count; i++) {
        fputs(i ? ", " : "", json->file);
        json_write_string(json->file, list->items[i]);
    }
    fputc(']', json->file);
}

static void collect(MessageKind kind, const char *text)
{
    if (kind == MESSAGE_WARNING) {
        list_add(&report.warnings, text);
    } else if (kind == MESSAGE_NOTE && report.error) {
        list_add(&report.notes, text);
    } else if (kind == MESSAGE_ERROR && !report.error) {
        report.error = strdup(text);
    }
}

/* The digits after a colon, or 0. */
static int colon_number(const char *text, int64_t *number)
{
    int length = 1;
    if (text[0] != ':' || !isdigit((unsigned char)text[1])) {
        return 0;
    }
    *number = strtoll(text + 1, NULL, 10);
    while (isdigit((unsigned char)text[length])) {
        ++length;
    }
    return length;
}

/* "FILE:LINE:COLUMN: MESSAGE", as compilers write it, possibly followed by a line that shows the place. */
static void write_error(Json *json, const char *text)
{
    Json error = {.file = json->file, .filled = false};
    int64_t line = 0, column = 0;
    const size_t first_line = strcspn(text, "\n");
    size_t name = 0, message = 0;
    for (; name < first_line && message == 0; name++) {
        const int a = colon_number(text + name, &line), b = a > 0 ? colon_number(text + name + a, &column) : 0;
        if (b > 0 && strncmp(text + name + a + b, ": ", 2) == 0) {
            message = name + (size_t)(a + b) + 2;
            break;
        }
    }
    char *copy = strdup(text);
    if (copy) {
        copy[first_line] = 0;
        copy[message > 0 ? name : first_line] = 0;
    }
    json_key(json, "error");
    fputc('{', json->file);
    json_text(&error, "message", copy ? copy + message : "out of memory");
    json_text(&error, "file", copy && message > 0 ? copy : NULL);
    json_real(&error, "line", message > 0 ? (double)line : (double)NAN);
    json_real(&error, "column", message > 0 ? (double)column : (double)NAN);
    json_text(&error, "text", text);
    list_write(&error, "notes", &report.notes);
    fputc('}', json->file);
    free(copy);
}

static void write_members(Json *json, ExitCode code)
{
    json_integer(json, "exit_code", code);
    if (code != EXIT_DONE) {
        write_error(json, report.error ? report.error : code == EXIT_INTERRUPTED ? "interrupted" : "unknown error");
    }
    list_write(json, "warnings", &report.warnings);
}

void json_report_members(Json *json, ExitCode code)
{
    write_members(json, code);
    report.written = report.written || code != EXIT_DONE;
    free(report.error);
    report.error = NULL;
    list_clear(&report.notes);
    list_clear(&report.warnings);
}

void json_report_print(FILE *file, ExitCode code)
{
    Json json = json_begin(file);
    json_bool(&json, "done", false);
    write_members(&json, code);
    json_end(&json);
}

void json_report_begin(const Command *command, int count, char *const *words)
{
    bool known = false, given = false;
    for (int i = 0; i < command->option_count; i++) {
        known = known || strcmp(command->options[i].name, "json") == 0;
    }
    for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++) {
        given = given || strcmp(words[i], "--json") == 0;
    }
    report.active = known && given;
    messages_listen(report.active ? collect : NULL);
}

void json_report_end(ExitCode code)
{
    messages_listen(NULL);
    if (report.active && code != EXIT_DONE && (report.error || !report.written)) {
        json_report_print(stdout, code);
    }
    free(report.error);
    list_clear(&report.notes);
    list_clear(&report.warnings);
    report = (Report){.active = false};
}
