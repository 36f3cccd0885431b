/* Free solids that are led through a step: they stand where they will be at its end, and learn on the way from what particles do
 * to them where that is. As in Clavet et al. 2005, Algorithm 6, bodies are advanced, exchange impulses with the particles that
 * they meet, and move with those; but the exchange is made in each iteration of the fluid, not once. */
#include "bodies/reactions.h"

/* m/s of the centre of mass and rad/s, at the end of the step as far as is known. */
static dlp_Vec3 center_velocity(const dlp__Solids *solids, const dlp__BodyState *state, const dlp__Solid *solid)
{
    const dlp_Vec3 arm = dlp__sub(solid->weight.center, state->position);
    return dlp__add(dlp__add(state->velocity, dlp__cross(state->spin, arm)), dlp__scale(solids->gravity, solids->dt));
}

/* Where it is at the end of the step with the velocity that its body has now. */
static void lead(const dlp__Solids *solids, dlp__Solid *solid)
{
    const dlp__BodyState state = dlp__bodies_state(solids->bodies, solid->body);
    const dlp_Vec3 speed = center_velocity(solids, &state, solid);
    const dlp__Rotation before = dlp__body_rotation(&state), turn = dlp__rotation(dlp__scale(state.spin, solids->dt));
    const dlp_Vec3 center = dlp__add(solid->weight.center, dlp__scale(speed, solids->dt));
    const dlp_Vec3 arm = dlp__rotate(&turn, dlp__sub(state.position, solid->weight.center));
    solid->push.center = center;
    solid->shape.position = dlp__add(center, arm);
    solid->shape.rotation = dlp__rotation_product(&turn, &before);
    solid->velocity = dlp__add(speed, dlp__cross(state.spin, arm));
    solid->spin = state.spin;
    dlp__solid_measure_displacement(solid, solids->dt);
}

void dlp__solids_predict_bodies(dlp__Solids *solids)
{
    solids->bodies_predicted = solids->body_count > 0;
    for (int body = 0; body < solids->body_count; body++) {
        dlp__Solid *solid = dlp__free_body_at(solids, body);
        solid->push = (dlp__BodyPush){.crowd = 0.0};
        lead(solids, solid);
    }
}

/* The part of what it was given and has not taken yet that a body takes now. */
static void take(const dlp__Solids *solids, dlp__Solid *solid, double share, double turning_share)
{
    dlp__BodyPush *push = &solid->push;
    const dlp_Vec3 along = dlp__sub(dlp__add(push->met.along, push->pressed.along), push->taken.along);
    const dlp_Vec3 about = dlp__sub(dlp__add(push->met.about, push->pressed.about), push->taken.about);
    const dlp__Impulse now = {dlp__scale(along, share), dlp__scale(about, turning_share)};
    push->taken.along = dlp__add(push->taken.along, now.along);
    push->taken.about = dlp__add(push->taken.about, now.about);
    dlp__bodies_push(solids->bodies, solid->body, now.along, now.about);
    lead(solids, solid);
}

typedef struct Job {
    const dlp__Solids *solids;
    dlp__Samples *samples;
} Job;

/* Samples of led solids go with them: `drift` and `turning` say by how much the velocities of their matter changed. */
static void move_samples(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    const dlp__Samples *samples = job->samples;
    for (int64_t row = begin; row < end; row++) {
        const dlp__Solid *solid = samples->solid[row] >= 0 ? &job->solids->solid[samples->solid[row]] : NULL;
        if (solid == NULL || solid->body < 0) {
            continue;
        }
        float *place = samples->place + 4 * row, *motion = samples->motion + 4 * row;
        const dlp_Vec3 at = dlp__vec3((double)place[0], (double)place[1], (double)place[2]);
        const dlp_Vec3 arm = dlp__sub(at, solid->push.center);
        const dlp_Vec3 change = dlp__add(solid->push.drift, dlp__cross(solid->push.turning, arm));
        const double moved[3] = {change.x, change.y, change.z};
        for (int a = 0; a < 3; a++) {
            motion[a] += (float)moved[a];
            place[a] += (float)(job->solids->dt * moved[a]);
        }
    }
}

void dlp__solids_exchange_impulses(dlp__Solids *solids, dlp__Domains *domains)
{
    if (!solids->bodies_predicted) {
        return;
    }
    dlp__reactions_of_samples(solids, domains);
    for (int body = 0; body < solids->body_count; body++) {
        dlp__Solid *solid = dlp__free_body_at(solids, body);
        const dlp__BodyState before = dlp__bodies_state(solids->bodies, body);
        const double *inertia = solid->weight.inertia, turning = inertia[0] + inertia[1] + inertia[2];
        const double mass = solid->weight.mass;
        take(solids, solid, mass / (mass + solid->push.crowd), turning / (turning + 2.0 * solid->push.nearby_inertia));
        const dlp__BodyState after = dlp__bodies_state(solids->bodies, body);
        solid->push.drift = dlp__sub(center_velocity(solids, &after, solid), center_velocity(solids, &before, solid));
        solid->push.turning = dlp__sub(after.spin, before.spin);
    }
    for (int part = 0; part < domains->count; part++) {
        dlp__Samples *samples = &domains->part[part].samples;
        Job job = {solids, samples};
        if (samples->moved[0] != NULL) {
            dlp__parallel_for(domains->parallel, samples->count, 4096, move_samples, &job);
        }
    }
}

void dlp__solids_apply_pending_impulses(dlp__Solids *solids)
{
    for (int body = 0; body < solids->body_count && solids->bodies_predicted; body++) {
        take(solids, dlp__free_body_at(solids, body), 1.0, 1.0);
    }
}
