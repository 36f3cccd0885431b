/* Reads tables of numbers from CSV files: a header with names and units, "time [s],height [m]" or "time (s)", then one row per
 * line. Files may be of any kind: what is not such a table is refused with the number of the line. */
#ifndef DOLLOP_PLOT_CSV_H
#define DOLLOP_PLOT_CSV_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct CsvColumn {
    char name[64], unit[24];
    double *values;    /* NaN for an empty cell, and for text */
    int64_t text_line; /* the first line that holds text instead of a number; 0: none */
} CsvColumn;

typedef struct CsvTable {
    int column_count;
    CsvColumn *columns;
    int64_t row_count, capacity;
    bool is_cut_short; /* the last line is incomplete, as of a file that is still being written; it is left out */
} CsvTable;

/* False, with a message in `error`, if the file cannot be read or is not a table. Release the table in any case. */
bool csv_read(FILE *file, CsvTable *table, char *error, size_t error_size);
void csv_release(CsvTable *table);

/* The column of that name, with or without its unit ("height", "height [m]"); -1 if there is none. */
int csv_find(const CsvTable *table, const char *name);

#endif
