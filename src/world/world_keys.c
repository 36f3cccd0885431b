/* Public functions for the keys of solids and emitters, and for the flow of emitters. */
#include "world/emitters.h"

static void get_keys(const dlp__PosePath *path, const dlp_PoseKey **keys, int *count)
{
    *keys = path->keys;
    *count = path->count;
}

static dlp_Result check_id(const dlp_World *world, const char *what, int id, int count)
{
    return id >= 0 && id < count ? DLP_OK
                                 : dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT,
                                             "there is no %s %d: the world has %d", what, id, count);
}

dlp_Result dlp_world_set_solid_keys(dlp_World *world, dlp_SolidId id, const dlp_PoseKey *keys, int count)
{
    return world != NULL ? dlp__solids_set_keys(&world->solids, id, keys, count, &world->error)
                         : dlp__world_fail_null(world);
}

dlp_Result dlp_world_get_solid_keys(const dlp_World *world, dlp_SolidId id, const dlp_PoseKey **keys, int *count)
{
    if (world == NULL || keys == NULL || count == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, "solid", id, world->solids.count);
    if (result == DLP_OK) {
        get_keys(&world->solids.solid[id].path, keys, count);
    }
    return result;
}

dlp_Result dlp_world_set_emitter_keys(dlp_World *world, dlp_EmitterId id, const dlp_PoseKey *keys, int count)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, "emitter", id, world->emitter_count);
    return result == DLP_OK ? dlp__pose_path_set(&world->emitters[id].path, &world->memory, keys, count, &world->error)
                            : result;
}

dlp_Result dlp_world_get_emitter_keys(const dlp_World *world, dlp_EmitterId id, const dlp_PoseKey **keys, int *count)
{
    if (world == NULL || keys == NULL || count == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, "emitter", id, world->emitter_count);
    if (result == DLP_OK) {
        get_keys(&world->emitters[id].path, keys, count);
    }
    return result;
}

dlp_Result dlp_world_set_emitter_flow(dlp_World *world, dlp_EmitterId id, const dlp_FlowKey *keys, int count)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, "emitter", id, world->emitter_count);
    return result == DLP_OK ? dlp__emitter_set_flow(world, &world->emitters[id], keys, count) : result;
}

dlp_Result dlp_world_get_emitter_flow(const dlp_World *world, dlp_EmitterId id, const dlp_FlowKey **keys, int *count)
{
    if (world == NULL || keys == NULL || count == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, "emitter", id, world->emitter_count);
    if (result == DLP_OK) {
        *keys = world->emitters[id].flow.keys;
        *count = world->emitters[id].flow.count;
    }
    return result;
}

dlp_Result dlp_world_emitter_speed(const dlp_World *world, dlp_EmitterId id, double *speed)
{
    if (world == NULL || speed == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, "emitter", id, world->emitter_count);
    if (result == DLP_OK) {
        *speed = world->emitters[id].speed;
    }
    return result;
}

dlp_Result dlp_world_emitter_volume(const dlp_World *world, dlp_EmitterId id, double from, double to, double *volume)
{
    if (world == NULL || volume == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = check_id(world, "emitter", id, world->emitter_count);
    if (result == DLP_OK) {
        const dlp__Emitter *emitter = &world->emitters[id];
        const double spacing = world->def.spacing, begin = fmax(from, emitter->def.start),
                     end = fmin(to, emitter->def.stop);
        const double pushed = end > begin ? emitter->speed * dlp__flow_curve_between(&emitter->flow, begin, end) : 0.0;
        *volume = pushed * (double)dlp__emitter_lattice(emitter, spacing, NULL, NULL) * spacing * spacing;
    }
    return result;
}
