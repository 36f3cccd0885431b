/* What `dollop fit` reports: a table, JSON, a material in YAML, and a plot. */
#ifndef DOLLOP_FIT_REPORT_H
#define DOLLOP_FIT_REPORT_H

#include "apps/shared/folder_files.h"
#include "json_out.h"

#include <dollop/fit.h>

/* The first line of each material file; only files that begin with it are replaced. */
#define FIT_MATERIAL_MARK "# Written by 'dollop fit'"

/* A fit with the names of what was read. */
typedef struct FitReport {
    const dlp_FitData *data;
    const dlp_Fit *fit;
    const char *const *paths;
    int path_count;
    const char *name;      /* of the material */
    bool density_is_given; /* otherwise it is the default */
} FitReport;

void fit_print_text(const FitReport *report);

/* Add the members of the report to an open object. */
void fit_print_json(const FitReport *report, Json *json);

/* The material as a section of a scene; to be freed, null without memory. */
char *fit_material_text(const FitReport *report);

/* Write an SVG of the measured points and of the best law. */
ExitCode fit_write_plot(const FitReport *report, const char *path);

#endif
