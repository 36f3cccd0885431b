/* The materials of a scene: keys from the table of physical parameters and from the table of the scene's method. */
#include "scene/scene_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_MOST = 18 };

static const dlp_ParamTable *own_table(const dlp__SceneReader *reader)
{
    return dlp_method_material_params(reader->scene->method_name);
}

dlp_Result dlp__scene_reserve_material_params(dlp__SceneReader *reader, int count)
{
    const dlp_ParamTable *own = own_table(reader);
    if (own == NULL) {
        return DLP_OK;
    }
    char *params = calloc((size_t)count + 1, own->size);
    if (params == NULL) {
        return dlp__scene_fail_memory(reader);
    }
    for (int i = 0; i < count; i++) {
        dlp_params_default(own, params + (size_t)i * own->size);
    }
    reader->scene->material_params = params;
    return DLP_OK;
}

/* The methods that have a key, as "springs" or "pbf or links"; empty if none has. */
static void list_methods(const char *key, char *list, size_t size)
{
    size_t used = 0;
    list[0] = 0;
    for (int i = 0; i < dlp_method_count(); i++) {
        const dlp_ParamTable *table = dlp_method_material_params(dlp_method_name(i));
        if (table != NULL && dlp_params_find(table, key) != NULL && used < size) {
            used += (size_t)snprintf(list + used, size - used, "%s%s", used > 0 ? " or " : "", dlp_method_name(i));
        }
    }
}

/* A key that only other methods have would do nothing. */
static dlp_Result refuse_other_methods(dlp__SceneReader *reader, const dlp__SceneNode *map, const char *where)
{
    const dlp_ParamTable *own = own_table(reader);
    for (const dlp__SceneNode *node = map->kind == DLP_NODE_MAP ? map->first : NULL; node != NULL; node = node->next) {
        const char *key = node->key->text;
        char methods[256];
        list_methods(key, methods, sizeof methods);
        if (methods[0] != 0 && dlp_params_find(dlp_material_params(), key) == NULL &&
            (own == NULL || dlp_params_find(own, key) == NULL)) {
            return dlp__scene_fail(reader, node->key->location,
                                   "%s.%s has no effect in method %s; remove it, or use method: %s", where, key,
                                   reader->scene->method_name, methods);
        }
    }
    return DLP_OK;
}

dlp_Result dlp__scene_read_material(dlp__SceneReader *reader, const dlp__SceneNode *node, const char *where, int index,
                                    bool included)
{
    const dlp_ParamTable *table = dlp_material_params(), *own = own_table(reader);
    dlp_Scene *scene = reader->scene;
    dlp__SceneRecord records[RECORDS_MOST];
    int count = 0;
    records[count++] = (dlp__SceneRecord){table,
                                          scene->lists[DLP_SECTION_MATERIALS].items + (size_t)index * table->size};
    if (own != NULL) {
        records[count++] = (dlp__SceneRecord){own, scene->material_params + (size_t)index * own->size};
    }
    for (int i = 0; i < dlp_method_count() && included && count < RECORDS_MOST; i++) {
        const dlp_ParamTable *other = dlp_method_material_params(dlp_method_name(i));
        if (other != NULL) {
            records[count++] = (dlp__SceneRecord){other, NULL};
        }
    }
    dlp_Result result = included ? DLP_OK : refuse_other_methods(reader, node, where);
    if (result == DLP_OK) {
        result = dlp__scene_read_records(reader, dlp__scene_section(DLP_SECTION_MATERIALS), records, count, node,
                                         where);
    }
    return result;
}
