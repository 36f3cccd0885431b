/* The reference of all keys as plain text and as Markdown, generated from the parameter tables. */
#include "scene/scene_reference.h"
#include "scene/scene_units.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 80, HELP_BYTES = 2048 };

static const char about[] =
    "A scene is one YAML 1.2 document; JSON is accepted too. Numbers are in SI units (metre, kilogram, second, kelvin, "
    "pascal, radian) unless they have a unit: 2 mm, 10 Pa.s, 1.2 g/cm3, 20 degC, 90 deg, 60 rpm.";

static const char method_keys[] =
    "Methods add keys of their own, listed under `method`. A key of another method is an error, except in an included file: a "
    "material library may serve several methods, so keys of the others are skipped there.";

static const char about_uses[] =
    "A key that has no effect is an error: a key that names methods has an effect in these only, and one that says 'only with' or "
    "'only without' has an effect only then. Other keys work with every method.";

/* A method's own keys of a material stand in a table by themselves. */
static const dlp__SceneSection of_materials = {.key = "materials", .form = DLP_FORM_NAMED};

/* List all units in one sentence. */
static void describe_units(char text[512])
{
    size_t used = (size_t)snprintf(text, 512, "Units:");
    for (int prefixed = 1; prefixed >= 0; prefixed--) {
        const char *symbol = NULL;
        for (int i = 0; (symbol = dlp__scene_unit_symbol(i, prefixed)) != NULL && used < 480; i++) {
            used += (size_t)snprintf(text + used, 512 - used, " %s", symbol);
        }
        if (prefixed != 0 && used < 400) {
            used += (size_t)snprintf(text + used, 512 - used, " with prefixes n u m c d h k M G;");
        }
    }
    snprintf(text + used, 512 - used, ". They can be combined: Pa.s, W/m/K, m/s2.");
}

void dlp__scene_describe_default(const dlp_Param *param, char text[192])
{
    char x[32];
    char y[32];
    char z[32];
    const char *space = param->unit[0] != 0 ? " " : "";
    dlp__scene_format_number(param->value[0], x);
    if (param->value[0] == 0.0 && dlp_param_zero_word(param) != NULL) {
        snprintf(text, 192, "%s", dlp_param_zero_word(param));
        return;
    }
    switch (param->type) {
    case DLP_PARAM_REAL:
    case DLP_PARAM_INT: snprintf(text, 192, "%s%s%.48s", x, space, param->unit); break;
    case DLP_PARAM_BOOL: snprintf(text, 192, "%s", param->value[0] != 0.0 ? "true" : "false"); break;
    case DLP_PARAM_VEC3:
        dlp__scene_format_number(param->value[1], y);
        dlp__scene_format_number(param->value[2], z);
        snprintf(text, 192, "[%s, %s, %s]%s%.48s", x, y, z, space, param->unit);
        break;
    case DLP_PARAM_CHOICE: snprintf(text, 192, "%s", param->choices[(int)param->value[0]]); break;
    case DLP_PARAM_FLAGS: snprintf(text, 192, "none"); break;
    case DLP_PARAM_ROWS:
    case DLP_PARAM_NAME:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_MESH: text[0] = 0; break;
    case DLP_PARAM_MATERIAL: snprintf(text, 192, "%s", param->least >= 0.0 ? "required" : ""); break;
    }
}

void dlp__scene_describe_range(const dlp_Param *param, char text[192])
{
    char least[32];
    char most[32];
    text[0] = 0;
    if (param->type == DLP_PARAM_ROWS) {
        snprintf(text, 192, "up to %d rows", param->rows->most);
        return;
    }
    if (param->type == DLP_PARAM_REAL || param->type == DLP_PARAM_INT || param->type == DLP_PARAM_VEC3) {
        const char *word = dlp_param_zero_word(param);
        snprintf(text, 192, "%s%s%s to %s%s", word != NULL ? word : "", word != NULL ? ", " : "",
                 dlp__scene_format_number(param->least, least), dlp__scene_format_number(param->most, most),
                 param->type == DLP_PARAM_VEC3 ? " each" : "");
    }
}

/* Append to a text of `size` bytes. */
static void append(char *text, size_t size, const char *more)
{
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", more);
}

void dlp__scene_describe_use(const dlp_Param *param, char *text, size_t size)
{
    const char *inert = dlp_params_inert(param);
    char when[512];
    text[0] = 0;
    if (inert != NULL) {
        snprintf(text, size, "; %s: no effect on the simulation", inert);
    } else if (param->use != DLP_USE_ALWAYS) {
        const char *between = "; methods ";
        for (int i = 0; i < dlp_method_count(); i++) {
            if (dlp_method_uses(dlp_method_name(i), param)) {
                append(text, size, between);
                append(text, size, dlp_method_name(i));
                between = ", ";
            }
        }
    }
    dlp__scene_describe_when(param->when, when, sizeof when);
    if (when[0] != 0) {
        append(text, size, "; ");
        append(text, size, when);
    }
}

dlp_Param dlp__scene_extra_param(const dlp__SceneSection *section)
{
    return (dlp_Param){.name = section->extra, .help = section->extra_help, .when = section->extra_when, .unit = ""};
}

dlp_Param dlp__scene_rows_param(const dlp__SceneSection *section)
{
    return (dlp_Param){.name = section->rows, .help = section->rows_help, .use = section->rows_use, .unit = ""};
}

/* "; rows such as [0.1 s, 500 Pa]: relaxation_time 1e-9 to 1e9 s, ..." */
static void describe_rows(const dlp_ParamRows *rows, char text[HELP_BYTES / 4])
{
    size_t used = (size_t)snprintf(text, HELP_BYTES / 4, "; rows such as %s:", rows->example);
    for (int c = 0; c < rows->columns && used < HELP_BYTES / 4; c++) {
        char least[32];
        char most[32];
        used += (size_t)snprintf(text + used, HELP_BYTES / 4 - used, "%s %s %s to %s %s", c > 0 ? "," : "",
                                 rows->names[c], dlp__scene_format_number(rows->least[c], least),
                                 dlp__scene_format_number(rows->most_value[c], most), rows->units[c]);
    }
}

/* The help with the rows, the methods and the condition. */
static void describe_help(const dlp_Param *param, char text[HELP_BYTES])
{
    char rows[HELP_BYTES / 4] = "";
    char use[HELP_BYTES / 4];
    dlp__scene_describe_use(param, use, sizeof use);
    if (param->type == DLP_PARAM_ROWS) {
        describe_rows(param->rows, rows);
    }
    snprintf(text, HELP_BYTES, "%.*s%s%s", HELP_BYTES / 2 - 1, param->help, rows, use);
}

static const char *type_name(const dlp_Param *param)
{
    static const char *const names[] = {
        [DLP_PARAM_REAL] = "number",         [DLP_PARAM_INT] = "integer",
        [DLP_PARAM_BOOL] = "true or false",  [DLP_PARAM_VEC3] = "3 numbers",
        [DLP_PARAM_CHOICE] = "choice",       [DLP_PARAM_NAME] = "name",
        [DLP_PARAM_ROWS] = "list of rows",   [DLP_PARAM_MATERIAL] = "name of a material",
        [DLP_PARAM_MESH] = "name of a mesh", [DLP_PARAM_SOLID] = "name of a solid",
        [DLP_PARAM_FLAGS] = "list of names",
    };
    return names[param->type];
}

/* Wrap at LINE columns; lines after the first start at `indent`. The first starts at `column`. Returns the final column. */
static int write_wrapped(dlp__SceneText *out, const char *text, int indent, int column)
{
    while (*text != 0) {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > LINE) {
            dlp__scene_write(out, "\n%*s", indent, "");
            column = indent;
        } else if (column > indent) {
            dlp__scene_write(out, " ");
            column++;
        }
        dlp__scene_write(out, "%.*s", length, text);
        column += length;
        text += length;
        text += strspn(text, " ");
    }
    return column;
}

static bool has_choices(const dlp_Param *param)
{
    return param->type == DLP_PARAM_CHOICE || param->type == DLP_PARAM_FLAGS;
}

static const char *choices_begin(const dlp_Param *param)
{
    return param->type == DLP_PARAM_FLAGS ? "- any of: " : "- one of: ";
}

static void write_help(dlp__SceneText *out, const dlp_Param *param, int indent)
{
    char help[HELP_BYTES];
    describe_help(param, help);
    dlp__scene_write(out, "%*s", indent, "");
    int column = write_wrapped(out, help, indent, indent);
    for (int i = 0; has_choices(param) && param->choices[i] != NULL; i++) {
        char word[128];
        const char *end = param->choices[i + 1] == NULL ? "" : ",";
        snprintf(word, sizeof word, "%s%s%s", i == 0 ? choices_begin(param) : "", param->choices[i], end);
        column = write_wrapped(out, word, indent, column);
    }
    dlp__scene_write(out, "\n");
}

/* The parameter table of the items under the extra key; null if they are not maps. */
static const dlp_ParamTable *extra_item_table(const dlp__SceneSection *section)
{
    return section->extra != NULL && section->extra_table != NULL ? section->extra_table() : NULL;
}

/* Columns needed for the extra key and the members of its items. */
static int extra_width(const dlp__SceneSection *section)
{
    if (section->extra == NULL) {
        return 0;
    }
    int width = (int)strlen(section->extra), most = width;
    const dlp_ParamTable *items = extra_item_table(section);
    for (int i = 0; items != NULL && i < items->count; i++) {
        const int length = width + 1 + (int)strlen(items->params[i].name);
        most = length > most ? length : most;
    }
    return most;
}

static void write_text_extra(dlp__SceneText *out, const dlp__SceneSection *section, int width)
{
    char help[HELP_BYTES];
    const dlp_Param extra = dlp__scene_extra_param(section);
    describe_help(&extra, help);
    dlp__scene_write(out, "  %-*s  ", width, section->extra);
    write_wrapped(out, help, width + 4, width + 4);
    dlp__scene_write(out, "\n");
    const dlp_ParamTable *items = extra_item_table(section);
    for (int i = 0; items != NULL && i < items->count; i++) {
        const dlp_Param *item = &items->params[i];
        char range[192];
        dlp__scene_describe_range(item, range);
        dlp__scene_write(out, "  %s.%-*s  %s [%s]\n", section->extra, width - 1 - (int)strlen(section->extra),
                         item->name, range, item->unit);
        write_help(out, item, width + 4);
    }
}

static void write_text_table(dlp__SceneText *out, const dlp__SceneSection *section, const dlp_ParamTable *table)
{
    int keys = extra_width(section);
    int defaults = 0;
    char text[192];
    for (int i = 0; i < table->count; i++) {
        if (dlp__scene_has_param(section, &table->params[i])) {
            int length = (int)strlen(table->params[i].name);
            keys = length > keys ? length : keys;
            dlp__scene_describe_default(&table->params[i], text);
            defaults = (int)strlen(text) > defaults ? (int)strlen(text) : defaults;
        }
    }
    if (section->extra != NULL && section->form == DLP_FORM_LIST) {
        write_text_extra(out, section, keys);
    }
    if (section->rows != NULL) {
        char help[HELP_BYTES];
        const dlp_Param rows = dlp__scene_rows_param(section);
        describe_help(&rows, help);
        dlp__scene_write(out, "  %-*s  ", keys, section->rows);
        write_wrapped(out, help, keys + 4, keys + 4);
        dlp__scene_write(out, "\n");
    }
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        if (dlp__scene_has_param(section, param)) {
            char range[192];
            dlp__scene_describe_default(param, text);
            dlp__scene_describe_range(param, range);
            dlp__scene_write(out, "  %-*s  %-*s%s%s\n", keys, param->name, range[0] != 0 ? defaults : 0, text,
                             range[0] != 0 ? "  " : "", range);
            write_help(out, param, keys + 4);
        }
    }
    for (const dlp__SceneInfo *info = section->info; info != NULL && info->key != NULL; info++) {
        dlp__scene_write(out, "  %s\n%*s", info->key, keys + 4, "");
        write_wrapped(out, info->help, keys + 4, keys + 4);
        dlp__scene_write(out, "\n");
    }
}

static void write_text_section(dlp__SceneText *out, const dlp__SceneSection *section)
{
    static const char *const forms[] = {
        [DLP_FORM_INCLUDE] = "%s: FILE or [FILE, ...]\n",
        [DLP_FORM_MAP] = "%s: {KEY: VALUE, ...}\n",
        [DLP_FORM_METHOD] = "%s: NAME or {name: NAME, KEY: VALUE, ...}\n",
        [DLP_FORM_NAMED] = "%s: {NAME: {KEY: VALUE, ...}, ...}\n",
        [DLP_FORM_LIST] = "%s: [{KEY: VALUE, ...}, ...], or by name: {NAME: {KEY: VALUE, ...}, ...}\n",
    };
    char line[128];
    snprintf(line, sizeof line, forms[section->form], section->key);
    dlp__scene_write(out, "\n%s  ", line);
    write_wrapped(out, section->help, 2, 2);
    dlp__scene_write(out, "\n");
    if (section->table != NULL) {
        dlp__scene_write(out, "\n");
        write_text_table(out, section, section->table());
    }
    for (int i = 0; section->form == DLP_FORM_METHOD && i < dlp_method_count(); i++) {
        dlp__scene_write(out, "\n  name: %s", dlp_method_name(i));
        dlp__scene_write(out, "\n  ");
        write_wrapped(out, dlp_method_summary(i), 2, 2);
        dlp__scene_write(out, "\n\n");
        write_text_table(out, section, dlp_method_params(dlp_method_name(i)));
        const dlp_ParamTable *own = dlp_method_material_params(dlp_method_name(i));
        if (own != NULL) {
            dlp__scene_write(out, "\n  Material keys of this method:\n\n");
            write_text_table(out, &of_materials, own);
        }
    }
    if (section->table == dlp_material_params) {
        dlp__scene_write(out, "\n  ");
        write_wrapped(out, method_keys, 2, 2);
        dlp__scene_write(out, "\n");
    }
}

static void write_text(dlp__SceneText *out, int only)
{
    if (only < 0) {
        dlp__scene_write(out, "Scene files\n\n");
        char units[512];
        describe_units(units);
        write_wrapped(out, about, 0, 0);
        dlp__scene_write(out, "\n\n");
        write_wrapped(out, units, 0, 0);
        dlp__scene_write(out, "\n\n");
        write_wrapped(out, about_uses, 0, 0);
        dlp__scene_write(out, "\n\nEach key is followed by its default and its range in SI units.\n");
    }
    for (int i = 0; i < DLP_SECTION_COUNT; i++) {
        if (only < 0 || only == i) {
            write_text_section(out, dlp__scene_section((dlp__SectionId)i));
        }
    }
}

static void write_markdown_table(dlp__SceneText *out, const dlp__SceneSection *section, const dlp_ParamTable *table)
{
    char help[HELP_BYTES];
    dlp__scene_write(out, "| key | type | default | range | meaning |\n| --- | --- | --- | --- | --- |\n");
    if (section->extra != NULL && section->form == DLP_FORM_LIST) {
        const dlp_Param extra = dlp__scene_extra_param(section);
        describe_help(&extra, help);
        dlp__scene_write(out, "| `%s` | list | | | %s |\n", section->extra, help);
    }
    const dlp_ParamTable *items = extra_item_table(section);
    for (int i = 0; items != NULL && i < items->count; i++) {
        const dlp_Param *item = &items->params[i];
        char range[192];
        dlp__scene_describe_range(item, range);
        dlp__scene_write(out, "| `%s[].%s` | %s | | %s [%s] | %s |\n", section->extra, item->name, type_name(item),
                         range, item->unit, item->help);
    }
    if (section->rows != NULL) {
        const dlp_Param rows = dlp__scene_rows_param(section);
        describe_help(&rows, help);
        dlp__scene_write(out, "| `%s` | list | | | %s |\n", section->rows, help);
    }
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        if (!dlp__scene_has_param(section, param)) {
            continue;
        }
        char value[192];
        char range[192];
        dlp__scene_describe_default(param, value);
        dlp__scene_describe_range(param, range);
        describe_help(param, help);
        dlp__scene_write(out, "| `%s` | %s | %s | %s | %s", param->name, type_name(param), value, range, help);
        for (int j = 0; has_choices(param) && param->choices[j] != NULL; j++) {
            const char *begin = param->type == DLP_PARAM_FLAGS ? "; any of " : "; one of ";
            dlp__scene_write(out, "%s`%s`", j == 0 ? begin : ", ", param->choices[j]);
        }
        dlp__scene_write(out, " |\n");
    }
    for (const dlp__SceneInfo *info = section->info; info != NULL && info->key != NULL; info++) {
        dlp__scene_write(out, "| `%s` | %s | | | %s |\n", info->key,
                         info->param != NULL ? type_name(info->param) : "text", info->help);
    }
    dlp__scene_write(out, "\n");
}

static void write_markdown_section(dlp__SceneText *out, const dlp__SceneSection *section)
{
    dlp__scene_write(out, "## `%s`\n\n%c%s.", section->key, section->help[0] - 'a' + 'A', section->help + 1);
    const char *form = section->form == DLP_FORM_LIST
                           ? " A list, or a map from names to items; each item has these keys:"
                       : section->form == DLP_FORM_NAMED ? " A map from names to:"
                                                         : "";
    dlp__scene_write(out, "%s\n\n", form);
    if (section->table != NULL) {
        write_markdown_table(out, section, section->table());
    }
    for (int i = 0; section->form == DLP_FORM_METHOD && i < dlp_method_count(); i++) {
        dlp__scene_write(out, "### `%s`\n\n%s\n\n", dlp_method_name(i), dlp_method_summary(i));
        write_markdown_table(out, section, dlp_method_params(dlp_method_name(i)));
        const dlp_ParamTable *own = dlp_method_material_params(dlp_method_name(i));
        if (own != NULL) {
            dlp__scene_write(out, "Keys of this method in `materials`:\n\n");
            write_markdown_table(out, &of_materials, own);
        }
    }
    if (section->table == dlp_material_params) {
        dlp__scene_write(out, "%s\n\n", method_keys);
    }
}

static void write_markdown(dlp__SceneText *out, int only)
{
    if (only < 0) {
        char units[512];
        describe_units(units);
        dlp__scene_write(out,
                         "# Scene files\n\nThis page is generated from the parameter tables of the program.\n\n"
                         "%s\n\n%s\n\n%s\n\n",
                         about, units, about_uses);
    }
    for (int i = 0; i < DLP_SECTION_COUNT; i++) {
        if (only < 0 || only == i) {
            write_markdown_section(out, dlp__scene_section((dlp__SectionId)i));
        }
    }
}

char *dlp_scene_reference(dlp_ReferenceForm form, const char *section)
{
    int only = -1;
    for (int i = 0; section != NULL && i < DLP_SECTION_COUNT; i++) {
        only = strcmp(section, dlp__scene_section((dlp__SectionId)i)->key) == 0 ? i : only;
    }
    if (section != NULL && only < 0) {
        return NULL;
    }
    dlp__SceneText out = {.text = NULL};
    dlp__SceneLocale locale = dlp__scene_enter_locale();
    switch (form) {
    case DLP_REFERENCE_TEXT: write_text(&out, only); break;
    case DLP_REFERENCE_MARKDOWN: write_markdown(&out, only); break;
    case DLP_REFERENCE_SCHEMA: dlp__scene_write_schema(&out, only); break;
    }
    dlp__scene_leave_locale(locale);
    if (out.failed) {
        free(out.text);
        return NULL;
    }
    return out.text;
}

void dlp_text_free(char *text)
{
    free(text);
}
