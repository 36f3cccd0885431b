/* Reports a fit. Numbers have as many digits as their confidence intervals justify. */
#include "fit_report.h"

#include "apps/plot/line_plot.h"
#include "apps/shared/messages.h"

#include <dollop/dollop.h>
#include <dollop/rheology.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PRINTED_DIGITS = 2, WRITTEN_DIGITS = 4 }; /* of half the interval: to read, and to compute with */

typedef struct Number {
    char text[32];
} Number;

/* A value with so many digits of its uncertainty. */
static Number number(double value, double uncertainty, int digits)
{
    Number n;
    int significant = 6;
    if (value > 0.0 && uncertainty > 0.0 && isfinite(uncertainty)) {
        significant = (int)floor(log10(value)) - (int)floor(log10(uncertainty)) + digits;
    }
    significant = significant < 2 ? 2 : significant > 9 ? 9 : significant;
    snprintf(n.text, sizeof n.text, "%.*g", significant, value);
    return n;
}

static double half_interval(const dlp_FitParameter *parameter)
{
    return 0.5 * (parameter->high - parameter->low);
}

static Number printed(const dlp_FitParameter *parameter, double value)
{
    return number(value, half_interval(parameter), PRINTED_DIGITS);
}

/* A relative deviation: "2.6 %", "330 %". */
static Number percent(double deviation)
{
    Number n;
    if (deviation < 1e-4) {
        return (Number){"below 0.01 %"};
    }
    snprintf(n.text, sizeof n.text, deviation < 0.995 ? "%.2g %%" : "%.0f %%", fmin(100.0 * deviation, 1e9));
    return n;
}

/* "13.25 (13.00 to 13.50) Pa", "below 0.21 Pa", or that it is not determined. */
static void describe(const dlp_FitParameter *parameter, char *text, size_t size)
{
    const char *space = *parameter->unit ? " " : "";
    if (!parameter->is_determined) {
        snprintf(text, size, "not determined by these data");
    } else if (parameter->low <= 0.0) {
        snprintf(text, size, "below %s%s%s, may be 0", printed(parameter, parameter->high).text, space,
                 parameter->unit);
    } else {
        snprintf(text, size, "%s%s%s (%s to %s)", printed(parameter, parameter->value).text, space, parameter->unit,
                 printed(parameter, parameter->low).text, printed(parameter, parameter->high).text);
    }
}

/* "herschel_bulkley", "modes (3)" */
static void law_title(const dlp_FitResult *result, char *text, size_t size)
{
    const char *name = dlp_fit_law_name((dlp_FitLaw)result->law);
    if (result->law == DLP_FIT_MODES) {
        snprintf(text, size, "%s (%d)", name, result->modes);
    } else {
        snprintf(text, size, "%s", name);
    }
}

/* The least and the largest of values that are `stride` bytes apart. */
typedef struct Range {
    double least, most;
} Range;

static Range range_of(const double *values, int count, size_t stride)
{
    Range range = {INFINITY, 0.0};
    for (int k = 0; k < count; k++) {
        const double value = *(const double *)(const void *)((const char *)values + (size_t)k * stride);
        range.least = fmin(range.least, value);
        range.most = fmax(range.most, value);
    }
    return range;
}

static Range range_of_rates(const dlp_FitData *data)
{
    return range_of(&dlp_fit_data_flow(data)->rate, dlp_fit_data_flow_count(data), sizeof(dlp_FlowPoint));
}

static Range range_of_frequencies(const dlp_FitData *data)
{
    return range_of(&dlp_fit_data_moduli(data)->frequency, dlp_fit_data_moduli_count(data), sizeof(dlp_ModuliPoint));
}

static void print_data(const FitReport *report)
{
    const int flow = dlp_fit_data_flow_count(report->data), moduli = dlp_fit_data_moduli_count(report->data);
    if (flow > 0) {
        const Range range = range_of_rates(report->data);
        printf("flow curve       %d points, %.3g to %.3g 1/s\n", flow, range.least, range.most);
    }
    if (moduli > 0) {
        const Range range = range_of_frequencies(report->data);
        printf("frequency sweep  %d points, %.3g to %.3g rad/s\n", moduli, range.least, range.most);
    }
}

void fit_print_text(const FitReport *report)
{
    const dlp_FitResult *best = dlp_fit_get(report->fit, 0);
    char text[160];
    print_data(report);
    printf("\n%-18s %10s %12s %10s\n", "law", "parameters", "deviation", "BIC");
    for (int i = 0; i < dlp_fit_count(report->fit); i++) {
        const dlp_FitResult *result = dlp_fit_get(report->fit, i);
        law_title(result, text, sizeof text);
        printf("%-18s %10d %12s %10.1f%s\n", text, result->parameter_count, percent(result->relative_error).text,
               result->criterion,
               i == 0                  ? "  chosen"
               : result->is_determined ? ""
                                       : "  not determined by these data");
    }
    law_title(best, text, sizeof text);
    printf("\n%s: deviation %s, at most %s; parameters with 95 %% confidence intervals\n", text,
           percent(best->relative_error).text, percent(expm1(best->largest_error)).text);
    for (int k = 0; k < best->parameter_count; k++) {
        const dlp_FitParameter *parameter = &best->parameters[k];
        describe(parameter, text, sizeof text);
        printf("  %-26s %s\n", parameter->name, text);
    }
}

static void write_json_parameters(FILE *file, const dlp_FitResult *result)
{
    fputc('[', file);
    for (int k = 0; k < result->parameter_count; k++) {
        const dlp_FitParameter *parameter = &result->parameters[k];
        fprintf(file, "%s{\"name\": ", k > 0 ? ", " : "");
        json_write_string(file, parameter->name);
        fputs(", \"unit\": ", file);
        json_write_string(file, parameter->unit);
        fprintf(file, ", \"determined\": %s, \"value\": ", parameter->is_determined ? "true" : "false");
        json_write_real(file, parameter->value);
        fputs(", \"low\": ", file);
        json_write_real(file, parameter->is_determined ? parameter->low : NAN);
        fputs(", \"high\": ", file);
        json_write_real(file, parameter->is_determined ? parameter->high : NAN);
        fputc('}', file);
    }
    fputc(']', file);
}

void fit_print_json(const FitReport *report, Json *json)
{
    json_integer(json, "flow_points", dlp_fit_data_flow_count(report->data));
    json_integer(json, "moduli_points", dlp_fit_data_moduli_count(report->data));
    json_text(json, "law", dlp_fit_law_name((dlp_FitLaw)dlp_fit_get(report->fit, 0)->law));
    json_key(json, "laws");
    fputc('[', json->file);
    for (int i = 0; i < dlp_fit_count(report->fit); i++) {
        const dlp_FitResult *result = dlp_fit_get(report->fit, i);
        fprintf(json->file, "%s{\"law\": \"%s\", \"modes\": %d, \"values\": %d, \"determined\": %s, \"deviation\": ",
                i > 0 ? ", " : "", dlp_fit_law_name((dlp_FitLaw)result->law), result->modes, result->value_count,
                result->is_determined ? "true" : "false");
        json_write_real(json->file, result->relative_error);
        fputs(", \"largest\": ", json->file);
        json_write_real(json->file, expm1(result->largest_error));
        fputs(", \"bic\": ", json->file);
        json_write_real(json->file, result->criterion);
        fputs(", \"parameters\": ", json->file);
        write_json_parameters(json->file, result);
        fputc('}', json->file);
    }
    fputc(']', json->file);
}

/* The parameter of a fitted scalar; null if the law does not vary it. */
static const dlp_FitParameter *find_parameter(const dlp_FitResult *result, const char *name)
{
    for (int k = 0; k < result->parameter_count; k++) {
        if (strcmp(result->parameters[k].name, name) == 0) {
            return &result->parameters[k];
        }
    }
    return NULL;
}

static Number written(const dlp_FitParameter *parameter)
{
    return number(parameter->value, half_interval(parameter), WRITTEN_DIGITS);
}

static void write_modes(FILE *file, const dlp_FitResult *result)
{
    fputs("    modes: # relaxation time in s, modulus in Pa\n", file);
    for (int k = 0; k < result->modes; k++) {
        fprintf(file, "      - [%s, %s]\n", written(&result->parameters[2 * k]).text,
                written(&result->parameters[2 * k + 1]).text);
    }
}

static void write_head(FILE *file, const FitReport *report)
{
    const dlp_FitResult *best = dlp_fit_get(report->fit, 0);
    char text[160];
    fprintf(file, "%s (%s) from", FIT_MATERIAL_MARK, dlp_version());
    for (int i = 0; i < report->path_count; i++) {
        fprintf(file, " %s", printable(report->paths[i]).text);
    }
    law_title(best, text, sizeof text);
    fprintf(file, "\n# Law %s, fitted to %d values: deviation %s, at most %s. 95 %% confidence intervals:\n", text,
            best->value_count, percent(best->relative_error).text, percent(expm1(best->largest_error)).text);
    for (int k = 0; k < best->parameter_count; k++) {
        describe(&best->parameters[k], text, sizeof text);
        fprintf(file, "#   %s: %s\n", best->parameters[k].name, text);
    }
}

char *fit_material_text(const FitReport *report)
{
    const dlp_FitResult *best = dlp_fit_get(report->fit, 0);
    const dlp_ParamTable *table = dlp_material_params();
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return NULL;
    }
    write_head(file, report);
    fprintf(file, "materials:\n  %s:\n    density: %g # kg/m3%s\n", report->name, best->material.density,
            report->density_is_given ? "" : ", the default: not measured, please correct");
    if (best->material.flow_law != DLP_FLOW_NEWTONIAN) {
        fprintf(file, "    flow_law: %s\n", dlp_params_find(table, "flow_law")->choices[best->material.flow_law]);
    }
    for (int i = 0; i < table->count; i++) {
        const dlp_FitParameter *parameter = find_parameter(best, table->params[i].name);
        if (parameter) {
            fprintf(file, "    %s: %s%s%s\n", parameter->name, written(parameter).text, *parameter->unit ? " # " : "",
                    parameter->unit);
        }
    }
    if (best->modes > 1) {
        write_modes(file, best);
    }
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* Points of a smooth curve over the range of the data. */
enum { CURVE_POINTS = 121 };

static double curve_position(Range range, int k)
{
    return range.least * pow(range.most / range.least, (double)k / (CURVE_POINTS - 1));
}

static bool add_flow(PlotPanel *panel, const FitReport *report, const dlp_FitResult *best, const char *law)
{
    const dlp_FlowPoint *points = dlp_fit_data_flow(report->data);
    const Range range = range_of_rates(report->data);
    PlotSeries *measured = plot_add_series(panel, "measured"), *fitted = plot_add_series(panel, law);
    bool ok = measured && fitted;
    for (int k = 0; ok && k < dlp_fit_data_flow_count(report->data); k++) {
        ok = plot_add_point(measured, points[k].rate, points[k].stress);
    }
    for (int k = 0; ok && k < CURVE_POINTS; k++) {
        const double rate = curve_position(range, k);
        ok = plot_add_point(fitted, rate, dlp_material_shear_stress(&best->material, rate));
    }
    if (ok) {
        measured->style = PLOT_POINTS;
    }
    return ok;
}

static bool add_moduli(PlotPanel *panel, const FitReport *report, const dlp_FitResult *best)
{
    const dlp_ModuliPoint *points = dlp_fit_data_moduli(report->data);
    const Range range = range_of_frequencies(report->data);
    bool ok = true;
    for (int loss = 0; ok && loss < 2; loss++) {
        PlotSeries *measured = plot_add_series(panel, loss ? "G'' measured" : "G' measured");
        PlotSeries *fitted = plot_add_series(panel, loss ? "G'' fitted" : "G' fitted");
        ok = measured && fitted;
        for (int k = 0; ok && k < dlp_fit_data_moduli_count(report->data); k++) {
            ok = plot_add_point(measured, points[k].frequency, loss ? points[k].loss : points[k].storage);
        }
        for (int k = 0; ok && k < CURVE_POINTS; k++) {
            double moduli[2] = {0.0, 0.0};
            dlp_material_moduli(&best->material, curve_position(range, k), &moduli[0], &moduli[1]);
            ok = plot_add_point(fitted, curve_position(range, k), moduli[loss]);
        }
        if (ok) {
            measured->style = PLOT_POINTS;
            fitted->color = measured->color;
            fitted->style = loss ? PLOT_DASHED : PLOT_LINE;
        }
    }
    return ok;
}

static PlotPanel make_panel(const char *x, const char *y)
{
    PlotPanel panel = {.axis = {plot_axis(x), plot_axis(y)}};
    panel.axis[0].log = panel.axis[1].log = true;
    return panel;
}

ExitCode fit_write_plot(const FitReport *report, const char *path)
{
    const dlp_FitResult *best = dlp_fit_get(report->fit, 0);
    PlotPanel panels[2];
    int count = 0;
    char law[96], title[160], *text = NULL;
    size_t size = 0;
    bool ok = true;
    law_title(best, law, sizeof law);
    snprintf(title, sizeof title, "%s: %s, deviation %s", report->name, law, percent(best->relative_error).text);
    if (dlp_fit_data_flow_count(report->data) > 0) {
        panels[count] = make_panel("shear rate, 1/s", "shear stress, Pa");
        ok = add_flow(&panels[count++], report, best, law);
    }
    if (dlp_fit_data_moduli_count(report->data) > 0) {
        panels[count] = make_panel("angular frequency, rad/s", "modulus, Pa");
        ok = ok && add_moduli(&panels[count++], report, best);
    }
    FILE *memory = ok ? open_memstream(&text, &size) : NULL;
    if (memory) {
        plot_write(memory, title, panels, count);
    }
    ok = memory && fclose(memory) == 0;
    for (int i = 0; i < count; i++) {
        plot_release(&panels[i]);
    }
    if (!ok) {
        message_error("out of memory");
    }
    const ExitCode code = ok ? file_write_text(path, text) : EXIT_MEMORY;
    free(text);
    return code;
}
