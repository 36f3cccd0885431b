/* The files of a plot: CSV files as given, the probes of run folders, and the SVG file that is written. */
#ifndef DOLLOP_PLOT_FILES_H
#define DOLLOP_PLOT_FILES_H

#include "apps/shared/run_folder.h"

typedef struct PlotFiles {
    FolderPath *paths;
    int count;
    bool has_folder; /* some operand is a folder */
} PlotFiles;

/* List the files; a folder stands for its probe_*.csv in the order of their names. Errors are printed to standard error. Release
 * `files` in any case. */
ExitCode plot_list_files(PlotFiles *files, const char *const *operands, int count);
void plot_release_files(PlotFiles *files);

/* The SVG file to write: `asked`, or the default if that is null. Only an SVG file is replaced. */
ExitCode plot_output(FolderPath *output, const char *asked, const FolderPath *files, int count);

#endif
