/* The keys of solids and emitters: a list of times with poses. Values missing from a key are taken from the previous key, and for
 * the first key from the item itself. */
#include "scene/scene_internal.h"

#include <stdio.h>
#include <stdlib.h>

bool dlp__scene_has_keys(dlp__SectionId id)
{
    return dlp__scene_section(id)->extra_table == dlp_pose_key_params;
}

dlp_Result dlp__scene_reserve_keys(dlp__SceneReader *reader, dlp__SectionId id, int count)
{
    reader->scene->keys[id] = calloc((size_t)count + 1, sizeof *reader->scene->keys[id]);
    return reader->scene->keys[id] != NULL ? DLP_OK : dlp__scene_fail_memory(reader);
}

/* The pose of the item without keys. */
static dlp_PoseKey initial_pose(const dlp_Scene *scene, dlp__SectionId id, int index)
{
    const void *def = scene->lists[id].items + (size_t)index * dlp__scene_section(id)->table()->size;
    if (id == DLP_SECTION_SOLIDS) {
        const dlp_ShapeDef *shape = &((const dlp_SolidDef *)def)->shape;
        return (dlp_PoseKey){.position = shape->position, .rotation = shape->rotation};
    }
    return (dlp_PoseKey){.position = ((const dlp_EmitterDef *)def)->position};
}

/* On entry `key` is the previous key; on return, this one. */
static dlp_Result read_key(dlp__SceneReader *reader, const dlp__SceneNode *node, const char *where, bool first,
                           dlp_PoseKey *key)
{
    static const dlp__SceneSection keys_section = {.key = "keys", .form = DLP_FORM_LIST, .table = dlp_pose_key_params};
    const double previous = key->time;
    dlp_Result result = dlp__scene_read_map(reader, &keys_section, dlp_pose_key_params(), node, where, key);
    if (result != DLP_OK) {
        return result;
    }
    const dlp__SceneNode *time = node->kind == DLP_NODE_MAP ? dlp__scene_child(node, "time") : NULL;
    if (time == NULL) {
        return dlp__scene_fail(reader, node->location, "%s has no time; add one, such as 'time: 1 s'", where);
    }
    if (!first && !(key->time - previous >= 1e-9)) {
        return dlp__scene_fail(reader, time->location,
                               "%s is at %.9g s, but the previous key is at %.9g s: times must increase", where,
                               key->time, previous);
    }
    return DLP_OK;
}

dlp_Result dlp__scene_read_keys(dlp__SceneReader *reader, dlp__SectionId id, const dlp__SceneNode *item, int index)
{
    const dlp__SceneSection *section = dlp__scene_section(id);
    const dlp__SceneNode *node = item->kind == DLP_NODE_MAP ? dlp__scene_child(item, section->extra) : NULL;
    if (node == NULL) {
        return DLP_OK;
    }
    if (node->kind != DLP_NODE_LIST || node->count == 0) {
        return dlp__scene_fail(
            reader, node->location,
            "%s must be a list such as [{time: 0, position: [0, 0, 0]}, {time: 1 s, position: [1 cm, 0, 0]}]",
            section->extra);
    }
    char item_name[DLP_SCENE_ITEM_BYTES];
    dlp__scene_describe_node(id, item, index, item_name);
    if (node->count > DLP_KEYS_MOST) {
        return dlp__scene_fail(reader, node->location, "%s has %d keys, but at most %d are allowed", item_name,
                               (int)node->count, DLP_KEYS_MOST);
    }
    dlp__SceneKeys *path = &reader->scene->keys[id][index];
    path->keys = calloc((size_t)node->count, sizeof *path->keys);
    if (path->keys == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    dlp_PoseKey key = initial_pose(reader->scene, id, index);
    for (const dlp__SceneNode *child = node->first; child != NULL; child = child->next) {
        char where[DLP_SCENE_ITEM_BYTES + 32];
        snprintf(where, sizeof where, "%s.keys[%d]", item_name, path->count);
        dlp_Result result = read_key(reader, child, where, path->count == 0, &key);
        if (result != DLP_OK) {
            return result;
        }
        path->keys[path->count++] = key;
    }
    return DLP_OK;
}
