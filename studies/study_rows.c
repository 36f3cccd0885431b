/* Tables: aligned text for the terminal, CSV for other programs. */
#include "studies/study_host.h"
#include "studies/study_output.h"
#include "apps/plot/plot_ticks.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { CELL_SIZE = 64, COLUMNS_MOST = 24, PRINTED_DIGITS = 4 };

typedef struct Column {
    char name[40], unit[24];
} Column;

typedef struct Cell {
    bool is_word;
    double number;
    char word[CELL_SIZE];
} Cell;

struct StudyTable {
    StudyOutput output;
    Column columns[COLUMNS_MOST];
    int column_count;
    Cell *cells;
    int64_t cell_count, cell_capacity;
};

static void release_table(StudyOutput *output)
{
    free(((StudyTable *)output)->cells);
    free(output);
}

/* A word of a CSV file: in quotes where it needs them. */
static void write_csv_word(FILE *file, const char *word)
{
    if (!strpbrk(word, ",\"\n")) {
        fputs(word, file);
        return;
    }
    fputc('"', file);
    for (; *word; word++) {
        fprintf(file, *word == '"' ? "\"\"" : "%c", *word);
    }
    fputc('"', file);
}

static void write_csv(const StudyOutput *output, FILE *file)
{
    const StudyTable *table = (const StudyTable *)output;
    for (int i = 0; i < table->column_count; i++) {
        char head[80];
        const Column *column = &table->columns[i];
        snprintf(head, sizeof head, column->unit[0] ? "%s (%s)" : "%s", column->name, column->unit);
        write_csv_word(file, head);
        fputc(i + 1 < table->column_count ? ',' : '\n', file);
    }
    for (int64_t i = 0; i < table->cell_count; i++) {
        const Cell *cell = &table->cells[i];
        if (cell->is_word) {
            write_csv_word(file, cell->word);
        } else if (!isnan(cell->number)) {
            fprintf(file, "%.9g", cell->number);
        }
        fputc((i + 1) % table->column_count && i + 1 < table->cell_count ? ',' : '\n', file);
    }
}

/* Bytes that go on from an earlier one take no column of the terminal. */
static int text_width(const char *text)
{
    int width = 0;
    for (; *text; text++) {
        width += ((unsigned char)*text & 0xc0) != 0x80;
    }
    return width;
}

/* A cell after those before it. `owed` are spaces of a word on the left, which are written when another cell follows. */
static void print_padded(FILE *file, const char *text, int width, bool left, int *owed)
{
    const int gap = width - text_width(text);
    if (*text) {
        fprintf(file, "%*s%s", *owed + 2 + (left ? 0 : gap), "", text);
        *owed = left ? gap : 0;
    } else {
        *owed += 2 + width;
    }
}

static void cell_text(const Cell *cell, char *text)
{
    if (cell->is_word) {
        memcpy(text, cell->word, CELL_SIZE);
    } else {
        plot_format_number(text, CELL_SIZE, cell->number, PRINTED_DIGITS);
    }
}

/* Lines of one table: names, units, rows. Words stand on the left, numbers on the right. */
static void print_table(const StudyOutput *output, FILE *file)
{
    const StudyTable *table = (const StudyTable *)output;
    int width[COLUMNS_MOST] = {0};
    bool left[COLUMNS_MOST] = {false};
    char text[CELL_SIZE];
    for (int i = 0; i < table->column_count; i++) {
        const int name = text_width(table->columns[i].name), unit = text_width(table->columns[i].unit);
        width[i] = name > unit ? name : unit;
        left[i] = table->cell_count > i && table->cells[i].is_word;
    }
    for (int64_t i = 0; i < table->cell_count; i++) {
        const int column = (int)(i % table->column_count);
        cell_text(&table->cells[i], text);
        width[column] = text_width(text) > width[column] ? text_width(text) : width[column];
    }
    fprintf(file, "%s\n\n", output->title);
    for (int line = 0; line < 2; line++) {
        int owed = 0;
        for (int i = 0; i < table->column_count; i++) {
            print_padded(file, line == 0 ? table->columns[i].name : table->columns[i].unit, width[i], left[i], &owed);
        }
        fputc('\n', file);
    }
    int owed = 0;
    for (int64_t i = 0; i < table->cell_count; i++) {
        const int column = (int)(i % table->column_count);
        cell_text(&table->cells[i], text);
        print_padded(file, text, width[column], left[column], &owed);
        if (column + 1 == table->column_count || i + 1 == table->cell_count) {
            fputc('\n', file);
            owed = 0;
        }
    }
}

StudyTable *study_long_table(StudyRun *run, const char *name)
{
    StudyTable *table = study_output_new(run, sizeof *table, name, "csv", "", release_table);
    if (table) {
        table->output.write = write_csv;
    }
    return table;
}

StudyTable *study_table(StudyRun *run, const char *name, const char *title)
{
    StudyTable *table = study_long_table(run, name);
    if (table) {
        snprintf(table->output.title, sizeof table->output.title, "%s", title);
        table->output.print = print_table;
    }
    return table;
}

void study_column(StudyTable *table, const char *name, const char *unit)
{
    if (table && table->column_count < COLUMNS_MOST) {
        Column *column = &table->columns[table->column_count++];
        snprintf(column->name, sizeof column->name, "%s", name);
        snprintf(column->unit, sizeof column->unit, "%s", unit);
    }
}

void study_columns(StudyTable *table, const char *const (*columns)[2], size_t count)
{
    for (size_t n = 0; n < count; n++) {
        study_column(table, columns[n][0], columns[n][1]);
    }
}

static Cell *next_cell(StudyTable *table)
{
    Cell *cells = NULL;
    if (table && table->column_count > 0) {
        cells = study_grown(table->output.run, table->cells, &table->cell_capacity, table->cell_count, sizeof *cells);
    }
    if (!cells) {
        return NULL;
    }
    table->cells = cells;
    return &cells[table->cell_count++];
}

void study_number(StudyTable *table, double value)
{
    Cell *cell = next_cell(table);
    if (cell) {
        *cell = (Cell){.is_word = false, .number = value};
    }
}

void study_numbers(StudyTable *table, const double *values, size_t count)
{
    for (size_t n = 0; n < count; n++) {
        study_number(table, values[n]);
    }
}

void study_word(StudyTable *table, const char *format, ...)
{
    Cell *cell = next_cell(table);
    if (cell) {
        va_list arguments;
        va_start(arguments, format);
        *cell = (Cell){.is_word = true};
        vsnprintf(cell->word, sizeof cell->word, format, arguments);
        va_end(arguments);
    }
}
