/* The reference as a JSON Schema (draft 7, which editors support best), for completion and validation in editors. */
#include "scene/scene_reference.h"
#include "scene/scene_units.h"

#include <stdio.h>

#define NUMBER "^[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?"

/* Indented JSON output. */
typedef struct Json {
    dlp__SceneText *out;
    int depth;
    bool first; /* the open object or list is still empty */
} Json;

static void new_line(Json *json)
{
    dlp__scene_write(json->out, "%s\n%*s", json->first ? "" : ",", 2 * json->depth, "");
    json->first = false;
}

static void write_string(Json *json, const char *text)
{
    dlp__scene_write(json->out, "\"");
    for (; *text != 0; text++) {
        if (*text == '"' || *text == '\\') {
            dlp__scene_write(json->out, "\\");
        }
        dlp__scene_write(json->out, "%c", *text);
    }
    dlp__scene_write(json->out, "\"");
}

static void write_key(Json *json, const char *key)
{
    new_line(json);
    write_string(json, key);
    dlp__scene_write(json->out, ": ");
}

static void open_bracket(Json *json, char bracket)
{
    dlp__scene_write(json->out, "%c", bracket);
    json->depth++;
    json->first = true;
}

static void close_bracket(Json *json, char bracket)
{
    json->depth--;
    dlp__scene_write(json->out, "\n%*s%c", 2 * json->depth, "", bracket);
    json->first = false;
}

static void write_pair(Json *json, const char *key, const char *text)
{
    write_key(json, key);
    write_string(json, text);
}

/* `text` is already JSON. */
static void write_raw(Json *json, const char *key, const char *text)
{
    write_key(json, key);
    dlp__scene_write(json->out, "%s", text);
}

static void write_number(Json *json, const char *key, double value)
{
    char text[32];
    write_raw(json, key, dlp__scene_format_number(value, text));
}

/* A number in SI units, or text with a unit; the range applies to the number only. */
static void write_quantity(Json *json, const char *unit, double least, double most)
{
    write_raw(json, "type", "[\"number\", \"string\"]");
    write_pair(json, "pattern", unit[0] != 0 ? NUMBER " *([^-+.0-9 ].*|1/.*)?$" : NUMBER " *%?$");
    write_number(json, "minimum", least);
    write_number(json, "maximum", most);
}

static void write_vector(Json *json, const char *unit, double least, double most)
{
    write_pair(json, "type", "array");
    write_raw(json, "minItems", "3");
    write_raw(json, "maxItems", "3");
    write_key(json, "items");
    open_bracket(json, '{');
    write_quantity(json, unit, least, most);
    close_bracket(json, '}');
}

static void write_choices(Json *json, const char *const *choices)
{
    write_key(json, "enum");
    open_bracket(json, '[');
    for (int i = 0; choices[i] != NULL; i++) {
        new_line(json);
        write_string(json, choices[i]);
    }
    close_bracket(json, ']');
}

/* A list of names. */
static void write_flags(Json *json, const char *const *choices)
{
    write_pair(json, "type", "array");
    write_raw(json, "uniqueItems", "true");
    write_key(json, "items");
    open_bracket(json, '{');
    write_choices(json, choices);
    close_bracket(json, '}');
}

static void write_default(Json *json, const dlp_Param *param)
{
    char text[3][32];
    for (int i = 0; i < 3; i++) {
        dlp__scene_format_number(param->value[i], text[i]);
    }
    switch (param->type) {
    case DLP_PARAM_REAL:
        if (param->value[0] == 0.0 && dlp_param_zero_word(param) != NULL) {
            write_pair(json, "default", dlp_param_zero_word(param));
            break;
        }
        write_raw(json, "default", text[0]);
        break;
    case DLP_PARAM_INT: write_raw(json, "default", text[0]); break;
    case DLP_PARAM_BOOL: write_raw(json, "default", param->value[0] != 0.0 ? "true" : "false"); break;
    case DLP_PARAM_CHOICE: write_pair(json, "default", param->choices[(int)param->value[0]]); break;
    case DLP_PARAM_VEC3:
        write_key(json, "default");
        dlp__scene_write(json->out, "[%s, %s, %s]", text[0], text[1], text[2]);
        break;
    case DLP_PARAM_ROWS:
    case DLP_PARAM_NAME:
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_FLAGS:
    case DLP_PARAM_MATERIAL: break;
    }
}

/* A quantity, or the word for its 0. */
static void write_real(Json *json, const dlp_Param *param)
{
    const char *word = dlp_param_zero_word(param);
    if (word == NULL) {
        write_quantity(json, param->unit, param->least, param->most);
        return;
    }
    write_key(json, "anyOf");
    open_bracket(json, '[');
    new_line(json);
    open_bracket(json, '{');
    write_pair(json, "const", word);
    close_bracket(json, '}');
    new_line(json);
    open_bracket(json, '{');
    write_quantity(json, param->unit, param->least, param->most);
    close_bracket(json, '}');
    close_bracket(json, ']');
}

static void write_description(Json *json, const dlp_Param *param, const char *prefix)
{
    char use[1024];
    char help[2048];
    dlp__scene_describe_use(param, use, sizeof use);
    snprintf(help, sizeof help, "%s%.700s%s%s%s%s", prefix, param->help, param->unit[0] != 0 ? " [" : "", param->unit,
             param->unit[0] != 0 ? "]" : "", use);
    write_pair(json, "description", help);
}

/* A list of at most `most` rows; 0: of any number. */
static void write_rows_of(Json *json, const dlp_Param *columns, int count, int most)
{
    char length[16];
    snprintf(length, sizeof length, "%d", count);
    write_pair(json, "type", "array");
    write_raw(json, "minItems", "1");
    if (most > 0) {
        write_number(json, "maxItems", most);
    }
    write_key(json, "items");
    open_bracket(json, '{');
    write_pair(json, "type", "array");
    write_raw(json, "minItems", length);
    write_raw(json, "maxItems", length);
    write_key(json, "items");
    open_bracket(json, '[');
    for (int i = 0; i < count; i++) {
        new_line(json);
        open_bracket(json, '{');
        write_description(json, &columns[i], "");
        write_real(json, &columns[i]);
        close_bracket(json, '}');
    }
    close_bracket(json, ']');
    close_bracket(json, '}');
}

static void write_row_list(Json *json, const dlp_ParamRows *rows)
{
    const dlp_Param columns[] = {dlp__scene_row_column(rows, 0), dlp__scene_row_column(rows, 1)};
    write_rows_of(json, columns, 2, rows->most);
}

/* The members of the schema of a value, without the default. */
static void write_value(Json *json, const dlp_Param *param, const char *prefix)
{
    write_description(json, param, prefix);
    switch (param->type) {
    case DLP_PARAM_REAL: write_real(json, param); break;
    case DLP_PARAM_VEC3: write_vector(json, param->unit, param->least, param->most); break;
    case DLP_PARAM_CHOICE: write_choices(json, param->choices); break;
    case DLP_PARAM_FLAGS: write_flags(json, param->choices); break;
    case DLP_PARAM_BOOL: write_pair(json, "type", "boolean"); break;
    case DLP_PARAM_INT:
        write_pair(json, "type", "integer");
        write_number(json, "minimum", param->least);
        write_number(json, "maximum", param->most);
        break;
    case DLP_PARAM_ROWS: write_row_list(json, param->rows); break;
    case DLP_PARAM_NAME:
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_MATERIAL:
        write_pair(json, "type", "string");
        write_number(json, "maxLength", DLP_NAME_SIZE - 1);
        break;
    }
}

/* `prefix` stands before the description. */
static void write_param(Json *json, const dlp_Param *param, const char *prefix)
{
    write_key(json, param->name);
    open_bracket(json, '{');
    write_value(json, param, prefix);
    write_default(json, param);
    close_bracket(json, '}');
}

/* An item of a list of maps. There are no defaults, because missing values are taken from the previous item. The first member is
 * required. */
static void write_item_object(Json *json, const dlp_ParamTable *table)
{
    write_pair(json, "type", "object");
    write_raw(json, "additionalProperties", "false");
    write_key(json, "required");
    dlp__scene_write(json->out, "[");
    write_string(json, table->params[0].name);
    dlp__scene_write(json->out, "]");
    write_key(json, "properties");
    open_bracket(json, '{');
    for (int i = 0; i < table->count; i++) {
        write_key(json, table->params[i].name);
        open_bracket(json, '{');
        write_value(json, &table->params[i], "");
        close_bracket(json, '}');
    }
    close_bracket(json, '}');
}

/* Open a list up to the schema of its items; leaves two braces open. */
static void open_list(Json *json, const dlp_Param *param)
{
    write_key(json, param->name);
    open_bracket(json, '{');
    write_description(json, param, "");
    write_pair(json, "type", "array");
    write_raw(json, "minItems", "1");
    write_key(json, "items");
    open_bracket(json, '{');
}

static void write_extra_list(Json *json, const dlp__SceneSection *section)
{
    const dlp_Param extra = dlp__scene_extra_param(section);
    open_list(json, &extra);
    if (section->extra_table != NULL) {
        write_item_object(json, section->extra_table());
    } else {
        write_vector(json, "m", -1e9, 1e9);
    }
    close_bracket(json, '}');
    close_bracket(json, '}');
}

/* A list of rows, each a list of the values of the table. */
static void write_rows(Json *json, const dlp__SceneSection *section)
{
    const dlp_ParamTable *table = section->rows_table();
    const dlp_Param rows = dlp__scene_rows_param(section);
    write_key(json, rows.name);
    open_bracket(json, '{');
    write_description(json, &rows, "");
    write_rows_of(json, table->params, table->count, 0);
    close_bracket(json, '}');
}

static void write_required(Json *json, const dlp_ParamTable *table)
{
    for (int i = 0; i < table->count; i++) {
        if (table->params[i].type == DLP_PARAM_MATERIAL && table->params[i].least >= 0.0) {
            write_key(json, "required");
            dlp__scene_write(json->out, "[");
            write_string(json, table->params[i].name);
            dlp__scene_write(json->out, "]");
        }
    }
}

/* The first method that has a key of materials, so that a key of several methods is written once. */
static int first_with(const char *key)
{
    int first = 0;
    const dlp_ParamTable *table = NULL;
    for (; first < dlp_method_count(); first++) {
        table = dlp_method_material_params(dlp_method_name(first));
        if (table != NULL && dlp_params_find(table, key) != NULL) {
            break;
        }
    }
    return first;
}

/* Keys that methods add to materials: all of them, because an included file need not name its method. */
static void write_method_keys(Json *json)
{
    for (int m = 0; m < dlp_method_count(); m++) {
        const dlp_ParamTable *table = dlp_method_material_params(dlp_method_name(m));
        for (int i = 0; table != NULL && i < table->count; i++) {
            const char *key = table->params[i].name;
            if (first_with(key) != m) {
                continue;
            }
            char prefix[256];
            int used = snprintf(prefix, sizeof prefix, "method %s", dlp_method_name(m));
            for (int other = m + 1; other < dlp_method_count(); other++) {
                const dlp_ParamTable *others = dlp_method_material_params(dlp_method_name(other));
                if (others != NULL && dlp_params_find(others, key) != NULL && used < 128) {
                    used += snprintf(prefix + used, sizeof prefix - (size_t)used, ", %s", dlp_method_name(other));
                }
            }
            snprintf(prefix + used, sizeof prefix - (size_t)used, ": ");
            write_param(json, &table->params[i], prefix);
        }
    }
}

/* Keys that document an item. */
static void write_infos(Json *json, const dlp__SceneInfo *info)
{
    for (; info != NULL && info->key != NULL; info++) {
        write_key(json, info->key);
        open_bracket(json, '{');
        if (info->param != NULL) {
            write_value(json, info->param, info->help);
        } else {
            write_pair(json, "description", info->help);
            write_pair(json, "type", "string");
        }
        close_bracket(json, '}');
    }
}

/* The members of the schema of an object with the keys of a table. `method`: name of the method in the method section, else null. */
static void write_object(Json *json, const dlp__SceneSection *section, const dlp_ParamTable *table, const char *method)
{
    write_pair(json, "type", "object");
    write_raw(json, "additionalProperties", "false");
    write_required(json, table);
    write_key(json, "properties");
    open_bracket(json, '{');
    if (method != NULL) {
        write_key(json, section->extra);
        open_bracket(json, '{');
        write_pair(json, "description", section->extra_help);
        write_pair(json, "const", method);
        close_bracket(json, '}');
    } else if (section->extra != NULL) {
        write_extra_list(json, section);
    }
    if (section->rows != NULL) {
        write_rows(json, section);
    }
    for (int i = 0; i < table->count; i++) {
        if (dlp__scene_has_param(section, &table->params[i])) {
            write_param(json, &table->params[i], "");
        }
    }
    if (section->table == dlp_material_params) {
        write_method_keys(json);
    }
    write_infos(json, section->info);
    close_bracket(json, '}');
}

static void write_method(Json *json, const dlp__SceneSection *section)
{
    write_key(json, "anyOf");
    open_bracket(json, '[');
    new_line(json);
    open_bracket(json, '{');
    write_key(json, "enum");
    open_bracket(json, '[');
    for (int i = 0; i < dlp_method_count(); i++) {
        new_line(json);
        write_string(json, dlp_method_name(i));
    }
    close_bracket(json, ']');
    close_bracket(json, '}');
    for (int i = 0; i < dlp_method_count(); i++) {
        new_line(json);
        open_bracket(json, '{');
        write_object(json, section, dlp_method_params(dlp_method_name(i)), dlp_method_name(i));
        close_bracket(json, '}');
    }
    close_bracket(json, ']');
}

static void write_include(Json *json)
{
    write_raw(json, "type", "[\"string\", \"array\"]");
    write_key(json, "items");
    dlp__scene_write(json->out, "{\"type\": \"string\"}");
}

/* A list of items, or a map from names to items. Both refer to one schema of the item. */
static void write_list(Json *json, const dlp__SceneSection *section)
{
    char reference[64];
    snprintf(reference, sizeof reference, "{\"$ref\": \"#/definitions/%s\"}", section->table()->name);
    write_raw(json, "type", "[\"array\", \"object\"]");
    write_raw(json, "maxItems", "65535");
    write_raw(json, "items", reference);
    write_raw(json, "additionalProperties", reference);
}

/* The schemas of the items of lists, in one section or in all (-1). */
static void write_definitions(Json *json, int only)
{
    write_key(json, "definitions");
    open_bracket(json, '{');
    for (int i = 0; i < DLP_SECTION_COUNT; i++) {
        const dlp__SceneSection *section = dlp__scene_section((dlp__SectionId)i);
        if (section->form == DLP_FORM_LIST && (only < 0 || only == i)) {
            write_key(json, section->table()->name);
            open_bracket(json, '{');
            write_object(json, section, section->table(), NULL);
            close_bracket(json, '}');
        }
    }
    close_bracket(json, '}');
}

/* The members of the schema of a section. */
static void write_section(Json *json, const dlp__SceneSection *section)
{
    write_pair(json, "description", section->help);
    switch (section->form) {
    case DLP_FORM_INCLUDE: write_include(json); break;
    case DLP_FORM_METHOD: write_method(json, section); break;
    case DLP_FORM_MAP: write_object(json, section, section->table(), NULL); break;
    case DLP_FORM_NAMED:
        write_pair(json, "type", "object");
        write_key(json, "additionalProperties");
        open_bracket(json, '{');
        write_object(json, section, section->table(), NULL);
        close_bracket(json, '}');
        break;
    case DLP_FORM_LIST: write_list(json, section); break;
    }
}

void dlp__scene_write_schema(dlp__SceneText *out, int only)
{
    Json json = {out, 0, true};
    open_bracket(&json, '{');
    write_pair(&json, "$schema", "http://json-schema.org/draft-07/schema#");
    if (only >= 0) {
        write_section(&json, dlp__scene_section((dlp__SectionId)only));
        if (dlp__scene_section((dlp__SectionId)only)->form == DLP_FORM_LIST) {
            write_definitions(&json, only);
        }
    } else {
        write_pair(&json, "title", "dollop scene");
        write_pair(&json, "type", "object");
        write_raw(&json, "additionalProperties", "false");
        write_key(&json, "properties");
        open_bracket(&json, '{');
        for (int i = 0; i < DLP_SECTION_COUNT; i++) {
            const dlp__SceneSection *section = dlp__scene_section((dlp__SectionId)i);
            write_key(&json, section->key);
            open_bracket(&json, '{');
            write_section(&json, section);
            close_bracket(&json, '}');
        }
        close_bracket(&json, '}');
        write_definitions(&json, only);
    }
    close_bracket(&json, '}');
    dlp__scene_write(out, "\n");
}
