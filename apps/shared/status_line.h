/* One line on the terminal that is redrawn in place: a bar, and pieces of text that give way where it is narrow. */
#ifndef DOLLOP_STATUS_LINE_H
#define DOLLOP_STATUS_LINE_H

#include <stdbool.h>

#define STATUS_REDRAW_SECONDS 0.1 /* between two drawings, at least */

/* Where the line is too narrow the pieces with the highest `rank` go first; rank 0 stays. Empty ones are left out. */
typedef struct StatusPiece {
    char text[128];
    int rank;
} StatusPiece;

/* Whether standard error is a terminal that can redraw a line. */
bool status_possible(void);
/* `part` of the bar is filled, 0 to 1. Pieces that do not fit lose their text. */
void status_draw(StatusPiece *pieces, int count, double part, bool colors);
void status_clear(void);

#endif
