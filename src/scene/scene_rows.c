/* Lists of pairs: the flow of emitters over time and the viscosity of materials over temperature. */
#include "scene/scene_internal.h"

#include <stdlib.h>

dlp_Result dlp__scene_reserve_rows(dlp__SceneReader *reader, dlp__SectionId id, int count)
{
    reader->scene->rows[id] = calloc((size_t)count + 1, sizeof **reader->scene->rows);
    return reader->scene->rows[id] != NULL ? DLP_OK : dlp__scene_fail_memory(reader);
}

/* `previous` is null for the first pair. */
static dlp_Result read_pair(dlp__SceneReader *reader, const dlp__SceneSection *section, const dlp__SceneNode *node,
                            const dlp__ScenePair *previous, dlp__ScenePair *pair)
{
    const dlp_ParamTable *table = section->rows_table();
    if (node->kind != DLP_NODE_LIST || node->count != table->count) {
        return dlp__scene_fail(reader, node->location, "%s must consist of pairs such as %s", section->rows,
                               section->rows_example);
    }
    dlp_Result result = DLP_OK;
    const dlp__SceneNode *child = node->first;
    for (int i = 0; i < table->count && result == DLP_OK; i++, child = child->next) {
        result = dlp__scene_read_value(reader, &table->params[i], child, (char *)pair + table->params[i].offset);
    }
    if (result == DLP_OK && previous != NULL && !(pair->at - previous->at >= 1e-9)) {
        return dlp__scene_fail(
            reader, node->location, "the %s entry at %.9g %s comes after the one at %.9g %s: %ss must increase",
            section->rows, pair->at, table->params[0].unit, previous->at, table->params[0].unit, table->params[0].name);
    }
    return result;
}

dlp_Result dlp__scene_read_rows(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *item, int index)
{
    const dlp__SceneSection *section = dlp__scene_section(id);
    const dlp__SceneNode *node = item->kind == DLP_NODE_MAP ? dlp__scene_child(item, section->rows) : NULL;
    if (node == NULL) {
        return DLP_OK;
    }
    if (node->kind != DLP_NODE_LIST || node->count == 0 || node->count > DLP_KEYS_MOST) {
        return dlp__scene_fail(reader, node->location, "%s must be a list of 1 to %d pairs such as %s", section->rows,
                               DLP_KEYS_MOST, section->rows_example);
    }
    dlp__SceneRows *rows = &reader->scene->rows[id][index];
    free(rows->pairs); /* from an included definition of the same material */
    *rows = (dlp__SceneRows){calloc((size_t)node->count, sizeof *rows->pairs), 0};
    if (rows->pairs == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    dlp_Result result = DLP_OK;
    for (const dlp__SceneNode *child = node->first; child != NULL && result == DLP_OK; child = child->next) {
        dlp__ScenePair *pair = &rows->pairs[rows->count];
        result = read_pair(reader, section, child, rows->count > 0 ? pair - 1 : NULL, pair);
        rows->count++;
    }
    return result;
}

void dlp__scene_release_rows(dlp_Scene *scene, dlp__SectionId id)
{
    for (int i = 0; scene->rows[id] != NULL && i < scene->lists[id].count; i++) {
        free(scene->rows[id][i].pairs);
    }
    free(scene->rows[id]);
}
