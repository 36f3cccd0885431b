/* Conditions under which parameters have an effect, as dlp_Param.when states them: evaluated for an item of a scene, and
 * described for messages and the reference. */
#include "scene/scene_when.h"

#include <stdio.h>
#include <string.h>

enum { NAMES_MOST = 16, CLAUSE_BYTES = 256, WORD_BYTES = 64 };

/* One clause of a condition. */
typedef struct Clause {
    char choice[WORD_BYTES]; /* the choice parameter; empty if the clause is about presence */
    char names[NAMES_MOST][WORD_BYTES];
    int count;
    bool negated;
} Clause;

/* Copy `length` bytes as a word. */
static void copy_word(char word[WORD_BYTES], const char *text, size_t length)
{
    snprintf(word, WORD_BYTES, "%.*s", (int)length, text);
}

/* Parse the clause at `text`; returns the start of the next one, or null after the last. */
static const char *next_clause(const char *text, Clause *clause)
{
    *clause = (Clause){.count = 0};
    text += strspn(text, ", ");
    const char *end = text + strcspn(text, ",");
    if (*text == '!') {
        clause->negated = true;
        text++;
    }
    const size_t name = strcspn(text, "=,");
    if (text[name] == '=') {
        copy_word(clause->choice, text, name);
        text += name + 1;
    }
    while (text < end && clause->count < NAMES_MOST) {
        const size_t length = strcspn(text, "|,");
        copy_word(clause->names[clause->count++], text, length);
        text += length + 1;
    }
    return *end == ',' ? end + 1 : NULL;
}

dlp__SceneItem dlp__scene_item(const dlp_Scene *scene, dlp__SectionId id, int index, const dlp__SceneNode *node)
{
    const dlp__SceneSection *section = dlp__scene_section(id);
    dlp__SceneItem item = {.scene = scene, .section = section, .id = id, .index = index, .node = node};
    const dlp_ParamTable *table = section->table != NULL ? section->table() : dlp_method_params(scene->method_name);
    const void *def = id == DLP_SECTION_WORLD    ? (const void *)&scene->world
                      : id == DLP_SECTION_RUN    ? (const void *)&scene->run
                      : id == DLP_SECTION_METHOD ? scene->method
                                                 : scene->lists[id].items + (size_t)index * table->size;
    item.tables[0] = table;
    item.defs[0] = def;
    const dlp_ParamTable *own = id == DLP_SECTION_MATERIALS ? dlp_method_material_params(scene->method_name) : NULL;
    if (own != NULL && scene->material_params != NULL) {
        item.tables[1] = own;
        item.defs[1] = scene->material_params + (size_t)index * own->size;
    }
    return item;
}

const dlp_Param *dlp__scene_item_param(const dlp__SceneItem *item, const char *name, const void **def)
{
    for (int t = 0; t < 2 && item->tables[t] != NULL; t++) {
        const dlp_Param *param = dlp_params_find(item->tables[t], name);
        if (param != NULL) {
            *def = item->defs[t];
            return param;
        }
    }
    return NULL;
}

/* The section of that key, or DLP_SECTION_COUNT. */
static dlp__SectionId find_section(const char *key, size_t length)
{
    int id = 0;
    for (; id < DLP_SECTION_COUNT; id++) {
        const char *other = dlp__scene_section((dlp__SectionId)id)->key;
        if (strlen(other) == length && strncmp(other, key, length) == 0) {
            break;
        }
    }
    return (dlp__SectionId)id;
}

bool dlp__scene_refers_to(const dlp_Scene *scene, dlp__SectionId id, int material)
{
    const dlp_ParamTable *table = dlp__scene_section(id)->table();
    const size_t offset = dlp_params_find(table, "material")->offset;
    for (int i = 0; i < scene->lists[id].count; i++) {
        const char *member = scene->lists[id].items + (size_t)i * table->size + offset;
        if (*(const int32_t *)(const void *)member == material) {
            return true;
        }
    }
    return false;
}

/* Unused materials and those of the library do not count as part of the scene. */
static bool is_in_use(const dlp_Scene *scene, dlp__SectionId id, int index)
{
    return id != DLP_SECTION_MATERIALS || dlp__scene_refers_to(scene, DLP_SECTION_FLUIDS, index) ||
           dlp__scene_refers_to(scene, DLP_SECTION_EMITTERS, index) ||
           dlp__scene_refers_to(scene, DLP_SECTION_COMPANIONS, index);
}

/* Whether a parameter or list of the item itself is present. A parameter given as zero is present if `given` counts: its
 * siblings may then stay in the scene. */
static bool is_own_present(const dlp__SceneItem *item, const char *name, bool given)
{
    const void *def = NULL;
    const dlp_Param *param = dlp__scene_item_param(item, name, &def);
    if (param != NULL && !dlp_params_is_default(param, def)) {
        return true;
    }
    if (item->section->rows != NULL && strcmp(item->section->rows, name) == 0) {
        return item->scene->rows[item->id] != NULL && item->scene->rows[item->id][item->index].count > 0;
    }
    return (param == NULL || given) && item->node != NULL && item->node->kind == DLP_NODE_MAP &&
           dlp__scene_child(item->node, name) != NULL;
}

/* Whether the first entry of the item's list has that key. */
static bool is_in_first_entry(const dlp__SceneItem *item, const char *name)
{
    const dlp__SceneNode *list = item->node != NULL ? dlp__scene_child(item->node, item->section->extra) : NULL;
    return list != NULL && list->kind == DLP_NODE_LIST && list->first != NULL && list->first->kind == DLP_NODE_MAP &&
           dlp__scene_child(list->first, name) != NULL;
}

static bool is_present(const dlp__SceneItem *item, const char *name, bool given)
{
    const char *dot = strchr(name, '.');
    if (dot == NULL) {
        return is_own_present(item, name, given);
    }
    const size_t length = (size_t)(dot - name);
    if (item->section->extra != NULL && strlen(item->section->extra) == length &&
        strncmp(item->section->extra, name, length) == 0) {
        return is_in_first_entry(item, dot + 1);
    }
    const void *def = NULL;
    const dlp_Param *reference = strncmp(name, "material.", length + 1) == 0
                                     ? dlp__scene_item_param(item, "material", &def)
                                     : NULL;
    if (reference != NULL) {
        const int index = *(const int32_t *)(const void *)((const char *)def + reference->offset);
        const dlp__SceneItem other = dlp__scene_item(item->scene, DLP_SECTION_MATERIALS, index, NULL);
        return is_own_present(&other, dot + 1, false);
    }
    const dlp__SectionId id = find_section(name, length);
    for (int i = 0; id < DLP_SECTION_COUNT && i < item->scene->lists[id].count; i++) {
        const dlp__SceneItem other = dlp__scene_item(item->scene, id, i, NULL);
        if (is_in_use(item->scene, id, i) && is_own_present(&other, dot + 1, false)) {
            return true;
        }
    }
    return false;
}

/* "a", "a or b", "a, b or c"; parts before a dot become "... in a material". */
static void join_names(const Clause *clause, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    for (int i = 0; i < clause->count && used < size; i++) {
        const char *dot = strchr(clause->names[i], '.');
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0                   ? ""
                                 : i == clause->count - 1 ? " or "
                                                          : ", ",
                                 dot != NULL ? dot + 1 : clause->names[i]);
    }
    const char *first = clause->count > 0 ? clause->names[0] : "", *dot = strchr(first, '.');
    if (dot == NULL || used >= size) {
        return;
    }
    const size_t length = (size_t)(dot - first);
    const dlp__SectionId id = find_section(first, length);
    if (id < DLP_SECTION_COUNT) {
        snprintf(text + used, size - used, " in a %s", dlp__scene_section(id)->table()->name);
    } else {
        snprintf(text + used, size - used, " in its %.*s", (int)length, first);
    }
}

/* Whether a clause holds; if not, `text` completes "has no effect". */
static bool check_clause(const dlp__SceneItem *item, const Clause *clause, char *text, size_t size)
{
    char names[CLAUSE_BYTES];
    join_names(clause, names, sizeof names);
    if (clause->choice[0] != 0) {
        const void *def = NULL;
        const dlp_Param *param = dlp__scene_item_param(item, clause->choice, &def);
        const char *value = param->choices[*(const int32_t *)(const void *)((const char *)def + param->offset)];
        for (int i = 0; i < clause->count; i++) {
            if (strcmp(clause->names[i], value) == 0) {
                return true;
            }
        }
        snprintf(text, size, "with %s: %s; remove it, or use %s: %s", param->name, value, param->name, names);
        return false;
    }
    bool present = false;
    for (int i = 0; i < clause->count && !present; i++) {
        present = is_present(item, clause->names[i], !clause->negated);
    }
    if (present != clause->negated) {
        return true;
    }
    if (clause->negated) {
        snprintf(text, size, "with %s; remove one of them", names);
    } else {
        snprintf(text, size, "without %s; remove it, or give %s", names, clause->count > 1 ? "one of them" : names);
    }
    return false;
}

bool dlp__scene_when_holds(const dlp__SceneItem *item, const char *when, char *text, size_t size)
{
    while (when != NULL && when[0] != 0) {
        Clause clause;
        when = next_clause(when, &clause);
        if (clause.count > 0 && !check_clause(item, &clause, text, size)) {
            return false;
        }
    }
    return true;
}

void dlp__scene_describe_when(const char *when, char *text, size_t size)
{
    size_t used = 0;
    text[0] = 0;
    while (when != NULL && when[0] != 0 && used < size) {
        Clause clause;
        char names[CLAUSE_BYTES];
        when = next_clause(when, &clause);
        if (clause.count == 0) {
            continue;
        }
        join_names(&clause, names, sizeof names);
        used += (size_t)snprintf(text + used, size - used, "%s%s%s%s%s", used > 0 ? ", " : "only ",
                                 clause.negated ? "without " : "with ", clause.choice,
                                 clause.choice[0] != 0 ? ": " : "", names);
    }
}
