/* dollop plot: draws columns of CSV files as an SVG, columns of the same unit in one panel. */
#include "apps/plot/line_plot.h"
#include "apps/plot/plot_csv.h"
#include "apps/plot/plot_svg.h"
#include "apps/shared/folder_files.h"
#include "apps/shared/messages.h"
#include "apps/shared/run_folder.h"
#include "apps/shared/suggest.h"
#include "plot_files.h"
#include "subcommands.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PANELS_MOST = 12, SERIES_MOST = 40 };

typedef struct PlotOptions {
    const char *output, *columns, *x, *title, *log;
    bool quiet;
} PlotOptions;

/* The picture while files are added. */
typedef struct Picture {
    const PlotOptions *options;
    int file_count;
    PlotPanel panels[PANELS_MOST];
    int panel_count;
    int series_count;
    PlotAxis x; /* of the first file */
} Picture;

static ExitCode fail_column(const FolderPath *path, const CsvTable *table, const char *option, const char *name)
{
    Suggestion suggestion = suggest_begin(name);
    for (int c = 0; c < table->column_count; c++) {
        suggest_consider(&suggestion, table->columns[c].name);
    }
    const char *best = suggest_end(&suggestion);
    if (best) {
        message_error("%s: %s has no column '%s'; did you mean '%s'?", option, path->text, name, best);
        return EXIT_USAGE;
    }
    char list[400] = "";
    for (int c = 0; c < table->column_count && strlen(list) + 80 < sizeof list; c++) {
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", c > 0 ? ", " : "", table->columns[c].name);
    }
    message_error("%s: %s has no column '%s'; its columns: %s", option, path->text, name, list);
    return EXIT_USAGE;
}

static ExitCode fail_text(const FolderPath *path, const CsvColumn *column)
{
    message_error("%s: column '%s' cannot be plotted: line %lld contains text instead of a number", path->text,
                  column->name, (long long)column->text_line);
    return EXIT_USAGE;
}

/* The column of the x axis: as asked for, else the time, else the first one of numbers. */
static ExitCode find_x(const PlotOptions *options, const FolderPath *path, const CsvTable *table, int *x)
{
    *x = csv_find(table, options->x ? options->x : "time");
    if (*x < 0 && options->x) {
        return fail_column(path, table, "--x", options->x);
    }
    for (int c = 0; *x < 0 && c < table->column_count; c++) {
        *x = table->columns[c].text_line == 0 ? c : -1;
    }
    if (*x < 0) {
        message_error("%s has no column of numbers", path->text);
        return EXIT_USAGE;
    }
    return table->columns[*x].text_line == 0 ? EXIT_DONE : fail_text(path, &table->columns[*x]);
}

/* Shorten a label to the words that it shares with a name: "force" of "force_x" and "force_z", or nothing. */
static void keep_common(char *label, const char *name)
{
    size_t same = 0, kept = 0;
    for (; label[same] && label[same] == name[same]; same++) {
        kept = label[same] == '_' ? same : kept;
    }
    const bool ends = (!label[same] || label[same] == '_') && (!name[same] || name[same] == '_');
    label[ends ? same : kept] = 0;
}

/* The panel of a unit; null if there are too many. */
static PlotPanel *find_panel(Picture *picture, const CsvColumn *column)
{
    for (int n = 0; n < picture->panel_count; n++) {
        PlotPanel *panel = &picture->panels[n];
        if (strcmp(panel->axis[1].unit, column->unit) == 0) {
            keep_common(panel->axis[1].label, column->name);
            return panel;
        }
    }
    if (picture->panel_count == PANELS_MOST) {
        return NULL;
    }
    const char *log = picture->options->log ? picture->options->log : "";
    PlotPanel *panel = &picture->panels[picture->panel_count++];
    *panel = (PlotPanel){.axis = {picture->x}};
    panel->axis[0].log = strchr(log, 'x') != NULL;
    panel->axis[1].log = strchr(log, 'y') != NULL;
    snprintf(panel->axis[1].label, sizeof panel->axis[1].label, "%s", column->name);
    snprintf(panel->axis[1].unit, sizeof panel->axis[1].unit, "%s", column->unit);
    return panel;
}

static ExitCode add_column(Picture *picture, const FolderPath *path, const CsvTable *table, int x, int y)
{
    const CsvColumn *column = &table->columns[y];
    PlotPanel *panel = picture->series_count < SERIES_MOST ? find_panel(picture, column) : NULL;
    if (!panel) {
        message_error("more than %d curves or %d different units do not fit into one picture: select columns with "
                      "--columns",
                      SERIES_MOST, PANELS_MOST);
        return EXIT_USAGE;
    }
    char name[256];
    const char *base = path_base(path), *dot = strrchr(base, '.');
    const int length = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    if (picture->file_count > 1) {
        snprintf(name, sizeof name, "%.*s: %s", length < 120 ? length : 120, base, column->name);
    } else {
        snprintf(name, sizeof name, "%s", column->name);
    }
    PlotSeries *series = plot_add_series(panel, name);
    bool ok = series != NULL, is_shown = false;
    for (int64_t i = 0; ok && i < table->row_count; i++) {
        const double at = table->columns[x].values[i], value = column->values[i];
        ok = plot_add_point(series, at, value);
        is_shown = is_shown || (isfinite(at) && isfinite(value) && (!panel->axis[0].log || at > 0) &&
                                (!panel->axis[1].log || value > 0));
    }
    if (!ok) {
        message_error("out of memory");
        return EXIT_MEMORY;
    }
    if (!is_shown) {
        message_warning("%s: column '%s' has no value to show%s", path->text, column->name,
                        panel->axis[0].log || panel->axis[1].log ? " on logarithmic axes" : "");
    }
    series->style = series->color >= PLOT_COLORS ? PLOT_DASHED : PLOT_LINE; /* colours repeat */
    picture->series_count++;
    return EXIT_DONE;
}

/* Add the columns of the list "a,b,c". */
static ExitCode add_listed(Picture *picture, const FolderPath *path, const CsvTable *table, int x)
{
    ExitCode code = EXIT_DONE;
    char name[128];
    for (const char *at = picture->options->columns; code == EXIT_DONE && *at;) {
        const size_t length = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), at);
        const int column = csv_find(table, name);
        if (column < 0) {
            return fail_column(path, table, "--columns", name);
        }
        code = table->columns[column].text_line > 0 ? fail_text(path, &table->columns[column])
                                                    : add_column(picture, path, table, x, column);
        at += length + (at[length] == ',');
    }
    return code;
}

static bool has_value(const CsvTable *table, int column)
{
    for (int64_t i = 0; i < table->row_count; i++) {
        if (isfinite(table->columns[column].values[i])) {
            return true;
        }
    }
    return false;
}

/* Add the columns of a file: those that were asked for, or all that have a value. */
static ExitCode add_table(Picture *picture, const FolderPath *path, const CsvTable *table)
{
    int x = 0;
    ExitCode code = find_x(picture->options, path, table, &x);
    if (code != EXIT_DONE) {
        return code;
    }
    PlotAxis axis = {.label = ""};
    snprintf(axis.label, sizeof axis.label, "%s", table->columns[x].name);
    snprintf(axis.unit, sizeof axis.unit, "%s", table->columns[x].unit);
    if (picture->x.label[0] && (strcmp(picture->x.label, axis.label) != 0 || strcmp(picture->x.unit, axis.unit) != 0)) {
        message_error("%s: its x axis would be '%s [%s]', but that of the first file is '%s [%s]'; select one that all "
                      "files have with --x",
                      path->text, axis.label, axis.unit, picture->x.label, picture->x.unit);
        return EXIT_USAGE;
    }
    picture->x = axis;
    if (picture->options->columns) {
        return add_listed(picture, path, table, x);
    }
    const int before = picture->series_count;
    for (int c = 0; c < table->column_count && code == EXIT_DONE; c++) {
        if (c != x && table->columns[c].text_line == 0 && has_value(table, c)) {
            code = add_column(picture, path, table, x, c);
        }
    }
    if (code == EXIT_DONE && picture->series_count == before) {
        message_error("%s has no column of numbers besides '%s'", path->text, table->columns[x].name);
        return EXIT_USAGE;
    }
    return code;
}

static ExitCode add_file(Picture *picture, const FolderPath *path)
{
    char reason[256];
    CsvTable table;
    FILE *file = file_open(path->text, FILE_GIVEN);
    if (!file) {
        return file_fail("read", path->text, errno);
    }
    ExitCode code = EXIT_BROKEN_FILE;
    if (!csv_read(file, &table, reason, sizeof reason)) {
        message_error("cannot plot %s: %s", path->text, reason);
    } else {
        if (table.is_cut_short) {
            message_warning("%s: its last line is incomplete and left out", path->text);
        }
        code = add_table(picture, path, &table);
    }
    csv_release(&table);
    fclose(file);
    return code;
}

static void default_title(const FolderPath *path, int count, char *title, size_t size)
{
    const char *base = path_base(path), *dot = strrchr(base, '.');
    snprintf(title, size, "%.*s", count > 1 ? 0 : dot && dot > base ? (int)(dot - base) : (int)strlen(base), base);
}

static ExitCode write_picture(const Picture *picture, const char *title, const FolderPath *output)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (memory) {
        plot_write(memory, title, picture->panels, picture->panel_count);
    }
    if (!memory || fclose(memory) != 0) {
        message_error("out of memory");
        free(text);
        return EXIT_MEMORY;
    }
    const ExitCode code = file_write_text(output->text, text);
    if (code == EXIT_DONE && !picture->options->quiet) {
        printf("%s\n", printable(output->text).text);
    }
    free(text);
    return code;
}

/* One picture of all these files. */
static ExitCode draw(const PlotOptions *options, const FolderPath *files, int count)
{
    Picture picture = {.options = options, .file_count = count};
    FolderPath output;
    char title[256];
    ExitCode code = plot_output(&output, options->output, files, count);
    for (int n = 0; code == EXIT_DONE && n < count; n++) {
        code = add_file(&picture, &files[n]);
    }
    if (code == EXIT_DONE && picture.panel_count == 0) {
        message_error("--columns selects nothing");
        code = EXIT_USAGE;
    }
    if (code == EXIT_DONE) {
        default_title(&files[0], count, title, sizeof title);
        code = write_picture(&picture, options->title ? options->title : title, &output);
    }
    for (int n = 0; n < picture.panel_count; n++) {
        plot_release(&picture.panels[n]);
    }
    return code;
}

static ExitCode plot_operands(const char *const *operands, int count, const void *given)
{
    const PlotOptions *options = given;
    PlotFiles files;
    ExitCode code = plot_list_files(&files, operands, count);
    if (code == EXIT_DONE && files.has_folder && !options->output) { /* one picture beside each file */
        for (int n = 0; n < files.count; n++) {
            const ExitCode one = draw(options, &files.paths[n], 1);
            code = one != EXIT_DONE ? one : code;
        }
    } else if (code == EXIT_DONE) {
        code = draw(options, files.paths, files.count);
    }
    plot_release_files(&files);
    return code;
}

static const char *const log_choices[] = {"x", "y", "xy", NULL};

static const Option plot_options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(PlotOptions, output),
     .group = "Output",
     .help = "the SVG file (default: NAME.svg beside NAME.csv, plot.svg for several files)"},
    {.name = "columns",
     .argument = "LIST",
     .kind = OPTION_TEXT,
     .offset = offsetof(PlotOptions, columns),
     .group = "Plot",
     .help = "names of the columns to draw, separated by commas (default: all columns of numbers)"},
    {.name = "x",
     .argument = "NAME",
     .kind = OPTION_TEXT,
     .offset = offsetof(PlotOptions, x),
     .group = "Plot",
     .help = "column of the x axis (default: time, or the first column of numbers)"},
    {.name = "log",
     .argument = "AXES",
     .kind = OPTION_TEXT,
     .offset = offsetof(PlotOptions, log),
     .choices = log_choices,
     .group = "Plot",
     .help = "logarithmic axes: x, y or xy; values that are not above 0 leave a gap"},
    {.name = "title",
     .argument = "TEXT",
     .kind = OPTION_TEXT,
     .offset = offsetof(PlotOptions, title),
     .group = "Plot",
     .help = "title of the plot (default: the name of the file)"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(PlotOptions, quiet),
     .group = "Messages",
     .help = "print only errors and warnings"},
};

static const Example plot_examples[] = {
    {"dollop plot out/honey", "plot every probe_*.csv of a run; probe_NAME.svg is written beside it"},
    {"dollop plot out/honey/probe_plate.csv --columns force_z", "one column over time"},
    {"dollop plot coarse.csv fine.csv -o both.svg --title 'Height of the heap'", "compare two files in one picture"},
    {"dollop plot flow.csv --x shear_rate --columns stress --log xy", "a flow curve"},
    {NULL, NULL},
};

const Command plot_command = {
    .name = "plot",
    .operands = "FILE...",
    .summary = "draw columns of CSV files as an SVG plot",
    .description =
        "FILE is a CSV file with a header of names and units, such as 'time [s],height [m]', or the output folder "
        "of a run. Columns of the same unit share a panel; panels are stacked.",
    .examples = plot_examples,
    .options = plot_options,
    .option_count = OPTION_COUNT(plot_options),
    .least_operands = 1,
    .most_operands = 1000,
    .options_size = sizeof(PlotOptions),
    .run = plot_operands,
};
