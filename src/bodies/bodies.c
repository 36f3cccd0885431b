/* Free rigid bodies: creation, impulses and queries. Their step is in body_step.c. */
#include "bodies/bodies.h"

#include "bodies/body_parts.h"

/* Contacts are solved by Gauss-Seidel sweeps without over-relaxation. With 40 sweeps a stack of five boxes creeps by
 * 0.3 % of an edge in 20 s, with 20 by 0.6 %. */
static const int SWEEPS = 40;
static const double RELAXATION = 1.0;

/* Creation and destruction */

static dlp_Result create_world(void *context, dlp_Error *error)
{
    (void)error;
    dlp__Bodies *bodies = context;
    bodies->world = dWorldCreate();
    dWorldSetQuickStepNumIterations(bodies->world, SWEEPS);
    dWorldSetQuickStepW(bodies->world, RELAXATION);
    dWorldSetAutoDisableFlag(bodies->world, 0); /* sleeping would be a state that is not saved */
    bodies->space = dHashSpaceCreate(NULL);
    dSpaceSetCleanup(bodies->space, 0);
    dHashSpaceSetLevels(bodies->space, -10, 4); /* cells from a millimetre, which DLP_BODY_REACH relies on, to 16 m */
    bodies->contact_group = dJointGroupCreate(0);
    bodies->joint_group = dJointGroupCreate(0);
    return DLP_OK;
}

static dlp_Result destroy_world(void *context, dlp_Error *error)
{
    (void)error;
    dlp__Bodies *bodies = context;
    for (int k = 0; k < bodies->body_count; k++) {
        dlp__body_form_release(bodies, &bodies->body[k].form);
    }
    for (int k = 0; k < bodies->obstacle_count; k++) {
        dlp__body_form_release(bodies, &bodies->obstacle[k].form);
    }
    if (bodies->world != NULL && !bodies->broken) {
        dJointGroupDestroy(bodies->contact_group);
        dJointGroupDestroy(bodies->joint_group);
        dSpaceDestroy(bodies->space);
        dWorldDestroy(bodies->world);
    }
    return DLP_OK;
}

dlp_Result dlp__bodies_create(dlp__Memory *memory, dlp__Bodies **bodies, dlp_Error *error)
{
    *bodies = NULL;
    dlp__Bodies *made = dlp__memory_get(memory, 1, sizeof *made);
    if (made == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for rigid bodies");
    }
    *made = (dlp__Bodies){.memory = memory, .found = dlp__memory_get(memory, DLP_CONTACTS_FOUND, sizeof *made->found)};
    dlp_Result result = made->found != NULL
                            ? dlp__ode_open(error)
                            : dlp__fail(error, DLP_ERROR_MEMORY, "no memory for contacts of rigid bodies");
    if (result == DLP_OK) {
        result = dlp__ode_run(create_world, made, &made->broken, error);
        if (result == DLP_OK) {
            *bodies = made;
            return DLP_OK;
        }
        dlp__ode_close();
    }
    dlp__memory_release(memory, made->found, DLP_CONTACTS_FOUND, sizeof *made->found);
    dlp__memory_release(memory, made, 1, sizeof *made);
    return result;
}

void dlp__bodies_destroy(dlp__Bodies *bodies)
{
    if (bodies == NULL) {
        return;
    }
    if (bodies->broken) {
        destroy_world(bodies, NULL); /* our own memory only; ODE's is leaked, so ODE stays open */
    } else {
        dlp__ode_run(destroy_world, bodies, &bodies->broken, NULL);
        dlp__ode_close();
    }
    dlp__buffer_release(bodies->memory, &bodies->body_buffer);
    dlp__buffer_release(bodies->memory, &bodies->obstacle_buffer);
    dlp__buffer_release(bodies->memory, &bodies->pair_buffer);
    dlp__memory_release(bodies->memory, bodies->found, DLP_CONTACTS_FOUND, sizeof *bodies->found);
    dlp__memory_release(bodies->memory, bodies, 1, sizeof *bodies);
}

/* States */

static dlp__BodyState state_of_def(const dlp__BodyDef *def)
{
    dlp__BodyState state = dlp__body_at_rest(def->form.shape.position, dlp__rotation_vector(&def->form.shape.rotation));
    state.velocity = def->velocity;
    state.spin = def->spin;
    return state;
}

dlp__BodyState dlp__bodies_state(const dlp__Bodies *bodies, int body)
{
    return bodies->body[body].state;
}

dlp_Result dlp__bodies_set_state(dlp__Bodies *bodies, int body, const dlp__BodyState *state, dlp_Error *error)
{
    if (body < 0 || body >= bodies->body_count) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no body %d: there are %d, counted from 0", body,
                         bodies->body_count);
    }
    dlp_Result result = dlp__body_check(state, body, error);
    if (result == DLP_OK) {
        bodies->body[body].state = *state;
        bodies->body[body].pending_impulse = bodies->body[body].pending_angular_impulse = dlp__vec3(0, 0, 0);
    }
    return result;
}

int dlp__bodies_count(const dlp__Bodies *bodies)
{
    return bodies->body_count;
}

dlp_Vec3 dlp__bodies_velocity_at(const dlp__Bodies *bodies, int body, dlp_Vec3 point)
{
    const dlp__BodyState *state = &bodies->body[body].state;
    return dlp__add(state->velocity, dlp__cross(state->spin, dlp__sub(point, state->position)));
}

dlp__BodyMass dlp__bodies_mass(const dlp__Bodies *bodies, int body)
{
    const dlp__Body *of = &bodies->body[body];
    const dlp__Rotation rotation = dlp__body_rotation(&of->state);
    const dlp_Vec3 x = dlp__body_tensor_times(of->own.inertia, &rotation, dlp__vec3(1, 0, 0)),
                   y = dlp__body_tensor_times(of->own.inertia, &rotation, dlp__vec3(0, 1, 0)),
                   z = dlp__body_tensor_times(of->own.inertia, &rotation, dlp__vec3(0, 0, 1));
    return (dlp__BodyMass){
        .mass = of->own.mass,
        .center = dlp__add(of->state.position, dlp__body_center_offset(of, &of->state)),
        .inertia = {x.x, y.y, z.z, x.y, x.z, y.z},
    };
}

void dlp__body_apply_impulse(dlp__Body *body, dlp_Vec3 impulse, dlp_Vec3 angular_impulse)
{
    const dlp__Rotation rotation = dlp__body_rotation(&body->state);
    const dlp_Vec3 spin_change = dlp__body_tensor_times(body->inverse, &rotation, angular_impulse);
    /* The impulse acts on the centre of mass; the reference point rotates about it. */
    const dlp_Vec3 change = dlp__sub(dlp__scale(impulse, 1.0 / body->own.mass),
                                     dlp__cross(spin_change, dlp__body_center_offset(body, &body->state)));
    body->state.velocity = dlp__add(body->state.velocity, change);
    body->state.spin = dlp__add(body->state.spin, spin_change);
}

void dlp__bodies_apply_impulse(dlp__Bodies *bodies, int body, dlp_Vec3 impulse, dlp_Vec3 angular_impulse)
{
    dlp__Body *of = &bodies->body[body];
    dlp__body_apply_impulse(of, impulse, angular_impulse);
    of->pending_impulse = dlp__add(of->pending_impulse, impulse);
    of->pending_angular_impulse = dlp__add(of->pending_angular_impulse, angular_impulse);
}

/* Adding */

typedef struct AddCall {
    dlp__Bodies *bodies;
    const dlp__BodyForm *form;
    dlp__Body *body;         /* to be completed, or null */
    dlp__Obstacle *obstacle; /* likewise */
} AddCall;

static dlp_Result add_body(void *context, dlp_Error *error)
{
    const AddCall *call = context;
    dlp__Body *body = call->body;
    if (!dlp__body_form_create(call->bodies, call->form, (uint32_t)call->bodies->body_count, &body->form)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the mesh of body %d", call->bodies->body_count);
    }
    dMass mass;
    const double *inertia = body->own.inertia;
    dMassSetZero(&mass);
    mass.mass = body->own.mass;
    const dMatrix3 matrix = {inertia[0], inertia[3], inertia[4], 0.0,        inertia[3], inertia[1],
                             inertia[5], 0.0,        inertia[4], inertia[5], inertia[2], 0.0};
    for (int k = 0; k < 12; k++) {
        mass.I[k] = matrix[k];
    }
    body->body = dBodyCreate(call->bodies->world);
    dBodySetMass(body->body, &mass);
    dBodySetFiniteRotationMode(body->body, 1); /* exact rotation by the whole angle of a substep */
    dBodySetGyroscopicMode(body->body, 0);     /* see prepare_spin */
    dlp__body_form_attach(&body->form, body->body, dlp__scale(body->own.center, -1.0));
    return DLP_OK;
}

static dlp_Result add_obstacle(void *context, dlp_Error *error)
{
    const AddCall *call = context;
    dlp__Bodies *bodies = call->bodies;
    const uint32_t key = DLP_OBSTACLE_KEY + DLP_OBSTACLE_FACES * (uint32_t)bodies->obstacle_count;
    if (!dlp__body_form_create(bodies, call->form, key, &call->obstacle->form)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the mesh of obstacle %d", bodies->obstacle_count);
    }
    call->obstacle->body = dBodyCreate(bodies->world);
    dBodySetKinematic(call->obstacle->body);
    dBodySetGyroscopicMode(call->obstacle->body, 0);
    return DLP_OK;
}

/* Memory for one more item; an error beyond the limit. */
static dlp_Result reserve_one(dlp__Bodies *bodies, dlp__Buffer *buffer, int count, size_t size, const char *what,
                              dlp_Error *error)
{
    if (count >= DLP_BODY_LIMIT) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "there are %d %s already, and there can be no more: make small ones out of particles", count,
                         what);
    }
    if (!dlp__buffer_grow(bodies->memory, buffer, count * (int64_t)size, (int64_t)count + 1, size)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for more than %d %s", count, what);
    }
    return DLP_OK;
}

dlp_Result dlp__bodies_add(dlp__Bodies *bodies, const dlp__BodyDef *def, int *index, dlp_Error *error)
{
    dlp__Body body = {.initial_state = state_of_def(def)};
    dlp_Result result = dlp__body_form_check(&def->form, true, error);
    if (result == DLP_OK) {
        result = dlp__body_check(&body.initial_state, bodies->body_count, error);
    }
    if (result == DLP_OK) {
        result = dlp__body_mass(bodies->memory, def, &body.own, error);
    }
    if (result == DLP_OK) {
        result = reserve_one(bodies, &bodies->body_buffer, bodies->body_count, sizeof *bodies->body, "rigid bodies",
                             error);
    }
    if (result != DLP_OK) {
        return result;
    }
    bodies->body = bodies->body_buffer.data;
    dlp__inertia_invert(body.own.inertia, body.inverse); /* cannot fail: dlp__body_mass has checked it */
    body.state = body.initial_state;
    AddCall call = {.bodies = bodies, .form = &def->form, .body = &body};
    result = dlp__ode_run(add_body, &call, &bodies->broken, error);
    if (result == DLP_OK) {
        if (index != NULL) {
            *index = bodies->body_count;
        }
        bodies->body[bodies->body_count++] = body;
    }
    return result;
}

dlp_Result dlp__bodies_add_obstacle(dlp__Bodies *bodies, const dlp__BodyForm *form, int *index, dlp_Error *error)
{
    dlp__Obstacle obstacle = {.position = form->shape.position, .rotation = form->shape.rotation};
    dlp_Result result = dlp__body_form_check(form, false, error);
    if (result == DLP_OK) {
        result = reserve_one(bodies, &bodies->obstacle_buffer, bodies->obstacle_count, sizeof *bodies->obstacle,
                             "obstacles", error);
    }
    if (result != DLP_OK) {
        return result;
    }
    bodies->obstacle = bodies->obstacle_buffer.data;
    AddCall call = {.bodies = bodies, .form = form, .obstacle = &obstacle};
    result = dlp__ode_run(add_obstacle, &call, &bodies->broken, error);
    if (result == DLP_OK) {
        if (index != NULL) {
            *index = bodies->obstacle_count;
        }
        bodies->obstacle[bodies->obstacle_count++] = obstacle;
    }
    return result;
}

dlp_Result dlp__bodies_place_obstacle(dlp__Bodies *bodies, int obstacle, dlp_Vec3 position,
                                      const dlp__Rotation *rotation, dlp_Vec3 velocity, dlp_Vec3 spin, dlp_Error *error)
{
    if (obstacle < 0 || obstacle >= bodies->obstacle_count) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no obstacle %d: there are %d, counted from 0", obstacle,
                         bodies->obstacle_count);
    }
    if (!dlp__is_finite(position) || !dlp__is_finite(rotation->x) || !dlp__is_finite(rotation->y) ||
        !dlp__is_finite(rotation->z) || !dlp__is_within(velocity, DLP_BODY_SPEED) ||
        !dlp__is_within(spin, DLP_BODY_SPEED)) {
        return dlp__fail(error, DLP_ERROR_NOT_FINITE,
                         "obstacle %d is placed at %g %g %g with velocity %g %g %g m/s: all must be finite, and speeds "
                         "at most %g",
                         obstacle, position.x, position.y, position.z, velocity.x, velocity.y, velocity.z,
                         DLP_BODY_SPEED);
    }
    dlp__Obstacle *of = &bodies->obstacle[obstacle];
    of->position = position;
    of->rotation = *rotation;
    of->velocity = velocity;
    of->spin = spin;
    return DLP_OK;
}
