/* Reads tables of rheometers: a line that names columns, perhaps a line of units, then rows of numbers. There may be other text before,
 * between and after, and several tables in one file. What is not understood is refused with its line and column, or noted. */
#include "rheology/column_names.h"
#include "rheology/fit_parts.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS_MOST = 256, TEXT_MOST = 16 << 20, LINE_MOST = 1 << 16, NUMBER_MOST = 64 };
static const double LEAST = 1e-30, MOST = 1e30; /* of values in SI units: beyond, the column or its unit is wrong */

typedef struct Cell {
    const char *text; /* without surrounding spaces and quotes */
    size_t length;
} Cell;

typedef struct Row {
    Cell cells[COLUMNS_MOST];
    int count;
    bool is_cut; /* there are more */
} Row;

/* Columns of the table that is being read. */
typedef struct Table {
    char separator; /* 0: no table is open */
    int column_count;
    int column[DLP__QUANTITY_COUNT];    /* -1: none */
    double factor[DLP__QUANTITY_COUNT]; /* 0: the unit may be in the next line */
    bool has_rows;
} Table;

typedef struct Reader {
    dlp_FitData *data;
    const char *name;
    dlp_Error *error;
    const char *line;
    size_t length;
    int line_number;
    Table table;
    bool after_blank;
    char mark; /* of decimals: '.' or ','; 0 before the first */
    int mark_line, incomplete_rows, incomplete_line, nonpositive_rows, nonpositive_line, table_count, lost_header;
    dlp_Result result;
    Row row; /* of the present line */
} Reader;

/* Position of a cell for messages, from 1. */
static int column_of(const Reader *reader, const Cell *cell)
{
    return (int)(cell->text - reader->line) + 1;
}

#define FAIL(reader, ...) ((reader)->result = dlp__fit_fail((reader)->error, DLP_ERROR_FORMAT, __VA_ARGS__), false)
#define NOTE(reader, ...) \
    (dlp__fit_note((reader)->data, __VA_ARGS__) || \
     ((reader)->result = dlp__fit_fail((reader)->error, DLP_ERROR_MEMORY, "no memory for notes"), false))

static bool is_space(char letter)
{
    return letter == ' ' || letter == '\t';
}

static Cell trimmed(const char *begin, const char *end)
{
    while (begin < end && is_space(*begin)) {
        begin++;
    }
    while (end > begin && is_space(end[-1])) {
        end--;
    }
    if (end - begin >= 2 && *begin == '"' && end[-1] == '"') {
        begin++;
        end--;
    }
    return (Cell){begin, (size_t)(end - begin)};
}

/* The end of a quoted cell, after its quote; null if it is not one. */
static const char *quote_end(const char *begin, const char *end, char separator)
{
    while (begin < end && *begin == ' ') {
        begin++;
    }
    if (begin == end || *begin != '"') {
        return NULL;
    }
    for (const char *at = begin + 1; at < end; at++) {
        if (*at == '"' && (at + 1 == end || at[1] == separator || is_space(at[1]))) {
            return at + 1;
        }
    }
    return NULL;
}

static void split(const Reader *reader, char separator, Row *row)
{
    const char *at = reader->line, *end = at + reader->length;
    row->count = 0;
    row->is_cut = false;
    for (;;) {
        const char *quoted = quote_end(at, end, separator), *from = quoted ? quoted : at;
        const char *stop = memchr(from, separator, (size_t)(end - from));
        stop = stop ? stop : end;
        if (row->count == COLUMNS_MOST) {
            row->is_cut = true;
            return;
        }
        row->cells[row->count++] = trimmed(at, stop);
        if (stop == end) {
            return;
        }
        at = stop + 1;
    }
}

typedef enum NumberKind { NUMBER_MISSING, NUMBER_GOOD, NUMBER_TEXT } NumberKind;

static bool is_missing(const Cell *cell)
{
    static const char *const words[] = {"", "-", "--", "n/a", "N/A", "na", "NA", "nan", "NaN", "NAN", "inf"};
    for (size_t w = 0; w < sizeof words / sizeof words[0]; w++) {
        if (strlen(words[w]) == cell->length && memcmp(words[w], cell->text, cell->length) == 0) {
            return true;
        }
    }
    return false;
}

static size_t skip_digits(const char *text, size_t at, size_t length)
{
    while (at < length && text[at] >= '0' && text[at] <= '9') {
        at++;
    }
    return at;
}

/* A decimal number with a point or, unless it separates columns, a comma. `mark` becomes that character, or 0. */
static NumberKind parse_number(const Cell *cell, char separator, double *value, char *mark)
{
    *value = NAN;
    *mark = 0;
    if (is_missing(cell)) {
        return NUMBER_MISSING;
    }
    if (cell->length >= NUMBER_MOST) {
        return NUMBER_TEXT;
    }
    const char *text = cell->text;
    const size_t length = cell->length, sign = text[0] == '-' || text[0] == '+';
    size_t at = skip_digits(text, sign, length), digits = at - sign;
    char copy[NUMBER_MOST];
    memcpy(copy, text, length);
    copy[length] = 0;
    if (at < length && (text[at] == '.' || (text[at] == ',' && separator != ','))) {
        *mark = text[at];
        copy[at] = localeconv()->decimal_point[0];
        const size_t next = skip_digits(text, at + 1, length);
        digits += next - at - 1;
        at = next;
    }
    if (digits > 0 && at < length && (text[at] == 'e' || text[at] == 'E')) {
        const size_t exponent = at + 1 + (at + 1 < length && (text[at + 1] == '-' || text[at + 1] == '+'));
        at = skip_digits(text, exponent, length);
        digits = at > exponent ? digits : 0;
    }
    if (digits == 0 || at != length) {
        return NUMBER_TEXT;
    }
    *value = strtod(copy, NULL);
    return NUMBER_GOOD;
}

static bool has(const Table *table, dlp__Quantity quantity)
{
    return table->column[quantity] >= 0;
}

static bool has_flow(const Table *table)
{
    return has(table, DLP__SHEAR_RATE) && (has(table, DLP__STRESS) || has(table, DLP__VISCOSITY));
}

static bool has_moduli(const Table *table)
{
    return (has(table, DLP__FREQUENCY) || has(table, DLP__ANGULAR_FREQUENCY)) && has(table, DLP__STORAGE) &&
           has(table, DLP__LOSS);
}

/* The number of quantities that the row names as a heading. */
static int count_quantities(const Row *row)
{
    bool found[DLP__QUANTITY_COUNT + 1] = {false};
    char unit[64];
    int count = 0;
    for (int c = 0; c < row->count; c++) {
        const dlp__Quantity quantity = dlp__heading_quantity(row->cells[c].text, row->cells[c].length, unit,
                                                             sizeof unit);
        count += quantity != DLP__OTHER && !found[quantity];
        found[quantity] = true;
    }
    return count;
}

/* Splits the line by the separator that shows most quantities; false if it is no heading. */
static bool find_heading(Reader *reader, char *separator)
{
    static const char separators[] = {'\t', ';', ','};
    int most = 0;
    for (size_t s = 0; s < sizeof separators; s++) {
        split(reader, separators[s], &reader->row);
        const int count = count_quantities(&reader->row);
        if (count > most) {
            most = count;
            *separator = separators[s];
        }
    }
    if (most == 1 && reader->lost_header == 0) {
        reader->lost_header = reader->line_number;
    }
    if (most < 2) {
        return false;
    }
    split(reader, *separator, &reader->row);
    return true;
}

static bool set_unit(Reader *reader, dlp__Quantity quantity, const char *unit, size_t length, const Cell *cell)
{
    const double factor = dlp__unit_factor(quantity, unit, length);
    if (factor <= 0.0) {
        return FAIL(reader, "%s:%d:%d: '%.*s' is not a unit of the %s: expected %s", reader->name, reader->line_number,
                    column_of(reader, cell), (int)(length < 40 ? length : 40), unit, dlp__quantity_name(quantity),
                    dlp__quantity_units(quantity));
    }
    reader->table.factor[quantity] = factor;
    return true;
}

/* Opens the table whose heading is in `row`. */
static bool open_table(Reader *reader, char separator)
{
    Table *table = &reader->table;
    *table = (Table){.separator = separator, .column_count = reader->row.count};
    for (int q = 0; q < DLP__QUANTITY_COUNT; q++) {
        table->column[q] = -1;
    }
    if (reader->row.is_cut) {
        return FAIL(reader, "%s:%d: the table has more than %d columns", reader->name, reader->line_number,
                    COLUMNS_MOST);
    }
    for (int c = 0; c < reader->row.count; c++) {
        const Cell *cell = &reader->row.cells[c];
        char unit[64];
        const dlp__Quantity quantity = dlp__heading_quantity(cell->text, cell->length, unit, sizeof unit);
        if (quantity == DLP__OTHER) {
            continue;
        }
        if (has(table, quantity)) {
            return FAIL(reader,
                        "%s:%d:%d: a second column of the %s: a file describes one material, keep one curve per file",
                        reader->name, reader->line_number, column_of(reader, cell), dlp__quantity_name(quantity));
        }
        table->column[quantity] = c;
        if (unit[0] && !set_unit(reader, quantity, unit, strlen(unit), cell)) {
            return false;
        }
    }
    if (!has_flow(table) && !has_moduli(table)) {
        char found[160] = "";
        for (int q = 0; q < DLP__QUANTITY_COUNT; q++) {
            if (has(table, (dlp__Quantity)q)) {
                const size_t used = strlen(found);
                snprintf(found + used, sizeof found - used, "%s%s", used > 0 ? ", " : "",
                         dlp__quantity_name((dlp__Quantity)q));
            }
        }
        return FAIL(
            reader,
            "%s:%d: the columns %s do not suffice: expected shear rate with shear stress or viscosity, or frequency with storage "
            "and loss modulus",
            reader->name, reader->line_number, found);
    }
    reader->table_count++;
    reader->after_blank = false;
    return true;
}

/* After the heading and the line of units: default units where neither gives one. */
static bool complete_units(Reader *reader)
{
    Table *table = &reader->table;
    for (int q = 0; q < DLP__QUANTITY_COUNT; q++) {
        const dlp__Quantity quantity = (dlp__Quantity)q;
        if (!has(table, quantity) || table->factor[q] > 0.0) {
            continue;
        }
        const char *unit = dlp__quantity_default_unit(quantity);
        if (!unit) {
            return FAIL(reader, "%s:%d: the column of the %s has no unit: write %s into the heading, as in '%s [%s]'",
                        reader->name, reader->line_number - 1, dlp__quantity_name(quantity),
                        dlp__quantity_units(quantity), dlp__quantity_name(quantity), "Hz");
        }
        if (!NOTE(reader, "%s: the column of the %s has no unit: taken as %s", reader->name,
                  dlp__quantity_name(quantity), unit)) {
            return false;
        }
        table->factor[q] = dlp__unit_factor(quantity, unit, strlen(unit));
    }
    if (has_flow(table) && has(table, DLP__STRESS) && has(table, DLP__VISCOSITY)) {
        return NOTE(reader, "%s: the table has stress and viscosity: the stress is used", reader->name);
    }
    return true;
}

/* Whether no cell of a used column is a number, although some have text. */
static bool is_text_line(const Reader *reader)
{
    bool has_text = false;
    for (int q = 0; q < DLP__QUANTITY_COUNT; q++) {
        const int column = reader->table.column[q];
        if (column >= 0 && column < reader->row.count) {
            double value = 0.0;
            char mark = 0;
            const NumberKind kind = parse_number(&reader->row.cells[column], reader->table.separator, &value, &mark);
            if (kind == NUMBER_GOOD) {
                return false;
            }
            has_text = has_text || kind == NUMBER_TEXT;
        }
    }
    return has_text || reader->row.count == 1;
}

static bool read_units(Reader *reader)
{
    for (int q = 0; q < DLP__QUANTITY_COUNT; q++) {
        const int column = reader->table.column[q];
        if (column >= 0 && column < reader->row.count && reader->row.cells[column].length > 0) {
            const Cell *cell = &reader->row.cells[column];
            if (!set_unit(reader, (dlp__Quantity)q, cell->text, cell->length, cell)) {
                return false;
            }
        }
    }
    return true;
}

/* The value of a quantity in the row, in SI units; NaN if the cell is empty or the table has no such column. */
static bool read_value(Reader *reader, dlp__Quantity quantity, double *value)
{
    const Table *table = &reader->table;
    const int column = table->column[quantity];
    *value = NAN;
    if (column < 0 || column >= reader->row.count) {
        return true;
    }
    const Cell *cell = &reader->row.cells[column];
    char mark = 0;
    const NumberKind kind = parse_number(cell, table->separator, value, &mark);
    if (kind == NUMBER_TEXT) {
        return FAIL(reader, "%s:%d:%d: expected a number for the %s, found '%.*s'", reader->name, reader->line_number,
                    column_of(reader, cell), dlp__quantity_name(quantity), (int)(cell->length < 40 ? cell->length : 40),
                    cell->text);
    }
    if (mark && reader->mark && mark != reader->mark) {
        return FAIL(reader, "%s:%d:%d: a decimal %s, but line %d has a decimal %s: use one of them", reader->name,
                    reader->line_number, column_of(reader, cell), mark == ',' ? "comma" : "point", reader->mark_line,
                    reader->mark == ',' ? "comma" : "point");
    }
    if (mark && !reader->mark) {
        reader->mark = mark;
        reader->mark_line = reader->line_number;
    }
    *value *= table->factor[quantity];
    if (kind == NUMBER_GOOD && *value > 0.0 && !(*value >= LEAST && *value <= MOST)) {
        return FAIL(reader, "%s:%d:%d: the %s of %.*s is out of range", reader->name, reader->line_number,
                    column_of(reader, cell), dlp__quantity_name(quantity), (int)cell->length, cell->text);
    }
    return true;
}

/* Whether these values make a point; counts those that do not. */
static bool is_point(Reader *reader, const double *values, int count)
{
    int missing = 0, nonpositive = 0;
    for (int k = 0; k < count; k++) {
        missing += isnan(values[k]);
        nonpositive += values[k] <= 0.0;
    }
    if (missing > 0 && missing < count) { /* other tables beside this one may be longer */
        reader->incomplete_line = reader->incomplete_rows++ == 0 ? reader->line_number : reader->incomplete_line;
    } else if (nonpositive > 0) {
        reader->nonpositive_line = reader->nonpositive_rows++ == 0 ? reader->line_number : reader->nonpositive_line;
    }
    return missing == 0 && nonpositive == 0;
}

static bool check_added(Reader *reader, dlp_Result result)
{
    reader->result = result;
    return result == DLP_OK;
}

static bool read_row(Reader *reader)
{
    const Table *table = &reader->table;
    for (int c = table->column_count; c < reader->row.count; c++) {
        const Cell *cell = &reader->row.cells[c];
        if (cell->length > 0) {
            return FAIL(reader, "%s:%d:%d: the row has more cells than the heading has columns (%d)%s", reader->name,
                        reader->line_number, column_of(reader, cell), table->column_count,
                        table->separator == ','
                            ? ": with decimal commas, columns must be separated by semicolons or tabs"
                            : "");
        }
    }
    double values[DLP__QUANTITY_COUNT];
    for (int q = 0; q < DLP__QUANTITY_COUNT; q++) {
        if (!read_value(reader, (dlp__Quantity)q, &values[q])) {
            return false;
        }
    }
    if (has_flow(table)) {
        const double rate = values[DLP__SHEAR_RATE];
        const double stress = has(table, DLP__STRESS) ? values[DLP__STRESS] : values[DLP__VISCOSITY] * fabs(rate);
        const dlp_FlowPoint point = {rate, stress};
        if (is_point(reader, (const double[]){rate, has(table, DLP__STRESS) ? stress : values[DLP__VISCOSITY]}, 2) &&
            !check_added(reader, dlp_fit_data_add_flow(reader->data, &point, 1, reader->error))) {
            return false;
        }
    }
    if (has_moduli(table)) {
        const double frequency = has(table, DLP__ANGULAR_FREQUENCY) ? values[DLP__ANGULAR_FREQUENCY]
                                                                    : values[DLP__FREQUENCY];
        const dlp_ModuliPoint point = {frequency, values[DLP__STORAGE], values[DLP__LOSS]};
        if (is_point(reader, (const double[]){frequency, point.storage, point.loss}, 3) &&
            !check_added(reader, dlp_fit_data_add_moduli(reader->data, &point, 1, reader->error))) {
            return false;
        }
    }
    return true;
}

/* A line of text within a table: a new heading, or the end of the table. */
static bool leave_table(Reader *reader)
{
    const bool is_footer = reader->after_blank || reader->row.count == 1;
    char separator = 0;
    if (find_heading(reader, &separator)) {
        return open_table(reader, separator);
    }
    if (is_footer) {
        reader->table.separator = 0;
        return true;
    }
    split(reader, reader->table.separator, &reader->row);
    return read_row(reader); /* which says what is wrong */
}

static bool read_table_line(Reader *reader)
{
    Table *table = &reader->table;
    split(reader, table->separator, &reader->row);
    const bool is_text = is_text_line(reader), is_first = !table->has_rows;
    if (is_first) {
        table->has_rows = true;
        if (is_text && !read_units(reader)) {
            return false;
        }
        if (!complete_units(reader) || is_text) {
            return reader->result == DLP_OK;
        }
    }
    return is_text ? leave_table(reader) : read_row(reader);
}

static bool is_comment(const char *line, size_t length)
{
    return length > 0 && (line[0] == '#' || line[0] == '%' || (length > 1 && line[0] == '/' && line[1] == '/'));
}

/* Whether there is nothing but separators. */
static bool is_blank(const char *line, size_t length)
{
    size_t i = 0;
    while (i < length && (is_space(line[i]) || line[i] == ',' || line[i] == ';')) {
        i++;
    }
    return i == length;
}

static bool check_bytes(Reader *reader)
{
    for (size_t i = 0; i < reader->length; i++) {
        const unsigned char letter = (unsigned char)reader->line[i];
        if (letter < ' ' && letter != '\t') {
            return FAIL(reader, "%s:%d:%zu: the byte 0x%02x: it is not a text file; save it as CSV in UTF-8",
                        reader->name, reader->line_number, i + 1, letter);
        }
    }
    return true;
}

static bool read_line(Reader *reader)
{
    if (reader->length > LINE_MOST) {
        return FAIL(reader, "%s:%d: the line is longer than %d bytes: it is not a table", reader->name,
                    reader->line_number, LINE_MOST);
    }
    if (!check_bytes(reader)) {
        return false;
    }
    if (is_blank(reader->line, reader->length)) {
        reader->after_blank = true;
        return true;
    }
    if (reader->table.separator && !is_comment(reader->line, reader->length)) {
        const bool ok = read_table_line(reader);
        reader->after_blank = false;
        return ok;
    }
    while (is_comment(reader->line, reader->length)) { /* a commented heading counts, too */
        reader->line++;
        reader->length--;
    }
    char separator = 0;
    return find_heading(reader, &separator) ? open_table(reader, separator) : true;
}

static bool read_lines(Reader *reader, const char *text, size_t length)
{
    if (length >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
        return FAIL(reader, "%s: the file is in UTF-16: save it as CSV in UTF-8", reader->name);
    }
    const char *end = text + length;
    for (const char *at = text + (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0); at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        reader->line = at;
        reader->length = (size_t)(stop - at) - (stop > at && stop[-1] == '\r');
        reader->line_number++;
        if (!read_line(reader)) {
            return false;
        }
        at = stop + 1;
    }
    return true;
}

static bool finish(Reader *reader, int points_before)
{
    const int points = reader->data->flow_count + reader->data->moduli_count - points_before;
    if (reader->table_count == 0 && reader->lost_header > 0) {
        return FAIL(
            reader,
            "%s:%d: only one column is known: expected columns such as 'shear rate [1/s]' and 'shear stress [Pa]', separated by "
            "commas, semicolons or tabs",
            reader->name, reader->lost_header);
    }
    if (reader->table_count == 0) {
        return FAIL(
            reader,
            "%s: no line names columns such as 'shear rate [1/s]' and 'shear stress [Pa]' or 'viscosity [Pa.s]', or "
            "'angular frequency [rad/s]', 'storage modulus [Pa]' and 'loss modulus [Pa]'",
            reader->name);
    }
    if (points == 0) {
        return FAIL(reader, "%s: the table has no row of numbers above 0", reader->name);
    }
    return (reader->incomplete_rows == 0 || NOTE(reader, "%s: left out %d rows with empty cells, the first in line %d",
                                                 reader->name, reader->incomplete_rows, reader->incomplete_line)) &&
           (reader->nonpositive_rows == 0 ||
            NOTE(reader, "%s: left out %d rows with values that are not above 0, the first in line %d", reader->name,
                 reader->nonpositive_rows, reader->nonpositive_line));
}

dlp_Result dlp_fit_data_read(dlp_FitData *data, const char *name, const char *text, size_t length, dlp_Error *error)
{
    if (!data || !name || !text) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT, "a pointer that is required is null");
    }
    if (length > TEXT_MOST) {
        return dlp__fit_fail(error, DLP_ERROR_FORMAT, "%s: the file is larger than %d MiB", name, TEXT_MOST >> 20);
    }
    Reader *reader = calloc(1, sizeof *reader);
    if (!reader) {
        return dlp__fit_fail(error, DLP_ERROR_MEMORY, "no memory to read %s", name);
    }
    const int flow_count = data->flow_count, moduli_count = data->moduli_count;
    const size_t notes_length = strlen(dlp_fit_data_notes(data));
    reader->data = data;
    reader->name = name;
    reader->error = error;
    if (read_lines(reader, text, length)) {
        finish(reader, flow_count + moduli_count);
    }
    const dlp_Result result = reader->result;
    if (result != DLP_OK) {
        data->flow_count = flow_count;
        data->moduli_count = moduli_count;
        if (data->notes) {
            data->notes[notes_length] = 0;
        }
    }
    free(reader);
    return result;
}
