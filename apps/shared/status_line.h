/* A status line that is redrawn in place: a progress bar, and pieces of text that are dropped on narrow terminals. */
#ifndef DOLLOP_STATUS_LINE_H
#define DOLLOP_STATUS_LINE_H

#include <stdbool.h>

#define STATUS_REDRAW_SECONDS 0.1 /* minimum time between redraws */

/* If the line is too narrow, pieces with the highest `rank` are dropped first; rank 0 is always shown. Empty pieces are skipped. */
typedef struct StatusPiece {
    char text[128];
    int rank;
} StatusPiece;

/* Whether standard error is a terminal that can redraw a line. */
bool status_possible(void);
/* `part`: filled fraction of the bar, 0 to 1. The text of pieces that do not fit is cleared. */
void status_draw(StatusPiece *pieces, int count, double part, bool colors);
void status_clear(void);

#endif
