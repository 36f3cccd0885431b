/* Reports a measurement of the virtual rheometer. Which columns a test has is said by one table. */
#include "rheometer_report.h"

#include "apps/plot/line_plot.h"
#include "apps/shared/human.h"
#include "json_out.h"

#include <dollop/dollop.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef double PointValue(const dlp_MeasuredPoint *point, const dlp_Rheology *rheology);

static double time_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)r;
    return p->time;
}

static double rate_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)r;
    return p->rate;
}

static double frequency_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)r;
    return p->frequency;
}

static double amplitude_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)r;
    return p->amplitude;
}

static double stress_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)p;
    return r->stress;
}

static double viscosity_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    return r->stress / p->rate;
}

static double normal_stress_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)p;
    return r->normal_stress;
}

static double strain_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)p;
    return r->strain;
}

static double storage_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)p;
    return r->storage;
}

static double loss_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)p;
    return r->loss;
}

static double neck_radius_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)p;
    return r->radius;
}

static double gap_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)r;
    return p->gap;
}

static double disc_radius_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)r;
    return p->radius;
}

static double rotation_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)r;
    return p->rotation;
}

static double force_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)p;
    return r->force;
}

static double torque_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)p;
    return r->torque;
}

static double cup_torque_of(const dlp_MeasuredPoint *p, const dlp_Rheology *r)
{
    (void)p;
    return r->cup_torque;
}

/* A quantity of a test, in SI. Names are those that rheometers use in their files; TRIOS has others for some. */
typedef struct Quantity {
    const char *name, *head, *unit;
    PointValue *value;
    bool has_law;
    const char *trios_name, *trios_unit; /* null: the same */
    double trios_factor;                 /* SI units to theirs; 0: 1 */
} Quantity;

#define FREQUENCY \
    { \
        "Angular frequency", "frequency", "rad/s", frequency_of, false, NULL, NULL, 0.0 \
    }
#define AMPLITUDE \
    { \
        "Strain amplitude", "strain", "", amplitude_of, false, "Oscillation strain", "%", 100.0 \
    }
#define TIME \
    { \
        "Time", "time", "s", time_of, false, NULL, NULL, 0.0 \
    }
#define RATE \
    { \
        "Shear rate", "rate", "1/s", rate_of, false, NULL, NULL, 0.0 \
    }
#define STRESS \
    { \
        "Shear stress", "stress", "Pa", stress_of, true, "Stress", NULL, 0.0 \
    }
#define VISCOSITY \
    { \
        "Viscosity", "viscosity", "Pa.s", viscosity_of, false, NULL, NULL, 0.0 \
    }
#define NORMAL_STRESS \
    { \
        "First normal stress difference", "N1", "Pa", normal_stress_of, true, NULL, NULL, 0.0 \
    }
#define STRAIN \
    { \
        "Shear strain", "strain", "", strain_of, true, "Strain", "%", 100.0 \
    }
#define STORAGE \
    { \
        "Storage modulus", "G'", "Pa", storage_of, true, NULL, NULL, 0.0 \
    }
#define LOSS \
    { \
        "Loss modulus", "G''", "Pa", loss_of, true, NULL, NULL, 0.0 \
    }
#define NECK_RADIUS \
    { \
        "Radius", "radius", "m", neck_radius_of, true, NULL, NULL, 0.0 \
    }
#define GAP \
    { \
        "Gap", "gap", "m", gap_of, false, NULL, "\u00b5m", 1e6 \
    }
#define DISC_RADIUS \
    { \
        "Radius", "radius", "m", disc_radius_of, false, NULL, NULL, 0.0 \
    }
#define FORCE \
    { \
        "Axial force", "force", "N", force_of, true, NULL, NULL, 0.0 \
    }
#define ROTATION \
    { \
        "Rotation", "rotation", "rad/s", rotation_of, false, "Velocity", NULL, 0.0 \
    }
#define TORQUE \
    { \
        "Torque", "torque", "N.m/m", torque_of, true, NULL, NULL, 0.0 \
    }
#define CUP_TORQUE \
    { \
        "Torque on the cup", "on cup", "N.m/m", cup_torque_of, false, NULL, NULL, 0.0 \
    }

enum { QUANTITIES_MOST = 4 };

/* The first is what the test varies, the second and third are drawn. */
static const struct {
    Quantity quantities[QUANTITIES_MOST];
    int count, drawn;
    bool is_log;
} layouts[DLP_RHEOMETER_TEST_COUNT] = {
    [DLP_RHEOMETER_FLOW] = {{RATE, STRESS, NORMAL_STRESS, VISCOSITY}, 4, 1, true},
    [DLP_RHEOMETER_OSCILLATION] = {{FREQUENCY, STORAGE, LOSS, AMPLITUDE}, 4, 2, true},
    [DLP_RHEOMETER_AMPLITUDE] = {{AMPLITUDE, STORAGE, LOSS, FREQUENCY}, 4, 2, true},
    [DLP_RHEOMETER_CREEP] = {{TIME, STRAIN, STRESS, RATE}, 4, 1, false},
    [DLP_RHEOMETER_STARTUP] = {{TIME, STRESS, NORMAL_STRESS, RATE}, 4, 1, false},
    [DLP_RHEOMETER_RELAXATION] = {{TIME, STRESS, NORMAL_STRESS}, 3, 1, true},
    [DLP_RHEOMETER_THINNING] = {{TIME, NECK_RADIUS}, 2, 1, false},
    [DLP_RHEOMETER_SQUEEZE] = {{GAP, FORCE, DISC_RADIUS, TIME}, 4, 1, false},
    [DLP_RHEOMETER_COUETTE] = {{RATE, TORQUE, CUP_TORQUE, ROTATION}, 4, 1, true},
    [DLP_RHEOMETER_VANE] = {{RATE, TORQUE, CUP_TORQUE, ROTATION}, 4, 1, true},
};

static double measured(const Quantity *quantity, const dlp_MeasuredPoint *point)
{
    return quantity->value(point, &point->measured);
}

static double expected(const Quantity *quantity, const dlp_MeasuredPoint *point)
{
    return quantity->value(point, &point->law);
}

/* "0.35 %", "< 0.01 %", "-" */
static HumanText percent(double fraction)
{
    HumanText text = {"-"};
    if (fraction < 1e-4) {
        return (HumanText){"< 0.01 %"};
    }
    if (isfinite(fraction)) {
        snprintf(text.text, sizeof text.text, fraction < 0.0995 ? "%.2f %%" : "%.0f %%", 100.0 * fraction);
    }
    return text;
}

static void print_heads(dlp_RheometerTest test)
{
    for (int row = 0; row < 2; row++) {
        for (int q = 0; q < layouts[test].count; q++) {
            const Quantity *quantity = &layouts[test].quantities[q];
            printf("%11s", row == 0 ? quantity->head : quantity->unit);
            if (quantity->has_law) {
                printf("%11s", row == 0 ? "law" : quantity->unit);
            }
        }
        printf("%15s%11s\n", row == 0 ? "deviation" : "", row == 0 ? "time step" : "");
    }
}

static void print_number(double value)
{
    if (isfinite(value)) {
        printf("%11.4g", value);
    } else {
        printf("%11s", "-");
    }
}

static void print_point(const RheometerReport *report, dlp_RheometerTest test, int index)
{
    const dlp_MeasuredPoint *point = dlp_measurement_point(report->measurement, index);
    for (int q = 0; q < layouts[test].count; q++) {
        const Quantity *quantity = &layouts[test].quantities[q];
        print_number(measured(quantity, point));
        if (quantity->has_law) {
            print_number(expected(quantity, point));
        }
    }
    printf("%15s%11s\n", percent(dlp_measurement_error(report->measurement, index)).text,
           human_seconds(point->time_step).text);
}

/* The largest deviation of the points from `first` to `last`. */
static double worst_of(const dlp_Measurement *measurement, int first, int last)
{
    double worst = NAN;
    for (int k = first; k <= last; k++) {
        worst = fmax(worst, dlp_measurement_error(measurement, k)); /* fmax leaves out NaN */
    }
    return worst;
}

double rheometer_worst(const dlp_Measurement *measurement)
{
    return worst_of(measurement, 0, dlp_measurement_count(measurement) - 1);
}

/* One line per decade of what the test varies, from its first to its last point, which also begins the next decade. */
static void print_verdicts(const RheometerReport *report, dlp_RheometerTest test)
{
    const Quantity *varied = &layouts[test].quantities[0];
    const int last = dlp_measurement_count(report->measurement) - 1;
    int first = 0;
    putchar('\n');
    do {
        const double begin = measured(varied, dlp_measurement_point(report->measurement, first));
        const double limit = layouts[test].is_log ? 10.0 * begin * (1.0 + 1e-9) : INFINITY;
        int end = first;
        while (end < last &&
               (end == first || measured(varied, dlp_measurement_point(report->measurement, end + 1)) <= limit)) {
            end++;
        }
        const double worst = worst_of(report->measurement, first, end);
        printf("%.3g to %.3g %s: ", begin, measured(varied, dlp_measurement_point(report->measurement, end)),
               varied->unit);
        if (isnan(worst)) {
            puts("the law has no value to compare with");
        } else {
            printf("within %s of the law\n", percent(fmax(worst, 1e-4)).text);
        }
        first = end;
    } while (first < last);
}

void rheometer_print(const RheometerReport *report)
{
    const dlp_RheometerDef def = dlp_measurement_def(report->measurement);
    const dlp_RheometerTest test = (dlp_RheometerTest)def.test;
    printf("%s: %s\n", report->name, dlp_rheometer_test_summary(test));
    if (test == DLP_RHEOMETER_THINNING) {
        printf("a thread of radius %s, ", human_length((double)def.edge * def.spacing).text);
        printf("%lld particles a radius", (long long)def.edge);
    } else {
        printf("%lld particles", (long long)dlp_measurement_particles(report->measurement));
    }
    printf(", spacing %s", human_length(def.spacing).text);
    switch (test) {
    case DLP_RHEOMETER_OSCILLATION: printf(", strain %.3g", def.strain); break;
    case DLP_RHEOMETER_AMPLITUDE: printf(", %.3g rad/s", def.frequency); break;
    case DLP_RHEOMETER_CREEP: printf(", stress %.4g Pa", def.stress); break;
    case DLP_RHEOMETER_STARTUP: printf(", rate %.3g 1/s", def.rate); break;
    case DLP_RHEOMETER_RELAXATION: printf(", strain %.3g", def.strain); break;
    case DLP_RHEOMETER_SQUEEZE: printf(", first gap %s", human_length(def.to).text); break;
    case DLP_RHEOMETER_VANE: printf(", %lld blades", (long long)def.blades); /* fall through */
    case DLP_RHEOMETER_COUETTE:
        printf(", radius %s in a cup of %s", human_length(def.radius).text, human_length(def.cup).text);
        break;
    default: break;
    }
    printf("\n\n");
    print_heads(test);
    for (int k = 0; k < dlp_measurement_count(report->measurement); k++) {
        print_point(report, test, k);
    }
    print_verdicts(report, test);
}

/* The open memory stream as a text; null if memory ran out. */
static char *close_text(FILE *file, char **text)
{
    if (!file || fclose(file) != 0) {
        free(*text);
        return NULL;
    }
    return *text;
}

static void write_cell(FILE *file, const char *separator, double value)
{
    fputs(separator, file);
    if (isfinite(value)) {
        fprintf(file, "%.9g", value);
    }
}

char *rheometer_csv(const RheometerReport *report)
{
    const dlp_RheometerDef def = dlp_measurement_def(report->measurement);
    const dlp_RheometerTest test = (dlp_RheometerTest)def.test;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    for (int q = 0; q < layouts[test].count && file; q++) {
        const Quantity *quantity = &layouts[test].quantities[q];
        fprintf(file, *quantity->unit ? "%s%s (%s)" : "%s%s", q > 0 ? "," : "", quantity->name, quantity->unit);
    }
    for (int q = 0; q < layouts[test].count && file; q++) {
        const Quantity *quantity = &layouts[test].quantities[q];
        if (quantity->has_law) {
            fprintf(file, *quantity->unit ? ",%s of the law (%s)" : ",%s of the law", quantity->name, quantity->unit);
        }
    }
    if (file) {
        fputs(",Deviation,Time step (s)\n", file);
    }
    for (int k = 0; k < dlp_measurement_count(report->measurement) && file; k++) {
        const dlp_MeasuredPoint *point = dlp_measurement_point(report->measurement, k);
        for (int q = 0; q < layouts[test].count; q++) {
            write_cell(file, q > 0 ? "," : "", measured(&layouts[test].quantities[q], point));
        }
        for (int q = 0; q < layouts[test].count; q++) {
            if (layouts[test].quantities[q].has_law) {
                write_cell(file, ",", expected(&layouts[test].quantities[q], point));
            }
        }
        write_cell(file, ",", dlp_measurement_error(report->measurement, k));
        write_cell(file, ",", point->time_step);
        fputc('\n', file);
    }
    return close_text(file, &text);
}

static const char *trios_name(const Quantity *quantity)
{
    return quantity->trios_name ? quantity->trios_name : quantity->name;
}

static const char *trios_unit(const Quantity *quantity)
{
    return quantity->trios_unit ? quantity->trios_unit : quantity->unit;
}

/* "Shear rate_1/s", the key of a column in TRIOS. */
static void write_column_key(FILE *file, const Quantity *quantity)
{
    char key[96];
    snprintf(key, sizeof key, *trios_unit(quantity) ? "%s_%s" : "%s%s", trios_name(quantity), trios_unit(quantity));
    json_write_string(file, key);
}

static void write_columns(FILE *file, dlp_RheometerTest test)
{
    for (int q = 0; q < layouts[test].count; q++) {
        const Quantity *quantity = &layouts[test].quantities[q];
        fputs(q > 0 ? ",\n        " : "\n        ", file);
        write_column_key(file, quantity);
        fputs(": {\"DisplayName\": ", file);
        json_write_string(file, trios_name(quantity));
        fputs(", \"ValueType\": \"Number\"", file);
        if (*trios_unit(quantity)) {
            fputs(", \"Unit\": {\"Name\": ", file);
            json_write_string(file, trios_unit(quantity));
            fputs("}", file);
        }
        fputs("}", file);
    }
    fputs(",\n        \"Results Step Id\": {\"DisplayName\": \"Results Step Id\", \"ValueType\": \"Uuid\"}", file);
}

/* What TRIOS calls the tests; readers choose by words of these. */
static const char *const step_names[DLP_RHEOMETER_TEST_COUNT] = {
    [DLP_RHEOMETER_FLOW] = "Flow sweep",
    [DLP_RHEOMETER_OSCILLATION] = "Frequency sweep",
    [DLP_RHEOMETER_AMPLITUDE] = "Amplitude sweep",
    [DLP_RHEOMETER_CREEP] = "Creep",
    [DLP_RHEOMETER_STARTUP] = "Stress growth",
    [DLP_RHEOMETER_RELAXATION] = "Stress relaxation",
    [DLP_RHEOMETER_THINNING] = "Filament thinning",
    [DLP_RHEOMETER_SQUEEZE] = "Axial squeeze",
    [DLP_RHEOMETER_COUETTE] = "Flow sweep",
    [DLP_RHEOMETER_VANE] = "Flow sweep",
};

/* The one step of a measurement, a constant UUID. */
#define STEP_ID "646f6c6c-6f70-4000-8000-000000000001"

static void write_rows(FILE *file, const RheometerReport *report, dlp_RheometerTest test)
{
    for (int k = 0; k < dlp_measurement_count(report->measurement); k++) {
        const dlp_MeasuredPoint *point = dlp_measurement_point(report->measurement, k);
        fprintf(file, "%s        {\"Results Step Id\": \"" STEP_ID "\"", k > 0 ? ",\n" : "");
        for (int q = 0; q < layouts[test].count; q++) {
            const Quantity *quantity = &layouts[test].quantities[q];
            const double factor = quantity->trios_factor > 0.0 ? quantity->trios_factor : 1.0;
            const double value = factor * measured(quantity, point);
            if (isfinite(value)) {
                fputs(", ", file);
                write_column_key(file, quantity);
                fprintf(file, ": %.9g", value);
            }
        }
        fputs("}", file);
    }
}

char *rheometer_trios(const RheometerReport *report)
{
    const dlp_RheometerTest test = (dlp_RheometerTest)dlp_measurement_def(report->measurement).test;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) {
        return NULL;
    }
    fputs(
        "{\n  \"Schema\": {\"Url\": \"https://software.tainstruments.com/schemas/TRIOSJSONExportSchema\"},\n  \"Operators\": [],\n",
        file);
    fputs("  \"Sample\": {\"Name\": ", file);
    json_write_string(file, report->name);
    fprintf(file, ", \"Density\": {\"Value\": %.9g, \"Unit\": {\"Name\": \"kg/m3\"}}},\n", report->material->density);
    fprintf(file,
            "  \"Procedure\": {\"Name\": \"dollop rheometer %s\", \"Steps\": [{\"Name\": \"%s\", \"Id\": \"" STEP_ID
            "\"}], \"Configuration\": {}},\n",
            dlp_version(), step_names[test]);
    fprintf(
        file,
        "  \"Results\": {\n    \"Processed\": {\n      \"Classification\": {\"Id\": \"Unmodified\", \"Description\": "
        "\"Data from the original experiment\"},\n      \"ResultsSteps\": [{\"Id\": \"" STEP_ID
        "\", \"Name\": \"%s\"}],\n      \"ColumnHeaders\": {",
        step_names[test]);
    write_columns(file, test);
    fputs("\n      },\n      \"Rows\": [\n", file);
    write_rows(file, report, test);
    fputs("\n      ]\n    }\n  },\n  \"Analyses\": []\n}\n", file);
    return close_text(file, &text);
}

static bool add_series(PlotPanel *panel, const RheometerReport *report, const Quantity *x, const Quantity *y, int index)
{
    const int count = dlp_measurement_count(report->measurement);
    char law[96];
    snprintf(law, sizeof law, "%s of the law", y->head);
    PlotSeries *points = plot_add_series(panel, y->head), *line = plot_add_series(panel, law);
    bool ok = points && line;
    for (int k = 0; ok && k < count; k++) {
        const dlp_MeasuredPoint *point = dlp_measurement_point(report->measurement, k);
        const double at = measured(x, point), here = measured(y, point), there = expected(y, point);
        const bool is_log = panel->axis[1].log;
        ok = (is_log && !(here > 0.0)) || plot_add_point(points, at, here);
        ok = ok && ((is_log && !(there > 0.0)) || plot_add_point(line, at, there));
    }
    if (ok) {
        points->style = PLOT_POINTS;
        line->color = points->color;
        line->style = index > 0 ? PLOT_DASHED : PLOT_LINE;
    }
    return ok;
}

char *rheometer_plot(const RheometerReport *report)
{
    const dlp_RheometerTest test = (dlp_RheometerTest)dlp_measurement_def(report->measurement).test;
    const Quantity *quantities = layouts[test].quantities;
    char label[2][96], title[160], *text = NULL;
    size_t size = 0;
    for (int a = 0; a < 2; a++) {
        const char *name = a == 1 && layouts[test].drawn > 1 ? "Modulus" : quantities[a].name;
        snprintf(label[a], sizeof label[a], *quantities[a].unit ? "%s, %s" : "%s%s", name, quantities[a].unit);
    }
    PlotPanel panel = {.axis = {plot_axis(label[0]), plot_axis(label[1])}};
    panel.axis[0].log = panel.axis[1].log = layouts[test].is_log;
    bool ok = true;
    for (int n = 0; n < layouts[test].drawn && ok; n++) {
        ok = add_series(&panel, report, &quantities[0], &quantities[n + 1], n);
    }
    snprintf(title, sizeof title, "%.64s, %s: deviation %s", report->name, dlp_rheometer_test_name(test),
             percent(rheometer_worst(report->measurement)).text);
    FILE *file = ok ? open_memstream(&text, &size) : NULL;
    if (file) {
        plot_write(file, title, &panel, 1);
    }
    plot_release(&panel);
    return close_text(file, &text);
}
