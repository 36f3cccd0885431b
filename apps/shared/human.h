/* Formats numbers and paragraphs for people. */
#ifndef DOLLOP_HUMAN_H
#define DOLLOP_HUMAN_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

typedef struct HumanText {
    char text[48];
} HumanText;

HumanText human_count(int64_t value);     /* "1,234,567"                                    */
HumanText human_bytes(double bytes);      /* "1.5 GiB"                                      */
HumanText human_duration(double seconds); /* "850 ms", "42 s", "4 min 12 s", "3 h 05 min"   */
HumanText human_rate(double per_second);  /* "12.3 M"                                       */
HumanText human_seconds(double seconds);  /* "1.25 ms": a time step or other small interval */
HumanText human_length(double metres);    /* "5 mm", "1.2 cm", "2 m"                         */

/* Width of a line on `descriptor`: COLUMNS, the width of the terminal, or 80. */
int human_columns(int descriptor);

/* Print `text` wrapped to `width` columns. The first line starts at `column`, all others are indented by `indent`. Newlines in the
 * text are kept. */
void human_wrap(FILE *file, const char *text, int column, int indent, int width);

#endif
