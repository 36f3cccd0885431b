/* Public functions for the joints of a world. */
#include "world/world_state.h"

dlp_Result dlp_world_add_joint(dlp_World *world, const dlp_JointDef *def, dlp_JointId *id)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result checked = dlp__check_def(dlp_joint_params(), def, &world->error);
    return checked == DLP_OK ? dlp__joints_add(&world->solids, def, id, &world->error) : checked;
}

dlp_Result dlp_world_set_joint(dlp_World *world, dlp_JointId id, const dlp_JointDef *def)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result checked = dlp__check_def(dlp_joint_params(), def, &world->error);
    return checked == DLP_OK ? dlp__joints_set(&world->solids, id, def, &world->error) : checked;
}

dlp_Result dlp_world_get_joint(const dlp_World *world, dlp_JointId id, dlp_JointDef *def)
{
    if (world == NULL || def == NULL) {
        return dlp__world_fail_null(world);
    }
    const dlp_Result result = dlp__joints_check_id(&world->solids, id, dlp__error_of(world));
    if (result == DLP_OK) {
        *def = world->solids.joint[id].def;
    }
    return result;
}

int dlp_world_joint_count(const dlp_World *world)
{
    return world != NULL ? world->solids.joint_count : 0;
}
