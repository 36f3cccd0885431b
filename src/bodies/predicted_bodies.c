/* Free bodies predicted through a step: they are placed where they will be at its end, and corrected as particles
 * exchange impulses with them. As in Clavet et al. 2005, Algorithm 6, bodies are advanced, exchange impulses with
 * the particles that they meet, and move accordingly; but the exchange happens in each iteration of the fluid, not
 * once. */
#include "bodies/reactions.h"

/* m/s of the centre of mass at the end of the step, as currently predicted. */
static dlp_Vec3 center_velocity(const dlp__Solids *solids, const dlp__BodyState *state, const dlp__Solid *solid)
{
    const dlp_Vec3 arm = dlp__sub(solid->mass_properties.center, state->position);
    return dlp__add(dlp__add(state->velocity, dlp__cross(state->spin, arm)), dlp__scale(solids->gravity, solids->dt));
}

/* Predict the pose at the end of the step from the body's current velocity. The tree of the solids is out of date then. */
static void predict_body(const dlp__Solids *solids, dlp__Solid *solid)
{
    const dlp__BodyState state = dlp__bodies_state(solids->bodies, solid->body);
    const dlp_Vec3 speed = center_velocity(solids, &state, solid);
    const dlp__Rotation before = dlp__body_rotation(&state), turn = dlp__rotation(dlp__scale(state.spin, solids->dt));
    const dlp_Vec3 center = dlp__add(solid->mass_properties.center, dlp__scale(speed, solids->dt));
    const dlp_Vec3 arm = dlp__rotate(&turn, dlp__sub(state.position, solid->mass_properties.center));
    solid->exchange.center = center;
    solid->shape.position = dlp__add(center, arm);
    solid->shape.rotation = dlp__rotation_product(&turn, &before);
    solid->velocity = dlp__add(speed, dlp__cross(state.spin, arm));
    solid->spin = state.spin;
    dlp__solid_measure_displacement(solid, solids->dt);
}

static void rebuild_tree(dlp__Solids *solids)
{
    solids->tree.count = 0;
    dlp__solids_build_tree(solids);
}

void dlp__solids_predict_bodies(dlp__Solids *solids)
{
    solids->bodies_predicted = solids->body_count > 0;
    for (int body = 0; body < solids->body_count; body++) {
        dlp__Solid *solid = dlp__free_body_at(solids, body);
        solid->exchange = (dlp__BodyExchange){.nearby_mass = 0.0};
        predict_body(solids, solid);
    }
    rebuild_tree(solids);
}

/* Apply the given fractions of the impulses that the body has received but not yet applied. */
static void apply_impulses(const dlp__Solids *solids, dlp__Solid *solid, double linear_share, double angular_share)
{
    dlp__BodyExchange *exchange = &solid->exchange;
    const dlp_Vec3 linear = dlp__sub(dlp__add(exchange->contact_impulse.linear, exchange->pressure_impulse.linear),
                                     exchange->applied_impulse.linear);
    const dlp_Vec3 angular = dlp__sub(dlp__add(exchange->contact_impulse.angular, exchange->pressure_impulse.angular),
                                      exchange->applied_impulse.angular);
    const dlp__Impulse now = {dlp__scale(linear, linear_share), dlp__scale(angular, angular_share)};
    exchange->applied_impulse.linear = dlp__add(exchange->applied_impulse.linear, now.linear);
    exchange->applied_impulse.angular = dlp__add(exchange->applied_impulse.angular, now.angular);
    dlp__bodies_apply_impulse(solids->bodies, solid->body, now.linear, now.angular);
    predict_body(solids, solid);
}

typedef struct Job {
    const dlp__Solids *solids;
    dlp__Samples *samples;
} Job;

/* Move the samples of predicted bodies with them: `velocity_change` and `spin_change` are the changes of the last
 * exchange. */
static void move_samples(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    const dlp__Samples *samples = job->samples;
    for (int64_t row = begin; row < end; row++) {
        const dlp__Solid *solid = samples->solid[row] >= 0 ? &job->solids->solid[samples->solid[row]] : NULL;
        if (solid == NULL || solid->body < 0) {
            continue;
        }
        float *position_row = samples->position_volume + 4 * row, *velocity_row = samples->velocity_friction + 4 * row;
        const dlp_Vec3 at = dlp__vec3((double)position_row[0], (double)position_row[1], (double)position_row[2]);
        const dlp_Vec3 arm = dlp__sub(at, solid->exchange.center);
        const dlp_Vec3 change = dlp__add(solid->exchange.velocity_change, dlp__cross(solid->exchange.spin_change, arm));
        const double moved[3] = {change.x, change.y, change.z};
        for (int a = 0; a < 3; a++) {
            velocity_row[a] += (float)moved[a];
            position_row[a] += (float)(job->solids->dt * moved[a]);
        }
    }
}

void dlp__solids_exchange_impulses(dlp__Solids *solids, dlp__Domains *domains)
{
    if (!solids->bodies_predicted || !dlp__step_is_ok(domains)) {
        return;
    }
    dlp__reactions_from_samples(solids, domains);
    for (int body = 0; body < solids->body_count; body++) {
        dlp__Solid *solid = dlp__free_body_at(solids, body);
        const dlp__BodyState before = dlp__bodies_state(solids->bodies, body);
        const double *inertia = solid->mass_properties.inertia, trace = inertia[0] + inertia[1] + inertia[2];
        const double mass = solid->mass_properties.mass;
        apply_impulses(solids, solid, mass / (mass + solid->exchange.nearby_mass),
                       trace / (trace + 2.0 * solid->exchange.nearby_inertia));
        const dlp__BodyState after = dlp__bodies_state(solids->bodies, body);
        solid->exchange.velocity_change = dlp__sub(center_velocity(solids, &after, solid),
                                                   center_velocity(solids, &before, solid));
        solid->exchange.spin_change = dlp__sub(after.spin, before.spin);
    }
    rebuild_tree(solids);
    for (int part = 0; part < domains->count; part++) {
        dlp__Samples *samples = &domains->part[part].samples;
        Job job = {solids, samples};
        if (samples->displacement[0] != NULL) {
            dlp__parallel_for(domains->parallel, samples->count, 4096, move_samples, &job);
        }
    }
}

void dlp__solids_apply_pending_impulses(dlp__Solids *solids)
{
    for (int body = 0; body < solids->body_count && solids->bodies_predicted; body++) {
        apply_impulses(solids, dlp__free_body_at(solids, body), 1.0, 1.0);
    }
    if (solids->bodies_predicted) {
        rebuild_tree(solids);
    }
}
