/* Refuses keys that have no effect: keys of a group that the method does not use (dlp_Param.use) and keys whose condition does
 * not hold (dlp_Param.when). Included files may have them, because a material library serves several methods; what the method
 * ignores of a material in use is then noted. */
#include "scene/scene_when.h"

#include <stdio.h>
#include <string.h>

enum { METHODS_BYTES = 256, REASON_BYTES = 512, IGNORED_BYTES = 768 };

void dlp__scene_list_methods(const dlp_Param *param, char *list, size_t size)
{
    const char *names[16];
    int count = 0;
    for (int i = 0; i < dlp_method_count() && count < 16; i++) {
        if (dlp_method_uses(dlp_method_name(i), param)) {
            names[count++] = dlp_method_name(i);
        }
    }
    /* The first method is the one for most scenes. */
    count = count > 0 && names[0] == dlp_method_name(0) ? 1 : count;
    size_t used = 0;
    list[0] = 0;
    for (int i = 0; i < count && used < size; i++) {
        used += (size_t)snprintf(list + used, size - used, "%s%s",
                                 i == 0           ? ""
                                 : i == count - 1 ? " or "
                                                  : ", ",
                                 names[i]);
    }
}

/* The use and condition of a key; false if the key is neither a parameter nor a list of the item. */
static bool find_key(const dlp__SceneItem *item, const char *key, dlp_Param *found)
{
    const dlp__SceneSection *section = item->section;
    const void *def = NULL;
    const dlp_Param *param = dlp__scene_item_param(item, key, &def);
    for (int t = 0; t < 2 && param == NULL && item->tables[t] != NULL; t++) {
        const char *present = dlp_params_renamed(item->tables[t], key);
        param = present != NULL ? dlp_params_find(item->tables[t], present) : NULL;
    }
    if (param != NULL && dlp__scene_has_param(section, param)) {
        *found = *param;
        return true;
    }
    if (section->extra != NULL && strcmp(section->extra, key) == 0) {
        *found = (dlp_Param){.name = section->extra, .when = section->extra_when};
        return true;
    }
    if (section->rows != NULL && strcmp(section->rows, key) == 0) {
        *found = (dlp_Param){.name = section->rows, .use = section->rows_use};
        return true;
    }
    return false;
}

static dlp_Result check_item(dlp__SceneReader *reader, const dlp__SceneItem *item, const char *where)
{
    const char *method = reader->scene->method_name;
    const dlp__SceneNode *map = item->node;
    for (const dlp__SceneNode *node = map->kind == DLP_NODE_MAP ? map->first : NULL; node != NULL; node = node->next) {
        dlp_Param param;
        if (!find_key(item, node->key->text, &param)) {
            continue;
        }
        if (dlp_params_inert(&param) == NULL && !dlp_method_uses(method, &param)) {
            char methods[METHODS_BYTES];
            dlp__scene_list_methods(&param, methods, sizeof methods);
            return dlp__scene_fail(
                reader, node->key->location, "%s.%s has no effect in method %s; remove it, or use method: %s%s", where,
                param.name, method, methods,
                (param.use & DLP_USE_LAWS) != 0 ? "; other methods have viscosity, modulus and relaxation_time only"
                                                : "");
        }
        char reason[REASON_BYTES];
        if (!dlp__scene_when_holds(item, param.when, reason, sizeof reason)) {
            return dlp__scene_fail(reader, node->key->location, "%s.%s has no effect %s", where, param.name, reason);
        }
    }
    return DLP_OK;
}

/* The index of the item of that name, or -1. */
static int find_named(const dlp_Scene *scene, dlp__SectionId id, const char *name)
{
    const dlp_ParamTable *table = dlp__scene_section(id)->table();
    const size_t offset = dlp_params_find(table, "name")->offset;
    int index = scene->lists[id].count - 1;
    while (index >= 0 && strcmp(scene->lists[id].items + (size_t)index * table->size + offset, name) != 0) {
        index--;
    }
    return index;
}

/* A section with one map, a map of named items, or a list of items. */
static dlp_Result check_section(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *node)
{
    const dlp_Scene *scene = reader->scene;
    const dlp__SceneSection *section = dlp__scene_section(id);
    if (section->form == DLP_FORM_MAP || section->form == DLP_FORM_METHOD) {
        const dlp__SceneItem item = dlp__scene_item(scene, id, 0, node);
        return check_item(reader, &item, section->key);
    }
    dlp_Result result = DLP_OK;
    int index = 0;
    for (const dlp__SceneNode *child = node->first; child != NULL && result == DLP_OK; child = child->next) {
        char where[DLP_SCENE_ITEM_BYTES];
        if (section->form == DLP_FORM_NAMED) {
            snprintf(where, sizeof where, "%s.%.63s", section->key, child->key->text);
            index = find_named(scene, id, child->key->text);
        } else {
            dlp__scene_describe_node(id, child, index, where);
        }
        if (index >= 0 && index < scene->lists[id].count) {
            const dlp__SceneItem item = dlp__scene_item(scene, id, index, child);
            result = check_item(reader, &item, where);
        }
        index++;
    }
    return result;
}

/* Whether a fluid or an emitter consists of the material. */
static bool is_flowing(const dlp_Scene *scene, int material)
{
    return dlp__scene_refers_to(scene, DLP_SECTION_FLUIDS, material) ||
           dlp__scene_refers_to(scene, DLP_SECTION_EMITTERS, material);
}

/* Pa.s; below it a fluid flows like an inviscid one at any usual spacing, so that ignoring its viscosity changes nothing. */
static const double THIN = 0.01;

/* m/s2. Surface tension forms drops up to about sqrt(tension / (density * gravity)); a coarser spacing does not show them. */
static const double EARTH = 9.81;

/* Whether the method may ignore the key without a note. */
static bool is_negligible(const dlp_Scene *scene, const dlp_MaterialDef *material, const dlp_Param *param)
{
    const bool thin = material->viscosity <= THIN && material->modulus == 0.0;
    const double spacing = scene->world.spacing;
    const bool coarse = material->surface_tension < material->density * EARTH * spacing * spacing;
    return (thin && (strcmp(param->name, "viscosity") == 0 || strcmp(param->name, "viscosity_at") == 0)) ||
           (coarse && (param->use & DLP_USE_TENSION) != 0);
}

/* Describe the parameters of a material that a method ignores; false if there are none. */
static bool describe_ignored(const dlp_Scene *scene, const char *method, int index, char *text, size_t size)
{
    const dlp__SceneItem item = dlp__scene_item(scene, DLP_SECTION_MATERIALS, index, NULL);
    const dlp_ParamTable *table = item.tables[0];
    const dlp__SceneSection *section = item.section;
    char names[256] = "";
    char methods[METHODS_BYTES] = "";
    bool inviscid = false;
    for (int i = 0; i <= table->count; i++) {
        const bool is_rows = i == table->count;
        const dlp_Param param = is_rows ? (dlp_Param){.name = section->rows, .use = section->rows_use}
                                        : table->params[i];
        const bool is_given = is_rows ? scene->rows[item.id] != NULL && scene->rows[item.id][index].count > 0
                                      : !dlp_params_is_default(&param, item.defs[0]);
        if (is_given && dlp_params_inert(&param) == NULL && !dlp_method_uses(method, &param) &&
            !is_negligible(scene, item.defs[0], &param)) {
            const size_t used = strlen(names);
            snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", param.name);
            dlp__scene_list_methods(&param, methods, sizeof methods);
            inviscid = inviscid || (param.use & DLP_USE_RHEOLOGY) != 0;
        }
    }
    snprintf(text, size, "material %s: method %s ignores %s%s; use method: %s",
             ((const dlp_MaterialDef *)item.defs[0])->name, method, names,
             inviscid ? ", so it flows like an inviscid fluid" : "", methods);
    return names[0] != 0;
}

void dlp__scene_log_ignored(const dlp_Scene *scene)
{
    const dlp_Hooks *hooks = &scene->world.hooks;
    char text[IGNORED_BYTES];
    for (int m = 0; m < scene->lists[DLP_SECTION_MATERIALS].count && hooks->log != NULL; m++) {
        if (is_flowing(scene, m) && describe_ignored(scene, scene->world.method, m, text, sizeof text)) {
            hooks->log(hooks->log_user, DLP_LOG_WARNING, text);
        }
    }
}

dlp_Result dlp__scene_check_uses(dlp__SceneReader *reader, const dlp__SceneNode *root, const dlp__SceneNode *settings)
{
    dlp_Result result = DLP_OK;
    const dlp__SceneNode *const trees[] = {root, settings};
    for (int t = 0; t < 2; t++) {
        for (int id = DLP_SECTION_WORLD; id < DLP_SECTION_COUNT && result == DLP_OK; id++) {
            const dlp__SceneNode *node = dlp__scene_child(trees[t], dlp__scene_section((dlp__SectionId)id)->key);
            result = node != NULL ? check_section(reader, (dlp__SectionId)id, node) : DLP_OK;
        }
    }
    for (int m = 0; m < reader->scene->lists[DLP_SECTION_MATERIALS].count && result == DLP_OK; m++) {
        char text[IGNORED_BYTES];
        if (is_flowing(reader->scene, m) &&
            describe_ignored(reader->scene, reader->scene->method_name, m, text, sizeof text)) {
            dlp__scene_note(reader, "%s", text);
        }
    }
    return result;
}
