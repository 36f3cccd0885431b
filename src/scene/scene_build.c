/* From a scene to a world, through the public interface. What the world refuses is told with the scene's place. */
#include "base/error.h"
#include "scene/scene_internal.h"

#include <stdio.h>
#include <string.h>

static dlp_Result fail_at(const dlp_Scene *scene, dlp__ScenePlace place, const char *what, dlp_Result result,
                          const char *text, dlp_Error *error)
{
    char where[256];
    dlp__scene_describe_place(scene, place, where, sizeof where);
    return dlp__fail(error, result, "%s: in %s: %s", where, what, text);
}

static dlp_Result add_fluid(const dlp_Scene *scene, int index, dlp_World *world)
{
    const dlp_FluidDef *def = (const dlp_FluidDef *)(const void *)scene->lists[DLP_SECTION_FLUIDS].items + index;
    const dlp__ScenePoints *points = &scene->points[index];
    return points->count > 0 ? dlp_world_add_points(world, def->material, points->xyz, points->count, def->velocity)
                             : dlp_world_add_fluid(world, def, NULL);
}

/* A mesh that comes from a file is looked for beside the scene. */
static dlp_Result add_mesh(const dlp_Scene *scene, const dlp_MeshDef *def, dlp_World *world, dlp_Error *error)
{
    const char *name = scene->source_count > 0 ? scene->sources[0].name : NULL;
    const char *slash = name != NULL ? strrchr(name, '/') : NULL;
    char folder[4096] = ".";
    if (slash != NULL && (size_t)(slash - name) < sizeof folder - 1) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - name) + 1, name);
    }
    dlp_Model *model = NULL;
    dlp_Result result = dlp_model_create(def, folder, &scene->world.hooks, &model, error);
    dlp_MeshId id = 0;
    if (result == DLP_OK) {
        result = dlp_world_add_mesh(world, def, dlp_model_mesh(model), &id);
    }
    if (result == DLP_OK && dlp_model_frames(model).count > 0) {
        const dlp_MeshFrames frames = dlp_model_frames(model);
        result = dlp_world_set_mesh_frames(world, id, &frames);
    }
    dlp_model_destroy(model);
    return result;
}

static dlp_Result add_solid(const dlp_Scene *scene, int index, const void *def, dlp_World *world)
{
    const dlp__SceneKeys *path = &scene->keys[DLP_SECTION_SOLIDS][index];
    dlp_SolidId id = 0;
    dlp_Result result = dlp_world_add_solid(world, def, &id);
    return result == DLP_OK ? dlp_world_set_solid_keys(world, id, path->keys, path->count) : result;
}

static dlp_Result add_emitter(const dlp_Scene *scene, int index, const void *def, dlp_World *world)
{
    const dlp__SceneKeys *path = &scene->keys[DLP_SECTION_EMITTERS][index];
    const dlp__SceneRows *flow = &scene->rows[DLP_SECTION_EMITTERS][index];
    dlp_EmitterId id = 0;
    dlp_Result result = dlp_world_add_emitter(world, def, &id);
    if (result == DLP_OK) {
        result = dlp_world_set_emitter_keys(world, id, path->keys, path->count);
    }
    return result == DLP_OK ? dlp_world_set_emitter_flow(world, id, (const dlp_FlowKey *)flow->pairs, flow->count)
                            : result;
}

static dlp_Result add_material(const dlp_Scene *scene, int index, const void *def, dlp_World *world)
{
    const dlp__SceneRows *rows = &scene->rows[DLP_SECTION_MATERIALS][index];
    dlp_MaterialId id = 0;
    dlp_Result result = dlp_world_add_material(world, def, &id);
    return result == DLP_OK
               ? dlp_world_set_material_viscosities(world, id, (const dlp_ViscosityKey *)rows->pairs, rows->count)
               : result;
}

/* What the world refuses it tells itself; `error` is for what does not get as far. */
static dlp_Result add_item(const dlp_Scene *scene, dlp__SectionId id, int index, dlp_World *world, dlp_Error *error)
{
    const void *def = scene->lists[id].items + (size_t)index * dlp__scene_section(id)->table()->size;
    int32_t added = 0;
    switch (id) {
    case DLP_SECTION_MATERIALS: return add_material(scene, index, def, world);
    case DLP_SECTION_MESHES: return add_mesh(scene, def, world, error);
    case DLP_SECTION_SOLIDS: return add_solid(scene, index, def, world);
    case DLP_SECTION_JOINTS: return dlp_world_add_joint(world, def, &added);
    case DLP_SECTION_CONTACTS: return dlp_world_add_contact(world, def, &added);
    case DLP_SECTION_FLUIDS: return add_fluid(scene, index, world);
    case DLP_SECTION_COMPANIONS: return dlp_world_add_companion(world, def, &added);
    case DLP_SECTION_EMITTERS: return add_emitter(scene, index, def, world);
    case DLP_SECTION_SINKS: return dlp_world_add_sink(world, def, &added);
    case DLP_SECTION_CAMERAS: return dlp_world_add_camera(world, def, &added);
    default: return DLP_OK;
    }
}

/* Materials and meshes come first and in order, so that their numbers in the scene are their ids in the world. */
static dlp_Result add_all(const dlp_Scene *scene, dlp_World *world, dlp_Error *error)
{
    for (int id = DLP_SECTION_MATERIALS; id <= DLP_SECTION_CAMERAS; id++) {
        const dlp__SceneList *list = &scene->lists[id];
        const char *key = dlp__scene_section((dlp__SectionId)id)->key;
        for (int i = 0; i < list->count; i++) {
            dlp_Error cause = {.text = ""};
            dlp_Result result = add_item(scene, (dlp__SectionId)id, i, world, &cause);
            if (result == DLP_OK) {
                continue;
            }
            char what[32 + DLP_NAME_SIZE];
            const dlp_ParamTable *table = dlp__scene_section((dlp__SectionId)id)->table();
            if (dlp__scene_section((dlp__SectionId)id)->form == DLP_FORM_NAMED) {
                const char *name = list->items + (size_t)i * table->size + dlp_params_find(table, "name")->offset;
                snprintf(what, sizeof what, "%s.%.63s", key, name);
            } else {
                snprintf(what, sizeof what, "%s[%d]", key, i);
            }
            return fail_at(scene, list->places[i], what, result,
                           cause.text[0] != 0 ? cause.text : dlp_world_error(world), error);
        }
    }
    return DLP_OK;
}

dlp_Result dlp_scene_build(const dlp_Scene *scene, dlp_World **world, dlp_Error *error)
{
    *world = NULL;
    dlp_World *built = NULL;
    dlp_Error cause = {.text = ""};
    dlp_Result result = dlp_world_create(&scene->world, &built, &cause);
    if (result != DLP_OK) {
        return fail_at(scene, scene->places[DLP_SECTION_WORLD], "world", result, cause.text, error);
    }
    const dlp_ParamTable *table = dlp_method_params(scene->world.method);
    bool as_read = table != NULL && strcmp(scene->world.method, scene->method_name) == 0;
    if (as_read) {
        result = dlp_world_set_method(built, scene->method, table->size);
        if (result != DLP_OK) {
            fail_at(scene, scene->places[DLP_SECTION_METHOD], "method", result, dlp_world_error(built), error);
        }
    }
    if (result == DLP_OK) {
        result = add_all(scene, built, error);
    }
    if (result != DLP_OK) {
        dlp_world_destroy(built);
        return result;
    }
    *world = built;
    return DLP_OK;
}
