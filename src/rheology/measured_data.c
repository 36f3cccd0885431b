/* Measured points of a material. Tables in text form are read by table_read.c. */
#include "rheology/fit_parts.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dlp_Result dlp__fit_fail(dlp_Error *error, dlp_Result code, const char *format, ...)
{
    if (error) {
        char text[sizeof error->text];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        error->code = code;
        dlp_text_escape(DLP_TEXT_TERMINAL, text, error->text, sizeof error->text);
    }
    return code;
}

static dlp_Result fail_null(dlp_Error *error)
{
    return dlp__fit_fail(error, DLP_ERROR_ARGUMENT, "a pointer that is required is null");
}

static dlp_Result fail_memory(dlp_Error *error)
{
    return dlp__fit_fail(error, DLP_ERROR_MEMORY, "no memory for measured points");
}

bool dlp__fit_note(dlp_FitData *data, const char *format, ...)
{
    char text[512], line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    dlp_text_escape(DLP_TEXT_TERMINAL, text, line, sizeof line);
    const size_t before = data->notes ? strlen(data->notes) : 0, length = strlen(line);
    char *notes = realloc(data->notes, before + length + 2);
    if (!notes) {
        return false;
    }
    data->notes = notes;
    snprintf(notes + before, length + 2, "%s%s", before > 0 ? "\n" : "", line);
    return true;
}

dlp_Result dlp_fit_data_create(dlp_FitData **data, dlp_Error *error)
{
    if (!data) {
        return fail_null(error);
    }
    *data = NULL;
    dlp_FitData *created = calloc(1, sizeof *created);
    if (created) {
        created->flow = malloc(DLP_FIT_POINTS_MOST * sizeof *created->flow);
        created->moduli = malloc(DLP_FIT_POINTS_MOST * sizeof *created->moduli);
    }
    if (!created || !created->flow || !created->moduli) {
        dlp_fit_data_destroy(created);
        return fail_memory(error);
    }
    *data = created;
    return DLP_OK;
}

void dlp_fit_data_destroy(dlp_FitData *data)
{
    if (data) {
        free(data->flow);
        free(data->moduli);
        free(data->notes);
        free(data);
    }
}

static bool is_usable(double value)
{
    return value > 0.0 && isfinite(value);
}

static dlp_Result check_room(int present, int count, const char *what, dlp_Error *error)
{
    if (count < 0 || count > DLP_FIT_POINTS_MOST - present) {
        return dlp__fit_fail(error, DLP_ERROR_ARGUMENT, "a %s may have %d points at most", what, DLP_FIT_POINTS_MOST);
    }
    return DLP_OK;
}

dlp_Result dlp_fit_data_add_flow(dlp_FitData *data, const dlp_FlowPoint *points, int count, dlp_Error *error)
{
    if (!data || !points) {
        return fail_null(error);
    }
    for (int k = 0; k < count; k++) {
        if (!is_usable(points[k].rate) || !is_usable(points[k].stress)) {
            return dlp__fit_fail(error, DLP_ERROR_ARGUMENT,
                                 "point %d of the flow curve is (%g 1/s, %g Pa): both must be above 0", k + 1,
                                 points[k].rate, points[k].stress);
        }
    }
    const dlp_Result result = check_room(data->flow_count, count, "flow curve", error);
    if (result == DLP_OK) {
        memcpy(data->flow + data->flow_count, points, (size_t)count * sizeof *points);
        data->flow_count += count;
    }
    return result;
}

dlp_Result dlp_fit_data_add_moduli(dlp_FitData *data, const dlp_ModuliPoint *points, int count, dlp_Error *error)
{
    if (!data || !points) {
        return fail_null(error);
    }
    for (int k = 0; k < count; k++) {
        if (!is_usable(points[k].frequency) || !is_usable(points[k].storage) || !is_usable(points[k].loss)) {
            return dlp__fit_fail(error, DLP_ERROR_ARGUMENT,
                                 "point %d of the frequency sweep is (%g rad/s, %g Pa, %g Pa): all must be above 0",
                                 k + 1, points[k].frequency, points[k].storage, points[k].loss);
        }
    }
    const dlp_Result result = check_room(data->moduli_count, count, "frequency sweep", error);
    if (result == DLP_OK) {
        memcpy(data->moduli + data->moduli_count, points, (size_t)count * sizeof *points);
        data->moduli_count += count;
    }
    return result;
}

int dlp_fit_data_flow_count(const dlp_FitData *data)
{
    return data ? data->flow_count : 0;
}

const dlp_FlowPoint *dlp_fit_data_flow(const dlp_FitData *data)
{
    return data ? data->flow : NULL;
}

int dlp_fit_data_moduli_count(const dlp_FitData *data)
{
    return data ? data->moduli_count : 0;
}

const dlp_ModuliPoint *dlp_fit_data_moduli(const dlp_FitData *data)
{
    return data ? data->moduli : NULL;
}

const char *dlp_fit_data_notes(const dlp_FitData *data)
{
    return data && data->notes ? data->notes : "";
}
