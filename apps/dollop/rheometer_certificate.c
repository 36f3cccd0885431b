/* Measures built-in materials at three spacings and three time steps, and writes a page about each, and an index. Each material is measured on
 * one thread in a process of its own, because 125 particles are too few for several threads. */
#include "rheometer_certificate.h"

#include "apps/shared/folder_files.h"
#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/run_folder.h"
#include "apps/shared/status_line.h"
#include "certificate_index.h"
#include "material_cells.h"
#include "rheometer_report.h"

#include <dollop/dollop.h>
#include <dollop/rheology.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SPACINGS = 3, TIME_STEPS = 3, POINTS = 5, EDGE = 5 };
static const double spacing_factors[SPACINGS] = {0.5, 1.0, 2.0}, step_factors[TIME_STEPS] = {0.5, 1.0, 2.0};

/* Four decades of rate, but no faster than this over the longest relaxation time, where start-up takes longest. */
static const double MOST_RATE = 100.0, MOST_WEISSENBERG = 2.0, DECADES = 1e-4;
/* s: flow of a material that relaxes more slowly takes too many steps to become steady; its moduli are measured instead. */
static const double LONGEST_RELAXATION = 10.0;

/* What was measured of a material. */
typedef struct Certificate {
    const dlp_LibraryMaterial *source;
    dlp_MaterialDef material;
    dlp_Measurement *measurement; /* at the middle spacing and time step */
    dlp_RheometerDef def;
    double deviation[SPACINGS][TIME_STEPS], worst; /* fractions */
} Certificate;

static double longest_relaxation(const dlp_MaterialDef *m)
{
    if (m->modes.count > 0) {
        return m->modes.mode[m->modes.count - 1].relaxation_time;
    }
    return m->flow_law != DLP_FLOW_NEWTONIAN ? 0.0
           : m->relaxation_time > 0.0        ? m->relaxation_time
           : m->modulus > 0.0                ? m->viscosity / m->modulus
                                             : 0.0;
}

static dlp_RheometerDef certificate_def(const dlp_MaterialDef *material)
{
    dlp_RheometerDef def = dlp_default_rheometer_def();
    def.threads = 1;
    def.edge = EDGE;
    def.points = POINTS;
    const double time = longest_relaxation(material);
    if (material_flows(material) && time < LONGEST_RELAXATION) {
        def.test = DLP_RHEOMETER_FLOW;
        def.to = time > 0.0 ? fmin(MOST_RATE, MOST_WEISSENBERG / time) : MOST_RATE;
        def.from = DECADES * def.to;
    } else {
        def.test = DLP_RHEOMETER_OSCILLATION;
        def.to = MOST_RATE;
        def.from = material_flows(material) ? DECADES * def.to : 0.01 * def.to;
        def.points = material_flows(material) ? POINTS : 3;
    }
    return def;
}

static dlp_Result measure_one(Certificate *certificate, int s, int t, dlp_Error *error)
{
    dlp_RheometerDef def = certificate->def;
    dlp_Measurement *measurement = NULL;
    def.spacing *= spacing_factors[s];
    def.time_step_factor = step_factors[t];
    const dlp_Result result = dlp_rheometer_run(&def, &certificate->material, &measurement, error);
    if (result != DLP_OK) {
        return result;
    }
    certificate->deviation[s][t] = rheometer_worst(measurement);
    certificate->worst = fmax(certificate->worst, certificate->deviation[s][t]);
    if (spacing_factors[s] == 1.0 && step_factors[t] == 1.0) {
        certificate->measurement = measurement;
    } else {
        dlp_measurement_destroy(measurement);
    }
    return DLP_OK;
}

static ExitCode measure(Certificate *certificate)
{
    dlp_Error error = {0};
    certificate->material = material_at_own_temperature(certificate->source);
    certificate->def = certificate_def(&certificate->material);
    dlp_Result result = dlp_rheometer_complete(&certificate->def, &certificate->material, &error);
    for (int k = 0; k < SPACINGS * TIME_STEPS && result == DLP_OK; k++) {
        result = measure_one(certificate, k / TIME_STEPS, k % TIME_STEPS, &error);
    }
    if (result != DLP_OK) {
        message_error("%s: %s", certificate->material.name, error.text);
    }
    return exit_code_of(result);
}

static HumanText percent(double fraction)
{
    HumanText text;
    snprintf(text.text, sizeof text.text, "%.2f %%", 100.0 * fraction);
    return text;
}

static void write_today(FILE *file)
{
    const time_t now = time(NULL);
    struct tm day;
    if (gmtime_r(&now, &day)) {
        fprintf(file, "%04d-%02d-%02d", day.tm_year + 1900, day.tm_mon + 1, day.tm_mday);
    }
}

static void write_number(FILE *file, double value)
{
    fprintf(file, isfinite(value) ? " %.4g |" : " - |", value);
}

/* The points at the middle spacing and time step. */
static void write_points(FILE *file, const Certificate *certificate)
{
    const bool is_flow = certificate->def.test == DLP_RHEOMETER_FLOW;
    fputs(
        is_flow
            ? "| rate, 1/s | stress of the law, Pa | measured, Pa | deviation | N1 of the law, Pa | measured, Pa |\n"
              "| ---: | ---: | ---: | ---: | ---: | ---: |\n"
            : "| frequency, rad/s | G' of the law, Pa | measured, Pa | deviation | G'' of the law, Pa | measured, Pa |\n"
              "| ---: | ---: | ---: | ---: | ---: | ---: |\n",
        file);
    for (int k = 0; k < dlp_measurement_count(certificate->measurement); k++) {
        const dlp_MeasuredPoint *point = dlp_measurement_point(certificate->measurement, k);
        const dlp_Rheology *law = &point->law, *m = &point->measured;
        fputc('|', file);
        write_number(file, is_flow ? point->rate : point->frequency);
        write_number(file, is_flow ? law->stress : law->storage);
        write_number(file, is_flow ? m->stress : m->storage);
        fprintf(file, " %s |", percent(dlp_measurement_error(certificate->measurement, k)).text);
        /* below a thousandth of the stress N1 is rounding */
        const bool has_normal = !is_flow || fabs(law->normal_stress) > 1e-3 * law->stress;
        write_number(file, is_flow ? law->normal_stress : law->loss);
        write_number(file, has_normal ? is_flow ? m->normal_stress : m->loss : NAN);
        fputc('\n', file);
    }
}

static void write_deviations(FILE *file, const Certificate *certificate)
{
    fputs("| spacing | half the time step | time step | twice the time step |\n| ---: | ---: | ---: | ---: |\n", file);
    for (int s = 0; s < SPACINGS; s++) {
        fprintf(file, "| %s |", human_length(certificate->def.spacing * spacing_factors[s]).text);
        for (int t = 0; t < TIME_STEPS; t++) {
            fprintf(file, " %s |", percent(certificate->deviation[s][t]).text);
        }
        fputc('\n', file);
    }
}

/* The parameters that make up its law. */
static void write_parameters(FILE *file, const Certificate *certificate)
{
    const dlp_ParamTable *table = dlp_material_params();
    fputs("| parameter | value |\n| --- | --- |\n", file);
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        const char *at = (const char *)&certificate->material + param->offset;
        if (dlp_params_is_default(param, &certificate->material)) {
            continue;
        }
        if (param->type == DLP_PARAM_REAL) {
            fprintf(file, "| `%s` | %.6g%s%s |\n", param->name, *(const double *)(const void *)at,
                    *param->unit ? " " : "", param->unit);
        } else if (param->type == DLP_PARAM_CHOICE && strcmp(param->name, "look") != 0) {
            fprintf(file, "| `%s` | %s |\n", param->name, param->choices[*(const int32_t *)(const void *)at]);
        } else if (param->type == DLP_PARAM_ROWS) {
            int64_t rows = 0;
            const double *numbers = dlp_params_rows(param, &certificate->material, &rows);
            fprintf(file, "| `%s` | ", param->name);
            for (int64_t row = 0; row < rows; row++) {
                fputs(row > 0 ? ", [" : "[", file);
                for (int c = 0; c < param->rows->columns; c++) {
                    fprintf(file, "%s%.6g %s", c > 0 ? ", " : "", numbers[row * param->rows->columns + c],
                            param->rows->units[c]);
                }
                fputs("]", file);
            }
            fputs(" |\n", file);
        }
    }
}

static char *page_text(const Certificate *certificate)
{
    const dlp_LibraryMaterial *source = certificate->source;
    const char *name = certificate->material.name;
    const bool is_flow = certificate->def.test == DLP_RHEOMETER_FLOW;
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file) {
        return NULL;
    }
    fprintf(file, "# %s\n\n%s\n\n", name, source->description);
    fprintf(file,
            "In simulations its %s is " DEVIATION_MARK
            "%s** of its law, at three particle spacings and three time steps. At the middle ones:\n\n",
            is_flow ? "flow curve" : "modulus", percent(certificate->worst).text);
    fprintf(file, "![%s of %s: law and measured points](%s.svg)\n\n", is_flow ? "Flow curve" : "Moduli", name, name);
    fprintf(file, "## Law\n\n%s at %s. Grade: %s. Source: %s.\n\n", cell_law(&certificate->material).text,
            cell_celsius(source->def.temperature).text, dlp_grade_name(source->grade), source->source);
    write_parameters(file, certificate);
    fprintf(file, "\n## Measurement\n\n%s, at a spacing of %s:\n\n",
            is_flow ? "Steady shear" : "Oscillations with a strain of 0.01",
            human_length(certificate->def.spacing).text);
    write_points(file, certificate);
    fputs("\nLargest deviation of all points:\n\n", file);
    write_deviations(file, certificate);
    fputs(
        is_flow
            ? "\nThe time step is a strain of 0.05 per step, of 0.025 if the material is elastic, at most 1 s and a tenth of the longest\n"
              "relaxation time.\n"
            : "\nThe time step is a part of 96 of the period.\n",
        file);
    fputs("\nMeasured on ", file);
    write_today(file);
    fprintf(file, " with dollop %s by `dollop rheometer --certify %s`; see [all materials](README.md).\n",
            dlp_version(), name);
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static ExitCode write_file(const char *folder, const char *name, const char *suffix, char *text)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, suffix);
    return file_write_and_free(path, text);
}

static ExitCode write_pages(const Certificate *certificate, const char *folder)
{
    const char *name = certificate->material.name;
    const RheometerReport report = {name, &certificate->material, certificate->measurement};
    const ExitCode code = write_file(folder, name, ".svg", rheometer_plot(&report));
    return code == EXIT_DONE ? write_file(folder, name, ".md", page_text(certificate)) : code;
}

static ExitCode certify_one(const dlp_LibraryMaterial *source, const CertificateOptions *options)
{
    Certificate certificate = {.source = source};
    ExitCode code = measure(&certificate);
    if (code == EXIT_DONE && !options->is_quiet) {
        printf("%-24s %-18s %-30s within %s\n", certificate.material.name, cell_law(&certificate.material).text,
               cell_flow(source, &certificate.material).text, percent(certificate.worst).text);
        fflush(stdout);
    }
    if (code == EXIT_DONE && options->folder) {
        code = write_pages(&certificate, options->folder);
    }
    if (code == EXIT_DONE && options->within > 0.0 && !(100.0 * certificate.worst <= options->within)) {
        message_error("%s deviates from its law by %s, more than %g %%", certificate.material.name,
                      percent(certificate.worst).text, options->within);
        code = EXIT_NOT_HELD;
    }
    dlp_measurement_destroy(certificate.measurement);
    return code;
}

/* Processes that measure a material each. */
typedef struct Workers {
    int64_t most, running;
    ExitCode code; /* of the first that failed */
} Workers;

static void add_code(Workers *workers, ExitCode code)
{
    workers->code = workers->code == EXIT_DONE ? code : workers->code;
}

static void wait_for_one(Workers *workers)
{
    int status = 0;
    pid_t child = wait(&status);
    while (child < 0 && errno == EINTR) {
        child = wait(&status);
    }
    workers->running = child < 0 ? 0 : workers->running - 1;
    add_code(workers, child >= 0 && WIFEXITED(status) ? (ExitCode)WEXITSTATUS(status) : EXIT_RESOURCE);
}

/* In a new process if several may run, and else in this one. */
static void start(Workers *workers, const dlp_LibraryMaterial *source, const CertificateOptions *options)
{
    while (workers->running >= workers->most) {
        wait_for_one(workers);
    }
    fflush(NULL);
    const pid_t child = workers->most > 1 ? fork() : -1;
    if (child == 0) {
        const ExitCode code = certify_one(source, options);
        fflush(NULL);
        _exit(code);
    } else if (child > 0) {
        workers->running++;
    } else {
        add_code(workers, certify_one(source, options));
    }
}

static ExitCode certify_list(const dlp_Library *library, const char *const *names, int count,
                             const CertificateOptions *options)
{
    const bool is_all = count == 1 && strcmp(names[0], "all") == 0;
    const int total = is_all ? dlp_library_count(library) : count;
    Workers workers = {.most = options->threads > 0 ? options->threads : sysconf(_SC_NPROCESSORS_ONLN)};
    for (int i = 0; i < total; i++) {
        const dlp_LibraryMaterial *source = is_all ? dlp_library_get(library, i) : dlp_library_find(library, names[i]);
        const dlp_MaterialDef own = material_at_own_temperature(source);
        if (material_has_law(&own)) {
            start(&workers, source, options);
        } else if (!is_all) {
            message_error("%s has no law in shear", names[i]);
            add_code(&workers, EXIT_USAGE);
        }
    }
    while (workers.running > 0) {
        wait_for_one(&workers);
    }
    if (options->folder) {
        add_code(&workers, write_file(options->folder, "README", ".md", certificate_index(library, options->folder)));
    }
    return workers.code;
}

static ExitCode prepare_folder(const char *folder)
{
    if (folder && mkdir(folder, 0777) != 0 && errno != EEXIST) {
        return file_fail("create", folder, errno);
    }
    return EXIT_DONE;
}

ExitCode rheometer_certify(const char *const *names, int count, const CertificateOptions *options)
{
    dlp_Library *library = NULL;
    dlp_Error error = {0};
    if (dlp_library_create(&library, &error) != DLP_OK) {
        message_error("%s", error.text);
        return exit_code_of(error.code);
    }
    ExitCode code = prepare_folder(options->folder);
    for (int i = 0; i < count && code == EXIT_DONE; i++) {
        if (!(count == 1 && strcmp(names[0], "all") == 0) && !dlp_library_find(library, names[i])) {
            message_error("there is no built-in material '%s'; 'dollop materials' lists all of them", names[i]);
            code = EXIT_USAGE;
        }
    }
    code = code == EXIT_DONE ? certify_list(library, names, count, options) : code;
    dlp_library_destroy(library);
    return code;
}
