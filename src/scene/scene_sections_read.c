/* Converts the tree to the scene: each section is read by its parameter table. */
#include "base/error.h"
#include "scene/scene_internal.h"
#include "scene/scene_suggest.h"
#include "scene/scene_when.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One definition of a material or mesh. */
typedef struct Definition {
    const dlp__SceneNode *node;
    int order; /* later ones override earlier ones */
    dlp__SceneOrigin origin;
} Definition;

typedef struct Definitions {
    const dlp__SceneSection *section;
    Definition *items;
    int count, capacity;
} Definitions;

static dlp_Result add_definitions(dlp__SceneReader *reader, const dlp__SceneNode *map, dlp__SceneOrigin origin,
                                  Definitions *definitions)
{
    if (map == NULL || dlp__scene_is_null(map)) {
        return DLP_OK;
    }
    if (map->kind != DLP_NODE_MAP) {
        return dlp__scene_fail(reader, map->location, "%s must be a map from names to %s, but is %s",
                               definitions->section->key, definitions->section->key, dlp__scene_kind_name(map));
    }
    for (const dlp__SceneNode *node = map->first; node != NULL; node = node->next) {
        if (definitions->count == definitions->capacity) {
            int capacity = definitions->capacity > 0 ? 2 * definitions->capacity : 16;
            Definition *items = realloc(definitions->items, (size_t)capacity * sizeof *items);
            if (items == NULL) {
                return dlp__scene_fail_memory(reader);
            }
            definitions->items = items;
            definitions->capacity = capacity;
        }
        definitions->items[definitions->count] = (Definition){node, definitions->count, origin};
        definitions->count++;
    }
    return DLP_OK;
}

static int compare_definitions(const void *a, const void *b)
{
    const Definition *first = a;
    const Definition *second = b;
    int order = strcmp(first->node->key->text, second->node->key->text);
    return order != 0 ? order : (first->order > second->order) - (first->order < second->order);
}

static bool starts_item(const Definitions *definitions, int i)
{
    const Definition *items = definitions->items;
    return i == 0 || strcmp(items[i - 1].node->key->text, items[i].node->key->text) != 0;
}

/* True if the definition is the only one of its name, and that of the library. */
static bool is_built_in(const Definitions *definitions, int i)
{
    return definitions->items[i].origin == DLP_FROM_LIBRARY &&
           (i + 1 == definitions->count || starts_item(definitions, i + 1));
}

/* A setting can change a material but not create one: an unknown name is an error. */
static dlp_Result fail_unknown_item(dlp__SceneReader *reader, const Definitions *definitions, const dlp__SceneNode *key)
{
    dlp__Suggestion suggestion = dlp__scene_suggest(key->text);
    for (int i = 0; i < definitions->count; i++) {
        if (definitions->items[i].origin != DLP_FROM_SETTING) {
            dlp__scene_offer(&suggestion, definitions->items[i].node->key->text);
        }
    }
    return dlp__scene_fail(
        reader, key->location, "the scene has no %s '%.64s'%s%.64s%s", definitions->section->table()->name, key->text,
        suggestion.nearest != NULL ? "; did you mean '" : "", suggestion.nearest != NULL ? suggestion.nearest : "",
        suggestion.nearest != NULL ? "'?" : "");
}

/* `built_in` of the items are not the scene's own. */
static dlp_Result reserve_list(dlp__SceneReader *reader, dlp__SectionId id, int count, int built_in,
                               dlp__SceneLocation location)
{
    const dlp__SceneSection *section = dlp__scene_section(id);
    if (count - built_in > DLP_SCENE_ITEMS_MAX) {
        return dlp__scene_fail(reader, location, "a scene may have at most %d %s, but this one has %d",
                               DLP_SCENE_ITEMS_MAX, section->key, count - built_in);
    }
    dlp__SceneList *list = &reader->scene->lists[id];
    list->items = calloc((size_t)count + 1, section->table()->size);
    list->locations = calloc((size_t)count + 1, sizeof *list->locations);
    if (list->items == NULL || list->locations == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    dlp_Result result = section->rows != NULL ? dlp__scene_reserve_rows(reader, id, count) : DLP_OK;
    if (result == DLP_OK && id == DLP_SECTION_MATERIALS) {
        result = dlp__scene_reserve_marks(reader, count);
    }
    if (result == DLP_OK && id == DLP_SECTION_MATERIALS) {
        result = dlp__scene_reserve_material_params(reader, count);
    }
    return result;
}

/* The definitions are sorted by name; definitions of the same name follow each other in the order of overriding. */
static dlp_Result read_definitions(dlp__SceneReader *reader, dlp__SectionId id, const Definitions *definitions)
{
    const dlp__SceneSection *section = definitions->section;
    const dlp_ParamTable *table = section->table();
    dlp__SceneList *list = &reader->scene->lists[id];
    int count = 0, built_in = 0;
    for (int i = 0; i < definitions->count; i++) {
        count += starts_item(definitions, i);
        built_in += starts_item(definitions, i) && is_built_in(definitions, i);
    }
    dlp_Result result = definitions->count > 0
                            ? reserve_list(reader, id, count, built_in, definitions->items[0].node->location)
                            : DLP_OK;
    for (int i = 0; i < definitions->count && result == DLP_OK; i++) {
        const Definition *definition = &definitions->items[i];
        const dlp__SceneNode *key = definition->node->key;
        if (starts_item(definitions, i)) {
            if (definition->origin == DLP_FROM_SETTING) {
                return fail_unknown_item(reader, definitions, key);
            }
            result = dlp__scene_check_name(reader, table, key);
            if (result != DLP_OK) {
                return result;
            }
            char *def = list->items + (size_t)list->count * table->size;
            dlp_params_default(table, def);
            memcpy(def + dlp_params_find(table, "name")->offset, key->text, strlen(key->text) + 1);
            list->count++;
        }
        char where[32 + DLP_NAME_SIZE];
        snprintf(where, sizeof where, "%s.%.63s", section->key, key->text);
        list->locations[list->count - 1] = key->location;
        result = id == DLP_SECTION_MATERIALS
                     ? dlp__scene_read_material(reader, definition->node, where, list->count - 1,
                                                definition->origin <= DLP_FROM_INCLUDE)
                     : dlp__scene_read_map(reader, section, table, definition->node, where,
                                           list->items + (size_t)(list->count - 1) * table->size);
        if (result == DLP_OK && section->rows != NULL) {
            result = dlp__scene_read_rows(reader, id, definition->node, list->count - 1);
        }
        if (result == DLP_OK && id == DLP_SECTION_MATERIALS) {
            dlp__scene_mark_material(reader, definition->node, list->count - 1, definition->origin);
        }
    }
    return result;
}

static dlp_Result read_named(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *root,
                             const dlp__SceneLayers *layers, const dlp__SceneNode *settings)
{
    Definitions definitions = {dlp__scene_section(id), NULL, 0, 0};
    const char *key = definitions.section->key;
    dlp_Result result = layers->library != NULL ? add_definitions(reader, dlp__scene_child(layers->library, key),
                                                                  DLP_FROM_LIBRARY, &definitions)
                                                : DLP_OK;
    for (int i = 0; i < layers->count && result == DLP_OK; i++) {
        result = add_definitions(reader, dlp__scene_child(layers->roots[i], key), DLP_FROM_INCLUDE, &definitions);
    }
    if (result == DLP_OK) {
        result = add_definitions(reader, dlp__scene_child(root, key), DLP_FROM_SCENE, &definitions);
    }
    if (result == DLP_OK) {
        result = add_definitions(reader, dlp__scene_child(settings, key), DLP_FROM_SETTING, &definitions);
    }
    if (result == DLP_OK && definitions.count > 0) {
        qsort(definitions.items, (size_t)definitions.count, sizeof *definitions.items, compare_definitions);
    }
    result = result == DLP_OK ? read_definitions(reader, id, &definitions) : result;
    free(definitions.items);
    return result;
}

static const dlp_ParamTable *find_method(dlp__SceneReader *reader, const dlp__SceneNode *node,
                                         const dlp__SceneNode *name)
{
    if (name->kind != DLP_NODE_SCALAR || dlp__scene_is_null(name)) {
        dlp__scene_fail(reader, name->location, "the method must be a name, but is %s", dlp__scene_kind_name(name));
        return NULL;
    }
    char known[256] = "";
    dlp__Suggestion suggestion = dlp__scene_suggest(name->text);
    for (int i = 0; i < dlp_method_count(); i++) {
        const char *method = dlp_method_name(i);
        if (strcmp(method, name->text) == 0) {
            const char *present = dlp__scene_present_method(reader, node, method);
            snprintf(reader->scene->world.method, DLP_NAME_SIZE, "%s", present);
            return dlp_method_params(present);
        }
        size_t used = strlen(known);
        snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", method);
        dlp__scene_offer(&suggestion, method);
    }
    if (suggestion.nearest != NULL) {
        dlp__scene_fail(reader, name->location, "there is no method '%.64s'; did you mean '%s'?", name->text,
                        suggestion.nearest);
    } else {
        dlp__scene_fail(reader, name->location, "there is no method '%.64s'; available methods: %s", name->text, known);
    }
    return NULL;
}

static dlp_Result read_method(dlp__SceneReader *reader, const dlp__SceneNode *node)
{
    dlp_Scene *scene = reader->scene;
    const dlp__SceneSection *section = dlp__scene_section(DLP_SECTION_METHOD);
    const dlp__SceneNode *name = node;
    if (node != NULL && node->kind == DLP_NODE_MAP) {
        name = dlp__scene_child(node, section->extra);
    }
    const dlp_ParamTable *table = NULL;
    if (name == NULL || (node->kind != DLP_NODE_MAP && dlp__scene_is_null(name))) {
        table = dlp_method_params(scene->world.method);
    } else {
        table = find_method(reader, node, name);
        if (table == NULL) {
            return reader->error->code;
        }
    }
    if (table == NULL) {
        return dlp__fail(reader->error, DLP_ERROR_UNSUPPORTED, "this build does not have the method '%s'",
                         scene->world.method);
    }
    memcpy(scene->method_name, scene->world.method, DLP_NAME_SIZE);
    scene->method = calloc(1, table->size > 0 ? table->size : 1);
    if (scene->method == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    dlp_params_default(table, scene->method);
    if (node == NULL || node->kind != DLP_NODE_MAP) {
        return DLP_OK;
    }
    char where[32 + DLP_NAME_SIZE];
    snprintf(where, sizeof where, "method %.63s", scene->method_name);
    return dlp__scene_read_map(reader, section, table, node, where, scene->method);
}

/* Checks required keys and reads keys, rows and points. */
static dlp_Result read_item_extras(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *node,
                                   const char *where, int index)
{
    const dlp__SceneSection *section = dlp__scene_section(id);
    const dlp_ParamTable *table = section->table();
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        const bool required = (param->type == DLP_PARAM_MATERIAL && param->least >= 0.0) ||
                              (id == DLP_SECTION_JOINTS && strcmp(param->name, "solid") == 0);
        if (required && (node->kind != DLP_NODE_MAP || dlp__scene_child(node, param->name) == NULL)) {
            return dlp__scene_fail(reader, node->location, "%s has no %s; add one, such as '%s: %s'", where,
                                   param->name, param->name, param->type == DLP_PARAM_MATERIAL ? "water" : "wheel");
        }
    }
    if (dlp__scene_has_keys(id)) {
        dlp_Result result = dlp__scene_read_keys(reader, id, node, index);
        return result == DLP_OK && section->rows != NULL ? dlp__scene_read_rows(reader, id, node, index) : result;
    }
    const dlp__SceneNode *points = id == DLP_SECTION_FLUIDS ? dlp__scene_child(node, section->extra) : NULL;
    if (points == NULL) {
        return DLP_OK;
    }
    return dlp__scene_read_points(reader, points, &reader->scene->points[index]);
}

static dlp_Result read_list(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *node)
{
    const dlp__SceneSection *section = dlp__scene_section(id);
    if (node == NULL || dlp__scene_is_null(node)) {
        return DLP_OK;
    }
    if (node->kind != DLP_NODE_LIST) {
        return dlp__scene_fail(reader, node->location,
                               "%s must be a list, but is %s; put '- ' before each item, or give each a name, "
                               "such as '%s: {...}'",
                               section->key, dlp__scene_kind_name(node), section->table()->name);
    }
    dlp_Result result = dlp__scene_check_names(reader, id, node);
    if (result == DLP_OK) {
        result = reserve_list(reader, id, node->count, 0, node->location);
    }
    if (result == DLP_OK && id == DLP_SECTION_FLUIDS) {
        reader->scene->points = calloc((size_t)node->count + 1, sizeof *reader->scene->points);
        result = reader->scene->points != NULL ? DLP_OK : dlp__scene_fail_memory(reader);
    }
    if (result == DLP_OK && dlp__scene_has_keys(id)) {
        result = dlp__scene_reserve_keys(reader, id, node->count);
    }
    dlp__SceneList *list = &reader->scene->lists[id];
    const dlp_ParamTable *table = section->table();
    for (const dlp__SceneNode *item = node->first; item != NULL && result == DLP_OK; item = item->next) {
        char where[DLP_SCENE_ITEM_BYTES];
        dlp__scene_describe_node(id, item, list->count, where);
        void *def = list->items + (size_t)list->count * table->size;
        dlp_params_default(table, def);
        list->locations[list->count] = item->location;
        result = dlp__scene_read_map(reader, section, table, item, where, def);
        result = result == DLP_OK ? read_item_extras(reader, id, item, where, list->count) : result;
        list->count++;
    }
    return result;
}

static dlp_Result check_sections(dlp__SceneReader *reader, const dlp__SceneNode *root)
{
    for (const dlp__SceneNode *node = root->first; node != NULL; node = node->next) {
        dlp__Suggestion suggestion = dlp__scene_suggest(node->key->text);
        char known[256] = "";
        bool found = false;
        for (int i = 0; i < DLP_SECTION_COUNT && !found; i++) {
            const char *key = dlp__scene_section((dlp__SectionId)i)->key;
            found = strcmp(key, node->key->text) == 0;
            if (found) {
                reader->scene->locations[i] = node->key->location;
            }
            size_t used = strlen(known);
            snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", key);
            dlp__scene_offer(&suggestion, key);
        }
        if (!found && suggestion.nearest != NULL) {
            return dlp__scene_fail(reader, node->key->location, "unknown section '%.64s'; did you mean '%s'?",
                                   node->key->text, suggestion.nearest);
        }
        if (!found) {
            return dlp__scene_fail(reader, node->key->location, "unknown section '%.64s'; valid sections: %s",
                                   node->key->text, known);
        }
    }
    return DLP_OK;
}

static dlp_Result read_map_section(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *root, void *def)
{
    const dlp__SceneSection *section = dlp__scene_section(id);
    const dlp__SceneNode *node = dlp__scene_child(root, section->key);
    return node != NULL ? dlp__scene_read_map(reader, section, section->table(), node, section->key, def) : DLP_OK;
}

dlp_Result dlp__scene_read_sections(dlp__SceneReader *reader, const dlp__SceneNode *root,
                                    const dlp__SceneLayers *layers, const dlp__SceneNode *setting_materials)
{
    dlp_Scene *scene = reader->scene;
    scene->world = dlp_default_world_def();
    scene->run = dlp_default_run_def();
    dlp_Result result = check_sections(reader, root);
    if (result == DLP_OK) {
        result = read_map_section(reader, DLP_SECTION_WORLD, root, &scene->world);
    }
    if (result == DLP_OK) {
        result = read_method(reader, dlp__scene_child(root, dlp__scene_section(DLP_SECTION_METHOD)->key));
    }
    if (result == DLP_OK) {
        result = read_map_section(reader, DLP_SECTION_RUN, root, &scene->run);
    }
    if (result == DLP_OK) {
        result = read_named(reader, DLP_SECTION_MATERIALS, root, layers, setting_materials);
    }
    if (result == DLP_OK) {
        result = read_named(reader, DLP_SECTION_MESHES, root, layers, setting_materials);
    }
    for (int i = DLP_SECTION_SOLIDS; i <= DLP_SECTION_CAMERAS && result == DLP_OK; i++) {
        result = read_list(reader, (dlp__SectionId)i,
                           dlp__scene_child(root, dlp__scene_section((dlp__SectionId)i)->key));
    }
    if (result == DLP_OK && scene->lists[DLP_SECTION_FLUIDS].count + scene->lists[DLP_SECTION_COMPANIONS].count +
                                    scene->lists[DLP_SECTION_EMITTERS].count ==
                                0) {
        result = dlp__scene_fail(reader, root->location,
                                 "the scene has no fluids, companions or emitters, so there is nothing to "
                                 "simulate; add 'fluids: [{material: ..., shape: box}]'");
    }
    /* Conditions of keys refer to the materials in use. */
    result = result == DLP_OK ? dlp__scene_select_materials(reader) : result;
    return result == DLP_OK ? dlp__scene_check_uses(reader, root, setting_materials) : result;
}
