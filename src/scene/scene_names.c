/* Names of list items: a list written as a map from names to items, items found by name or index, and names in messages. */
#include "scene/scene_internal.h"
#include "scene/scene_suggest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_KEY "name"

/* The name that an item is given in the file, or "". */
static const char *name_in_file(const dlp__SceneNode *item)
{
    const dlp__SceneNode *name = item->kind == DLP_NODE_MAP ? dlp__scene_child(item, NAME_KEY) : NULL;
    return name != NULL && name->kind == DLP_NODE_SCALAR && name->text != NULL ? name->text : "";
}

static void describe(dlp__SectionId id, const char *name, int index, char text[DLP_SCENE_ITEM_BYTES])
{
    const char *section = dlp__scene_section(id)->key;
    if (name[0] != 0) {
        snprintf(text, DLP_SCENE_ITEM_BYTES, "%s.%.63s", section, name);
    } else {
        snprintf(text, DLP_SCENE_ITEM_BYTES, "%s[%d]", section, index);
    }
}

void dlp__scene_describe_node(dlp__SectionId id, const dlp__SceneNode *item, int index, char text[DLP_SCENE_ITEM_BYTES])
{
    describe(id, name_in_file(item), index, text);
}

const char *dlp__scene_item_name(const dlp_Scene *scene, dlp__SectionId id, int index)
{
    const dlp_ParamTable *table = dlp__scene_section(id)->table();
    const dlp_Param *name = dlp_params_find(table, NAME_KEY);
    return name != NULL ? scene->lists[id].items + (size_t)index * table->size + name->offset : "";
}

void dlp__scene_describe_item(const dlp_Scene *scene, dlp__SectionId id, int index, char text[DLP_SCENE_ITEM_BYTES])
{
    describe(id, dlp__scene_item_name(scene, id, index), index, text);
}

dlp_Result dlp__scene_check_name(dlp__SceneReader *reader, const dlp_ParamTable *table, const dlp__SceneNode *name)
{
    const size_t length = strlen(name->text);
    if (length == 0 || length >= DLP_NAME_SIZE || strpbrk(name->text, ".=\t\r\n") != NULL) {
        return dlp__scene_fail(reader, name->location,
                               "'%.64s' is not a valid name of a %s: use 1 to %d bytes without '.' and '='", name->text,
                               table->name, DLP_NAME_SIZE - 1);
    }
    return DLP_OK;
}

/* A number would be taken for an index. */
static dlp_Result check_item_name(dlp__SceneReader *reader, const dlp_ParamTable *table, const dlp__SceneNode *name)
{
    if (name->text[strspn(name->text, "0123456789")] == 0) {
        return dlp__scene_fail(
            reader, name->location,
            "'%.64s' is not a valid name of a %s: settings such as %s.%.64s.KEY would take it for an "
            "index; begin it with a letter",
            name->text, table->name, table->name, name->text);
    }
    return dlp__scene_check_name(reader, table, name);
}

typedef struct NamedNode {
    const dlp__SceneNode *name;
    int order;
} NamedNode;

static int compare_names(const void *a, const void *b)
{
    const NamedNode *first = a, *second = b;
    const int order = strcmp(first->name->text, second->name->text);
    return order != 0 ? order : (first->order > second->order) - (first->order < second->order);
}

static dlp_Result check_unique(dlp__SceneReader *reader, dlp__SectionId id, NamedNode *names, int count)
{
    qsort(names, (size_t)count, sizeof *names, compare_names);
    for (int i = 1; i < count; i++) {
        if (strcmp(names[i - 1].name->text, names[i].name->text) == 0) {
            return dlp__scene_fail(reader, names[i].name->location,
                                   "two %s are named '%.64s': give them different names", dlp__scene_section(id)->key,
                                   names[i].name->text);
        }
    }
    return DLP_OK;
}

dlp_Result dlp__scene_check_names(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *list)
{
    NamedNode *names = calloc((size_t)list->count + 1, sizeof *names);
    if (names == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    int count = 0;
    dlp_Result result = DLP_OK;
    for (const dlp__SceneNode *item = list->first; item != NULL && result == DLP_OK; item = item->next) {
        if (name_in_file(item)[0] != 0) {
            const dlp__SceneNode *name = dlp__scene_child(item, NAME_KEY);
            result = check_item_name(reader, dlp__scene_section(id)->table(), name);
            names[count] = (NamedNode){name, count};
            count++;
        }
    }
    result = result == DLP_OK ? check_unique(reader, id, names, count) : result;
    free(names);
    return result;
}

/* `solids: {plate: {shape: plane}}`, but not `solids: {shape: plane}`, in which the dash before the item is missing. */
static bool is_map_of_items(const dlp__SceneNode *node)
{
    for (const dlp__SceneNode *item = node->first; item != NULL; item = item->next) {
        if (item->kind != DLP_NODE_MAP) {
            return false;
        }
    }
    return node->kind == DLP_NODE_MAP && node->count > 0;
}

/* Turn `plate: {...}` into `{..., name: plate}`. */
static dlp_Result name_item(dlp__SceneReader *reader, const dlp__SceneSection *section, dlp__SceneNode *item)
{
    const dlp__SceneNode *given = dlp__scene_child(item, NAME_KEY);
    if (given != NULL) {
        return dlp__scene_fail(reader, given->key->location, "%s.%.64s has its name already; remove 'name'",
                               section->key, item->key->text);
    }
    if (item->key->text[0] == 0) {
        return dlp__scene_check_name(reader, section->table(), item->key);
    }
    dlp__SceneNode *key = dlp__scene_new_node(reader, DLP_NODE_SCALAR, item->key->location);
    dlp__SceneNode *name = dlp__scene_new_node(reader, DLP_NODE_SCALAR, item->key->location);
    if (key == NULL || name == NULL) {
        return reader->error->code;
    }
    key->text = NAME_KEY;
    name->text = item->key->text;
    name->quoted = true;
    dlp__scene_append(item, key, name);
    item->location = item->key->location;
    item->key = NULL;
    return DLP_OK;
}

dlp_Result dlp__scene_convert_named_lists(dlp__SceneReader *reader, const dlp__SceneNode *root)
{
    for (int id = 0; id < DLP_SECTION_COUNT; id++) {
        const dlp__SceneSection *section = dlp__scene_section((dlp__SectionId)id);
        dlp__SceneNode *node = section->form == DLP_FORM_LIST ? dlp__scene_child(root, section->key) : NULL;
        if (node == NULL || !is_map_of_items(node)) {
            continue;
        }
        for (dlp__SceneNode *item = node->first; item != NULL; item = item->next) {
            const dlp_Result result = name_item(reader, section, item);
            if (result != DLP_OK) {
                return result;
            }
        }
        node->kind = DLP_NODE_LIST;
    }
    return DLP_OK;
}

static dlp__SceneNode *fail_unknown_item(dlp__SceneReader *reader, const dlp__SceneNode *list,
                                         const dlp__SceneNode *part)
{
    char known[400] = "";
    dlp__Suggestion suggestion = dlp__scene_suggest(part->text);
    for (const dlp__SceneNode *item = list->first; item != NULL; item = item->next) {
        const char *name = name_in_file(item);
        const size_t used = strlen(known);
        if (name[0] != 0 && used + strlen(name) + 8 < sizeof known) {
            snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", name);
        }
        if (name[0] != 0) {
            dlp__scene_offer(&suggestion, name);
        }
    }
    const char *best = suggestion.nearest;
    dlp__scene_fail(reader, part->location, "there is no item '%.64s'%s%.64s%s are numbered from 0 to %d%s%s",
                    part->text, best != NULL ? "; did you mean '" : "", best != NULL ? best : "",
                    best != NULL ? "'? Items" : ": items", (int)list->count - 1,
                    known[0] != 0 ? "; those with a name: " : "", known);
    return NULL;
}

dlp__SceneNode *dlp__scene_find_item(dlp__SceneReader *reader, const dlp__SceneNode *list, const dlp__SceneNode *part)
{
    if (list->count == 0) {
        dlp__scene_fail(reader, part->location, "there is no item '%.64s': the list is empty", part->text);
        return NULL;
    }
    char *end = NULL;
    const long index = strtol(part->text, &end, 10);
    const bool is_index = part->text[0] >= '0' && part->text[0] <= '9' && *end == 0;
    int i = 0;
    for (dlp__SceneNode *item = list->first; item != NULL; item = item->next, i++) {
        if (is_index ? i == index : strcmp(name_in_file(item), part->text) == 0) {
            return item;
        }
    }
    return fail_unknown_item(reader, list, part);
}
