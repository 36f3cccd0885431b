/* What `dollop rheometer` reports of a measurement: a table with a verdict per decade, CSV, the JSON layout of TRIOS, and a plot. */
#ifndef DOLLOP_RHEOMETER_REPORT_H
#define DOLLOP_RHEOMETER_REPORT_H

#include "apps/shared/exit_codes.h"

#include <dollop/rheometer.h>
#include <stdbool.h>
#include <stdio.h>

/* A measured material. */
typedef struct RheometerReport {
    const char *name; /* of the material */
    const dlp_MaterialDef *material;
    const dlp_Measurement *measurement;
} RheometerReport;

/* How the sample is made, the points, and how far each decade is from the law. */
void rheometer_print(const RheometerReport *report);

/* The largest deviation of all points that have a law, as a fraction; NaN if none has. */
double rheometer_worst(const dlp_Measurement *measurement);

/* Texts to be freed; null without memory. */
char *rheometer_csv(const RheometerReport *report);
char *rheometer_trios(const RheometerReport *report);
char *rheometer_plot(const RheometerReport *report);

#endif
