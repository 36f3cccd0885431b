/* Joints of rigid bodies: hinge, slider and ball, with motor and stops. */
#include "bodies/body_parts.h"

static const double PI = 3.14159265358979323846;

static dlp_Result check_motion(const dlp__JointSpec *spec, dlp_Error *error)
{
    if (!(dlp__length(spec->axis) > 1e-100 && dlp__length(spec->axis) < 1e100)) { /* false for NaN */
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "the axis of a joint is %g %g %g: give a direction that is finite and not zero", spec->axis.x,
                         spec->axis.y, spec->axis.z);
    }
    if (!(fabs(spec->motor_speed) <= 1e6) || !(spec->motor_force >= 0.0 && spec->motor_force <= 1e18)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "the motor of a joint has speed %g and force %g: give at most 1e6, and 0 to 1e18",
                         spec->motor_speed, spec->motor_force);
    }
    const double reach = spec->kind == DLP_JOINT_HINGE ? PI : DLP_BODY_REACH;
    if (!(spec->low >= -reach && spec->low <= spec->high && spec->high <= reach)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "a joint stops at %g and %g: give two numbers within -%g and %g, the lower one first, or twice the "
            "same for no stops",
            spec->low, spec->high, reach, reach);
    }
    return DLP_OK;
}

static dlp_Result check_joint(const dlp__Bodies *bodies, const dlp__JointSpec *spec, dlp_Error *error)
{
    if (bodies->joint_count >= DLP_BODY_LIMIT) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "there are %d joints already, and there can be no more",
                         DLP_BODY_LIMIT);
    }
    if (spec->kind != DLP_JOINT_HINGE && spec->kind != DLP_JOINT_SLIDER && spec->kind != DLP_JOINT_BALL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a joint of kind %d is not known: use a hinge, a slider or a ball",
                         (int)spec->kind);
    }
    if (spec->body < 0 || spec->body >= bodies->body_count || spec->other >= bodies->body_count ||
        spec->other == spec->body || spec->other <= DLP_JOINT_OBSTACLE(bodies->obstacle_count)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "a joint cannot connect body %d to body %d: there are %d, counted from 0, and it takes two different "
            "ones, or as the second -1 for the world, or -2 and less for one of %d obstacles",
            spec->body, spec->other, bodies->body_count, bodies->obstacle_count);
    }
    for (int k = 0; k < 2 && spec->reference_pose != NULL; k++) {
        dlp_Result result = dlp__body_check(&spec->reference_pose[k], k == 0 ? spec->body : spec->other, error);
        if (result != DLP_OK) {
            return result;
        }
    }
    if (spec->kind != DLP_JOINT_SLIDER && !dlp__is_within(spec->anchor, DLP_BODY_REACH)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the anchor of a joint is at %g %g %g: give a position within %g m",
                         spec->anchor.x, spec->anchor.y, spec->anchor.z, DLP_BODY_REACH);
    }
    return spec->kind == DLP_JOINT_BALL ? DLP_OK : check_motion(spec, error);
}

typedef void (*SetParameter)(dJointID joint, int parameter, dReal value);

static void set_motion(const dlp__JointSpec *spec, dJointID joint, SetParameter set)
{
    set(joint, dParamVel, spec->motor_speed);
    set(joint, dParamFMax, spec->motor_force);
    if (spec->low < spec->high) {
        set(joint, dParamLoStop, spec->low);
        set(joint, dParamHiStop, spec->high);
    }
}

static int obstacle_of(const dlp__JointSpec *spec)
{
    return -2 - spec->other;
}

/* Angles, distances and speeds are those of the first attached body relative to the second, as in dlp__JointSpec. */
static void create_joint(dlp__Bodies *bodies, const dlp__JointSpec *spec)
{
    dBodyID first = bodies->body[spec->body].body;
    dBodyID second = spec->other >= 0    ? bodies->body[spec->other].body
                     : spec->other == -1 ? NULL
                                         : bodies->obstacle[obstacle_of(spec)].body;
    const double length = dlp__length(spec->axis);
    const dlp_Vec3 axis = length > 0.0 ? dlp__scale(spec->axis, 1.0 / length) : spec->axis;
    dJointID joint = NULL;
    switch (spec->kind) {
    case DLP_JOINT_HINGE:
        joint = dJointCreateHinge(bodies->world, bodies->joint_group);
        dJointAttach(joint, first, second);
        dJointSetHingeAnchor(joint, spec->anchor.x, spec->anchor.y, spec->anchor.z);
        dJointSetHingeAxis(joint, axis.x, axis.y, axis.z);
        set_motion(spec, joint, dJointSetHingeParam);
        break;
    case DLP_JOINT_SLIDER:
        joint = dJointCreateSlider(bodies->world, bodies->joint_group);
        dJointAttach(joint, first, second);
        dJointSetSliderAxis(joint, axis.x, axis.y, axis.z);
        set_motion(spec, joint, dJointSetSliderParam);
        break;
    case DLP_JOINT_BALL:
        joint = dJointCreateBall(bodies->world, bodies->joint_group);
        dJointAttach(joint, first, second);
        dJointSetBallAnchor(joint, spec->anchor.x, spec->anchor.y, spec->anchor.z);
        break;
    }
}

typedef struct JointCall {
    dlp__Bodies *bodies;
    const dlp__JointSpec *spec;
} JointCall;

/* ODE stores the relative pose of the bodies when a joint is created, so they are first moved to their reference
 * poses. */
static dlp_Result add_joint(void *context, dlp_Error *error)
{
    (void)error;
    const JointCall *call = context;
    dlp__Bodies *bodies = call->bodies;
    const dlp__JointSpec *spec = call->spec;
    const int joined[2] = {spec->body, spec->other};
    for (int k = 0; k < 2; k++) {
        if (joined[k] >= 0) {
            dlp__Body *body = &bodies->body[joined[k]];
            dlp__body_set_ode_state(body,
                                    spec->reference_pose != NULL ? &spec->reference_pose[k] : &body->initial_state);
        }
    }
    if (spec->other < -1) {
        const dlp__Obstacle *obstacle = &bodies->obstacle[obstacle_of(spec)];
        const dlp__Rotation turned = spec->reference_pose != NULL ? dlp__body_rotation(&spec->reference_pose[1])
                                                                  : obstacle->rotation;
        dlp__obstacle_set_ode_pose(
            obstacle, spec->reference_pose != NULL ? spec->reference_pose[1].position : obstacle->position, &turned);
    }
    create_joint(bodies, spec);
    bodies->joint_count++;
    return DLP_OK;
}

dlp_Result dlp__bodies_add_joint(dlp__Bodies *bodies, const dlp__JointSpec *spec, dlp_Error *error)
{
    dlp_Result result = check_joint(bodies, spec, error);
    JointCall call = {bodies, spec};
    return result == DLP_OK ? dlp__ode_run(add_joint, &call, &bodies->broken, error) : result;
}
