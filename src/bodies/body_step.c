/* A step of the rigid bodies: states into ODE, contacts, the solver, states back. */
#include "bodies/body_parts.h"

/* States and ODE */

dlp_Vec3 dlp__body_arm(const dlp__Body *body, const dlp__BodyState *state)
{
    const dlp__Rotation rotation = dlp__body_rotation(state);
    return dlp__rotate(&rotation, body->own.center);
}

dlp_Vec3 dlp__body_times(const double tensor[6], const dlp__Rotation *rotation, dlp_Vec3 v)
{
    return dlp__rotate(rotation, dlp__inertia_times(tensor, dlp__unrotate(rotation, v)));
}

void dlp__body_load(dlp__Body *body, const dlp__BodyState *state)
{
    const dlp_Vec3 from_reference = dlp__body_arm(body, state);
    const dlp_Vec3 center = dlp__add(state->position, from_reference);
    const dlp_Vec3 velocity = dlp__add(state->velocity, dlp__cross(state->spin, from_reference));
    dBodySetPosition(body->body, center.x, center.y, center.z);
    dBodySetQuaternion(body->body, state->quaternion);
    dBodySetLinearVel(body->body, velocity.x, velocity.y, velocity.z);
    dBodySetAngularVel(body->body, state->spin.x, state->spin.y, state->spin.z);
    dBodySetForce(body->body, 0, 0, 0); /* none is left over from a step that failed */
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
            "pushed too hard; take a shorter time step or a heavier body",
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

void dlp__obstacle_load(const dlp__Obstacle *obstacle, dlp_Vec3 position, const dlp__Rotation *rotation)
{
    const dlp_Vec3 x = rotation->x, y = rotation->y, z = rotation->z; /* columns */
    const dMatrix3 matrix = {x.x, y.x, z.x, 0.0, x.y, y.y, z.y, 0.0, x.z, y.z, z.z, 0.0};
    dBodySetPosition(obstacle->body, position.x, position.y, position.z);
    dBodySetRotation(obstacle->body, matrix);
}

/* Where an obstacle is a time after the step began. */
static void load_obstacle(dlp__Obstacle *obstacle, double time)
{
    const dlp__Rotation turned = dlp__rotation(dlp__scale(obstacle->spin, time));
    const dlp__Rotation rotation = dlp__rotation_product(&turned, &obstacle->rotation);
    const dlp_Vec3 position = dlp__add(obstacle->position, dlp__scale(obstacle->velocity, time));
    dlp__body_form_place(&obstacle->form, position, &rotation);
    dlp__obstacle_load(obstacle, position, &rotation);
    dBodySetLinearVel(obstacle->body, obstacle->velocity.x, obstacle->velocity.y, obstacle->velocity.z);
    dBodySetAngularVel(obstacle->body, obstacle->spin.x, obstacle->spin.y, obstacle->spin.z);
}

/* The spin w with which a body keeps its angular momentum if it turns by w for some time: I(turned) w = I w_now. */
static dlp_Vec3 keeping_spin(const dlp__Body *body, double time)
{
    const dlp__Rotation now = dlp__body_rotation(&body->state);
    const dlp_Vec3 momentum = dlp__body_times(body->own.inertia, &now, body->state.spin);
    dlp_Vec3 spin = body->state.spin;
    for (int k = 0; k < 4; k++) { /* each round adds an order of time */
        const dlp__Rotation turn = dlp__rotation(dlp__scale(spin, time)), then = dlp__rotation_product(&turn, &now);
        spin = dlp__body_times(body->inverse, &then, momentum);
    }
    return spin;
}

static bool is_touched(const dlp__Body *body)
{
    return dBodyGetNumJoints(body->body) > 0;
}

/* ODE's own gyroscopic torque lets a tumbling plank gain 5 % of angular momentum in 2 s. Here a body in free flight turns with
 * the spin of the middle of the part, and finish_spin() gives it the one of its end: its angular momentum is exact, its energy
 * right to second order. A body that is touched gets a torque instead, so that contacts and joints can answer it. */
static void prepare_spin(const dlp__Body *body, double dt)
{
    if (!is_touched(body)) {
        const dlp_Vec3 middle = keeping_spin(body, 0.5 * dt);
        dBodySetAngularVel(body->body, middle.x, middle.y, middle.z);
        return;
    }
    const dlp__Rotation now = dlp__body_rotation(&body->state);
    const dlp_Vec3 change = dlp__sub(keeping_spin(body, dt), body->state.spin);
    const dlp_Vec3 torque = dlp__scale(dlp__body_times(body->own.inertia, &now, change), 1.0 / dt);
    dBodySetTorque(body->body, torque.x, torque.y, torque.z);
}

static dlp_Vec3 finish_spin(const dlp__Body *body, const dlp__BodyState *next)
{
    if (is_touched(body)) {
        return next->spin;
    }
    const dlp__Rotation before = dlp__body_rotation(&body->state), after = dlp__body_rotation(next);
    return dlp__body_times(body->inverse, &after, dlp__body_times(body->own.inertia, &before, body->state.spin));
}

static dlp_Vec3 vector_of(const dReal *v)
{
    return dlp__vec3(v[0], v[1], v[2]);
}

static dlp__BodyState read_back(const dlp__Body *body)
{
    const dReal *q = dBodyGetQuaternion(body->body);
    dlp__BodyState next = {.quaternion = {q[0], q[1], q[2], q[3]}, .spin = vector_of(dBodyGetAngularVel(body->body))};
    const dlp_Vec3 from_reference = dlp__body_arm(body, &next);
    next.spin = finish_spin(body, &next);
    next.position = dlp__sub(vector_of(dBodyGetPosition(body->body)), from_reference);
    next.velocity = dlp__sub(vector_of(dBodyGetLinearVel(body->body)), dlp__cross(next.spin, from_reference));
    return next;
}

static dlp_Result advance(dlp__Bodies *bodies, const dlp__Substep *part, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int k = 0; k < bodies->body_count && result == DLP_OK; k++) {
        result = dlp__body_check(&bodies->body[k].state, k, error);
    }
    if (result != DLP_OK) {
        return result;
    }
    for (int k = 0; k < bodies->body_count; k++) {
        dlp__body_load(&bodies->body[k], &bodies->body[k].state);
    }
    for (int k = 0; k < bodies->obstacle_count; k++) {
        load_obstacle(&bodies->obstacle[k], part->time);
    }
    result = dlp__body_contacts(bodies, part, error);
    for (int k = 0; k < bodies->body_count; k++) {
        prepare_spin(&bodies->body[k], part->dt);
    }
    if (result == DLP_OK && dWorldQuickStep(bodies->world, part->dt) == 0) {
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

/* Give each body a share of what it was pushed by. */
static void share_pushes(const dlp__Bodies *bodies, double share)
{
    for (int k = 0; k < bodies->body_count; k++) {
        dlp__Body *body = &bodies->body[k];
        dlp__body_kick(body, dlp__scale(body->pushed, share), dlp__scale(body->twisted, share));
    }
}

static void forget_pushes(const dlp__Bodies *bodies)
{
    for (int k = 0; k < bodies->body_count; k++) {
        bodies->body[k].pushed = bodies->body[k].twisted = dlp__vec3(0, 0, 0);
    }
}

static dlp_Result run_step(void *context, dlp_Error *error)
{
    const StepCall *call = context;
    const int64_t count = (int64_t)fmax(ceil(call->dt / DLP_BODY_SUBSTEP - 1e-9), 1.0); /* 5 ms are two, not three */
    dlp__Substep part = {.dt = call->dt / (double)count, .gravity = call->gravity};
    part.slow = 4.0 * dlp__length(call->gravity) * part.dt; /* what rests gains a quarter of it in a part */
    dWorldSetGravity(call->bodies->world, call->gravity.x, call->gravity.y, call->gravity.z);
    dlp_Result result = DLP_OK;
    for (int64_t k = 0; k < count && result == DLP_OK; k++) {
        if (count > 1) {
            share_pushes(call->bodies, 1.0 / (double)count - (k == 0 ? 1.0 : 0.0));
        }
        part.time = (double)k * part.dt;
        /* The solver shuffles its rows by random numbers of the process; neighbouring seeds would shuffle alike. */
        dRandSetSeed((unsigned long)(((uint64_t)call->step * 1024u + (uint64_t)k) * 0x9e3779b97f4a7c15u >> 32));
        result = advance(call->bodies, &part, error);
    }
    forget_pushes(call->bodies);
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
