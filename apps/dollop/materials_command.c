/* dollop materials: the built-in materials, as a table or one in full. */
#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/suggest.h"
#include "json_out.h"
#include "material_cells.h"
#include "subcommands.h"

#include <dollop/material_library.h>
#include <dollop/render.h>
#include <dollop/rheology.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct MaterialsOptions {
    bool json;
} MaterialsOptions;

static Cell time_cell(const CellRheology *r)
{
    return r->modulus > 0.0 && r->time == 0.0 ? (Cell){"elastic"} : cell_quantity(r->time, "s");
}

/* The colour in pictures as three bytes of sRGB; false if this build draws no pictures. */
static bool picture_color(const dlp_MaterialDef *def, int rgb[3])
{
#ifdef DLP_RENDER
    float linear[3] = {0.9f, 0.25f, 0.03f}; /* lava glows */
    if (def->look != DLP_LOOK_LAVA) {
        const uint16_t material = 0;
        const dlp_Points point = {.count = 1, .material = &material};
        const dlp_FrameScene scene = {.material_count = 1, .materials = def};
        dlp_looks_color(&point, &scene, linear);
    }
    for (int c = 0; c < 3; c++) {
        const double x = fmin(fmax((double)linear[c], 0.0), 1.0);
        rgb[c] = (int)lround(255.0 * (x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1.0 / 2.4) - 0.055));
    }
    return true;
#else
    (void)def;
    (void)rgb;
    return false;
#endif
}

/* Two characters in the colour of the material, on a terminal that shows colours. */
static void print_swatch(const dlp_MaterialDef *def)
{
    int rgb[3];
    if (message_colors(STDOUT_FILENO) && picture_color(def, rgb)) {
        printf("\x1b[48;2;%d;%d;%dm  \x1b[0m ", rgb[0], rgb[1], rgb[2]);
    }
}

enum { COLUMNS = 8 };

static const Cell heads[COLUMNS] = {{"name"},    {"kg/m3"},      {"law"}, {"viscosity, or yield + flow"},
                                    {"modulus"}, {"relaxation"}, {"at"},  {"grade"}};

static void table_row(const dlp_LibraryMaterial *material, Cell row[COLUMNS])
{
    const dlp_MaterialDef m = material_at_own_temperature(material);
    CellRheology r = material_cell_rheology(material);
    if (m.flow_law != DLP_FLOW_NEWTONIAN) { /* elastic below the yield stress only */
        r.modulus = m.modulus;
        r.time = 0.0;
    }
    snprintf(row[0].text, sizeof row[0].text, "%s", m.name);
    snprintf(row[1].text, sizeof row[1].text, "%.5g", m.density);
    row[2] = cell_law(&m);
    row[3] = cell_flow(material, &m);
    row[4] = cell_quantity(r.modulus, "Pa");
    row[5] = cell_quantity(r.time, "s");
    if (m.modes.count > 0) {
        snprintf(row[5].text, sizeof row[5].text, "to %.40s",
                 cell_quantity(m.modes.mode[m.modes.count - 1].relaxation_time, "s").text);
    }
    row[6] = cell_celsius(m.temperature);
    snprintf(row[7].text, sizeof row[7].text, "%s", dlp_grade_name(material->grade));
}

/* The first part of a source, shortened to the width. */
static void print_short_source(const char *source, int width)
{
    const int length = (int)strcspn(source, ";");
    if (length <= width) {
        printf("%.*s", length, source);
    } else if (width > 8) {
        printf("%.*s...", width - 3, source);
    }
}

static void print_table(const dlp_Library *library)
{
    int widths[COLUMNS], total = message_colors(STDOUT_FILENO) ? 3 : 0;
    for (int c = 0; c < COLUMNS; c++) {
        widths[c] = (int)strlen(heads[c].text);
    }
    for (int i = 0; i < dlp_library_count(library); i++) {
        Cell row[COLUMNS];
        table_row(dlp_library_get(library, i), row);
        for (int c = 0; c < COLUMNS; c++) {
            const int length = (int)strlen(row[c].text);
            widths[c] = length > widths[c] ? length : widths[c];
        }
    }
    printf("%*s", total, "");
    for (int c = 0; c < COLUMNS; c++) {
        printf("%-*s  ", widths[c], heads[c].text);
        total += widths[c] + 2;
    }
    puts("source");
    for (int i = 0; i < dlp_library_count(library); i++) {
        const dlp_LibraryMaterial *material = dlp_library_get(library, i);
        Cell row[COLUMNS];
        table_row(material, row);
        print_swatch(&material->def);
        for (int c = 0; c < COLUMNS; c++) {
            printf("%-*s  ", widths[c], row[c].text);
        }
        print_short_source(material->source, isatty(STDOUT_FILENO) ? human_columns(STDOUT_FILENO) - 1 - total : 1000);
        putchar('\n');
    }
    puts("\n'dollop materials NAME' shows everything about one material. In a scene, write 'material: NAME'.");
}

/* One line per row, after the name. */
static void print_rows(const dlp_Param *param, const void *def)
{
    int64_t count = 0;
    const double *numbers = dlp_params_rows(param, def, &count);
    const dlp_ParamRows *rows = param->rows;
    for (int64_t row = 0; row < count; row++) {
        printf("%*s", row > 0 ? 24 : 0, "");
        for (int c = 0; c < rows->columns; c++) {
            printf("%s%s %.6g %s", c > 0 ? ", " : "", rows->names[c], numbers[row * rows->columns + c], rows->units[c]);
        }
        putchar('\n');
    }
}

static void print_value(const dlp_Param *param, const dlp_MaterialDef *def)
{
    const void *value = (const char *)def + param->offset;
    printf("  %-22s", param->name);
    switch (param->type) {
    case DLP_PARAM_REAL:
        if (strcmp(param->unit, "K") == 0) {
            printf("%s\n", cell_celsius(*(const double *)value).text);
        } else {
            printf("%.6g%s%s\n", *(const double *)value, *param->unit ? " " : "", param->unit);
        }
        break;
    case DLP_PARAM_ROWS: print_rows(param, def); break;
    case DLP_PARAM_CHOICE: printf("%s\n", param->choices[*(const int32_t *)value]); break;
    case DLP_PARAM_VEC3: {
        const double *xyz = value;
        printf("[%.3g, %.3g, %.3g] (red, green, blue; linear)\n", xyz[0], xyz[1], xyz[2]);
        break;
    }
    default: putchar('\n');
    }
}

/* All values that are given, and those that follow from them. */
static void print_values(const dlp_LibraryMaterial *material)
{
    const dlp_ParamTable *table = dlp_material_params();
    printf("\nValues at %s:\n", cell_celsius(material->def.temperature).text);
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        if (!dlp_params_is_default(param, &material->def) && strcmp(param->name, "name") != 0) {
            print_value(param, &material->def);
        }
    }
    for (int k = 0; k < material->viscosity_count; k++) {
        printf("  %-22s%s: %s\n", k == 0 ? "viscosity_at" : "", cell_celsius(material->viscosities[k].temperature).text,
               cell_quantity(material->viscosities[k].viscosity, "Pa.s").text);
    }
    const CellRheology r = material_cell_rheology(material);
    const bool law = material->def.flow_law != DLP_FLOW_NEWTONIAN || material->def.modes.count > 0;
    printf("  %-22sviscosity %s, modulus %s, relaxation time %s\n", law ? "without laws" : "in simulations",
           cell_quantity(r.viscosity, "Pa.s").text, cell_quantity(r.modulus, "Pa").text, time_cell(&r).text);
    if (law) {
        printf(
            "\nMethod physical simulates the law. Methods without laws take the viscosity of its steady flow at %g/s.\n",
            material->equivalent_rate);
    }
}

static void print_material(const dlp_LibraryMaterial *material)
{
    const int width = human_columns(STDOUT_FILENO);
    print_swatch(&material->def);
    printf("%s: ", material->def.name);
    human_wrap(stdout, material->description, (int)strlen(material->def.name) + 2, 4, width);
    print_values(material);
    printf("\nGrade:  %s\nSource: ", dlp_grade_name(material->grade));
    human_wrap(stdout, material->source, 8, 8, width);
    printf("\nUse it in a scene with 'material: %s'. To change values, paste what you need of this:\n\nmaterials:\n",
           material->def.name);
    for (const char *line = material->yaml; *line;) {
        const int length = (int)strcspn(line, "\n");
        printf("  %.*s\n", length, line);
        line += length + (line[length] == '\n');
    }
}

static void print_json(const dlp_LibraryMaterial *material)
{
    const CellRheology r = material_cell_rheology(material);
    Json json = json_begin(stdout);
    json_text(&json, "name", material->def.name);
    json_text(&json, "description", material->description);
    json_text(&json, "grade", dlp_grade_name(material->grade));
    json_text(&json, "source", material->source);
    const dlp_MaterialDef own = material_at_own_temperature(material);
    json_text(&json, "law", cell_law(&own).text);
    json_real(&json, "viscosity", r.viscosity);
    json_real(&json, "modulus", r.modulus);
    json_real(&json, "relaxation_time", r.modulus > 0.0 && r.time == 0.0 ? INFINITY : r.time);
    json_real(&json, "equivalent_rate", material->equivalent_rate);
    json_real(&json, "yield_stress", material->yield_stress);
    json_real(&json, "temperature", material->def.temperature);
    int rgb[3];
    if (picture_color(&material->def, rgb)) {
        char color[8];
        snprintf(color, sizeof color, "#%02x%02x%02x", (unsigned)rgb[0] & 255, (unsigned)rgb[1] & 255,
                 (unsigned)rgb[2] & 255);
        json_text(&json, "picture_color", color);
    }
    json_key(&json, "viscosity_at");
    putchar('[');
    for (int k = 0; k < material->viscosity_count; k++) {
        fputs(k > 0 ? ", [" : "[", stdout);
        json_write_real(stdout, material->viscosities[k].temperature);
        fputs(", ", stdout);
        json_write_real(stdout, material->viscosities[k].viscosity);
        putchar(']');
    }
    putchar(']');
    json_key(&json, "parameters");
    json_write_params(stdout, dlp_material_params(), &material->def);
    json_text(&json, "yaml", material->yaml);
    json_end(&json);
}

/* Reads the library anew for each name: only completion scripts ask, and they are made once. */
const char *library_material_name(int index)
{
    static char name[DLP_NAME_SIZE];
    dlp_Library *library = NULL;
    dlp_Error error = {0};
    const bool found = dlp_library_create(&library, &error) == DLP_OK && index < dlp_library_count(library);
    if (found) {
        snprintf(name, sizeof name, "%s", dlp_library_get(library, index)->def.name);
    }
    dlp_library_destroy(library);
    return found ? name : NULL;
}

static ExitCode report_unknown_material(const dlp_Library *library, const char *name)
{
    Suggestion suggestion = suggest_begin(name);
    for (int i = 0; i < dlp_library_count(library); i++) {
        suggest_consider(&suggestion, dlp_library_get(library, i)->def.name);
    }
    const char *best = suggest_end(&suggestion);
    message_error("there is no built-in material '%s'%s%s%s", name, best ? "; did you mean '" : "", best ? best : "",
                  best ? "'?" : "; 'dollop materials' lists all of them");
    return EXIT_USAGE;
}

static ExitCode show_library(const dlp_Library *library, const char *const *names, int count, bool json)
{
    for (int i = 0; i < count; i++) {
        if (!dlp_library_find(library, names[i])) {
            return report_unknown_material(library, names[i]);
        }
    }
    if (count == 0 && !json) {
        print_table(library);
        return EXIT_DONE;
    }
    for (int i = 0; i < (count > 0 ? count : dlp_library_count(library)); i++) {
        const dlp_LibraryMaterial *material = count > 0 ? dlp_library_find(library, names[i])
                                                        : dlp_library_get(library, i);
        if (json) {
            print_json(material);
        } else {
            printf("%s", i > 0 ? "\n" : "");
            print_material(material);
        }
    }
    return EXIT_DONE;
}

static ExitCode show_materials(const char *const *operands, int count, const void *given)
{
    const MaterialsOptions *options = given;
    dlp_Library *library = NULL;
    dlp_Error error = {0};
    const dlp_Result result = dlp_library_create(&library, &error);
    if (result != DLP_OK) {
        message_error("%s", error.text);
        return exit_code_of(result);
    }
    const ExitCode code = show_library(library, operands, count, options->json);
    dlp_library_destroy(library);
    return code;
}

static const Option materials_options[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(MaterialsOptions, json),
     .group = "Messages",
     .help = "print one JSON object per material instead of text"},
};

static const Example materials_examples[] = {
    {"dollop materials", "list all materials with their values, grade and source"},
    {"dollop materials honey", "all values of honey, where they come from, and its definition for a scene"},
    {"dollop run scene.yaml --set materials.honey.viscosity='5 Pa.s'", "run with one value changed"},
    {NULL, NULL},
};

const Command materials_command = {
    .name = "materials",
    .operands = "[NAME ...]",
    .names = library_material_name,
    .summary = "list the built-in materials, or everything about one of them",
    .description =
        "A scene uses a built-in material by its name, 'material: honey', without defining or including it. It can override "
        "single values: 'materials: {honey: {viscosity: 5 Pa.s}}'. A viscosity alone makes a Newtonian fluid: it replaces modulus, "
        "relaxation_time, modes and viscosity_at of the library, and a flow law that has no viscosity.\n"
        "\n"
        "The grade says how far the values can be trusted: measured; simulation (input of a published simulation); unverified "
        "(quoted from memory or a secondary source); guess.\n"
        "\n"
        "The table shows the law of each material and its numbers: a viscosity; with a yield stress, that stress and what is added "
        "in flow, 'Pa.s^n' times the shear rate to the power n (for casson, the root of the stress is the sum of the roots). "
        "Method physical simulates these laws. Other methods take the viscosity of the steady flow at the equivalent rate, 1/s "
        "unless the material has another, and a note says so.\n"
        "\n"
        "Many built-in materials have thermal properties. Heat is simulated only if the scene asks for it: with a temperature of "
        "a fluid, emitter or solid, another air_temperature, a thermal property of a material, or materials of different "
        "temperature. Otherwise every material is as at its own temperature, and no temperatures are computed.",
    .examples = materials_examples,
    .options = materials_options,
    .option_count = OPTION_COUNT(materials_options),
    .least_operands = 0,
    .most_operands = 100,
    .options_size = sizeof(MaterialsOptions),
    .run = show_materials,
};
