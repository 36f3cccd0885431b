/* Plots of studies: the run owns them and stops where memory runs out. */
#include "apps/plot/line_plot.h"
#include "studies/study_host.h"
#include "studies/study_output.h"

#include <stdarg.h>
#include <stdlib.h>

struct StudySeries {
    StudyRun *run;
    StudySeries *next;
    PlotSeries *drawn;
};

struct StudyPlot {
    StudyOutput output;
    PlotPanel panel;
    StudySeries *series;
};

static void write_plot(const StudyOutput *output, FILE *file)
{
    plot_write(file, output->title, &((const StudyPlot *)output)->panel, 1);
}

static void release_plot(StudyOutput *output)
{
    StudyPlot *plot = (StudyPlot *)output;
    while (plot->series) {
        StudySeries *series = plot->series;
        plot->series = series->next;
        free(series);
    }
    plot_release(&plot->panel);
    free(plot);
}

StudyPlot *study_plot(StudyRun *run, const char *name, const char *title, const char *x_axis, const char *y_axis)
{
    StudyPlot *plot = study_output_new(run, sizeof *plot, name, "svg", title, release_plot);
    if (plot) {
        plot->output.write = write_plot;
        plot->panel.axis[0] = plot_axis(x_axis);
        plot->panel.axis[1] = plot_axis(y_axis);
    }
    return plot;
}

void study_scales(StudyPlot *plot, StudyScale x, StudyScale y)
{
    if (plot) {
        plot->panel.axis[0].log = x == STUDY_LOG;
        plot->panel.axis[1].log = y == STUDY_LOG;
    }
}

static void set_range(StudyPlot *plot, int which, double least, double most)
{
    if (plot) {
        plot->panel.axis[which].least = least;
        plot->panel.axis[which].most = most;
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
    char name[96];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    StudySeries *series = plot ? calloc(1, sizeof *series) : NULL;
    PlotSeries *drawn = series ? plot_add_series(&plot->panel, name) : NULL;
    if (!drawn) {
        free(series);
        if (plot) {
            study_fail(plot->output.run, DLP_ERROR_MEMORY, "out of memory");
        }
        return NULL;
    }
    *series = (StudySeries){plot->output.run, plot->series, drawn};
    plot->series = series;
    return series;
}

void study_style(StudySeries *series, int color, StudyStyle style)
{
    if (series) {
        series->drawn->color = color;
        series->drawn->style = (PlotStyle)style;
    }
}

void study_point(StudySeries *series, double x, double y)
{
    if (series && !plot_add_point(series->drawn, x, y)) {
        study_fail(series->run, DLP_ERROR_MEMORY, "out of memory");
    }
}
