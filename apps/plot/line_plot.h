/* Line plots as SVG: panels below each other, each with axes, curves and a legend beside it. Used by the command and by studies. */
#ifndef DOLLOP_LINE_PLOT_H
#define DOLLOP_LINE_PLOT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct PlotAxis {
    char label[64], unit[24]; /* either may be empty */
    bool log;
    double least, most; /* range, if least < most; otherwise from the points, and from 0 if these begin near it */
} PlotAxis;

typedef enum PlotStyle {
    PLOT_LINE,
    PLOT_DASHED,
    PLOT_DOTS, /* a line with a dot at each point */
    PLOT_DASHED_DOTS,
    PLOT_FINE,   /* a line of short dashes */
    PLOT_POINTS, /* dots without a line */
} PlotStyle;

typedef struct PlotSeries {
    struct PlotSeries *next;
    char name[96];
    int color; /* of the palette */
    PlotStyle style;
    double (*points)[2]; /* x, y */
    int64_t count, capacity;
} PlotSeries;

typedef struct PlotPanel {
    PlotAxis axis[2]; /* x, y */
    PlotSeries *first, *last;
    int series_count;
} PlotPanel;

/* "time, s" (label, unit). */
PlotAxis plot_axis(const char *text);

/* Add a series in the next colour; null without memory. */
PlotSeries *plot_add_series(PlotPanel *panel, const char *name);
/* One that is not finite leaves a gap. False without memory. */
bool plot_add_point(PlotSeries *series, double x, double y);
void plot_release(PlotPanel *panel); /* frees its series */

/* Write the SVG. Points that cannot be told apart at its resolution are left out of long series. */
void plot_write(FILE *file, const char *title, const PlotPanel *panels, int count);

#endif
