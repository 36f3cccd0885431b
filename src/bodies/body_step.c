/* A step of the rigid bodies: copy states to ODE, find contacts, solve, copy states back. */
#include "bodies/body_parts.h"

/* States and ODE */

dlp_Vec3 dlp__body_center_offset(const dlp__Body *body, const dlp__BodyState *state)
{
    const dlp__Rotation rotation = dlp__body_rotation(state);
    return dlp__rotate(&rotation, body->own.center);
}

dlp_Vec3 dlp__body_tensor_times(const double tensor[6], const dlp__Rotation *rotation, dlp_Vec3 v)
{
    return dlp__rotate(rotation, dlp__inertia_times(tensor, dlp__unrotate(rotation, v)));
}

void dlp__body_set_ode_state(dlp__Body *body, const dlp__BodyState *state)
{
    const dlp_Vec3 from_reference = dlp__body_center_offset(body, state);
    const dlp_Vec3 center = dlp__add(state->position, from_reference);
    const dlp_Vec3 velocity = dlp__add(state->velocity, dlp__cross(state->spin, from_reference));
    dBodySetPosition(body->body, center.x, center.y, center.z);
    dBodySetQuaternion(body->body, state->quaternion);
    dBodySetLinearVel(body->body, velocity.x, velocity.y, velocity.z);
    dBodySetAngularVel(body->body, state->spin.x, state->spin.y, state->spin.z);
    dBodySetForce(body->body, 0, 0, 0); /* a failed step may have left some */
    dBodySetTorque(body->body, 0, 0, 0);
    dlp__body_form_enable(&body->form, dlp__is_within(center, DLP_BODY_REACH));
}

dlp_Result dlp__body_check(const dlp__BodyState *state, int body, dlp_Error *error)
{
    const double *q = state->quaternion;
    const double norm = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    if (!dlp__is_finite(state->position) || !(fabs(norm - 1.0) < 1e-6)) {
        return dlp__fail(
            error, DLP_ERROR_NOT_FINITE,
            "body %d is at %g %g %g with a quaternion of squared length %g: both must be finite, and the last 1", body,
            state->position.x, state->position.y, state->position.z, norm);
    }
    if (!dlp__is_within(state->velocity, DLP_BODY_SPEED) || !dlp__is_within(state->spin, DLP_BODY_SPEED)) {
        return dlp__fail(
            error, DLP_ERROR_NOT_FINITE,
            "body %d moves with %g %g %g m/s and spins with %g %g %g rad/s, more than %g: it has blown up or been "
            "pushed too hard; use a shorter time step or a heavier body",
            body, state->velocity.x, state->velocity.y, state->velocity.z, state->spin.x, state->spin.y, state->spin.z,
            DLP_BODY_SPEED);
    }
    return DLP_OK;
}

/* The step */

typedef struct StepCall {
    dlp__Bodies *bodies;
    int64_t step;
    double dt;
    dlp_Vec3 gravity;
} StepCall;

void dlp__obstacle_set_ode_pose(const dlp__Obstacle *obstacle, dlp_Vec3 position, const dlp__Rotation *rotation)
{
    const dlp_Vec3 x = rotation->x, y = rotation->y, z = rotation->z; /* columns */
    const dMatrix3 matrix = {x.x, y.x, z.x, 0.0, x.y, y.y, z.y, 0.0, x.z, y.z, z.z, 0.0};
    dBodySetPosition(obstacle->body, position.x, position.y, position.z);
    dBodySetRotation(obstacle->body, matrix);
}

/* Move an obstacle to its pose `time` after the start of the step. */
static void move_obstacle(dlp__Obstacle *obstacle, double time)
{
    const dlp__Rotation turned = dlp__rotation(dlp__scale(obstacle->spin, time));
    const dlp__Rotation rotation = dlp__rotation_product(&turned, &obstacle->rotation);
    const dlp_Vec3 position = dlp__add(obstacle->position, dlp__scale(obstacle->velocity, time));
    dlp__body_form_place(&obstacle->form, position, &rotation);
    dlp__obstacle_set_ode_pose(obstacle, position, &rotation);
    dBodySetLinearVel(obstacle->body, obstacle->velocity.x, obstacle->velocity.y, obstacle->velocity.z);
    dBodySetAngularVel(obstacle->body, obstacle->spin.x, obstacle->spin.y, obstacle->spin.z);
}

/* The spin w that conserves angular momentum while the body rotates by w for `time`: I(rotated) w = I w_now. */
static dlp_Vec3 conserving_spin(const dlp__Body *body, double time)
{
    const dlp__Rotation now = dlp__body_rotation(&body->state);
    const dlp_Vec3 momentum = dlp__body_tensor_times(body->own.inertia, &now, body->state.spin);
    dlp_Vec3 spin = body->state.spin;
    for (int k = 0; k < 4; k++) { /* each iteration adds an order in time */
        const dlp__Rotation turn = dlp__rotation(dlp__scale(spin, time)), then = dlp__rotation_product(&turn, &now);
        spin = dlp__body_tensor_times(body->inverse, &then, momentum);
    }
    return spin;
}

static bool has_joints(const dlp__Body *body)
{
    return dBodyGetNumJoints(body->body) > 0;
}

/* With ODE's gyroscopic torque a tumbling plank gains 5 % of angular momentum in 2 s. Here a body in free flight
 * rotates with the spin at the middle of the substep, and finish_spin() sets the spin at its end: angular momentum
 * is exact, energy second-order accurate. A body with contacts or joints gets a torque instead, so that these can
 * react to it. */
static void prepare_spin(const dlp__Body *body, double dt)
{
    if (!has_joints(body)) {
        const dlp_Vec3 middle = conserving_spin(body, 0.5 * dt);
        dBodySetAngularVel(body->body, middle.x, middle.y, middle.z);
        return;
    }
    const dlp__Rotation now = dlp__body_rotation(&body->state);
    const dlp_Vec3 change = dlp__sub(conserving_spin(body, dt), body->state.spin);
    const dlp_Vec3 torque = dlp__scale(dlp__body_tensor_times(body->own.inertia, &now, change), 1.0 / dt);
    dBodySetTorque(body->body, torque.x, torque.y, torque.z);
}

static dlp_Vec3 finish_spin(const dlp__Body *body, const dlp__BodyState *next)
{
    if (has_joints(body)) {
        return next->spin;
    }
    const dlp__Rotation before = dlp__body_rotation(&body->state), after = dlp__body_rotation(next);
    return dlp__body_tensor_times(body->inverse, &after,
                                  dlp__body_tensor_times(body->own.inertia, &before, body->state.spin));
}

static dlp_Vec3 vector_of(const dReal *v)
{
    return dlp__vec3(v[0], v[1], v[2]);
}

static dlp__BodyState read_back(const dlp__Body *body)
{
    const dReal *q = dBodyGetQuaternion(body->body);
    dlp__BodyState next = {.quaternion = {q[0], q[1], q[2], q[3]}, .spin = vector_of(dBodyGetAngularVel(body->body))};
    const dlp_Vec3 from_reference = dlp__body_center_offset(body, &next);
    next.spin = finish_spin(body, &next);
    next.position = dlp__sub(vector_of(dBodyGetPosition(body->body)), from_reference);
    next.velocity = dlp__sub(vector_of(dBodyGetLinearVel(body->body)), dlp__cross(next.spin, from_reference));
    return next;
}

static dlp_Result advance(dlp__Bodies *bodies, const dlp__Substep *substep, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int k = 0; k < bodies->body_count && result == DLP_OK; k++) {
        result = dlp__body_check(&bodies->body[k].state, k, error);
    }
    if (result != DLP_OK) {
        return result;
    }
    for (int k = 0; k < bodies->body_count; k++) {
        dlp__body_set_ode_state(&bodies->body[k], &bodies->body[k].state);
    }
    for (int k = 0; k < bodies->obstacle_count; k++) {
        move_obstacle(&bodies->obstacle[k], substep->time);
    }
    result = dlp__body_contacts(bodies, substep, error);
    for (int k = 0; k < bodies->body_count; k++) {
        prepare_spin(&bodies->body[k], substep->dt);
    }
    if (result == DLP_OK && dWorldQuickStep(bodies->world, substep->dt) == 0) {
        result = dlp__fail(error, DLP_ERROR_MEMORY, "no memory to solve the contacts of %d rigid bodies",
                           bodies->body_count);
    }
    for (int k = 0; k < bodies->body_count && result == DLP_OK; k++) {
        bodies->body[k].state = read_back(&bodies->body[k]);
        result = dlp__body_check(&bodies->body[k].state, k, error);
    }
    dJointGroupEmpty(bodies->contact_group);
    return result;
}

/* Apply a fraction of its pending impulse to each body. */
static void apply_pending_share(const dlp__Bodies *bodies, double share)
{
    for (int k = 0; k < bodies->body_count; k++) {
        dlp__Body *body = &bodies->body[k];
        dlp__body_apply_impulse(body, dlp__scale(body->pending_impulse, share),
                                dlp__scale(body->pending_angular_impulse, share));
    }
}

static void clear_pending(const dlp__Bodies *bodies)
{
    for (int k = 0; k < bodies->body_count; k++) {
        bodies->body[k].pending_impulse = bodies->body[k].pending_angular_impulse = dlp__vec3(0, 0, 0);
    }
}

static dlp_Result run_step(void *context, dlp_Error *error)
{
    const StepCall *call = context;
    const int64_t count = (int64_t)fmax(ceil(call->dt / DLP_BODY_SUBSTEP - 1e-9), 1.0); /* 5 ms make two, not three */
    dlp__Substep substep = {.dt = call->dt / (double)count, .gravity = call->gravity};
    /* gravity adds a quarter of it per substep */
    substep.bounce_threshold = 4.0 * dlp__length(call->gravity) * substep.dt;
    dWorldSetGravity(call->bodies->world, call->gravity.x, call->gravity.y, call->gravity.z);
    dlp_Result result = DLP_OK;
    for (int64_t k = 0; k < count && result == DLP_OK; k++) {
        if (count > 1) {
            apply_pending_share(call->bodies, 1.0 / (double)count - (k == 0 ? 1.0 : 0.0));
        }
        substep.time = (double)k * substep.dt;
        /* ODE shuffles its rows with a process-global random number generator; consecutive seeds would shuffle
         * similarly. */
        dRandSetSeed((unsigned long)(((uint64_t)call->step * 1024u + (uint64_t)k) * 0x9e3779b97f4a7c15u >> 32));
        result = advance(call->bodies, &substep, error);
    }
    clear_pending(call->bodies);
    return result;
}

dlp_Result dlp__bodies_step(dlp__Bodies *bodies, int64_t step, double dt, dlp_Vec3 gravity, dlp_Error *error)
{
    if (!(dt > 0.0 && dt <= 1.0) || !dlp__is_within(gravity, DLP_BODY_SPEED)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "rigid bodies cannot step by %g s under a gravity of %g %g %g m/s2: give up to 1 s, and finite numbers", dt,
            gravity.x, gravity.y, gravity.z);
    }
    StepCall call = {bodies, step, dt, gravity};
    return dlp__ode_run(run_step, &call, &bodies->broken, error);
}
