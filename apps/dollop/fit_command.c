/* dollop fit: finds the law and the parameters of a material from measured data, and writes it for scenes. */
#include "apps/shared/messages.h"
#include "fit_report.h"
#include "json_report.h"
#include "plot_files.h"
#include "subcommands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct FitCommandOptions {
    const char *law, *density, *name, *output, *plot;
    int64_t modes;
    bool json, quiet;
} FitCommandOptions;

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* A name for the material, from that of the file: letters, digits and underscores, and a letter first, because YAML would take digits
 * for a number. */
static void default_name(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path, *dot = strrchr(base, '.');
    const size_t length = dot && dot > base ? (size_t)(dot - base) : strlen(base);
    size_t used = is_letter(*base) ? 0 : (size_t)snprintf(name, size, "material_");
    for (size_t i = 0; i < length && used + 1 < size; i++) {
        const bool is_word = is_letter(base[i]) || is_digit(base[i]);
        if (is_word || (used > 0 && name[used - 1] != '_')) {
            name[used++] = is_word ? base[i] : '_';
        }
    }
    name[used] = 0;
}

static ExitCode check_name(const char *name)
{
    for (const char *c = name; *c; c++) {
        if (!is_letter(*c) && (c == name || !(*c == '_' || *c == '-' || is_digit(*c)))) {
            message_error(
                "--name '%.60s' is not a name for a material: use letters, digits, '_' and '-', beginning with a letter",
                name);
            return EXIT_USAGE;
        }
    }
    if (!*name || strlen(name) >= DLP_NAME_SIZE) {
        message_error("--name must have 1 to %d characters", DLP_NAME_SIZE - 1);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* "1150", in kg/m3. */
static ExitCode read_density(const char *text, double *density)
{
    const dlp_Param *param = dlp_params_find(dlp_material_params(), "density");
    char *end = NULL;
    if (!text) {
        return EXIT_DONE;
    }
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= param->least && value <= param->most)) {
        message_error("--density must be a number from %g to %g, in kg/m3, but is '%s'", param->least, param->most,
                      text);
        return EXIT_USAGE;
    }
    *density = value;
    return EXIT_DONE;
}

static ExitCode read_data(const char *const *paths, int count, dlp_FitData *data)
{
    ExitCode code = EXIT_DONE;
    for (int i = 0; i < count && code == EXIT_DONE; i++) {
        size_t length = 0;
        dlp_Error error = {0};
        char *text = file_read_bytes(paths[i], FILE_GIVEN, &length);
        if (!text) {
            return errno == ENOMEM ? (message_error("out of memory"), EXIT_MEMORY) : file_fail("read", paths[i], errno);
        }
        const dlp_Result result = dlp_fit_data_read(data, paths[i], text, length, &error);
        if (result != DLP_OK) {
            message_error("%s", error.text);
            code = exit_code_of(result);
        }
        free(text);
    }
    return code;
}

static void print_notes(const FitReport *report)
{
    const char *at = dlp_fit_data_notes(report->data);
    while (*at) {
        const size_t length = strcspn(at, "\n");
        message_note("%.*s", (int)length, at);
        at += length + (at[length] == '\n');
    }
    const dlp_FitResult *best = dlp_fit_get(report->fit, 0);
    if (best->law < DLP_FIT_MAXWELL && dlp_fit_data_moduli_count(report->data) > 0) {
        message_note("the law %s is fitted to the flow curve alone; G' and G'' are not used",
                     dlp_fit_law_name((dlp_FitLaw)best->law));
    }
    for (int k = 0; k < best->parameter_count; k++) {
        if (!best->parameters[k].is_determined) {
            message_warning(
                "%s is not determined by these data (the material has %.2g): measure over a wider range, or choose a simpler "
                "law with --law",
                best->parameters[k].name, best->parameters[k].value);
        }
    }
    if (best->relative_error > 0.15) {
        message_warning("no fitted law follows these data: the best deviates by %.0f %%", 100.0 * best->relative_error);
    }
}

/* A material file of another origin is not replaced. */
static ExitCode check_replaceable(const char *path)
{
    char head[sizeof FIT_MATERIAL_MARK] = "";
    FILE *file = file_open(path, FILE_READ);
    if (!file) {
        return errno == ENOENT ? EXIT_DONE : file_fail("replace", path, errno);
    }
    const size_t length = fread(head, 1, sizeof head - 1, file);
    fclose(file);
    if (length > 0 && strcmp(head, FIT_MATERIAL_MARK) != 0) {
        message_error("%s exists and was not written by 'dollop fit': choose another name with -o", path);
        return EXIT_REFUSED;
    }
    return EXIT_DONE;
}

static ExitCode write_files(const FitReport *report, const FitCommandOptions *options)
{
    ExitCode code = options->output ? file_write_and_free(options->output, fit_material_text(report)) : EXIT_DONE;
    if (code == EXIT_DONE && options->plot) {
        code = fit_write_plot(report, options->plot);
    }
    if (code == EXIT_DONE && !options->quiet && !options->json) {
        if (options->output) {
            printf("\nmaterial  %s\n", printable(options->output).text);
        }
        if (options->plot) {
            printf("%splot      %s\n", options->output ? "" : "\n", printable(options->plot).text);
        }
    }
    return code;
}

static ExitCode report_fit(const FitReport *report, const FitCommandOptions *options)
{
    print_notes(report);
    if (!options->json && !options->quiet) {
        fit_print_text(report);
    }
    const ExitCode code = write_files(report, options);
    if (!options->json || code != EXIT_DONE) {
        return code;
    }
    Json json = json_begin(stdout);
    json_bool(&json, "done", true);
    json_text(&json, "name", report->name);
    fit_print_json(report, &json);
    json_text(&json, "material", options->output);
    json_text(&json, "plot", options->plot);
    json_report_members(&json, EXIT_DONE);
    json_end(&json);
    return EXIT_DONE;
}

static ExitCode fit_data(const FitCommandOptions *options, const dlp_FitOptions *fit_options, FitReport *report)
{
    dlp_Fit *fit = NULL;
    dlp_Error error = {0};
    const dlp_Result result = dlp_fit_create(report->data, fit_options, &fit, &error);
    if (result != DLP_OK) {
        message_error("%s", error.text);
        return exit_code_of(result);
    }
    report->fit = fit;
    const ExitCode code = report_fit(report, options);
    dlp_fit_destroy(fit);
    return code;
}

static dlp_FitLaw find_law(const char *name)
{
    int law = DLP_FIT_LAW_COUNT - 1;
    while (law > 0 && name && strcmp(dlp_fit_law_name((dlp_FitLaw)law), name) != 0) {
        law--;
    }
    return name ? (dlp_FitLaw)law : DLP_FIT_AUTO;
}

static ExitCode check_outputs(const FitCommandOptions *options)
{
    FolderPath plot;
    ExitCode code = options->output ? check_replaceable(options->output) : EXIT_DONE;
    if (code == EXIT_DONE && options->plot) {
        code = plot_output(&plot, options->plot, NULL, 0);
    }
    if (code == EXIT_DONE && options->output && options->plot && strcmp(options->output, options->plot) == 0) {
        message_error("the material and the plot cannot be the same file");
        code = EXIT_USAGE;
    }
    return code;
}

static ExitCode fit_files(const char *const *operands, int count, const void *given)
{
    const FitCommandOptions *options = given;
    dlp_FitOptions fit_options = dlp_default_fit_options();
    fit_options.law = find_law(options->law);
    fit_options.modes = (int32_t)options->modes;
    char name[DLP_NAME_SIZE];
    default_name(operands[0], name, sizeof name);
    FitReport report = {.paths = operands,
                        .path_count = count,
                        .name = options->name ? options->name : name,
                        .density_is_given = options->density != NULL};
    ExitCode code = check_name(report.name);
    code = code == EXIT_DONE ? read_density(options->density, &fit_options.density) : code;
    code = code == EXIT_DONE ? check_outputs(options) : code;
    if (code != EXIT_DONE) {
        return code;
    }
    dlp_FitData *data = NULL;
    dlp_Error error = {0};
    if (dlp_fit_data_create(&data, &error) != DLP_OK) {
        message_error("%s", error.text);
        return EXIT_MEMORY;
    }
    report.data = data;
    code = read_data(operands, count, data);
    if (code == EXIT_DONE) {
        code = fit_data(options, &fit_options, &report);
    }
    dlp_fit_data_destroy(data);
    return code;
}

static const char *const law_choices[] = {"auto",    "newtonian",        "power_law", "carreau", "cross", "casson",
                                          "bingham", "herschel_bulkley", "maxwell",   "modes",   NULL};

static const Option fit_options[] = {
    {.name = "law",
     .argument = "LAW",
     .kind = OPTION_TEXT,
     .offset = offsetof(FitCommandOptions, law),
     .choices = law_choices,
     .group = "Fit",
     .help = "law to fit (default: auto, the best by Bayes' information criterion)"},
    {.name = "modes",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(FitCommandOptions, modes),
     .least = 1,
     .most = DLP_MODES_MOST,
     .group = "Fit",
     .help = "number of relaxation modes (default: chosen by the criterion)"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(FitCommandOptions, output),
     .group = "Output",
     .help = "write the material to this YAML file, to be included or pasted into a scene"},
    {.name = "name",
     .argument = "NAME",
     .kind = OPTION_TEXT,
     .offset = offsetof(FitCommandOptions, name),
     .group = "Output",
     .help = "name of the material (default: that of the first file)"},
    {.name = "density",
     .argument = "KG_M3",
     .kind = OPTION_TEXT,
     .offset = offsetof(FitCommandOptions, density),
     .group = "Output",
     .help = "density of the material in kg/m3 (default: 1000, with a comment that it was not measured)"},
    {.name = "plot",
     .argument = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(FitCommandOptions, plot),
     .group = "Output",
     .help = "draw the measured points and the law as an SVG"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(FitCommandOptions, json),
     .group = "Messages",
     .help = "print one JSON object instead of text"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(FitCommandOptions, quiet),
     .group = "Messages",
     .help = "print only errors, warnings and notes"},
};

static const Example fit_examples[] = {
    {"dollop fit paint.csv", "which law describes this flow curve, and with which parameters"},
    {"dollop fit paint.csv -o paint.yaml --plot paint.svg --density 1250", "write the material and a plot of the fit"},
    {"dollop fit ketchup.csv --law herschel_bulkley", "one law, with its confidence intervals"},
    {"dollop fit melt.csv", "relaxation modes from the columns angular frequency, G' and G''"},
    {"dollop fit flow.csv sweep.csv --modes 4", "four modes from a flow curve and a frequency sweep together"},
    {NULL, NULL},
};

const Command fit_command = {
    .name = "fit",
    .operands = "FILE...",
    .summary = "fit the law of a material to a measured flow curve or frequency sweep",
    .description =
        "FILE is a table in text form, as rheometers export it: columns separated by commas, semicolons or tabs, named by quantity and "
        "unit, such as 'Shear Rate [1/s]' and 'Viscosity (mPa.s)', or with a second line of units. A flow curve needs shear rate and "
        "shear stress or viscosity; a frequency sweep needs frequency, storage modulus and loss modulus. Several files describe one "
        "material.\n"
        "\n"
        "Relative errors are minimised, so that all decades count alike. Parameters come with 95 % confidence intervals; one that the "
        "data do not determine is named as such. Without --law, all laws that apply are compared: flow laws for a flow curve, 1 to 8 "
        "relaxation modes with or without a solvent for a sweep or for both. The one with the lowest BIC is chosen among those whose "
        "parameters are all determined.\n"
        "\n"
        "The fit needs cminpack at build time.",
    .examples = fit_examples,
    .options = fit_options,
    .option_count = OPTION_COUNT(fit_options),
    .least_operands = 1,
    .most_operands = 100,
    .options_size = sizeof(FitCommandOptions),
    .run = fit_files,
};
