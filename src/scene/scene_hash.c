/* One number for all that shapes the result of a scene, so that a checkpoint can be told from another scene's. It is
 * taken over the values of the tables, never over the bytes of structs, whose padding says nothing. */
#include "base/hash.h"
#include "scene/scene_internal.h"

#include <string.h>

/* How a run is carried out and how long it lasts leave each frame as it is. */
static bool shapes_result(dlp__SectionId id, const char *name)
{
    static const struct {
        dlp__SectionId id;
        const char *name;
    } left_out[] = {
        {DLP_SECTION_WORLD, "threads"}, {DLP_SECTION_WORLD, "simd"},           {DLP_SECTION_WORLD, "subdomains"},
        {DLP_SECTION_RUN, "frames"},    {DLP_SECTION_RUN, "checkpoint_every"},
    };
    for (size_t i = 0; i < sizeof left_out / sizeof left_out[0]; i++) {
        if (left_out[i].id == id && strcmp(left_out[i].name, name) == 0) {
            return false;
        }
    }
    return true;
}

static uint64_t hash_number(uint64_t hash, double value)
{
    value += 0.0; /* -0 and 0 are the same */
    return dlp__hash_bytes(hash, &value, sizeof value);
}

static uint64_t hash_member(uint64_t hash, const dlp_Param *param, const void *member)
{
    switch (param->type) {
    case DLP_PARAM_REAL: return hash_number(hash, *(const double *)member);
    case DLP_PARAM_INT: return dlp__hash_word(hash, (uint64_t) * (const int64_t *)member);
    case DLP_PARAM_BOOL: return dlp__hash_word(hash, *(const bool *)member);
    case DLP_PARAM_VEC3:
        for (int i = 0; i < 3; i++) {
            hash = hash_number(hash, ((const double *)member)[i]);
        }
        return hash;
    case DLP_PARAM_CHOICE:
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_MATERIAL: return dlp__hash_word(hash, (uint64_t) * (const int32_t *)member);
    case DLP_PARAM_NAME: return dlp__hash_bytes(hash, member, strnlen(member, DLP_NAME_SIZE));
    }
    return hash;
}

static uint64_t hash_struct(uint64_t hash, dlp__SectionId id, const dlp_ParamTable *table, const void *def)
{
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        if (shapes_result(id, param->name)) {
            hash = dlp__hash_bytes(hash, param->name, strlen(param->name));
            hash = hash_member(hash, param, (const char *)def + param->offset);
        }
    }
    return hash;
}

static uint64_t hash_list(uint64_t hash, const dlp_Scene *scene, dlp__SectionId id)
{
    const dlp_ParamTable *table = dlp__scene_section(id)->table();
    const dlp__SceneList *list = &scene->lists[id];
    hash = dlp__hash_word(hash, (uint64_t)list->count);
    for (int i = 0; i < list->count; i++) {
        hash = hash_struct(hash, id, table, list->items + (size_t)i * table->size);
        if (dlp__scene_has_keys(id)) {
            const dlp__SceneKeys *path = &scene->keys[id][i];
            hash = dlp__hash_word(hash, (uint64_t)path->count);
            for (int k = 0; k < path->count; k++) {
                hash = hash_struct(hash, id, dlp_pose_key_params(), &path->keys[k]);
            }
        }
        for (int k = 0; scene->rows[id] != NULL && k < scene->rows[id][i].count; k++) {
            hash = hash_struct(hash, id, dlp__scene_section(id)->rows_table(), &scene->rows[id][i].pairs[k]);
        }
        if (id == DLP_SECTION_FLUIDS) {
            const dlp__ScenePoints *points = &scene->points[i];
            hash = dlp__hash_word(hash, (uint64_t)points->count);
            for (int64_t j = 0; j < 3 * points->count; j++) {
                hash = hash_number(hash, points->xyz[j]);
            }
        }
    }
    return hash;
}

uint64_t dlp_scene_hash(const dlp_Scene *scene)
{
    uint64_t hash = hash_struct(DLP_HASH_SEED, DLP_SECTION_WORLD, dlp_world_params(), &scene->world);
    hash = hash_struct(hash, DLP_SECTION_METHOD, dlp_method_params(scene->method_name), scene->method);
    hash = hash_struct(hash, DLP_SECTION_RUN, dlp_run_params(), &scene->run);
    for (int i = DLP_SECTION_MATERIALS; i <= DLP_SECTION_CAMERAS; i++) {
        hash = hash_list(hash, scene, (dlp__SectionId)i);
    }
    return dlp__hash_finish(hash);
}
