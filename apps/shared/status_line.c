/* Draws the status line. The cursor is never hidden, so that a killed process leaves a usable terminal. */
#include "status_line.h"

#include "human.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLEAR_LINE "\r\x1b[K"

enum { BAR_MIN = 10, BAR_MAX = 40, GAP = 2 };

bool status_possible(void)
{
    const char *terminal = getenv("TERM");
    return isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb") != 0;
}

void status_clear(void)
{
    fputs(CLEAR_LINE, stderr);
}

static int total_width(const StatusPiece *pieces, int count)
{
    int width = 0;
    for (int i = 0; i < count; i++) {
        width += pieces[i].text[0] ? (int)strlen(pieces[i].text) + GAP : 0;
    }
    return width;
}

/* Drop pieces until the line fits; returns the number of columns for the bar. */
static int fit(StatusPiece *pieces, int count, int columns)
{
    for (int rank = count - 1; rank > 0 && total_width(pieces, count) + BAR_MIN > columns; --rank) {
        for (int i = 0; i < count; i++) {
            if (pieces[i].rank == rank) {
                pieces[i].text[0] = 0;
            }
        }
    }
    const int bar = columns - total_width(pieces, count);
    return bar < 3 ? 0 : bar > BAR_MAX ? BAR_MAX : bar;
}

void status_draw(StatusPiece *pieces, int count, double part, bool colors)
{
    const int bar = fit(pieces, count, human_columns(STDERR_FILENO) - 1);
    char line[1024] = CLEAR_LINE;
    size_t at = strlen(line);
    if (bar > 0) {
        const int inner = bar - 2, filled = (int)(part * inner);
        at += (size_t)snprintf(line + at, sizeof line - at, "[%s", colors ? "\x1b[36m" : "");
        for (int i = 0; i < inner; i++) {
            line[at++] = i < filled ? '#' : i == filled && part < 1 ? '>' : '-';
        }
        at += (size_t)snprintf(line + at, sizeof line - at, "%s]", colors ? "\x1b[0m" : "");
    }
    for (int i = 0; i < count && at + sizeof pieces[i].text + GAP < sizeof line; i++) {
        if (pieces[i].text[0]) {
            at += (size_t)snprintf(line + at, sizeof line - at, "%*s%s", i > 0 || bar > 0 ? GAP : 0, "",
                                   pieces[i].text);
        }
    }
    fwrite(line, 1, at, stderr);
    fflush(stderr);
}
