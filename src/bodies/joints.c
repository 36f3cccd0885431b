/* Joints between the solids of a world as the user defined them; body_joints.c creates the ODE joints. */
#include "bodies/solids.h"

enum { JOINTS_MOST = 65535 };

static bool is_free(const dlp__Solids *solids, dlp_SolidId id)
{
    return id >= 0 && solids->solid[id].def.density > 0.0;
}

static dlp_Result check_sides(const dlp__Solids *solids, const dlp_JointDef *def, dlp_Error *error)
{
    const int count = solids->count;
    if (def->solid < 0 || def->solid >= count || def->other >= count) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "a joint cannot connect solid %d to solid %d: the world has %d, counted from 0; only `other` may be "
            "-1, which is the world",
            def->solid, def->other, count);
    }
    if (def->solid == def->other) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a joint cannot connect solid %d to itself: use another one, or -1 for the world", def->solid);
    }
    if (!is_free(solids, def->solid) && !is_free(solids, def->other)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a joint cannot connect solid %d to %s %d: both are kinematic; give one of them a density",
                         def->solid, def->other < 0 ? "the world," : "solid", def->other);
    }
    return DLP_OK;
}

static dlp_Result check(const dlp__Solids *solids, const dlp_JointDef *def, dlp_Error *error)
{
    const double pi = 3.14159265358979323846;
    dlp_Result result = check_sides(solids, def, error);
    if (result != DLP_OK || def->kind == DLP_JOINT_BALL) {
        return result;
    }
    if (!(dlp__length(def->axis) > 1e-100)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "joint.axis is zero: give the direction about or along which it moves");
    }
    const bool turns = def->kind == DLP_JOINT_HINGE;
    if (def->lower > def->upper || (turns && !(def->lower >= -pi && def->upper <= pi))) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a joint stops at %g and %g: give the lower one first%s, or twice the same for no stops",
                         def->lower, def->upper, turns ? ", both within half a turn (-pi to pi)" : "");
    }
    return DLP_OK;
}

/* The current pose of a solid. */
static dlp__BodyState pose_of(const dlp__Solids *solids, dlp_SolidId id)
{
    if (id < 0) {
        return (dlp__BodyState){.quaternion = {1.0, 0.0, 0.0, 0.0}};
    }
    const dlp__Solid *solid = &solids->solid[id];
    if (solid->body >= 0) {
        return (dlp__BodyState){.position = solid->state.position,
                                .quaternion = {solid->state.quaternion[0], solid->state.quaternion[1],
                                               solid->state.quaternion[2], solid->state.quaternion[3]}};
    }
    return dlp__body_at_rest(solid->shape.position, dlp__rotation_vector(&solid->shape.rotation));
}

static void start_joint(dlp__Solids *solids, dlp__Joint *joint, const dlp_JointDef *def)
{
    joint->def = *def;
    joint->reference_pose[0] = pose_of(solids, def->solid);
    joint->reference_pose[1] = pose_of(solids, def->other);
    solids->stale = true;
}

dlp_Result dlp__joints_add(dlp__Solids *solids, const dlp_JointDef *def, dlp_JointId *id, dlp_Error *error)
{
    dlp_Result result = check(solids, def, error);
    if (result != DLP_OK) {
        return result;
    }
    if (solids->joint_count >= JOINTS_MOST) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a world has at most %d joints", JOINTS_MOST);
    }
    if (!dlp__buffer_grow(solids->memory, &solids->joint_buffer, solids->joint_count * (int64_t)sizeof *solids->joint,
                          (int64_t)solids->joint_count + 1, sizeof *solids->joint)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for joint number %d", solids->joint_count);
    }
    solids->joint = solids->joint_buffer.data;
    start_joint(solids, &solids->joint[solids->joint_count], def);
    if (id != NULL) {
        *id = solids->joint_count;
    }
    solids->joint_count++;
    return DLP_OK;
}

dlp_Result dlp__joints_check_id(const dlp__Solids *solids, dlp_JointId id, dlp_Error *error)
{
    return id >= 0 && id < solids->joint_count
               ? DLP_OK
               : dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no joint %d: the world has %d, counted from 0", id,
                           solids->joint_count);
}

static bool is_same(dlp_Vec3 a, dlp_Vec3 b)
{
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

dlp_Result dlp__joints_set(dlp__Solids *solids, dlp_JointId id, const dlp_JointDef *def, dlp_Error *error)
{
    dlp_Result result = dlp__joints_check_id(solids, id, error);
    if (result == DLP_OK) {
        result = check(solids, def, error);
    }
    if (result != DLP_OK) {
        return result;
    }
    dlp__Joint *joint = &solids->joint[id];
    const dlp_JointDef *was = &joint->def;
    if (was->kind == def->kind && was->solid == def->solid && was->other == def->other &&
        is_same(was->anchor, def->anchor) && is_same(was->axis, def->axis)) {
        joint->def = *def;
        solids->stale = true;
    } else {
        start_joint(solids, joint, def);
    }
    return DLP_OK;
}

dlp_Result dlp__joints_check_solid(const dlp__Solids *solids, dlp_SolidId id, const dlp_SolidDef *def, dlp_Error *error)
{
    for (int k = 0; k < solids->joint_count && !(def->density > 0.0); k++) {
        const dlp_JointDef *joint = &solids->joint[k].def;
        if ((joint->solid == id && !is_free(solids, joint->other)) ||
            (joint->other == id && !is_free(solids, joint->solid))) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "solid %d is held by joint %d, whose other side is kinematic: it must keep its density",
                             id, k);
        }
    }
    return DLP_OK;
}

void dlp__joints_reset_solid(dlp__Solids *solids, dlp_SolidId id)
{
    for (int k = 0; k < solids->joint_count; k++) {
        const dlp_JointDef def = solids->joint[k].def;
        if (def.solid == id || def.other == id) {
            start_joint(solids, &solids->joint[k], &def);
        }
    }
}

/* Obstacles have their own numbering, in the order of the solids. */
static int obstacle_of(const dlp__Solids *solids, dlp_SolidId id)
{
    int obstacle = 0;
    for (int k = 0; k < id; k++) {
        obstacle += solids->solid[k].body < 0;
    }
    return obstacle;
}

static int side_of(const dlp__Solids *solids, dlp_SolidId id)
{
    return id < 0                        ? -1
           : solids->solid[id].body >= 0 ? solids->solid[id].body
                                         : DLP_JOINT_OBSTACLE(obstacle_of(solids, id));
}

/* The first side must be free. Swapping the sides reverses the motion, so the axis is reversed too. */
dlp_Result dlp__joints_create(const dlp__Solids *solids, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int k = 0; k < solids->joint_count && result == DLP_OK; k++) {
        const dlp__Joint *joint = &solids->joint[k];
        const dlp_JointDef *def = &joint->def;
        const bool swapped = !is_free(solids, def->solid);
        const dlp__BodyState reference_pose[2] = {joint->reference_pose[swapped], joint->reference_pose[!swapped]};
        const dlp__JointSpec spec = {.kind = (dlp_JointKind)def->kind,
                                     .body = side_of(solids, swapped ? def->other : def->solid),
                                     .other = side_of(solids, swapped ? def->solid : def->other),
                                     .anchor = def->anchor,
                                     .axis = dlp__scale(def->axis, swapped ? -1.0 : 1.0),
                                     .motor_speed = def->speed,
                                     .motor_force = def->strength,
                                     .low = def->lower,
                                     .high = def->upper,
                                     .reference_pose = reference_pose};
        result = dlp__bodies_add_joint(solids->bodies, &spec, error);
    }
    return result;
}
