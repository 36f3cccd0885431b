/* Builds a world from a scene through the public interface. Errors of the world are reported with the location in the scene. */
#include "base/error.h"
#include "scene/scene_when.h"

#include <dollop/probe.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the world refuses, or a mesh file that cannot be used, is an error of the scene. Exhausted resources and features that this
 * build lacks are not. */
static dlp_Result scene_result(dlp_Result result)
{
    switch (result) {
    case DLP_ERROR_MEMORY:
    case DLP_ERROR_RESOURCE:
    case DLP_ERROR_UNSUPPORTED: return result;
    default: return DLP_ERROR_SCENE;
    }
}

static dlp_Result fail_at(const dlp_Scene *scene, dlp__SceneLocation location, const char *what, dlp_Result result,
                          const char *text, dlp_Error *error)
{
    char where[256];
    dlp__scene_describe_location(scene, location, where, sizeof where);
    return dlp__fail(error, scene_result(result), "%s: in %s: %s", where, what, text);
}

static dlp_Result add_fluid(const dlp_Scene *scene, int index, dlp_World *world)
{
    const dlp_FluidDef *def = (const dlp_FluidDef *)(const void *)scene->lists[DLP_SECTION_FLUIDS].items + index;
    const dlp__ScenePoints *points = &scene->points[index];
    return points->count > 0 ? dlp_world_add_points(world, def->material, points->xyz, points->count, def->velocity)
                             : dlp_world_add_fluid(world, def, NULL);
}

/* The folder of the scene, which file names of meshes are relative to. */
typedef struct SceneFolder {
    char path[4096];
} SceneFolder;

static SceneFolder folder_of(const dlp_Scene *scene)
{
    const char *name = scene->source_count > 0 ? scene->sources[0].name : NULL;
    const char *slash = name != NULL ? strrchr(name, '/') : NULL;
    SceneFolder folder = {"."};
    if (slash != NULL && (size_t)(slash - name) < sizeof folder.path - 1) {
        snprintf(folder.path, sizeof folder.path, "%.*s", (int)(slash - name) + 1, name);
    }
    return folder;
}

dlp_Result dlp__scene_create_model(const dlp_Scene *scene, const dlp_MeshDef *def, dlp_Model **model, dlp_Error *error)
{
    return dlp_model_create(def, folder_of(scene).path, &scene->world.hooks, model, error);
}

int dlp_scene_mesh_count(const dlp_Scene *scene)
{
    return scene == NULL ? 0 : scene->lists[DLP_SECTION_MESHES].count;
}

dlp_Result dlp_scene_mesh(const dlp_Scene *scene, int index, dlp_MeshDef *def, uint64_t *hash, dlp_Error *error)
{
    if (scene == NULL || def == NULL) {
        return dlp__fail_null(error);
    }
    const dlp__SceneList *list = &scene->lists[DLP_SECTION_MESHES];
    if (index < 0 || index >= list->count) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no mesh %d; the scene has %d", index, list->count);
    }
    *def = ((const dlp_MeshDef *)(const void *)list->items)[index];
    return hash != NULL ? dlp_mesh_hash_files(def, folder_of(scene).path, hash, error) : DLP_OK;
}

static dlp_Result add_mesh(const dlp_Scene *scene, const dlp_MeshDef *def, dlp_World *world, dlp_Error *error)
{
    dlp_Model *model = NULL;
    dlp_Result result = dlp__scene_create_model(scene, def, &model, error);
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

/* The method's parameters of a material. If the host has chosen another method since the scene was read, it gets those that both
 * methods have. */
static dlp_Result set_material_params(const dlp_Scene *scene, int index, dlp_World *world, dlp_MaterialId id)
{
    const dlp_ParamTable *read = dlp_method_material_params(scene->method_name);
    const dlp_ParamTable *own = dlp_method_material_params(scene->world.method);
    if (read == NULL || own == NULL) {
        return DLP_OK;
    }
    const char *values = scene->material_params + (size_t)index * read->size;
    if (read == own) {
        return dlp_world_set_material_params(world, id, values, own->size);
    }
    char *params = malloc(own->size);
    if (params == NULL) {
        return DLP_ERROR_MEMORY;
    }
    dlp_params_default(own, params);
    for (int i = 0; i < own->count; i++) {
        const dlp_Param *to = &own->params[i], *from = dlp_params_find(read, to->name);
        if (from != NULL && from->type == DLP_PARAM_REAL && to->type == DLP_PARAM_REAL) {
            memcpy(params + to->offset, values + from->offset, sizeof(double));
        }
    }
    const dlp_Result result = dlp_world_set_material_params(world, id, params, own->size);
    free(params);
    return result;
}

static dlp_Result add_material(const dlp_Scene *scene, int index, const void *def, dlp_World *world)
{
    const dlp__SceneRows *rows = &scene->rows[DLP_SECTION_MATERIALS][index];
    dlp_MaterialId id = 0;
    dlp_Result result = dlp_world_add_material(world, def, &id);
    if (result == DLP_OK) {
        result = set_material_params(scene, index, world, id);
    }
    return result == DLP_OK
               ? dlp_world_set_material_viscosities(world, id, (const dlp_ViscosityKey *)rows->pairs, rows->count)
               : result;
}

/* Errors of the world are in dlp_world_error(); `error` is set only by failures before that, such as reading a mesh file. */
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
    case DLP_SECTION_PROBES: return dlp_world_add_probe(world, def, &added);
    case DLP_SECTION_CAMERAS: return dlp_world_add_camera(world, def, &added);
    default: return DLP_OK;
    }
}

/* Items are added in the order of the sections, so that their indices in the scene are their ids in the world. */
static dlp_Result add_all(const dlp_Scene *scene, dlp_World *world, dlp_Error *error)
{
    for (int id = DLP_SECTION_MATERIALS; id <= DLP_SECTION_CAMERAS; id++) {
        const dlp__SceneList *list = &scene->lists[id];
        for (int i = 0; i < list->count; i++) {
            dlp_Error cause = {.text = ""};
            dlp_Result result = add_item(scene, (dlp__SectionId)id, i, world, &cause);
            if (result == DLP_OK) {
                continue;
            }
            char what[DLP_SCENE_ITEM_BYTES];
            dlp__scene_describe_item(scene, (dlp__SectionId)id, i, what);
            return fail_at(scene, list->locations[i], what, result,
                           cause.text[0] != 0 ? cause.text : dlp_world_error(world), error);
        }
    }
    return DLP_OK;
}

/* Fluid that is thinner than a spacing, or lies inside a solid, yields no particles. */
static dlp_Result check_not_empty(const dlp_Scene *scene, const dlp_World *world, dlp_Error *error)
{
    if (dlp_world_particle_count(world) > 0 || dlp_world_emitter_count(world) > 0) {
        return DLP_OK;
    }
    char text[160];
    snprintf(text, sizeof text,
             "there are no particles: all fluid is thinner than the spacing of %.3g m, or inside solids; use a smaller "
             "world.spacing, or move the fluid",
             scene->world.spacing);
    const dlp__SectionId id = scene->lists[DLP_SECTION_FLUIDS].count > 0 ? DLP_SECTION_FLUIDS : DLP_SECTION_COMPANIONS;
    return fail_at(scene, scene->locations[id], dlp__scene_section(id)->key, DLP_ERROR_SCENE, text, error);
}

dlp_Result dlp_scene_build(const dlp_Scene *scene, dlp_World **world, dlp_Error *error)
{
    if (scene == NULL || world == NULL) {
        return dlp__fail_null(error);
    }
    *world = NULL;
    dlp_World *built = NULL;
    dlp_Error cause = {.text = ""};
    dlp_Result result = dlp_world_create(&scene->world, &built, &cause);
    if (result != DLP_OK) {
        return fail_at(scene, scene->locations[DLP_SECTION_WORLD], "world", result, cause.text, error);
    }
    const dlp_ParamTable *table = dlp_method_params(scene->world.method);
    bool method_unchanged = table != NULL && strcmp(scene->world.method, scene->method_name) == 0;
    if (method_unchanged) {
        result = dlp_world_set_method(built, scene->method, table->size);
        if (result != DLP_OK) {
            result = fail_at(scene, scene->locations[DLP_SECTION_METHOD], "method", result, dlp_world_error(built),
                             error);
        }
    }
    if (strcmp(scene->world.method, scene->method_name) != 0) {
        dlp__scene_log_ignored(scene);
    }
    if (result == DLP_OK) {
        result = dlp_world_set_frame_fields(built, scene->run.fields);
        if (result != DLP_OK) {
            /* Not supported by the method, which the scene chooses. */
            result = fail_at(scene, scene->locations[DLP_SECTION_RUN], "run.fields", DLP_ERROR_SCENE,
                             dlp_world_error(built), error);
        }
    }
    if (result == DLP_OK) {
        result = add_all(scene, built, error);
    }
    if (result == DLP_OK) {
        result = check_not_empty(scene, built, error);
    }
    if (result != DLP_OK) {
        dlp_world_destroy(built);
        return result;
    }
    *world = built;
    return DLP_OK;
}
