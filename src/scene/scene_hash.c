/* Hash of everything that affects the result of a scene, to detect that a checkpoint belongs to another scene. It covers the values
 * of the parameter tables, not the bytes of structs, whose padding is undefined. */
#include "base/hash.h"
#include "scene/scene_internal.h"

#include <string.h>

/* Threads, lanes, subdomains and the length of a run do not affect any frame; derived fields do not affect the particles. */
static bool affects_result(dlp__SectionId id, const char *name)
{
    static const struct {
        dlp__SectionId id;
        const char *name;
    } excluded[] = {
        {DLP_SECTION_WORLD, "threads"}, {DLP_SECTION_WORLD, "simd"},           {DLP_SECTION_WORLD, "subdomains"},
        {DLP_SECTION_RUN, "frames"},    {DLP_SECTION_RUN, "checkpoint_every"}, {DLP_SECTION_RUN, "fields"},
    };
    if (dlp__scene_section(id)->form == DLP_FORM_LIST && strcmp(name, "name") == 0) {
        return false; /* items of lists are used by their index */
    }
    for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++) {
        if (excluded[i].id == id && strcmp(excluded[i].name, name) == 0) {
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
    case DLP_PARAM_FLAGS:
    case DLP_PARAM_MATERIAL: return dlp__hash_word(hash, (uint64_t) * (const int32_t *)member);
    case DLP_PARAM_NAME: return dlp__hash_bytes(hash, member, strnlen(member, DLP_NAME_SIZE));
    case DLP_PARAM_ROWS: break; /* of any length: hash_rows() */
    }
    return hash;
}

static uint64_t hash_rows(uint64_t hash, const dlp_Param *param, const void *def)
{
    int64_t count = 0;
    const double *numbers = dlp_params_rows(param, def, &count);
    hash = dlp__hash_word(hash, (uint64_t)count);
    for (int64_t i = 0; i < count * param->rows->columns; i++) {
        hash = hash_number(hash, numbers[i]);
    }
    return hash;
}

static uint64_t hash_struct(uint64_t hash, dlp__SectionId id, const dlp_ParamTable *table, const void *def)
{
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        if (affects_result(id, param->name)) {
            hash = dlp__hash_bytes(hash, param->name, strlen(param->name));
            hash = param->type == DLP_PARAM_ROWS ? hash_rows(hash, param, def)
                                                 : hash_member(hash, param, (const char *)def + param->offset);
        }
    }
    return hash;
}

static uint64_t hash_list(uint64_t hash, const dlp_Scene *scene, dlp__SectionId id)
{
    const dlp_ParamTable *table = dlp__scene_section(id)->table();
    const dlp_ParamTable *own = dlp_method_material_params(scene->method_name);
    const dlp__SceneList *list = &scene->lists[id];
    hash = dlp__hash_word(hash, (uint64_t)list->count);
    for (int i = 0; i < list->count; i++) {
        hash = hash_struct(hash, id, table, list->items + (size_t)i * table->size);
        if (id == DLP_SECTION_MATERIALS && own != NULL) {
            hash = hash_struct(hash, id, own, scene->material_params + (size_t)i * own->size);
        }
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
    if (scene == NULL) {
        return 0;
    }
    uint64_t hash = hash_struct(DLP_HASH_SEED, DLP_SECTION_WORLD, dlp_world_params(), &scene->world);
    hash = hash_struct(hash, DLP_SECTION_METHOD, dlp_method_params(scene->method_name), scene->method);
    hash = hash_struct(hash, DLP_SECTION_RUN, dlp_run_params(), &scene->run);
    for (int i = DLP_SECTION_MATERIALS; i <= DLP_SECTION_CAMERAS; i++) {
        hash = hash_list(hash, scene, (dlp__SectionId)i);
    }
    return dlp__hash_finish(hash);
}
