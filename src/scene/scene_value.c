/* Converts nodes to the members of a struct by its parameter table, and reports all errors in values. */
#include "base/error.h"
#include "scene/scene_internal.h"
#include "scene/scene_suggest.h"
#include "scene/scene_units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_BYTES = 400, QUOTED_BYTES = 64 };

const char *dlp__scene_kind_name(const dlp__SceneNode *node)
{
    return dlp__scene_is_null(node)      ? "empty"
           : node->kind == DLP_NODE_LIST ? "a list"
           : node->kind == DLP_NODE_MAP  ? "a map"
                                         : "text";
}

/* Append a name to "a, b, c"; names that do not fit are replaced by "...". */
static void add_name(char list[LIST_BYTES], const char *name)
{
    size_t used = strlen(list);
    if (used + strlen(name) + 8 < LIST_BYTES) {
        snprintf(list + used, LIST_BYTES - used, "%s%s", used > 0 ? ", " : "", name);
    } else if (used >= 3 && strcmp(list + used - 3, "...") != 0) {
        snprintf(list + used, LIST_BYTES - used, ", ...");
    }
}

/* "(in m)" for a parameter with a unit. */
static void describe_unit(const dlp_Param *param, char text[64])
{
    snprintf(text, 64, "%s%.48s%s", param->unit[0] != 0 ? " (in " : "", param->unit, param->unit[0] != 0 ? ")" : "");
}

static void describe_example(const dlp_Param *param, char text[160])
{
    char x[32];
    char y[32];
    char z[32];
    dlp__scene_format_number(param->value[0], x);
    dlp__scene_format_number(param->value[1], y);
    dlp__scene_format_number(param->value[2], z);
    const char *space = param->unit[0] != 0 ? " " : "";
    if (param->type == DLP_PARAM_VEC3) {
        snprintf(text, 160, "[%s, %s, %s]", x, y, z);
    } else {
        snprintf(text, 160, "%s%s%.32s", x, space, param->unit);
    }
}

/* "spacing must be a number (in m) such as 0.01 m, but is ..." */
static dlp_Result fail_type(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node)
{
    static const char *const wanted[] = {
        [DLP_PARAM_REAL] = "a number",           [DLP_PARAM_INT] = "an integer",
        [DLP_PARAM_BOOL] = "true or false",      [DLP_PARAM_VEC3] = "a list of three numbers",
        [DLP_PARAM_CHOICE] = "a single word",    [DLP_PARAM_NAME] = "a name",
        [DLP_PARAM_ROWS] = "a list of rows",     [DLP_PARAM_MATERIAL] = "the name of a material",
        [DLP_PARAM_MESH] = "the name of a mesh", [DLP_PARAM_SOLID] = "the name of a solid",
        [DLP_PARAM_FLAGS] = "a list of names",
    };
    char unit[64];
    describe_unit(param, unit);
    char example[200] = "";
    if (param->type == DLP_PARAM_REAL || param->type == DLP_PARAM_INT || param->type == DLP_PARAM_VEC3) {
        char value[160];
        describe_example(param, value);
        const char *word = dlp_param_zero_word(param);
        snprintf(example, sizeof example, "%s%s%s", word != NULL ? " or '" : " such as ", word != NULL ? word : value,
                 word != NULL ? "'" : "");
    }
    dlp__SceneLocation location = dlp__scene_is_null(node) && node->key != NULL ? node->key->location : node->location;
    if (dlp__scene_is_null(node) && param->type != DLP_PARAM_NAME) {
        return dlp__scene_fail(reader, location, "%s has no value; it must be %s%s%s", param->name, wanted[param->type],
                               unit, example);
    }
    bool text = node->kind == DLP_NODE_SCALAR;
    return dlp__scene_fail(reader, location, "%s must be %s%s%s, but is %s%.64s%s", param->name, wanted[param->type],
                           unit, example, text ? "'" : "", text ? node->text : dlp__scene_kind_name(node),
                           text ? "'" : "");
}

/* The location of a part of a scalar; exact if there are no escapes before it. */
static dlp__SceneLocation part_location(const dlp__SceneNode *node, const char *part, size_t length)
{
    dlp__SceneLocation location = node->location;
    location.offset += (uint32_t)(part - node->text) + (node->quoted ? 1 : 0);
    location.width = (uint16_t)(length < 1000 ? length : 1000);
    return location;
}

static dlp_Result fail_unit(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node,
                            dlp__QuantityFault fault, const char *bad, size_t bad_length)
{
    char quoted[QUOTED_BYTES];
    snprintf(quoted, sizeof quoted, "%.*s", bad_length < sizeof quoted ? (int)bad_length : QUOTED_BYTES - 1, bad);
    dlp__SceneLocation location = part_location(node, bad, bad_length);
    char known[LIST_BYTES] = "";
    dlp__Suggestion suggestion = dlp__scene_suggest(quoted);
    for (int i = 0; dlp__scene_common_unit(param->unit, i) != NULL; i++) {
        add_name(known, dlp__scene_common_unit(param->unit, i));
        dlp__scene_offer(&suggestion, dlp__scene_common_unit(param->unit, i));
    }
    if (fault == DLP_QUANTITY_WRONG_DIMENSION && param->unit[0] == 0) {
        return dlp__scene_fail(reader, location, "%s takes no unit; remove '%s'", param->name, quoted);
    }
    if (fault == DLP_QUANTITY_WRONG_DIMENSION) {
        return dlp__scene_fail(reader, location,
                               "%s is measured in %s, but '%s' has a different dimension; valid units: %s", param->name,
                               param->unit, quoted, known);
    }
    if (param->unit[0] == 0) {
        return dlp__scene_fail(reader, location, "unknown unit '%s': %s takes no unit", quoted, param->name);
    }
    if (suggestion.nearest != NULL) {
        return dlp__scene_fail(reader, location, "unknown unit '%s' for %s; did you mean '%s'?", quoted, param->name,
                               suggestion.nearest);
    }
    return dlp__scene_fail(reader, location, "unknown unit '%s' for %s; valid units: %s", quoted, param->name, known);
}

static dlp_Result check_range(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node,
                              double value)
{
    if (value >= param->least && value <= param->most) {
        return DLP_OK;
    }
    char least[32];
    char most[32];
    char is[32];
    const char *space = param->unit[0] != 0 ? " " : "";
    return dlp__scene_fail(reader, node->location, "%s must be between %s%s%s and %s%s%s, but is %s%s%s", param->name,
                           dlp__scene_format_number(param->least, least), space, param->unit,
                           dlp__scene_format_number(param->most, most), space, param->unit,
                           dlp__scene_format_number(value, is), space, param->unit);
}

static dlp_Result read_real(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node, double *value)
{
    if (node->kind != DLP_NODE_SCALAR || dlp__scene_is_null(node)) {
        return fail_type(reader, param, node);
    }
    const char *word = dlp_param_zero_word(param);
    if (word != NULL && strcmp(node->text, word) == 0) {
        *value = 0.0;
        return DLP_OK;
    }
    const char *bad = NULL;
    size_t bad_length = 0;
    dlp__QuantityFault fault = dlp__scene_parse_quantity(node->text, param->unit, value, &bad, &bad_length);
    switch (fault) {
    case DLP_QUANTITY_OK: return check_range(reader, param, node, *value);
    case DLP_QUANTITY_NO_NUMBER: return fail_type(reader, param, node);
    case DLP_QUANTITY_NOT_FINITE:
        return dlp__scene_fail(reader, node->location, "%s must be finite, but is '%.64s'", param->name, node->text);
    case DLP_QUANTITY_UNKNOWN_UNIT:
    case DLP_QUANTITY_WRONG_DIMENSION: break;
    }
    return fail_unit(reader, param, node, fault, bad, bad_length);
}

/* Integers may be written 12, 0x0c, 0o14 (as in YAML) and 1.2e1. */
static dlp_Result read_integer(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node,
                               int64_t *value)
{
    double number = 0.0;
    const char *text = node->text;
    if (node->kind == DLP_NODE_SCALAR && text[0] == '0' && (text[1] == 'x' || text[1] == 'o')) {
        char *end = NULL;
        bool digit = text[2] != 0 && strchr("0123456789abcdefABCDEF", text[2]) != NULL;
        number = (double)strtoull(text + 2, &end, text[1] == 'x' ? 16 : 8);
        if (!digit || *end != 0) {
            return fail_type(reader, param, node);
        }
    } else {
        dlp_Param unbounded = *param; /* a fraction is reported before the range */
        unbounded.least = -INFINITY;
        unbounded.most = INFINITY;
        dlp_Result result = read_real(reader, &unbounded, node, &number);
        if (result != DLP_OK) {
            return result;
        }
    }
    if (number != floor(number)) {
        return fail_type(reader, param, node);
    }
    dlp_Result result = check_range(reader, param, node, number);
    if (result != DLP_OK) {
        return result;
    }
    if (fabs(number) > 9007199254740992.0) { /* 2^53: larger doubles may have been rounded */
        return dlp__scene_fail(reader, node->location, "%s is too large: integers are limited to 2^53", param->name);
    }
    *value = (int64_t)number;
    return DLP_OK;
}

static dlp_Result read_vector(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node, double *xyz)
{
    if (node->kind != DLP_NODE_LIST) {
        return fail_type(reader, param, node);
    }
    if (node->count != 3) {
        char unit[64];
        describe_unit(param, unit);
        return dlp__scene_fail(reader, node->location, "%s must be a list of three numbers%s, but has %d", param->name,
                               unit, (int)node->count);
    }
    const dlp__SceneNode *component = node->first;
    for (int i = 0; i < 3; i++, component = component->next) {
        dlp_Result result = read_real(reader, param, component, &xyz[i]);
        if (result != DLP_OK) {
            return result;
        }
    }
    return DLP_OK;
}

static dlp_Result read_bool(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node, bool *value)
{
    static const char *const words[] = {"false", "true", "False", "True", "FALSE", "TRUE"};
    for (int i = 0; i < 6 && node->kind == DLP_NODE_SCALAR && !node->quoted; i++) {
        if (strcmp(node->text, words[i]) == 0) {
            *value = i % 2 != 0;
            return DLP_OK;
        }
    }
    return fail_type(reader, param, node);
}

static dlp_Result read_choice(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node,
                              int32_t *value)
{
    if (node->kind != DLP_NODE_SCALAR || dlp__scene_is_null(node)) {
        return fail_type(reader, param, node);
    }
    char known[LIST_BYTES] = "";
    dlp__Suggestion suggestion = dlp__scene_suggest(node->text);
    for (int i = 0; param->choices[i] != NULL; i++) {
        if (strcmp(param->choices[i], node->text) == 0) {
            *value = i;
            return DLP_OK;
        }
        add_name(known, param->choices[i]);
        dlp__scene_offer(&suggestion, param->choices[i]);
    }
    if (suggestion.nearest != NULL) {
        return dlp__scene_fail(reader, node->location, "%s cannot be '%.64s'; did you mean '%s'? Valid values: %s",
                               param->name, node->text, suggestion.nearest, known);
    }
    return dlp__scene_fail(reader, node->location, "%s cannot be '%.64s'; valid values: %s", param->name, node->text,
                           known);
}

/* A list of choices, or a single one. */
static dlp_Result read_flags(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node,
                             int32_t *value)
{
    int32_t flags = 0, choice = 0;
    dlp_Result result = DLP_OK;
    if (node->kind == DLP_NODE_MAP) {
        return fail_type(reader, param, node);
    }
    const bool is_list = node->kind == DLP_NODE_LIST;
    for (const dlp__SceneNode *item = is_list ? node->first : node; item != NULL && result == DLP_OK;
         item = is_list ? item->next : NULL) {
        result = read_choice(reader, param, item, &choice);
        flags |= (int32_t)1 << choice;
    }
    *value = result == DLP_OK ? flags : *value;
    return result;
}

static dlp_Result read_name(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node, char *value)
{
    if (node->kind != DLP_NODE_SCALAR) {
        return fail_type(reader, param, node);
    }
    if (strlen(node->text) >= DLP_NAME_SIZE) {
        return dlp__scene_fail(reader, node->location, "%s is too long: a name has at most %d bytes", param->name,
                               DLP_NAME_SIZE - 1);
    }
    memset(value, 0, DLP_NAME_SIZE);
    memcpy(value, node->text, strlen(node->text));
    return DLP_OK;
}

/* The names of the items of a section. */
typedef struct NamedItems {
    const char *name; /* of the first */
    size_t size;      /* bytes from one to the next */
    int count;
} NamedItems;

static NamedItems names_of(const dlp__SceneReader *reader, dlp__SectionId section)
{
    const dlp_ParamTable *table = dlp__scene_section(section)->table();
    const dlp__SceneList *list = &reader->scene->lists[section];
    return (NamedItems){list->count > 0 ? list->items + dlp_params_find(table, "name")->offset : NULL, table->size,
                        list->count};
}

static int compare_name(const void *name, const void *other)
{
    return strcmp(name, other);
}

/* The index of the item with that name, or -1. Materials and meshes are sorted by name; solids are not, and may have no name. */
static int find_named(const NamedItems *names, const char *name, bool sorted)
{
    if (sorted && names->count > 0) {
        const char *found = bsearch(name, names->name, (size_t)names->count, names->size, compare_name);
        return found != NULL ? (int)((size_t)(found - names->name) / names->size) : -1;
    }
    for (int i = 0; i < names->count && name[0] != 0; i++) {
        if (strcmp(names->name + (size_t)i * names->size, name) == 0) {
            return i;
        }
    }
    return -1;
}

static dlp_Result fail_reference(dlp__SceneReader *reader, const dlp__SceneNode *node, dlp__SectionId section)
{
    const NamedItems names = names_of(reader, section);
    const char *many = dlp__scene_section(section)->key, *one = dlp__scene_section(section)->table()->name;
    char known[LIST_BYTES] = "";
    dlp__Suggestion suggestion = dlp__scene_suggest(node->text);
    for (int i = 0; i < names.count; i++) {
        const char *name = names.name + (size_t)i * names.size;
        if (name[0] != 0) {
            dlp__scene_offer(&suggestion, name);
        }
        if (name[0] != 0 && (section != DLP_SECTION_MATERIALS || !dlp__scene_is_built_in(reader, i))) {
            add_name(known, name);
        }
    }
    if (section == DLP_SECTION_MATERIALS) {
        return dlp__scene_fail(reader, node->location,
                               "there is no material '%.64s'%s%s%s%s%s%s `dollop materials` lists the built-in ones",
                               node->text, suggestion.nearest != NULL ? "; did you mean '" : ".",
                               suggestion.nearest != NULL ? suggestion.nearest : "",
                               suggestion.nearest != NULL ? "'?" : "", known[0] != 0 ? " The scene defines: " : "",
                               known, known[0] != 0 ? ";" : "");
    }
    if (known[0] == 0) {
        return dlp__scene_fail(reader, node->location, "there is no %s '%.64s': the scene has no %s%s", one, node->text,
                               many, names.count > 0 ? " with a name; add 'name: ...' to the one you mean" : "");
    }
    return dlp__scene_fail(reader, node->location, "there is no %s '%.64s'%s%s%s The scene has: %s", one, node->text,
                           suggestion.nearest != NULL ? "; did you mean '" : ".",
                           suggestion.nearest != NULL ? suggestion.nearest : "", suggestion.nearest != NULL ? "'?" : "",
                           known);
}

/* Sections are read in an order in which every referenced item comes before its references. */
static dlp_Result read_reference(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node,
                                 dlp__SectionId section, int32_t *value)
{
    if (node->kind != DLP_NODE_SCALAR || dlp__scene_is_null(node)) {
        return fail_type(reader, param, node);
    }
    const NamedItems names = names_of(reader, section);
    const bool sorted = dlp__scene_section(section)->form == DLP_FORM_NAMED;
    const int found = find_named(&names, node->text, sorted);
    if (found < 0) {
        return fail_reference(reader, node, section);
    }
    *value = found;
    return DLP_OK;
}

dlp_Result dlp__scene_read_value(dlp__SceneReader *reader, const dlp_Param *param, const dlp__SceneNode *node,
                                 void *member)
{
    switch (param->type) {
    case DLP_PARAM_REAL: return read_real(reader, param, node, member);
    case DLP_PARAM_INT: return read_integer(reader, param, node, member);
    case DLP_PARAM_BOOL: return read_bool(reader, param, node, member);
    case DLP_PARAM_VEC3: return read_vector(reader, param, node, member);
    case DLP_PARAM_CHOICE: return read_choice(reader, param, node, member);
    case DLP_PARAM_FLAGS: return read_flags(reader, param, node, member);
    case DLP_PARAM_ROWS: return dlp__scene_read_row_param(reader, param, node, member);
    case DLP_PARAM_NAME: return read_name(reader, param, node, member);
    case DLP_PARAM_MATERIAL: return read_reference(reader, param, node, DLP_SECTION_MATERIALS, member);
    case DLP_PARAM_MESH: return read_reference(reader, param, node, DLP_SECTION_MESHES, member);
    case DLP_PARAM_SOLID: return read_reference(reader, param, node, DLP_SECTION_SOLIDS, member);
    }
    return dlp__fail(reader->error, DLP_ERROR_UNSUPPORTED, "the parameter %s has an unknown type", param->name);
}

static dlp_Result unknown_key(dlp__SceneReader *reader, const dlp__SceneSection *section,
                              const dlp__SceneRecord *records, int count, const dlp__SceneNode *key, const char *where)
{
    char known[LIST_BYTES] = "";
    dlp__Suggestion suggestion = dlp__scene_suggest(key->text);
    if (section->extra != NULL) {
        add_name(known, section->extra);
        dlp__scene_offer(&suggestion, section->extra);
    }
    if (section->rows != NULL) {
        add_name(known, section->rows);
        dlp__scene_offer(&suggestion, section->rows);
    }
    for (const dlp__SceneInfo *info = section->info; info != NULL && info->key != NULL; info++) {
        dlp__scene_offer(&suggestion, info->key);
    }
    for (int r = 0; r < count; r++) {
        const dlp_ParamTable *table = records[r].table;
        for (int i = 0; i < table->count && records[r].def != NULL; i++) {
            if (dlp__scene_has_param(section, &table->params[i])) {
                add_name(known, table->params[i].name);
                dlp__scene_offer(&suggestion, table->params[i].name);
            }
        }
    }
    if (strcmp(key->text, "<<") == 0) {
        return dlp__scene_fail(reader, key->location, "merge keys ('<<') are not part of YAML 1.2; write out the keys");
    }
    if (suggestion.nearest != NULL) {
        return dlp__scene_fail(reader, key->location, "unknown key '%.64s' in %s; did you mean '%s'?", key->text, where,
                               suggestion.nearest);
    }
    return dlp__scene_fail(reader, key->location, "unknown key '%.64s' in %s; valid keys: %s", key->text, where, known);
}

/* The first record that has the key, and its parameter; null if none has. */
static const dlp__SceneRecord *find_key(dlp__SceneReader *reader, const dlp__SceneSection *section,
                                        const dlp__SceneRecord *records, int count, const char *key,
                                        const dlp_Param **param)
{
    for (int r = 0; r < count; r++) {
        *param = dlp_params_find(records[r].table, key);
        if (*param == NULL) {
            *param = dlp__scene_renamed_param(reader, records[r].table, key);
        }
        if (*param != NULL && dlp__scene_has_param(section, *param)) {
            return &records[r];
        }
    }
    return NULL;
}

/* Whether the node has been read to choose the method: see dlp__scene_present_method(). */
static bool is_former_key(const dlp__SceneSection *section, const dlp__SceneNode *map, const dlp__SceneNode *node)
{
    const dlp__SceneNode *name = section->form == DLP_FORM_METHOD ? dlp__scene_child(map, section->extra) : NULL;
    return name != NULL && name->kind == DLP_NODE_SCALAR && strcmp(name->text, "conformation") == 0 &&
           strcmp(node->key->text, DLP_SCENE_FORMER_SOLVER) == 0 && node->kind == DLP_NODE_SCALAR &&
           (strcmp(node->text, "physical") == 0 || strcmp(node->text, "jacobi") == 0);
}

dlp_Result dlp__scene_read_records(dlp__SceneReader *reader, const dlp__SceneSection *section,
                                   const dlp__SceneRecord *records, int count, const dlp__SceneNode *map,
                                   const char *where)
{
    if (dlp__scene_is_null(map)) {
        return DLP_OK;
    }
    if (map->kind != DLP_NODE_MAP) {
        return dlp__scene_fail(reader, map->location, "%s must be a map of keys and values, but is %s", where,
                               dlp__scene_kind_name(map));
    }
    for (const dlp__SceneNode *node = map->first; node != NULL; node = node->next) {
        if ((section->extra != NULL && strcmp(node->key->text, section->extra) == 0) ||
            (section->rows != NULL && strcmp(node->key->text, section->rows) == 0) ||
            is_former_key(section, map, node)) {
            continue; /* read by the caller */
        }
        const dlp__SceneInfo *info = dlp__scene_find_info(section, node->key->text);
        if (info != NULL) {
            dlp_Result result = dlp__scene_check_info(reader, info, node);
            if (result != DLP_OK) {
                return result;
            }
            continue;
        }
        const dlp_Param *param = NULL;
        const dlp__SceneRecord *record = find_key(reader, section, records, count, node->key->text, &param);
        if (record == NULL) {
            return unknown_key(reader, section, records, count, node->key, where);
        }
        if (record->def != NULL) {
            dlp_Result result = dlp__scene_read_value(reader, param, node, (char *)record->def + param->offset);
            if (result != DLP_OK) {
                return result;
            }
        }
    }
    return DLP_OK;
}

dlp_Result dlp__scene_read_map(dlp__SceneReader *reader, const dlp__SceneSection *section, const dlp_ParamTable *table,
                               const dlp__SceneNode *map, const char *where, void *def)
{
    return dlp__scene_read_records(reader, section, &(dlp__SceneRecord){table, def}, 1, map, where);
}

dlp_Result dlp__scene_read_points(dlp__SceneReader *reader, const dlp__SceneNode *node, dlp__ScenePoints *points)
{
    static const dlp_Param point = {.name = "point", .type = DLP_PARAM_VEC3, .unit = "m", .least = -1e9, .most = 1e9};
    if (node->kind != DLP_NODE_LIST || node->count == 0) {
        return dlp__scene_fail(reader, node->location,
                               "points must be a list of positions such as [[0, 0, 0], [1 cm, 0, 0]]");
    }
    points->xyz = malloc((size_t)node->count * 3 * sizeof *points->xyz);
    if (points->xyz == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    points->count = node->count;
    float *next = points->xyz;
    for (const dlp__SceneNode *child = node->first; child != NULL; child = child->next) {
        double xyz[3] = {0.0, 0.0, 0.0};
        dlp_Result result = read_vector(reader, &point, child, xyz);
        if (result != DLP_OK) {
            return result;
        }
        for (int i = 0; i < 3; i++) {
            *next++ = (float)xyz[i];
        }
    }
    return DLP_OK;
}
