/* What the files of a fit share: the measured points, and errors. */
#ifndef DLP_RHEOLOGY_FIT_PARTS_H
#define DLP_RHEOLOGY_FIT_PARTS_H

#include <dollop/fit.h>

struct dlp_FitData {
    dlp_FlowPoint *flow; /* room for DLP_FIT_POINTS_MOST, as in `moduli` */
    dlp_ModuliPoint *moduli;
    int flow_count, moduli_count;
    char *notes;
};

/* Write the text, made safe to print, to `error` (may be null) and return `code`. */
dlp_Result dlp__fit_fail(dlp_Error *error, dlp_Result code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Add a line to the notes, made safe to print. False without memory. */
bool dlp__fit_note(dlp_FitData *data, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
