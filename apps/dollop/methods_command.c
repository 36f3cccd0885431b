/* dollop methods: the simulation methods in this build and their parameters. */
#include "apps/shared/human.h"
#include "json_out.h"
#include "open_scene.h"
#include "subcommands.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct MethodsOptions {
    bool json;
} MethodsOptions;

static const char *type_name(dlp_ParamType type)
{
    static const char *const names[] = {
        [DLP_PARAM_REAL] = "number",       [DLP_PARAM_INT] = "integer",       [DLP_PARAM_BOOL] = "yes or no",
        [DLP_PARAM_VEC3] = "vector",       [DLP_PARAM_CHOICE] = "choice",     [DLP_PARAM_NAME] = "name",
        [DLP_PARAM_MATERIAL] = "material", [DLP_PARAM_MESH] = "mesh",         [DLP_PARAM_SOLID] = "solid",
        [DLP_PARAM_FLAGS] = "list",        [DLP_PARAM_ROWS] = "list of rows",
    };
    return names[type];
}

static void format_default(const dlp_Param *param, char *text, size_t size)
{
    const double *value = param->value;
    const char *gap = *param->unit ? " " : "";
    switch (param->type) {
    case DLP_PARAM_REAL:
    case DLP_PARAM_INT: snprintf(text, size, "%.6g%s%s", value[0], gap, param->unit); break;
    case DLP_PARAM_BOOL: snprintf(text, size, "%s", value[0] != 0 ? "true" : "false"); break;
    case DLP_PARAM_VEC3:
        snprintf(text, size, "[%.6g, %.6g, %.6g]%s%s", value[0], value[1], value[2], gap, param->unit);
        break;
    case DLP_PARAM_CHOICE: snprintf(text, size, "%s", param->choices[(int)value[0]]); break;
    case DLP_PARAM_ROWS:
    case DLP_PARAM_NAME:
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_FLAGS:
    case DLP_PARAM_MATERIAL: snprintf(text, size, "-"); break;
    }
}

static void print_param(const dlp_Param *param)
{
    enum { INDENT = 6 };
    char value[128];
    format_default(param, value, sizeof value);
    printf("  %s  %s, default %s", param->name, type_name(param->type), value);
    if (param->type == DLP_PARAM_REAL || param->type == DLP_PARAM_INT || param->type == DLP_PARAM_VEC3) {
        printf(", range %.6g to %.6g", param->least, param->most);
    }
    if (param->type == DLP_PARAM_CHOICE) {
        for (int i = 0; param->choices[i]; i++) {
            printf("%s%s", i ? ", " : "; one of: ", param->choices[i]);
        }
    }
    printf("\n%*s", INDENT, "");
    human_wrap(stdout, param->help, INDENT, INDENT, human_columns(1));
}

static void print_method(const char *name, const char *summary)
{
    const dlp_ParamTable *table = dlp_method_params(name);
    printf("%s: ", name);
    human_wrap(stdout, summary, (int)strlen(name) + 2, 4, human_columns(1));
    printf("\nParameters, set in the 'method' section of a scene:\n\n");
    for (int i = 0; table && i < table->count; i++) {
        print_param(&table->params[i]);
    }
}

static void print_json(const char *name, const char *summary)
{
    const dlp_ParamTable *table = dlp_method_params(name);
    Json json = json_begin(stdout);
    json_text(&json, "name", name);
    json_text(&json, "summary", summary);
    json_key(&json, "parameters");
    fputc('[', stdout);
    for (int i = 0; table && i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        char value[128];
        format_default(param, value, sizeof value);
        fputs(i ? ", {" : "{", stdout);
        Json member = {.file = stdout, .filled = false};
        json_text(&member, "name", param->name);
        json_text(&member, "type", type_name(param->type));
        json_text(&member, "unit", param->unit);
        json_text(&member, "default", value);
        json_real(&member, "least", param->least);
        json_real(&member, "most", param->most);
        json_text(&member, "help", param->help);
        fputc('}', stdout);
    }
    fputc(']', stdout);
    json_end(&json);
}

static ExitCode show_methods(const char *const *operands, int count, const void *given)
{
    const MethodsOptions *options = given;
    int found = -1;
    for (int i = 0; i < dlp_method_count(); i++) {
        const char *name = dlp_method_name(i), *summary = dlp_method_summary(i);
        if (count > 0 && strcmp(name, operands[0]) != 0) {
            continue;
        }
        found = i;
        if (options->json) {
            print_json(name, summary);
        } else if (count > 0) {
            print_method(name, summary);
        } else {
            printf("  %-14s", name);
            human_wrap(stdout, summary, 16, 16, human_columns(1));
        }
    }
    if (count > 0 && found < 0) {
        return report_unknown_method(operands[0]);
    }
    if (count == 0 && !options->json) {
        printf("\n'dollop methods NAME' lists the parameters of a method.\n");
    }
    return EXIT_DONE;
}

static const Option methods_options[] = {
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(MethodsOptions, json),
     .group = "Messages",
     .help = "print one JSON object per method instead of text"},
};

static const Example methods_examples[] = {
    {"dollop methods", "list all methods"},
    {"dollop methods pbf", "list the parameters of pbf with defaults and ranges"},
    {NULL, NULL},
};

const Command methods_command = {
    .name = "methods",
    .operands = "[NAME]",
    .summary = "list the simulation methods, or the parameters of one method",
    .description = "A scene selects its method with 'method: NAME'; the option --method of 'dollop run' overrides it.",
    .examples = methods_examples,
    .options = methods_options,
    .option_count = OPTION_COUNT(methods_options),
    .least_operands = 0,
    .most_operands = 1,
    .options_size = sizeof(MethodsOptions),
    .run = show_methods,
    .names = dlp_method_name,
};
