/* The meshes of a world. */
#include "world/world_state.h"

dlp_Result dlp_world_add_mesh(dlp_World *world, const dlp_MeshDef *def, const dlp_Mesh *mesh, dlp_MeshId *id)
{
    dlp_Result result = dlp__check_def(dlp_mesh_params(), def, &world->error);
    result = result == DLP_OK ? dlp__mesh_list_add(&world->meshes, def, mesh, &world->error) : result;
    if (result == DLP_OK && id != NULL) {
        *id = world->meshes.count - 1;
    }
    return result;
}

dlp_Result dlp_world_get_mesh(const dlp_World *world, dlp_MeshId id, dlp_MeshDef *def, dlp_Mesh *mesh)
{
    if (id < 0 || id >= world->meshes.count) {
        return dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT,
                         "there is no mesh %d: the world has %d, counted from 0", id, world->meshes.count);
    }
    *def = world->meshes.item[id]->def;
    if (mesh != NULL) {
        *mesh = world->meshes.item[id]->mesh;
    }
    return DLP_OK;
}

int dlp_world_mesh_count(const dlp_World *world)
{
    return world->meshes.count;
}
