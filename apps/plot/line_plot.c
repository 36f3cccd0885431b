/* Line plots: axes with marks, curves, a legend beside them. */
#include "line_plot.h"

#include "plot_svg.h"
#include "plot_ticks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* px */
#define PLOT_WIDTH    460.0
#define PLOT_HEIGHT   300.0
#define STACKED_LEAST 170.0 /* height of each of several panels */
#define LEFT          70.0  /* more if the numbers beside the y axis are long */
#define LEFT_TITLE    34.0  /* title of the y axis, and gaps */
#define TOP           46.0
#define BOTTOM        58.0
#define PANEL_GAP     38.0
#define RIGHT         24.0
#define LEGEND_GAP    22.0
#define LEGEND_LINE   24.0
#define LEGEND_HEIGHT 20.0

static const int64_t LONG_SERIES = 2000; /* points; longer ones are reduced */
static const double LARGEST = 1e300;     /* of a value that is shown: differences must not overflow */
static const double LEAST_RANGE = 1e-12; /* relative; rounding errors of a constant are not shown as a range */

/* One axis on the page: `begin` and `end` in px. */
typedef struct Scale {
    PlotTicks ticks;
    bool log;
    double begin, end;
} Scale;

/* A panel on the page. */
typedef struct Place {
    const PlotPanel *panel;
    Scale x, y;
    int number; /* of the panel, from 0 */
    bool is_last;
} Place;

static bool is_dashed(const PlotSeries *series)
{
    return series->style == PLOT_DASHED || series->style == PLOT_DASHED_DOTS;
}

static bool has_dots(const PlotSeries *series)
{
    return series->style == PLOT_DOTS || series->style == PLOT_DASHED_DOTS || series->style == PLOT_POINTS;
}

static double place(const Scale *scale, double value)
{
    const PlotTicks *ticks = &scale->ticks;
    const double part = scale->log ? log(value / ticks->least) / log(ticks->most / ticks->least)
                                   : (value - ticks->least) / (ticks->most - ticks->least);
    return scale->begin + part * (scale->end - scale->begin);
}

static bool can_show(const PlotPanel *panel, const double *point)
{
    return fabs(point[0]) <= LARGEST && fabs(point[1]) <= LARGEST && (!panel->axis[0].log || point[0] > 0) &&
           (!panel->axis[1].log || point[1] > 0);
}

static Scale make_scale(const PlotPanel *panel, int which, double begin, double end)
{
    const PlotAxis *axis = &panel->axis[which];
    double least = INFINITY, most = -INFINITY;
    for (const PlotSeries *series = panel->first; series; series = series->next) {
        for (int64_t i = 0; i < series->count; i++) {
            if (can_show(panel, series->points[i])) {
                least = fmin(least, series->points[i][which]);
                most = fmax(most, series->points[i][which]);
            }
        }
    }
    if (least > most) {
        least = axis->log ? 0.1 : 0;
        most = 1;
    }
    if (axis->least < axis->most) {
        least = axis->least;
        most = axis->most;
    } else if (!axis->log && least > 0 && least < 0.5 * most) {
        least = 0;
    } else if (!axis->log && most - least < LEAST_RANGE * fmax(fabs(least), fabs(most))) {
        most = least;
    }
    return (Scale){.ticks = axis->log ? plot_ticks_log(least, most) : plot_ticks_linear(least, most, 6),
                   .log = axis->log,
                   .begin = begin,
                   .end = end};
}

static void axis_title(const PlotAxis *axis, char *text, size_t size)
{
    snprintf(text, size, axis->unit[0] && axis->label[0] ? "%s (%s)" : "%s%s", axis->label, axis->unit);
}

static void draw_axes(FILE *file, const Place *at)
{
    char text[128];
    const Scale *x = &at->x, *y = &at->y;
    const double bottom = y->begin, right = x->end;
    fputs("<g stroke=\"#e6e6e6\">\n", file);
    for (int i = 0; i < x->ticks.count; i++) {
        fprintf(file, "<path d=\"M%.1f %.1fV%.1f\"/>\n", place(x, x->ticks.at[i]), y->end, bottom);
    }
    for (int i = 0; i < y->ticks.count; i++) {
        fprintf(file, "<path d=\"M%.1f %.1fH%.1f\"/>\n", x->begin, place(y, y->ticks.at[i]), right);
    }
    fprintf(file, "</g>\n<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#444\"/>\n", x->begin, y->end, bottom,
            right);
    for (int i = 0; i < x->ticks.count; i++) {
        svg_text(file, place(x, x->ticks.at[i]), bottom + 18, "middle", "fill=\"#444\"", x->ticks.label[i]);
    }
    for (int i = 0; i < y->ticks.count; i++) {
        svg_text(file, x->begin - 8, place(y, y->ticks.at[i]) + 4, "end", "fill=\"#444\"", y->ticks.label[i]);
    }
    if (at->is_last) {
        axis_title(&at->panel->axis[0], text, sizeof text);
        svg_text(file, (x->begin + right) / 2, bottom + 40, "middle", "", text);
    }
    axis_title(&at->panel->axis[1], text, sizeof text);
    char turn[64];
    snprintf(turn, sizeof turn, "transform=\"rotate(-90 18 %.1f)\"", (y->end + bottom) / 2);
    svg_text(file, 18, (y->end + bottom) / 2, "middle", turn, text);
}

static void stroke_style(FILE *file, const PlotSeries *series)
{
    const PlotColor color = plot_color(series->color);
    fprintf(file, " fill=\"none\" stroke=\"rgb(%d,%d,%d)\" stroke-width=\"1.8\" stroke-linejoin=\"round\"%s", color.red,
            color.green, color.blue,
            is_dashed(series)            ? " stroke-dasharray=\"6 4\""
            : series->style == PLOT_FINE ? " stroke-dasharray=\"1.8 3\""
                                         : "");
}

static void draw_dot(FILE *file, const PlotSeries *series, double x, double y)
{
    const PlotColor color = plot_color(series->color);
    if (has_dots(series)) {
        fprintf(file,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"%s\" stroke=\"rgb(%d,%d,%d)\" "
                "stroke-width=\"1.6\"/>\n",
                x, y, is_dashed(series) ? "#fff" : "none", color.red, color.green, color.blue);
    }
}

/* The pen of a curve. In a long series the points that fall into one column of pixels are drawn as the first, the lowest, the highest
 * and the last of them. */
typedef struct Pen {
    FILE *file;
    bool is_down, reduces, has_column;
    double column;
    double low[2], high[2], last[2];
} Pen;

static void pen_draw(Pen *pen, double x, double y)
{
    fprintf(pen->file, "%c%.1f %.1f", pen->is_down ? 'L' : 'M', x, y);
    pen->is_down = true;
}

static void pen_finish_column(Pen *pen)
{
    if (pen->has_column) {
        pen_draw(pen, pen->low[0], pen->low[1]);
        pen_draw(pen, pen->high[0], pen->high[1]);
        pen_draw(pen, pen->last[0], pen->last[1]);
    }
    pen->has_column = false;
}

static void pen_move(Pen *pen, double x, double y)
{
    if (!pen->reduces) {
        pen_draw(pen, x, y);
        return;
    }
    if (!pen->has_column || floor(x) != pen->column) {
        pen_finish_column(pen);
        pen_draw(pen, x, y);
        *pen = (Pen){pen->file, true, true, true, floor(x), {x, y}, {x, y}, {x, y}};
        return;
    }
    const double point[2] = {x, y};
    memcpy(pen->last, point, sizeof point);
    memcpy(y < pen->low[1] ? pen->low : pen->last, point, sizeof point);
    memcpy(y > pen->high[1] ? pen->high : pen->last, point, sizeof point);
}

static void draw_line(FILE *file, const Place *at, const PlotSeries *series)
{
    Pen pen = {.file = file, .reduces = series->count > LONG_SERIES};
    char number[16] = "";
    if (at->number > 0) {
        snprintf(number, sizeof number, "%d", at->number);
    }
    fprintf(file, "<path clip-path=\"url(#area%s)\" d=\"", number);
    for (int64_t i = 0; i < series->count; i++) {
        const double *point = series->points[i];
        if (can_show(at->panel, point)) {
            pen_move(&pen, place(&at->x, point[0]), place(&at->y, point[1]));
        } else {
            pen_finish_column(&pen);
            pen.is_down = false;
        }
    }
    pen_finish_column(&pen);
    fputc('"', file);
    stroke_style(file, series);
    fputs("/>\n", file);
}

static void draw_series(FILE *file, const Place *at, const PlotSeries *series)
{
    if (series->style != PLOT_POINTS) {
        draw_line(file, at, series);
    }
    for (int64_t i = 0; i < series->count; i++) {
        const double *point = series->points[i];
        if (can_show(at->panel, point)) {
            draw_dot(file, series, place(&at->x, point[0]), place(&at->y, point[1]));
        }
    }
}

static void draw_legend(FILE *file, const Place *at, double left)
{
    double y = at->y.end + 10;
    for (const PlotSeries *series = at->panel->first; series; series = series->next) {
        if (series->style != PLOT_POINTS) {
            fprintf(file, "<path d=\"M%.1f %.1fh%.1f\"", left, y - 4, LEGEND_LINE);
            stroke_style(file, series);
            fputs("/>\n", file);
        }
        draw_dot(file, series, left + LEGEND_LINE / 2, y - 4);
        svg_text(file, left + LEGEND_LINE + 8, y, "start", "", series->name);
        y += LEGEND_HEIGHT;
    }
}

static bool has_legend(const PlotPanel *panel)
{
    return panel->series_count > 1;
}

static double panel_height(const PlotPanel *panel, int count)
{
    const double height = fmax(PLOT_HEIGHT / count, count > 1 ? STACKED_LEAST : PLOT_HEIGHT);
    return fmax(height, LEGEND_HEIGHT * panel->series_count);
}

static void draw_panel(FILE *file, const Place *at)
{
    char number[16] = "";
    if (at->number > 0) {
        snprintf(number, sizeof number, "%d", at->number);
    }
    fprintf(file, "<clipPath id=\"area%s\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></clipPath>\n",
            number, at->x.begin, at->y.end - 2, PLOT_WIDTH + 2, at->y.begin - at->y.end + 4);
    draw_axes(file, at);
    for (const PlotSeries *series = at->panel->first; series; series = series->next) {
        draw_series(file, at, series);
    }
    if (has_legend(at->panel)) {
        draw_legend(file, at, at->x.end + LEGEND_GAP);
    }
}

/* px, space left of the axes. */
static double left_margin(const PlotPanel *panels, int count)
{
    double widest = 0;
    for (int n = 0; n < count; n++) {
        const PlotTicks ticks = make_scale(&panels[n], 1, 0, 1).ticks;
        for (int i = 0; i < ticks.count; i++) {
            widest = fmax(widest, svg_text_width(ticks.label[i]));
        }
    }
    return fmax(LEFT, widest + LEFT_TITLE);
}

void plot_write(FILE *file, const char *title, const PlotPanel *panels, int count)
{
    const double left = left_margin(panels, count);
    double legend = 0, height = PANEL_GAP * (count - 1);
    for (int n = 0; n < count; n++) {
        height += panel_height(&panels[n], count);
        for (const PlotSeries *series = panels[n].first; has_legend(&panels[n]) && series; series = series->next) {
            legend = fmax(legend, svg_text_width(series->name) + LEGEND_LINE + 8);
        }
    }
    const double width = fmax(left + PLOT_WIDTH + RIGHT + (legend > 0 ? LEGEND_GAP + legend : 0),
                              left + 1.2 * svg_text_width(title));
    svg_begin(file, width, TOP + height + BOTTOM, title);
    svg_text(file, left, 26, "start", "font-size=\"14\" font-weight=\"bold\"", title);
    double top = TOP;
    for (int n = 0; n < count; n++) {
        const double bottom = top + panel_height(&panels[n], count);
        draw_panel(file, &(Place){.panel = &panels[n],
                                  .x = make_scale(&panels[n], 0, left, left + PLOT_WIDTH),
                                  .y = make_scale(&panels[n], 1, bottom, top),
                                  .number = n,
                                  .is_last = n == count - 1});
        top = bottom + PANEL_GAP;
    }
    svg_end(file);
}

PlotAxis plot_axis(const char *text)
{
    PlotAxis axis = {.label = ""};
    const char *comma = strrchr(text, ',');
    const int length = comma ? (int)(comma - text) : (int)strlen(text);
    snprintf(axis.label, sizeof axis.label, "%.*s", length, text);
    snprintf(axis.unit, sizeof axis.unit, "%s", comma ? comma + 1 + strspn(comma + 1, " ") : "");
    return axis;
}

PlotSeries *plot_add_series(PlotPanel *panel, const char *name)
{
    PlotSeries *series = calloc(1, sizeof *series);
    if (series) {
        snprintf(series->name, sizeof series->name, "%s", name);
        series->color = panel->series_count++;
        *(panel->last ? &panel->last->next : &panel->first) = series;
        panel->last = series;
    }
    return series;
}

bool plot_add_point(PlotSeries *series, double x, double y)
{
    if (series->count == series->capacity) {
        const int64_t capacity = series->capacity > 0 ? 2 * series->capacity : 64;
        double(*points)[2] = realloc(series->points, (size_t)capacity * sizeof *points);
        if (!points) {
            return false;
        }
        series->points = points;
        series->capacity = capacity;
    }
    series->points[series->count][0] = x;
    series->points[series->count++][1] = y;
    return true;
}

void plot_release(PlotPanel *panel)
{
    while (panel->first) {
        PlotSeries *series = panel->first;
        panel->first = series->next;
        free(series->points);
        free(series);
    }
    panel->last = NULL;
    panel->series_count = 0;
}
