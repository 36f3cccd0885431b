/* Plots: axes with marks, curves, a legend beside them. */
#include "studies/study_host.h"
#include "studies/study_output.h"
#include "studies/study_svg.h"
#include "studies/study_ticks.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* px */
#define PLOT_WIDTH    460.0
#define PLOT_HEIGHT   300.0
#define LEFT          70.0
#define TOP           46.0
#define BOTTOM        58.0
#define RIGHT         24.0
#define LEGEND_GAP    22.0
#define LEGEND_LINE   24.0
#define LEGEND_HEIGHT 20.0

typedef struct Axis {
    char label[64], unit[24];
    bool log;
    double least, most; /* asked for, if least < most */
} Axis;

struct StudySeries {
    StudyRun *run;
    StudySeries *next;
    char name[96];
    int color;
    StudyStyle style;
    double (*points)[2];
    int64_t count, capacity;
};

struct StudyPlot {
    StudyOutput output;
    Axis axis[2]; /* x, y */
    StudySeries *first, **last;
    int series_count;
};

/* One axis on the page: `begin` and `end` in px. */
typedef struct Scale {
    StudyTicks ticks;
    bool log;
    double begin, end;
} Scale;

static bool is_dashed(const StudySeries *series)
{
    return series->style == STUDY_DASHED || series->style == STUDY_DASHED_DOTS;
}

static bool has_dots(const StudySeries *series)
{
    return series->style == STUDY_DOTS || series->style == STUDY_DASHED_DOTS;
}

static double place(const Scale *scale, double value)
{
    const StudyTicks *ticks = &scale->ticks;
    const double part = scale->log ? log(value / ticks->least) / log(ticks->most / ticks->least)
                                   : (value - ticks->least) / (ticks->most - ticks->least);
    return scale->begin + part * (scale->end - scale->begin);
}

static bool can_show(const StudyPlot *plot, const double *point)
{
    return isfinite(point[0]) && isfinite(point[1]) && (!plot->axis[0].log || point[0] > 0) &&
           (!plot->axis[1].log || point[1] > 0);
}

static Scale make_scale(const StudyPlot *plot, int which, double begin, double end)
{
    const Axis *axis = &plot->axis[which];
    double least = INFINITY, most = -INFINITY;
    for (const StudySeries *series = plot->first; series; series = series->next) {
        for (int64_t i = 0; i < series->count; i++) {
            if (can_show(plot, series->points[i])) {
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
    }
    return (Scale){.ticks = axis->log ? study_ticks_log(least, most) : study_ticks_linear(least, most, 6),
                   .log = axis->log,
                   .begin = begin,
                   .end = end};
}

static void axis_title(const Axis *axis, char *text, size_t size)
{
    snprintf(text, size, axis->unit[0] ? "%s (%s)" : "%s", axis->label, axis->unit);
}

static void draw_axes(FILE *file, const StudyPlot *plot, const Scale *x, const Scale *y)
{
    char text[128];
    const double bottom = y->begin, right = x->end;
    fputs("<g stroke=\"#e6e6e6\">\n", file);
    for (int i = 0; i < x->ticks.count; i++) {
        const double at = place(x, x->ticks.at[i]);
        fprintf(file, "<path d=\"M%.1f %.1fV%.1f\"/>\n", at, y->end, bottom);
    }
    for (int i = 0; i < y->ticks.count; i++) {
        const double at = place(y, y->ticks.at[i]);
        fprintf(file, "<path d=\"M%.1f %.1fH%.1f\"/>\n", x->begin, at, right);
    }
    fprintf(file, "</g>\n<path d=\"M%.1f %.1fV%.1fH%.1f\" fill=\"none\" stroke=\"#444\"/>\n", x->begin, y->end, bottom,
            right);
    for (int i = 0; i < x->ticks.count; i++) {
        study_svg_text(file, place(x, x->ticks.at[i]), bottom + 18, "middle", "fill=\"#444\"", x->ticks.label[i]);
    }
    for (int i = 0; i < y->ticks.count; i++) {
        study_svg_text(file, x->begin - 8, place(y, y->ticks.at[i]) + 4, "end", "fill=\"#444\"", y->ticks.label[i]);
    }
    axis_title(&plot->axis[0], text, sizeof text);
    study_svg_text(file, (x->begin + right) / 2, bottom + 40, "middle", "", text);
    axis_title(&plot->axis[1], text, sizeof text);
    char turn[64];
    snprintf(turn, sizeof turn, "transform=\"rotate(-90 18 %.1f)\"", (y->end + bottom) / 2);
    study_svg_text(file, 18, (y->end + bottom) / 2, "middle", turn, text);
}

static void stroke_style(FILE *file, const StudySeries *series)
{
    const StudyColor color = study_color(series->color);
    fprintf(file, " fill=\"none\" stroke=\"rgb(%d,%d,%d)\" stroke-width=\"1.8\" stroke-linejoin=\"round\"%s", color.red,
            color.green, color.blue,
            is_dashed(series)             ? " stroke-dasharray=\"6 4\""
            : series->style == STUDY_FINE ? " stroke-dasharray=\"1.8 3\""
                                          : "");
}

static void draw_dot(FILE *file, const StudySeries *series, double x, double y)
{
    const StudyColor color = study_color(series->color);
    if (has_dots(series)) {
        fprintf(file,
                "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3.2\" fill=\"%s\" stroke=\"rgb(%d,%d,%d)\" "
                "stroke-width=\"1.6\"/>\n",
                x, y, is_dashed(series) ? "#fff" : "none", color.red, color.green, color.blue);
    }
}

static void draw_series(FILE *file, const StudyPlot *plot, const StudySeries *series, const Scale *x, const Scale *y)
{
    bool pen_down = false;
    fputs("<path clip-path=\"url(#area)\" d=\"", file);
    for (int64_t i = 0; i < series->count; i++) {
        const double *point = series->points[i];
        const bool shown = can_show(plot, point);
        if (shown) {
            fprintf(file, "%c%.1f %.1f", pen_down ? 'L' : 'M', place(x, point[0]), place(y, point[1]));
        }
        pen_down = shown;
    }
    fputc('"', file);
    stroke_style(file, series);
    fputs("/>\n", file);
    for (int64_t i = 0; i < series->count; i++) {
        const double *point = series->points[i];
        if (can_show(plot, point)) {
            draw_dot(file, series, place(x, point[0]), place(y, point[1]));
        }
    }
}

static void draw_legend(FILE *file, const StudyPlot *plot, double left)
{
    double y = TOP + 10;
    for (const StudySeries *series = plot->first; series; series = series->next) {
        fprintf(file, "<path d=\"M%.1f %.1fh%.1f\"", left, y - 4, LEGEND_LINE);
        stroke_style(file, series);
        fputs("/>\n", file);
        draw_dot(file, series, left + LEGEND_LINE / 2, y - 4);
        study_svg_text(file, left + LEGEND_LINE + 8, y, "start", "", series->name);
        y += LEGEND_HEIGHT;
    }
}

static void write_plot(const StudyOutput *output, FILE *file)
{
    const StudyPlot *plot = (const StudyPlot *)output;
    double legend = 0;
    for (const StudySeries *series = plot->first; series; series = series->next) {
        legend = fmax(legend, study_svg_text_width(series->name) + LEGEND_LINE + 8);
    }
    const bool beside = plot->series_count > 1;
    const double width = fmax(LEFT + PLOT_WIDTH + RIGHT + (beside ? LEGEND_GAP + legend : 0),
                              LEFT + 1.2 * study_svg_text_width(output->title));
    const double height = fmax(PLOT_HEIGHT, LEGEND_HEIGHT * plot->series_count);
    const Scale x = make_scale(plot, 0, LEFT, LEFT + PLOT_WIDTH), y = make_scale(plot, 1, TOP + height, TOP);
    study_svg_begin(file, width, TOP + height + BOTTOM, output->title);
    study_svg_text(file, LEFT, 26, "start", "font-size=\"14\" font-weight=\"bold\"", output->title);
    fprintf(file, "<clipPath id=\"area\"><rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/></clipPath>\n",
            LEFT, TOP - 2, PLOT_WIDTH + 2, height + 4);
    draw_axes(file, plot, &x, &y);
    for (const StudySeries *series = plot->first; series; series = series->next) {
        draw_series(file, plot, series, &x, &y);
    }
    if (beside) {
        draw_legend(file, plot, LEFT + PLOT_WIDTH + LEGEND_GAP);
    }
    study_svg_end(file);
}

static void release_plot(StudyOutput *output)
{
    StudyPlot *plot = (StudyPlot *)output;
    while (plot->first) {
        StudySeries *series = plot->first;
        plot->first = series->next;
        free(series->points);
        free(series);
    }
    free(plot);
}

/* "time, s" into its two halves. */
static Axis read_axis(const char *text)
{
    Axis axis = {.label = ""};
    const char *comma = strrchr(text, ',');
    const int length = comma ? (int)(comma - text) : (int)strlen(text);
    snprintf(axis.label, sizeof axis.label, "%.*s", length, text);
    snprintf(axis.unit, sizeof axis.unit, "%s", comma ? comma + 1 + strspn(comma + 1, " ") : "");
    return axis;
}

StudyPlot *study_plot(StudyRun *run, const char *name, const char *title, const char *x_axis, const char *y_axis)
{
    StudyPlot *plot = study_output_new(run, sizeof *plot, name, "svg", title, release_plot);
    if (plot) {
        plot->output.write = write_plot;
        plot->last = &plot->first;
        plot->axis[0] = read_axis(x_axis);
        plot->axis[1] = read_axis(y_axis);
    }
    return plot;
}

void study_scales(StudyPlot *plot, StudyScale x, StudyScale y)
{
    if (plot) {
        plot->axis[0].log = x == STUDY_LOG;
        plot->axis[1].log = y == STUDY_LOG;
    }
}

static void set_range(StudyPlot *plot, int which, double least, double most)
{
    if (plot) {
        plot->axis[which].least = least;
        plot->axis[which].most = most;
    }
}

void study_range_x(StudyPlot *plot, double least, double most)
{
    set_range(plot, 0, least, most);
}

void study_range_y(StudyPlot *plot, double least, double most)
{
    set_range(plot, 1, least, most);
}

StudySeries *study_series(StudyPlot *plot, const char *format, ...)
{
    StudySeries *series = plot ? calloc(1, sizeof *series) : NULL;
    if (!series) {
        if (plot) {
            study_fail(plot->output.run, DLP_ERROR_MEMORY, "out of memory");
        }
        return NULL;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(series->name, sizeof series->name, format, arguments);
    va_end(arguments);
    series->run = plot->output.run;
    series->color = plot->series_count++;
    *plot->last = series;
    plot->last = &series->next;
    return series;
}

void study_style(StudySeries *series, int color, StudyStyle style)
{
    if (series) {
        series->color = color;
        series->style = style;
    }
}

void study_point(StudySeries *series, double x, double y)
{
    double(*points)[2] = NULL;
    if (series) {
        points = study_grown(series->run, series->points, &series->capacity, series->count, sizeof *points);
    }
    if (points) {
        series->points = points;
        points[series->count][0] = x;
        points[series->count++][1] = y;
    }
}
