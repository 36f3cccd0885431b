/* dollop rheometer: measures a material with the particles of method physical and compares it with its law. */
#include "apps/shared/folder_files.h"
#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/status_line.h"
#include "apps/shared/wall_clock.h"
#include "plot_files.h"
#include "rheometer_certificate.h"
#include "rheometer_report.h"
#include "subcommands.h"

#include <dollop/dollop.h>
#include <dollop/material_library.h>
#include <dollop/rheology.h>
#include <dollop/scene.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct RheometerOptions {
    const char *test, *rates, *frequencies, *strains, *times, *gaps;
    const char *rate, *strain, *frequency, *stress, *radius, *cup;
    const char *spacing, *time_step, *within;
    const char *output, *trios, *plot;
    int64_t edge, blades, threads;
    bool certify, quiet;
} RheometerOptions;

/* A bar with the remaining time, on a terminal. */
typedef struct Display {
    bool is_shown;
    const char *name;
    double begin, drawn; /* s, clock */
} Display;

static void show_progress(void *user, double fraction)
{
    Display *display = user;
    const double now = clock_seconds();
    if (!display->is_shown || now - display->drawn < STATUS_REDRAW_SECONDS) {
        return;
    }
    StatusPiece pieces[2] = {{.rank = 0}, {.rank = 1}};
    snprintf(pieces[0].text, sizeof pieces[0].text, "%s", display->name);
    if (fraction > 0.0) {
        const double left = (now - display->begin) * (1.0 - fraction) / fraction;
        snprintf(pieces[1].text, sizeof pieces[1].text, "%s left", human_duration(left).text);
    }
    status_draw(pieces, 2, fraction, message_colors(2));
    display->drawn = now;
}

static ExitCode read_number(const char *name, const char *text, double *value)
{
    char *end = NULL;
    if (!text) {
        return EXIT_DONE;
    }
    *value = strtod(text, &end);
    if (end == text || *end || !(*value > 0.0) || isinf(*value)) {
        message_error("--%s must be a number above 0 in SI units, but is '%s'", name, text);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* "0.01,100" or "0.01,100,9" */
static ExitCode read_range(const char *name, const char *text, dlp_RheometerDef *def)
{
    char *end = NULL;
    if (!text) {
        return EXIT_DONE;
    }
    def->from = strtod(text, &end);
    bool ok = end != text && *end == ',';
    if (ok) {
        const char *second = end + 1;
        def->to = strtod(second, &end);
        ok = end != second;
    }
    if (ok && *end == ',') {
        const char *third = end + 1;
        def->points = strtoll(third, &end, 10);
        ok = end != third && def->points > 0;
    }
    if (!ok || *end || !(def->from > 0.0) || !(def->to >= def->from) || isinf(def->to)) {
        message_error("--%s must be FROM,TO or FROM,TO,POINTS, such as 0.01,100,9, but is '%s'", name, text);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* Options that only some tests use: an option of another test is an error. */
static ExitCode read_test_options(const RheometerOptions *options, dlp_RheometerDef *def)
{
    enum {
        FLOW = 1 << DLP_RHEOMETER_FLOW,
        OSCILLATION = 1 << DLP_RHEOMETER_OSCILLATION,
        AMPLITUDE = 1 << DLP_RHEOMETER_AMPLITUDE,
        CREEP = 1 << DLP_RHEOMETER_CREEP,
        STARTUP = 1 << DLP_RHEOMETER_STARTUP,
        RELAXATION = 1 << DLP_RHEOMETER_RELAXATION,
        THINNING = 1 << DLP_RHEOMETER_THINNING,
        SQUEEZE = 1 << DLP_RHEOMETER_SQUEEZE,
        COUETTE = 1 << DLP_RHEOMETER_COUETTE,
        VANE = 1 << DLP_RHEOMETER_VANE
    };
    const struct {
        const char *name, *text;
        double *value; /* null: the range of the test */
        int tests;
    } list[] = {
        {"rates", options->rates, NULL, FLOW | COUETTE | VANE},
        {"frequencies", options->frequencies, NULL, OSCILLATION},
        {"strains", options->strains, NULL, AMPLITUDE},
        {"times", options->times, NULL, CREEP | STARTUP | RELAXATION | THINNING},
        {"gaps", options->gaps, NULL, SQUEEZE},
        {"rate", options->rate, &def->rate, STARTUP | SQUEEZE},
        {"strain", options->strain, &def->strain, OSCILLATION | RELAXATION},
        {"frequency", options->frequency, &def->frequency, AMPLITUDE},
        {"stress", options->stress, &def->stress, CREEP},
        {"radius", options->radius, &def->radius, SQUEEZE | COUETTE | VANE},
        {"cup", options->cup, &def->cup, COUETTE | VANE},
        {"spacing", options->spacing, &def->spacing, -1},
        {"time-step", options->time_step, &def->time_step, -1},
    };
    ExitCode code = EXIT_DONE;
    for (size_t n = 0; n < sizeof list / sizeof list[0] && code == EXIT_DONE; n++) {
        if (list[n].text && !(list[n].tests & (1 << def->test))) {
            message_error("the test %s does not use --%s", dlp_rheometer_test_name((dlp_RheometerTest)def->test),
                          list[n].name);
            return EXIT_USAGE;
        }
        code = list[n].value ? read_number(list[n].name, list[n].text, list[n].value)
                             : read_range(list[n].name, list[n].text, def);
    }
    return code;
}

/* Without --test: the flow curve, or the moduli of an elastic solid, which has none. */
static ExitCode make_def(const RheometerOptions *options, const dlp_MaterialDef *material, dlp_RheometerDef *def)
{
    *def = dlp_default_rheometer_def();
    if (!options->test && isnan(dlp_material_shear_stress(material, 1.0))) {
        def->test = DLP_RHEOMETER_OSCILLATION;
    }
    for (int t = 0; t < DLP_RHEOMETER_TEST_COUNT && options->test; t++) {
        if (strcmp(options->test, dlp_rheometer_test_name((dlp_RheometerTest)t)) == 0) {
            def->test = t;
        }
    }
    def->edge = options->edge > 0 ? options->edge : def->edge;
    def->blades = options->blades;
    def->threads = options->threads;
    if (options->blades > 0 && def->test != DLP_RHEOMETER_VANE) {
        message_error("only the test vane uses --blades");
        return EXIT_USAGE;
    }
    return read_test_options(options, def);
}

/* A material of the library at its own temperature. */
static ExitCode find_built_in(const char *name, dlp_MaterialDef *material)
{
    dlp_Error error = {0};
    if (dlp_library_material(name, material, &error) != DLP_OK) {
        message_error("%s", error.text);
        message_note("a material of a file is given as FILE.yaml or FILE.yaml:NAME");
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

/* The material `name` of a world, or its first one if that is null. */
static ExitCode find_in_world(dlp_World *world, const char *path, const char *name, dlp_MaterialDef *material)
{
    for (dlp_MaterialId id = 0; id < dlp_world_material_count(world); id++) {
        const dlp_ViscosityKey *keys = NULL;
        int count = 0;
        if (dlp_world_get_material(world, id, material) == DLP_OK && (!name || strcmp(material->name, name) == 0)) {
            char own_name[DLP_NAME_SIZE];
            snprintf(own_name, sizeof own_name, "%s", material->name);
            dlp_world_get_material_viscosities(world, id, &keys, &count);
            *material = dlp_material_at(material, keys, count, material->temperature);
            snprintf(material->name, sizeof material->name, "%s", own_name);
            return EXIT_DONE;
        }
    }
    if (name) {
        message_error("%s has no material '%s'", path, name);
    } else {
        message_error("%s defines no material", path);
    }
    return EXIT_USAGE;
}

/* The file alone, or with a drop of the material, which a file with nothing but materials needs to be a scene. */
static dlp_Result load_world(const char *path, const char *name, dlp_World **world, dlp_Error *error)
{
    char drop[DLP_NAME_SIZE + 96];
    const char *const settings[] = {drop, "world.spacing=0.01"};
    dlp_Scene *scene = NULL;
    snprintf(drop, sizeof drop, "fluids=[{material: %.*s, shape: box, size: [0.03, 0.03, 0.03]}]", DLP_NAME_SIZE,
             name ? name : "");
    dlp_Result result = dlp_scene_load(path, NULL, 0, &scene, error);
    if (result == DLP_ERROR_SCENE && name) {
        dlp_Error other = {0};
        result = dlp_scene_load(path, settings, 2, &scene, &other) == DLP_OK ? DLP_OK : result;
    }
    result = result == DLP_OK ? dlp_scene_build(scene, world, error) : result;
    dlp_scene_destroy(scene);
    return result;
}

/* "FILE.yaml" or "FILE.yaml:NAME": the first material of the file, or the one of that name. */
static ExitCode find_in_file(const char *operand, const char *name, dlp_MaterialDef *material)
{
    char path[4096];
    dlp_World *world = NULL;
    dlp_Error error = {0};
    snprintf(path, sizeof path, "%.*s", name ? (int)(name - operand) : (int)sizeof path - 1, operand);
    const dlp_Result result = load_world(path, name ? name + 1 : NULL, &world, &error);
    ExitCode code = exit_code_of(result);
    if (result != DLP_OK) {
        message_error("%s", error.text);
        if (!name) {
            message_note("a file with nothing but materials needs the name of one: %s:NAME", path);
        }
    } else {
        code = find_in_world(world, path, name ? name + 1 : NULL, material);
    }
    dlp_world_destroy(world);
    return code;
}

static ExitCode find_material(const char *operand, dlp_MaterialDef *material)
{
    const char *colon = strrchr(operand, ':'), *dot = strrchr(operand, '.');
    if (dot || strchr(operand, '/')) {
        return find_in_file(operand, colon && dot && colon > dot ? colon : NULL, material);
    }
    return find_built_in(operand, material);
}

static ExitCode write_files(const RheometerReport *report, const RheometerOptions *options)
{
    ExitCode code = options->output ? file_write_and_free(options->output, rheometer_csv(report)) : EXIT_DONE;
    if (code == EXIT_DONE && options->trios) {
        code = file_write_and_free(options->trios, rheometer_trios(report));
    }
    if (code == EXIT_DONE && options->plot) {
        code = file_write_and_free(options->plot, rheometer_plot(report));
    }
    return code;
}

/* EXIT_NOT_HELD if a deviation is above the limit of --within. */
static ExitCode check_limit(const RheometerReport *report, const RheometerOptions *options)
{
    double limit = INFINITY;
    const ExitCode code = read_number("within", options->within, &limit);
    const double worst = 100.0 * rheometer_worst(report->measurement);
    if (code == EXIT_DONE && options->within && !(worst <= limit)) {
        message_error("%s deviates by %.2f %%, more than %g %%", report->name, worst, limit);
        return EXIT_NOT_HELD;
    }
    return code;
}

static ExitCode measure(const dlp_MaterialDef *material, dlp_RheometerDef *def, const RheometerOptions *options)
{
    Display display = {
        .is_shown = !options->quiet && status_possible(), .name = material->name, .begin = clock_seconds()};
    dlp_Measurement *measurement = NULL;
    dlp_Error error = {0};
    def->progress = show_progress;
    def->user = &display;
    const dlp_Result result = dlp_rheometer_run(def, material, &measurement, &error);
    if (display.drawn > 0.0) {
        status_clear();
    }
    if (result != DLP_OK) {
        message_error("%s: %s", material->name, error.text);
        return result == DLP_ERROR_ARGUMENT ? EXIT_USAGE : exit_code_of(result);
    }
    const RheometerReport report = {material->name, material, measurement};
    if (!options->quiet) {
        rheometer_print(&report);
    }
    ExitCode code = write_files(&report, options);
    code = code == EXIT_DONE ? check_limit(&report, options) : code;
    dlp_measurement_destroy(measurement);
    return code;
}

static ExitCode check_outputs(const RheometerOptions *options)
{
    FolderPath plot;
    double limit = 0.0;
    const ExitCode code = read_number("within", options->within, &limit);
    return code == EXIT_DONE && options->plot ? plot_output(&plot, options->plot, NULL, 0) : code;
}

static ExitCode run_rheometer(const char *const *operands, int count, const void *given)
{
    const RheometerOptions *options = given;
    double within = 0.0;
    if (options->certify) {
        const ExitCode code = read_number("within", options->within, &within);
        return code != EXIT_DONE ? code
                                 : rheometer_certify(operands, count,
                                                     &(CertificateOptions){options->output, options->threads, within,
                                                                           options->quiet});
    }
    dlp_RheometerDef def;
    dlp_MaterialDef material;
    if (count != 1) {
        message_error("give one material; several only with --certify");
        return EXIT_USAGE;
    }
    ExitCode code = check_outputs(options);
    code = code == EXIT_DONE ? find_material(operands[0], &material) : code;
    code = code == EXIT_DONE ? make_def(options, &material, &def) : code;
    return code == EXIT_DONE ? measure(&material, &def, options) : code;
}

static const char *const test_choices[] = {"flow",     "oscillation", "amplitude", "creep", "startup", "relaxation",
                                           "thinning", "squeeze",     "couette",   "vane",  NULL};

#define TEXT_OPTION(option_name, member, value_name, heading, text) \
    { \
        .name = option_name, .argument = value_name, .kind = OPTION_TEXT, \
        .offset = offsetof(RheometerOptions, member), .group = heading, .help = text \
    }

static const Option rheometer_options[] = {
    {.name = "test",
     .letter = 't',
     .argument = "TEST",
     .kind = OPTION_TEXT,
     .offset = offsetof(RheometerOptions, test),
     .choices = test_choices,
     .group = "Test",
     .help = "flow (default), oscillation (default for elastic solids), amplitude, creep, startup, relaxation, "
             "thinning, squeeze, couette or vane"},
    TEXT_OPTION("rates", rates, "FROM,TO[,N]", "Test",
                "flow, couette, vane: shear rates in 1/s, N of them on a logarithmic scale"),
    TEXT_OPTION("frequencies", frequencies, "FROM,TO[,N]", "Test", "oscillation: angular frequencies in rad/s"),
    TEXT_OPTION("strains", strains, "FROM,TO[,N]", "Test", "amplitude: strain amplitudes (1 is 100 %)"),
    TEXT_OPTION("times", times, "FROM,TO[,N]", "Test", "creep, startup, relaxation, thinning: times in s"),
    TEXT_OPTION("gaps", gaps, "FROM,TO[,N]", "Test",
                "squeeze: gaps between the plates in m; it closes from TO to FROM"),
    TEXT_OPTION("rate", rate, "RATE", "Test", "startup: shear rate in 1/s; squeeze: the same at the plates at the rim"),
    TEXT_OPTION("strain", strain, "STRAIN", "Test", "oscillation: amplitude; relaxation: sudden strain"),
    TEXT_OPTION("frequency", frequency, "FREQUENCY", "Test", "amplitude: angular frequency in rad/s"),
    TEXT_OPTION("stress", stress, "PA", "Test", "creep: constant shear stress in Pa"),
    TEXT_OPTION("radius", radius, "M", "Test", "squeeze: radius of the disc in m; couette, vane: of bob or vane"),
    TEXT_OPTION("cup", cup, "M", "Test", "couette, vane: radius of the cup in m (default: 1.5 times that)"),
    {.name = "blades",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(RheometerOptions, blades),
     .least = 2,
     .most = 8,
     .group = "Test",
     .help = "vane: number of blades, even (default: 4)"},
    TEXT_OPTION("spacing", spacing, "M", "Simulation", "distance between particles in m (default: from the material)"),
    TEXT_OPTION("time-step", time_step, "S", "Simulation",
                "time step in s (default: chosen for each point, and shown)"),
    {.name = "edge",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(RheometerOptions, edge),
     .least = 4,
     .most = 32,
     .group = "Simulation",
     .help = "particles along an edge of the box or a radius of the thread (default: 6), or across the gap of squeeze, "
             "couette and vane (default: 8)"},
    {.name = "threads",
     .letter = 'j',
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(RheometerOptions, threads),
     .least = 1,
     .most = 1024,
     .group = "Simulation",
     .help = "number of threads, with --certify of materials at a time; does not affect the result"},
    {.name = "output",
     .letter = 'o',
     .argument = "FILE",
     .kind = OPTION_TEXT,
     .offset = offsetof(RheometerOptions, output),
     .group = "Output",
     .help =
         "write the points as CSV, one row each, with names and units of the columns; with --certify, the folder of the pages"},
    TEXT_OPTION("trios", trios, "FILE", "Output",
                "write the points as JSON in the layout of TRIOS, which rheology tools read"),
    TEXT_OPTION("plot", plot, "FILE", "Output", "draw the measured points and the law as an SVG"),
    TEXT_OPTION("within", within, "PERCENT", "Output", "exit with code 1 if a point deviates from the law by more"),
    {.name = "certify",
     .kind = OPTION_FLAG,
     .offset = offsetof(RheometerOptions, certify),
     .group = "Output",
     .help = "measure built-in materials at three spacings and three time steps, and write a page about each"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(RheometerOptions, quiet),
     .group = "Messages",
     .help = "print only errors and warnings"},
};

static const Example rheometer_examples[] = {
    {"dollop rheometer ketchup", "the flow curve that ketchup has in simulations, beside its law"},
    {"dollop rheometer shampoo --test oscillation --plot moduli.svg", "G' and G'' over four decades of frequency"},
    {"dollop rheometer paint.yaml --rates 0.1,1000,13 -o paint.csv",
     "a material of your own, as a table for other tools"},
    {"dollop rheometer pour.yaml:honey --spacing 0.004 --time-step 0.01",
     "at the spacing and the time step of a scene"},
    {"dollop rheometer yogurt --test creep --stress 20", "does it flow at a stress of 20 Pa?"},
    {"dollop rheometer toothpaste --test squeeze --plot squeeze.svg", "the force to squeeze it between two discs"},
    {"dollop rheometer ketchup --test vane --blades 6", "the torque on a vane, and how far it is from that on a bob"},
    {"dollop rheometer ketchup --within 3", "exit with code 1 if a point is more than 3 % off"},
    {"dollop rheometer --certify all -o docs/materials", "a page about each built-in material"},
    {NULL, NULL},
};

const Command rheometer_command = {
    .name = "rheometer",
    .operands = "MATERIAL...",
    .summary = "measure the rheology of a material as it is simulated, and compare it with its law",
    .description =
        "MATERIAL is the name of a built-in material, or FILE.yaml[:NAME]: a material of a scene, or of a file that 'dollop fit' wrote; "
        "without NAME the first one of the scene.\n"
        "\n"
        "The particles of method physical fill a small periodic box that is sheared without walls, like an ideal rheometer. Stresses are "
        "means over all particles. The last three tests have walls without slip. Beside each point stands what the law of the material predicts; lines at the end say how far each "
        "decade is from it. Materials are measured at their own temperature.\n"
        "\n"
        "Tests:\n"
        "  flow         steady shear: stress, viscosity and first normal stress difference over the rate\n"
        "  oscillation  small oscillations: G' and G'' over the frequency\n"
        "  amplitude    oscillations of growing strain: where the material yields or softens\n"
        "  creep        strain over time at a constant stress\n"
        "  startup      stress over time from rest, with its overshoot\n"
        "  relaxation   stress over time after a sudden strain\n"
        "  thinning     radius of the neck of a thread under surface tension over time\n"
        "  squeeze      a disc between plates that approach each other: force over the gap\n"
        "  couette      a bob that turns in a cup: torque over the shear rate at the bob\n"
        "  vane         a vane that turns in a cup; the law is that of a bob as wide as the vane\n"
        "\n"
        "Spacing and time step are chosen so that they do not matter. Give those of your scene to see what they do to its material: a step "
        "that is too long for a fast flow shows as a deviation.",
    .examples = rheometer_examples,
    .options = rheometer_options,
    .option_count = OPTION_COUNT(rheometer_options),
    .least_operands = 1,
    .most_operands = 1000,
    .options_size = sizeof(RheometerOptions),
    .run = run_rheometer,
    .names = library_material_name,
};
