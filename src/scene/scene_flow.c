/* The flow of emitters: a list of pairs of a time and a factor. */
#include "scene/scene_internal.h"

#include <stdlib.h>

dlp_Result dlp__scene_reserve_flows(dlp__SceneReader *reader, int count)
{
    reader->scene->flows = calloc((size_t)count + 1, sizeof *reader->scene->flows);
    return reader->scene->flows != NULL ? DLP_OK : dlp__scene_fail_memory(reader);
}

/* `before` is null for the first pair. */
static dlp_Result read_pair(dlp__SceneReader *reader, const dlp__SceneNode *node, const dlp_FlowKey *before,
                            dlp_FlowKey *key)
{
    const dlp_ParamTable *table = dlp_flow_key_params();
    if (node->kind != DLP_NODE_LIST || node->count != table->count) {
        return dlp__scene_fail(reader, node->place, "a flow is made of pairs such as [0.5 s, 1]: a time and a factor");
    }
    dlp_Result result = DLP_OK;
    const dlp__SceneNode *child = node->first;
    for (int i = 0; i < table->count && result == DLP_OK; i++, child = child->next) {
        result = dlp__scene_read_value(reader, &table->params[i], child, (char *)key + table->params[i].offset);
    }
    if (result == DLP_OK && before != NULL && !(key->time - before->time >= 1e-9)) {
        return dlp__scene_fail(reader, node->place,
                               "the flow at %.9g s comes after that at %.9g s: times must increase", key->time,
                               before->time);
    }
    return result;
}

dlp_Result dlp__scene_read_flow(dlp__SceneReader *reader, const dlp__SceneNode *item, int index)
{
    const dlp__SceneNode *node = dlp__scene_child(item, dlp__scene_section(DLP_SECTION_EMITTERS)->rows);
    if (node == NULL) {
        return DLP_OK;
    }
    if (node->kind != DLP_NODE_LIST || node->count == 0 || node->count > DLP_KEYS_MOST) {
        return dlp__scene_fail(reader, node->place, "flow must be a list of 1 to %d pairs such as [[0, 0], [1 s, 1]]",
                               DLP_KEYS_MOST);
    }
    dlp__SceneFlow *flow = &reader->scene->flows[index];
    flow->keys = calloc((size_t)node->count, sizeof *flow->keys);
    if (flow->keys == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    dlp_Result result = DLP_OK;
    for (const dlp__SceneNode *child = node->first; child != NULL && result == DLP_OK; child = child->next) {
        dlp_FlowKey *key = &flow->keys[flow->count];
        result = read_pair(reader, child, flow->count > 0 ? key - 1 : NULL, key);
        flow->count++;
    }
    return result;
}
