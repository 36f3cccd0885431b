/* Settings: "key.path=value" from a command line, applied to the tree before it is read. A setting is a source like a file, so
 * errors in its value name the setting. */
#include "scene/scene_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_PARTS_MAX = 8 };

typedef struct Path {
    dlp__SceneNode *parts[PATH_PARTS_MAX];
    int count;
    size_t value; /* offset of the value */
} Path;

static bool split_path(dlp__SceneReader *reader, int source, Path *path)
{
    const dlp__SceneSource *setting = &reader->scene->sources[source];
    dlp__SceneLocation location = {0, (uint16_t)source, 0};
    const char *equals = strchr(setting->text, '=');
    if (equals == NULL) {
        dlp__scene_fail(reader, location, "a setting has the form KEY=VALUE, such as run.frames=10");
        return false;
    }
    path->value = (size_t)(equals - setting->text) + 1;
    const char *next = setting->text;
    do {
        size_t length = strcspn(next, ".=");
        if (length == 0 || path->count == PATH_PARTS_MAX) {
            dlp__scene_fail(reader, location, "the key has %s", length == 0 ? "an empty part" : "too many parts");
            return false;
        }
        char *text = dlp__scene_allocate(reader, length + 1);
        dlp__SceneNode *part = dlp__scene_new_node(reader, DLP_NODE_SCALAR, location);
        if (text == NULL || part == NULL) {
            dlp__scene_fail_memory(reader);
            return false;
        }
        memcpy(text, next, length);
        text[length] = 0;
        part->text = text;
        path->parts[path->count++] = part;
        next += length + 1;
    } while (next <= equals);
    return true;
}

/* One step down the path; null if it is not possible. A key that is missing in a map is added; whether it is valid is checked
 * when the map is read. */
static dlp__SceneNode *find_or_add_child(dlp__SceneReader *reader, dlp__SceneNode *node, dlp__SceneNode *part)
{
    if (node->kind == DLP_NODE_LIST) {
        return dlp__scene_find_item(reader, node, part);
    }
    if (dlp__scene_is_null(node)) {
        node->kind = DLP_NODE_MAP;
        node->location = part->location;
    }
    if (node->kind != DLP_NODE_MAP) {
        dlp__scene_fail(reader, part->location, "there is no key '%.64s': its parent is the value '%.64s', not a map",
                        part->text, node->text);
        return NULL;
    }
    dlp__SceneNode *child = dlp__scene_child(node, part->text);
    if (child == NULL) {
        child = dlp__scene_new_node(reader, DLP_NODE_SCALAR, part->location);
        if (child != NULL) {
            dlp__scene_append(node, part, child);
        }
    }
    return child;
}

/* Expand `method: pbf` to `method: {name: pbf}`, so that a setting can add a parameter. */
static bool expand_method(dlp__SceneReader *reader, dlp__SceneNode *method)
{
    if (method->kind != DLP_NODE_SCALAR || dlp__scene_is_null(method)) {
        return true;
    }
    dlp__SceneNode *key = dlp__scene_new_node(reader, DLP_NODE_SCALAR, method->location);
    dlp__SceneNode *name = dlp__scene_new_node(reader, DLP_NODE_SCALAR, method->location);
    if (key == NULL || name == NULL) {
        return false;
    }
    key->text = "name";
    name->text = method->text;
    name->quoted = method->quoted;
    method->kind = DLP_NODE_MAP;
    dlp__scene_append(method, key, name);
    return true;
}

/* Lists that are missing in the file are treated as empty, so that the error of "sinks.0.radius" says so. */
static bool is_list_section(const char *key)
{
    for (int i = 0; i < DLP_SECTION_COUNT; i++) {
        const dlp__SceneSection *section = dlp__scene_section((dlp__SectionId)i);
        if (section->form == DLP_FORM_LIST && strcmp(section->key, key) == 0) {
            return true;
        }
    }
    return false;
}

/* The node that the path leads to, or null with the error filled. */
static dlp__SceneNode *find_target(dlp__SceneReader *reader, const Path *path, dlp__SceneNode *root)
{
    dlp__SceneNode *node = root;
    for (int i = 0; i < path->count && node != NULL; i++) {
        if (i == 1 && strcmp(path->parts[0]->text, "method") == 0 && !expand_method(reader, node)) {
            return NULL;
        }
        if (i == 1 && is_list_section(path->parts[0]->text) && dlp__scene_is_null(node)) {
            node->kind = DLP_NODE_LIST;
        }
        node = find_or_add_child(reader, node, path->parts[i]);
    }
    return node;
}

dlp_Result dlp__scene_apply_setting(dlp__SceneReader *reader, const char *setting, dlp__SceneNode *root,
                                    dlp__SceneNode *materials)
{
    int source = dlp__scene_add_source(reader, NULL, setting, strlen(setting));
    if (source < 0) {
        return reader->error->code;
    }
    Path path = {.count = 0};
    if (!split_path(reader, source, &path)) {
        return reader->error->code;
    }
    if (strcmp(path.parts[0]->text, "include") == 0) {
        return dlp__scene_fail(reader, path.parts[0]->location, "a setting cannot include files");
    }
    dlp__SceneNode *value = NULL;
    dlp_Result result = dlp__scene_parse_text(reader, source, path.value, &value);
    if (result != DLP_OK) {
        return result;
    }
    if (value == NULL) {
        return dlp__scene_fail(reader, path.parts[0]->location, "there is no value after '='");
    }
    bool is_material = strcmp(path.parts[0]->text, "materials") == 0;
    dlp__SceneNode *target = find_target(reader, &path, is_material ? materials : root);
    if (target == NULL) {
        return reader->error->code;
    }
    dlp__SceneNode *next = target->next;
    dlp__SceneNode *key = target->key != NULL ? path.parts[path.count - 1] : NULL;
    *target = *value;
    target->next = next;
    target->key = key;
    return DLP_OK;
}
