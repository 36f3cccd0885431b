/* Public functions for the meshes of a world. */
#include "world/world_state.h"

static dlp_Result check_id(const dlp_World *world, dlp_MeshId id)
{
    return id >= 0 && id < world->meshes.count
               ? DLP_OK
               : dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT,
                           "there is no mesh %d: the world has %d, counted from 0", id, world->meshes.count);
}

dlp_Result dlp_world_add_mesh(dlp_World *world, const dlp_MeshDef *def, const dlp_Mesh *mesh, dlp_MeshId *id)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result result = dlp__check_def(dlp_mesh_params(), def, &world->error);
    result = result == DLP_OK ? dlp__mesh_list_add(&world->meshes, def, mesh, &world->error) : result;
    if (result == DLP_OK && id != NULL) {
        *id = world->meshes.count - 1;
    }
    return result;
}

dlp_Result dlp_world_get_mesh(const dlp_World *world, dlp_MeshId id, dlp_MeshDef *def, dlp_Mesh *mesh)
{
    if (world == NULL || def == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, id);
    if (result != DLP_OK) {
        return result;
    }
    *def = world->meshes.item[id]->def;
    if (mesh != NULL) {
        *mesh = world->meshes.item[id]->mesh;
    }
    return DLP_OK;
}

dlp_Result dlp_world_set_mesh_frames(dlp_World *world, dlp_MeshId id, const dlp_MeshFrames *frames)
{
    if (world == NULL || frames == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp_Result result = check_id(world, id);
    if (result != DLP_OK) {
        return result;
    }
    world->meshes.now = world->time;
    result = dlp__solids_set_frames(&world->solids, id, frames, &world->error);
    world->sink_shapes.count = 0; /* out of date */
    return result;
}

dlp_Result dlp_world_get_mesh_frames(const dlp_World *world, dlp_MeshId id, dlp_MeshFrames *frames)
{
    if (world == NULL || frames == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, id);
    if (result == DLP_OK) {
        const dlp__DeformingMesh *kept = world->meshes.item[id]->frames;
        *frames = kept != NULL ? (dlp_MeshFrames){kept->count, kept->times, kept->positions} : (dlp_MeshFrames){0};
    }
    return result;
}

int dlp_world_mesh_count(const dlp_World *world)
{
    return world != NULL ? world->meshes.count : 0;
}
