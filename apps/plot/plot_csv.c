/* CSV: lines of limited length, cells with or without quotes, numbers. */
#include "plot_csv.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_MOST = 1 << 20, COLUMNS_MOST = 1000 };
static const int64_t CELLS_MOST = 50000000; /* 400 MB */

/* One line of the file, without its end. */
typedef struct Line {
    char *text;
    size_t length, capacity;
    int64_t number;   /* from 1 */
    bool has_newline; /* false for the last line of a file that does not end with one */
} Line;

typedef struct Reader {
    FILE *file;
    Line line;
    char *error;
    size_t error_size;
    bool failed;
} Reader;

#define FAIL(reader, ...) fail(reader, snprintf((reader)->error, (reader)->error_size, __VA_ARGS__))
static bool fail(Reader *reader, int length)
{
    (void)length;
    reader->failed = true;
    return false;
}

static bool append(Line *line, char letter)
{
    if (line->length + 1 >= line->capacity) {
        const size_t capacity = line->capacity > 0 ? 2 * line->capacity : 256;
        char *text = realloc(line->text, capacity);
        if (!text) {
            return false;
        }
        line->text = text;
        line->capacity = capacity;
    }
    line->text[line->length++] = letter;
    line->text[line->length] = 0;
    return true;
}

/* Reads a line; false at the end of the file and on failure. */
static bool next_line(Reader *reader)
{
    Line *line = &reader->line;
    int letter = getc_unlocked(reader->file);
    line->number++;
    line->length = 0;
    if (letter == EOF) {
        return ferror(reader->file) ? FAIL(reader, "it cannot be read: %s", strerror(errno)) : false;
    }
    for (; letter != EOF && letter != '\n'; letter = getc_unlocked(reader->file)) {
        if (letter < ' ' && letter != '\t' && letter != '\r') {
            return FAIL(reader, "line %lld contains the byte 0x%02x: it is not a text file", (long long)line->number,
                        (unsigned)letter);
        }
        if (line->length >= LINE_MOST) {
            return FAIL(reader, "line %lld is longer than %d bytes: it is not a table", (long long)line->number,
                        LINE_MOST);
        }
        if (!append(line, (char)letter)) {
            return FAIL(reader, "out of memory");
        }
    }
    if (ferror(reader->file)) {
        return FAIL(reader, "line %lld cannot be read: %s", (long long)line->number, strerror(errno));
    }
    line->has_newline = letter == '\n';
    while (line->length > 0 && line->text[line->length - 1] == '\r') {
        line->text[--line->length] = 0;
    }
    return line->length > 0 || append(line, ' '); /* `text` is never null */
}

static bool is_blank(const Line *line)
{
    return line->text[strspn(line->text, " \t")] == 0 || line->text[0] == '#';
}

/* Cuts the cell at `*at` out of the line in place, without quotes and surrounding spaces, and moves `*at` to the next one: null
 * after the last. Null for a quote that is not closed. */
static char *next_cell(char **at)
{
    char *cell = *at + strspn(*at, " \t"), *to = cell, *end;
    if (*cell == '"') {
        for (end = cell + 1; *end && (*end != '"' || end[1] == '"'); end++) {
            end += *end == '"';
            *to++ = *end;
        }
        if (*end != '"') {
            return NULL;
        }
        end += 1 + strcspn(end + 1, ",");
    } else {
        end = cell + strcspn(cell, ",");
        for (to = end; to > cell && (to[-1] == ' ' || to[-1] == '\t'); to--) {}
    }
    const bool is_last = *end == 0;
    *to = 0;
    *at = is_last ? NULL : end + 1;
    return cell;
}

static bool read_number(const char *cell, double *value)
{
    char *end = NULL;
    *value = NAN;
    if (!*cell) {
        return true;
    }
    const double number = strtod(cell, &end);
    if (*end) {
        return false;
    }
    *value = number;
    return true;
}

/* "height [m]" and "height (m)" into name and unit. */
static void read_heading(CsvColumn *column, const char *text, int number)
{
    const size_t length = strlen(text);
    const char close = length > 0 ? text[length - 1] : 0;
    const char *open = close == ']' ? strrchr(text, '[') : close == ')' ? strrchr(text, '(') : NULL;
    const bool has_unit = open && open > text && open[-1] == ' ';
    size_t name = has_unit ? (size_t)(open - text) : length;
    while (name > 0 && text[name - 1] == ' ') {
        name--;
    }
    snprintf(column->name, sizeof column->name, "%.*s", (int)name, text);
    if (has_unit) {
        snprintf(column->unit, sizeof column->unit, "%.*s", (int)(length - (size_t)(open - text) - 2), open + 1);
    }
    if (!column->name[0]) {
        snprintf(column->name, sizeof column->name, "column %d", number);
    }
}

static bool read_header(Reader *reader, CsvTable *table)
{
    bool found = false;
    while (!found && next_line(reader)) {
        const bool marked = reader->line.number == 1 && strncmp(reader->line.text, "\xef\xbb\xbf", 3) == 0;
        memmove(reader->line.text, reader->line.text + (marked ? 3 : 0), strlen(reader->line.text) + (marked ? -2 : 1));
        found = !is_blank(&reader->line);
    }
    if (!found) {
        return reader->failed ? false : FAIL(reader, "it is empty");
    }
    bool has_name = false;
    for (char *at = reader->line.text; at;) {
        const char *cell = next_cell(&at);
        double number = 0;
        if (!cell) {
            return FAIL(reader, "line %lld has a quote that is not closed", (long long)reader->line.number);
        }
        if (table->column_count == COLUMNS_MOST) {
            return FAIL(reader, "line %lld names more than %d columns", (long long)reader->line.number, COLUMNS_MOST);
        }
        CsvColumn *columns = realloc(table->columns, ((size_t)table->column_count + 1) * sizeof *columns);
        if (!columns) {
            return FAIL(reader, "out of memory");
        }
        table->columns = columns;
        columns[table->column_count] = (CsvColumn){.name = ""};
        has_name = has_name || !read_number(cell, &number);
        read_heading(&columns[table->column_count], cell, table->column_count + 1);
        table->column_count++;
    }
    return has_name ||
           FAIL(reader, "line %lld must name the columns, such as 'time [s],height [m]', but contains only numbers",
                (long long)reader->line.number);
}

/* Memory for one more row. */
static bool reserve_row(Reader *reader, CsvTable *table)
{
    if (table->row_count < table->capacity) {
        return true;
    }
    const int64_t most = CELLS_MOST / table->column_count;
    const int64_t wanted = table->capacity > 0 ? 2 * table->capacity : 256, capacity = wanted < most ? wanted : most;
    if (table->row_count >= most) {
        return FAIL(reader, "line %lld: the table is too long to be plotted; %d columns may have %lld rows",
                    (long long)reader->line.number, table->column_count, (long long)most);
    }
    for (int c = 0; c < table->column_count; c++) {
        double *values = realloc(table->columns[c].values, (size_t)capacity * sizeof *values);
        if (!values) {
            return FAIL(reader, "out of memory after %lld rows", (long long)table->row_count);
        }
        table->columns[c].values = values;
    }
    table->capacity = capacity;
    return true;
}

static bool read_row(Reader *reader, CsvTable *table)
{
    int count = 0;
    for (char *at = reader->line.text; at; count++) {
        const char *cell = next_cell(&at);
        if (!cell) {
            return FAIL(reader, "line %lld has a quote that is not closed", (long long)reader->line.number);
        }
        if (count < table->column_count) {
            CsvColumn *column = &table->columns[count];
            if (!read_number(cell, &column->values[table->row_count]) && column->text_line == 0) {
                column->text_line = reader->line.number;
            }
        }
    }
    if (count < table->column_count && !reader->line.has_newline) {
        table->is_cut_short = true;
        return true;
    }
    if (count != table->column_count) {
        return FAIL(reader, "line %lld has %d values, but the header names %d columns", (long long)reader->line.number,
                    count, table->column_count);
    }
    table->row_count++;
    return true;
}

bool csv_read(FILE *file, CsvTable *table, char *error, size_t error_size)
{
    Reader reader = {.file = file, .error_size = error_size};
    reader.error = error;
    *table = (CsvTable){0};
    bool ok = read_header(&reader, table);
    while (ok && next_line(&reader)) {
        ok = is_blank(&reader.line) || (reserve_row(&reader, table) && read_row(&reader, table));
    }
    ok = ok && !reader.failed;
    if (ok && table->row_count == 0) {
        ok = FAIL(&reader, "it has a header, but no rows");
    }
    free(reader.line.text);
    return ok;
}

void csv_release(CsvTable *table)
{
    for (int c = 0; c < table->column_count; c++) {
        free(table->columns[c].values);
    }
    free(table->columns);
    *table = (CsvTable){0};
}

int csv_find(const CsvTable *table, const char *name)
{
    for (int with_unit = 0; with_unit < 2; with_unit++) {
        CsvColumn wanted = {.name = ""};
        if (with_unit) {
            read_heading(&wanted, name, 0);
        } else {
            snprintf(wanted.name, sizeof wanted.name, "%s", name);
        }
        for (int c = 0; c < table->column_count; c++) {
            if (strcmp(table->columns[c].name, wanted.name) == 0 &&
                (!with_unit || strcmp(table->columns[c].unit, wanted.unit) == 0)) {
                return c;
            }
        }
    }
    return -1;
}
