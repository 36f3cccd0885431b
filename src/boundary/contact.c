/* Contact of particles with solids: push-out, wall friction, wall velocity and attachment. */
#include "boundary/nearby_solids.h"
#include "bodies/reactions.h"

#include <float.h>

typedef struct Job {
    const dlp__Solids *solids;
    dlp__Particles *particles;
    const dlp__NeighborList *neighbors;
    double dt;                 /* s */
    double gravity;            /* m/s2 */
    dlp__Reactions *reactions; /* reactions on free solids; null if not collected */
    bool record_only;          /* only record friction reactions, change no velocity */
    bool after_projection;     /* only friction that the projection of velocities has left */
} Job;

enum {
    PUSH_NUDGES = 8,  /* attempts to land outside the surface in single precision */
    PUSH_ROUNDS = 16, /* passes over all solids: where two meet at 60 degrees, each pass quarters the remaining depth */
};

static dlp_Vec3 in_double(const float point[3])
{
    return dlp__vec3((double)point[0], (double)point[1], (double)point[2]);
}

/* Move a point to the surface of the shape if it is inside. If rounding to single precision leaves it inside, it is
 * moved on by one rounding step, two, four... The sum is taken in single precision: gcc 12 has been seen to drop a
 * conversion to float and back to double when it vectorizes them. */
static bool push_from(const dlp__Shape *shape, float point[3])
{
    dlp_Vec3 normal;
    double distance = dlp__shape_distance(shape, in_double(point), &normal);
    if (!(distance < 0.0)) {
        return false;
    }
    double margin = 0.0;
    for (int nudge = 0; nudge < PUSH_NUDGES && distance < 0.0; nudge++) {
        dlp_Vec3 way = dlp__scale(normal, margin - distance);
        point[0] += (float)way.x;
        point[1] += (float)way.y;
        point[2] += (float)way.z;
        distance = dlp__shape_distance(shape, in_double(point), &normal);
        float size = fmaxf(fmaxf(fabsf(point[0]), fabsf(point[1])), fabsf(point[2]));
        margin = nudge == 0 ? (double)size * (double)FLT_EPSILON : 2.0 * margin;
    }
    return true;
}

/* The next solid that may contain the point, wherever it has been moved to. */
static int next_at(const dlp__Solids *solids, const float point[3], int after)
{
    const dlp_Vec3 p = in_double(point);
    return dlp__solids_next(solids, &(dlp__Box){{p.x, p.y, p.z}, {p.x, p.y, p.z}}, after);
}

/* A push out of one solid may end in another, so the passes are repeated until nothing moves. If `job` is set, the
 * reactions of particle i are recorded. */
static void push_from_all(const dlp__Solids *solids, const Job *job, int64_t i, float point[3])
{
    for (int round = 0; round < PUSH_ROUNDS; round++) {
        bool moved = false;
        for (int k = next_at(solids, point, -1); k < solids->count; k = next_at(solids, point, k)) {
            const dlp_Vec3 before = in_double(point);
            const bool pushed = push_from(&solids->solid[k].shape, point);
            moved |= pushed;
            if (pushed && job != NULL && job->reactions != NULL) {
                const dlp_Vec3 way = dlp__sub(in_double(point), before);
                dlp__reaction_add(solids, job->particles, job->reactions, i, &solids->solid[k],
                                  dlp__scale(way, 1.0 / solids->dt), in_double(point));
            }
        }
        if (!moved) {
            break;
        }
    }
}

void dlp__boundary_push_point(const dlp__Solids *solids, float point[3])
{
    push_from_all(solids, NULL, 0, point);
}

static void push_particle(const Job *job, int64_t i)
{
    dlp__Particles *particles = job->particles;
    float **x = particles->position, pushed[3] = {x[0][i], x[1][i], x[2][i]};
    push_from_all(job->solids, job, i, pushed);
    bool counts = dlp__particles_have(particles, DLP_FIELD_correction);
    for (int axis = 0; axis < 3; axis++) {
        if (counts) {
            particles->correction[axis][i] += pushed[axis] - x[axis][i];
        }
        x[axis][i] = pushed[axis];
    }
}

static void push_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    for (int64_t i = begin; i < end; i++) {
        dlp_Vec3 point = dlp__particle_position(job->particles, i);
        for (int k = 0; k < near->count; k++) {
            if (dlp__shape_distance(&job->solids->solid[dlp__nearby_index(near, k)].shape, point, NULL) < 0.0) {
                push_particle(job, i);
                break;
            }
        }
    }
}

static void push_range(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__for_groups_near_solids(job->solids, job->particles, begin, end, 0.0, push_group, context);
}

/* What a wall does to the velocity of a particle. */
typedef struct WallFriction {
    dlp_Vec3 velocity; /* m/s, after it */
    double fraction;   /* of the sliding speed that friction took */
    bool stops;        /* the wall stops its normal motion */
} WallFriction;

/* Relative to the wall: stop the motion into it when touching, and slow the sliding by friction. `pressed` (m/s) is the normal
 * speed that the pressure of the fluid has given the particle in this step. */
static WallFriction resolve_friction(double friction, double pressed, const dlp__Wall *wall, dlp_Vec3 wall_velocity,
                                     double touching, dlp_Vec3 velocity)
{
    const dlp_Vec3 relative = dlp__sub(velocity, wall_velocity);
    const double leaving = dlp__dot(relative, wall->normal);
    const dlp_Vec3 sliding = dlp__sub(relative, dlp__scale(wall->normal, leaving));
    WallFriction result = {.stops = leaving < 0.0 && wall->distance < touching};
    const double stopped = result.stops ? -leaving : 0.0;
    result.fraction = dlp__friction_fraction(friction, pressed + stopped, dlp__length(sliding));
    const dlp_Vec3 kept = dlp__add(dlp__scale(wall->normal, result.stops ? 0.0 : leaving),
                                   dlp__scale(sliding, 1.0 - result.fraction));
    result.velocity = dlp__add(wall_velocity, kept);
    return result;
}

/* m/s: the normal speed that a wall gives a particle in a step against the pressure of the fluid. */
static double pressed_speed(const Job *job, int64_t i, dlp_Vec3 normal)
{
    const dlp__Particles *p = job->particles;
    const double pressure = fmax((double)p->pressure[0][i], 0.0), spacing = (double)job->solids->spacing;
    /* At the wall, half a spacing beyond the particle, its own weight adds to the pressure. */
    const double weight = 0.5 * fmax(-dlp__dot(job->solids->gravity, normal), 0.0);
    const double pressed = job->solids->dt * (pressure * (double)p->specific_volume[0][i] / spacing + weight);
    const bool projected = dlp__particles_have(p,
                                               DLP_FIELD_clearance); /* a wall has stopped it before the projection */
    return projected ? fmax(pressed, -(double)p->clearance[0][i]) : pressed;
}

/* Apply the friction of one wall to a particle and record its reaction, or only record it. */
static dlp_Vec3 apply_wall_friction_to(const Job *job, int64_t i, const dlp__Solid *solid, const dlp__Wall *wall,
                                       dlp_Vec3 surface, dlp_Vec3 velocity)
{
    const double touching = 0.5 * (double)job->solids->spacing;
    const dlp_Vec3 wall_velocity = dlp__solid_velocity(solid, surface);
    const double friction = dlp__contact_law(job->solids, solid, job->particles->material[0][i]).friction;
    const double pressed = dlp__is_coulomb(friction) ? pressed_speed(job, i, wall->normal) : 0.0;
    const WallFriction result = resolve_friction(friction, pressed, wall, wall_velocity, touching, velocity);
    if (job->record_only) {
        dlp__reaction_add_friction(job->solids, job->particles, job->reactions, i, solid,
                                   dlp__sub(velocity, wall_velocity), surface, wall->normal, result.fraction,
                                   result.stops);
    } else {
        dlp__reaction_add(job->solids, job->particles, job->reactions, i, solid, dlp__sub(result.velocity, velocity),
                          surface);
    }
    return result.velocity;
}

/* Whether the projection of velocities has left the friction of a solid to the end of the step: that of predicted bodies, and
 * Coulomb friction. */
static bool is_left(const Job *job, const dlp__Solid *solid, int material)
{
    return (job->solids->bodies_predicted && solid->body >= 0) ||
           dlp__is_coulomb(dlp__contact_law(job->solids, solid, material).friction);
}

static void friction_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    float **velocity = job->particles->velocity;
    double spacing = (double)job->solids->spacing;
    for (int64_t i = begin; i < end; i++) {
        dlp_Vec3 point = dlp__particle_position(job->particles, i);
        dlp_Vec3 moving = dlp__vec3((double)velocity[0][i], (double)velocity[1][i], (double)velocity[2][i]);
        bool in_contact = false;
        for (int k = 0; k < near->count; k++) {
            const dlp__Solid *solid = &job->solids->solid[dlp__nearby_index(near, k)];
            dlp__Wall wall[DLP_SHAPE_WALLS];
            const bool included = !job->after_projection || is_left(job, solid, job->particles->material[0][i]);
            int walls = included ? dlp__shape_walls(&solid->shape, point, spacing, wall) : 0;
            for (int w = 0; w < walls; w++) {
                dlp_Vec3 surface = dlp__sub(point, dlp__scale(wall[w].normal, wall[w].distance));
                moving = apply_wall_friction_to(job, i, solid, &wall[w], surface, moving);
                in_contact = true;
            }
        }
        if (in_contact && !job->record_only) {
            velocity[0][i] = (float)moving.x;
            velocity[1][i] = (float)moving.y;
            velocity[2][i] = (float)moving.z;
        }
    }
}

/* The displacement (m) of a particle in the step without its sliding along one wall. */
static dlp_Vec3 without_sliding(const Job *job, const dlp__Solid *solid, const dlp__Wall *wall, dlp_Vec3 point,
                                dlp_Vec3 way)
{
    const dlp_Vec3 surface = dlp__sub(point, dlp__scale(wall->normal, wall->distance));
    const dlp_Vec3 wall_way = dlp__scale(dlp__solid_velocity(solid, surface), job->dt);
    const dlp_Vec3 off = dlp__scale(wall->normal, dlp__dot(dlp__sub(way, wall_way), wall->normal));
    return dlp__add(wall_way, off);
}

static void undo_sliding_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    dlp__Particles *p = job->particles;
    for (int64_t i = begin; i < end; i++) {
        const dlp_Vec3 point = dlp__particle_position(p, i);
        const dlp_Vec3 way = dlp__vec3(job->dt * (double)p->velocity[0][i] + (double)p->correction[0][i],
                                       job->dt * (double)p->velocity[1][i] + (double)p->correction[1][i],
                                       job->dt * (double)p->velocity[2][i] + (double)p->correction[2][i]);
        dlp_Vec3 allowed = way;
        for (int k = 0; k < near->count; k++) {
            const dlp__Solid *solid = &job->solids->solid[dlp__nearby_index(near, k)];
            const bool rough = solid->body < 0 &&
                               dlp__contact_law(job->solids, solid, p->material[0][i]).friction >= 1.0;
            dlp__Wall wall[DLP_SHAPE_WALLS];
            const int walls = rough ? dlp__shape_walls(&solid->shape, point, (double)job->solids->spacing, wall) : 0;
            for (int w = 0; w < walls; w++) {
                allowed = without_sliding(job, solid, &wall[w], point, allowed);
            }
        }
        const double back[3] = {allowed.x - way.x, allowed.y - way.y, allowed.z - way.z};
        for (int a = 0; a < 3; a++) {
            p->position[a][i] += (float)back[a];
            p->correction[a][i] += (float)back[a];
        }
    }
}

static void undo_sliding_range(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__for_groups_near_solids(job->solids, job->particles, begin, end, (double)job->solids->spacing,
                                undo_sliding_group, context);
}

static void friction_range(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__for_groups_near_solids(job->solids, job->particles, begin, end, (double)job->solids->spacing, friction_group,
                                context);
}

/* A wall that stops a particle. */
typedef struct WallContact {
    dlp_Vec3 normal;
    double friction;
    double clearance; /* m/s, speed beyond the limit at which it is stopped; negative */
} WallContact;

/* Resolve the particle against one wall: returns the remaining velocity, and sets `contact` if the wall stops it
 * most. */
static dlp_Vec3 resolve_wall(const Job *job, int64_t i, const dlp__Solid *solid, const dlp__Wall *wall, dlp_Vec3 start,
                             dlp_Vec3 velocity, WallContact *contact)
{
    double spacing = (double)job->solids->spacing;
    const double law = dlp__contact_law(job->solids, solid, job->particles->material[0][i]).friction;
    const double friction = dlp__is_no_slip(law) ? 1.0 : 0.0; /* Coulomb friction comes at the end of the step */
    dlp_Vec3 surface = dlp__sub(start, dlp__scale(wall->normal, wall->distance));
    dlp_Vec3 wall_velocity = dlp__solid_velocity(solid, surface);
    double speed = dlp__dot(velocity, wall->normal), gap = wall->distance + job->dt * speed;
    double least = fmin((0.5 * spacing - wall->distance) / job->dt, dlp__dot(wall_velocity, wall->normal));
    bool reaches = gap < spacing && (speed < least || friction > 0.0);
    if (!reaches || dlp__particle_is_shielded(job->particles, job->neighbors, spacing, i, wall->normal)) {
        return velocity;
    }
    if (speed - least < contact->clearance) {
        *contact = (WallContact){wall->normal, friction, speed - least};
    }
    dlp_Vec3 sliding = dlp__sub(velocity, wall_velocity);
    sliding = dlp__sub(sliding, dlp__scale(wall->normal, dlp__dot(sliding, wall->normal)));
    velocity = dlp__sub(velocity, dlp__scale(sliding, friction));
    return dlp__add(velocity, dlp__scale(wall->normal, fmax(least - speed, 0.0)));
}

static void resolve_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    dlp__Particles *p = job->particles;
    for (int64_t i = begin; i < end; i++) {
        dlp_Vec3 velocity = dlp__vec3((double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]);
        dlp_Vec3 start = dlp__sub(dlp__particle_position(p, i), dlp__scale(velocity, job->dt));
        double spacing = (double)job->solids->spacing, reach = spacing + job->dt * dlp__length(velocity);
        WallContact contact = {{0, 0, 0}, 0.0, 0.0};
        for (int k = 0; k < near->count; k++) {
            const dlp__Solid *solid = &job->solids->solid[dlp__nearby_index(near, k)];
            dlp__Wall wall[DLP_SHAPE_WALLS];
            const bool is_predicted = job->solids->bodies_predicted && solid->body >= 0;
            bool comes_near = !is_predicted &&
                              dlp__shape_distance(&solid->shape, dlp__particle_position(p, i), NULL) < spacing;
            int walls = comes_near ? dlp__shape_walls(&solid->shape, start, reach, wall) : 0;
            for (int w = 0; w < walls; w++) {
                velocity = resolve_wall(job, i, solid, &wall[w], start, velocity, &contact);
            }
        }
        const double moving[3] = {velocity.x, velocity.y, velocity.z};
        const double packed[4] = {contact.normal.x, contact.normal.y, contact.normal.z, contact.friction};
        for (int a = 0; a < 3; a++) {
            p->velocity[a][i] = (float)moving[a];
        }
        for (int n = 0; n < 4; n++) {
            p->contact[n][i] = (float)packed[n];
        }
        p->clearance[0][i] = (float)contact.clearance;
    }
}

static void resolve_range(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__Particles *p = job->particles;
    for (int64_t i = begin; i < end; i++) {
        p->contact[0][i] = p->contact[1][i] = p->contact[2][i] = p->contact[3][i] = p->clearance[0][i] = 0.0f;
    }
    dlp__for_groups_near_solids(job->solids, p, begin, end, (double)job->solids->spacing, resolve_group, context);
}

/* s: a tension of twice the wall's stickiness detaches fluid in half of this time. Long enough for pressure waves to
 * pass, and about the time to fall out of the wall's reach. */
static double release_time(const Job *job, const dlp__ContactLaw *law)
{
    enum { STEPS = 8 };
    const double fall = job->gravity > 0.0 ? sqrt(law->reach / job->gravity) : 0.0;
    return fmax(STEPS * job->dt, fall);
}

/* The new `apart` of a particle near a wall: `was` before, pulled off by the tension `pull` (Pa) and moved off by
 * `way` (m) in a step. A sticky wall releases gradually, as `apart` grows to a half; a particle attracted back may
 * soon be released again. */
static double updated_detachment(const Job *job, const dlp__ContactLaw *law, const dlp__Wall *wall, double was,
                                 double pull, double way, double layer)
{
    const double spacing = (double)job->solids->spacing, max_tension = fmax(law->stickiness, layer);
    const bool sticky = law->stickiness > 0.0;
    if (was <= 0.5 && sticky) {
        const double released = was + job->dt / release_time(job, law) * (pull / max_tension - 1.0);
        return released > 0.5 ? 1.0 : fmax(released, 0.0);
    }
    const bool at_rest = wall->distance < 0.8 * spacing && fabs(way) < 0.02 * spacing;
    const bool approaching = wall->distance + fmin(way, 0.0) < 0.5 * spacing;
    const bool hits = approaching && way < -job->dt * sqrt(job->gravity * spacing);
    const bool pressed_on = wall->distance < 0.45 * spacing;
    const bool touches = sticky ? hits || pressed_on : was <= 0.5 || at_rest || approaching;
    return !touches || pull > max_tension ? 1.0 : sticky && !hits ? 0.5 : 0.0;
}

static void attachment_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    dlp__Particles *p = job->particles;
    const double spacing = (double)job->solids->spacing;
    for (int64_t i = begin; i < end; i++) {
        dlp__Wall wall;
        dlp_Vec3 point = dlp__particle_position(p, i);
        const dlp__Solid *solid = dlp__nearest_wall(job->solids, near, point, spacing, &wall);
        if (solid == NULL) {
            continue;
        }
        const dlp__ContactLaw law = dlp__contact_law(job->solids, solid, p->material[0][i]);
        /* A lone particle has no pressure, and the tension that tore it off no longer acts. */
        const bool lone = p->correction_matrix[0][i] == 0.0f;
        const double pull = lone ? 0.0 : dlp__tension_along(p, i, wall.normal);
        /* Pa, weight of a particle layer */
        const double layer = job->gravity * spacing / (double)p->specific_volume[0][i];
        dlp_Vec3 surface = dlp__sub(point, dlp__scale(wall.normal, wall.distance));
        dlp_Vec3 moving = dlp__vec3((double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]);
        if (lone) {
            moving = resolve_friction(law.friction, 0.0, &wall, dlp__solid_velocity(solid, surface), 0.5 * spacing,
                                      moving)
                         .velocity;
            p->velocity[0][i] = (float)moving.x;
            p->velocity[1][i] = (float)moving.y;
            p->velocity[2][i] = (float)moving.z;
        }
        double way = job->dt * dlp__dot(dlp__sub(moving, dlp__solid_velocity(solid, surface)), wall.normal);
        p->detached[0][i] = (float)updated_detachment(job, &law, &wall, (double)p->detached_before[0][i], pull, way,
                                                      layer);
    }
}

static void attachment_range(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    dlp__Particles *p = job->particles;
    for (int64_t i = begin; i < end; i++) { /* all are detached except those found to touch */
        p->detached_before[0][i] = p->detached[0][i];
        p->detached[0][i] = 1.0f;
    }
    dlp__for_groups_near_solids(job->solids, p, begin, end, (double)job->solids->spacing, attachment_group, context);
}

static void for_all_particles(dlp__Solids *solids, dlp__Domains *domains, double dt, double gravity,
                              dlp_RangeFunction work)
{
    for (int part = 0; part < domains->count && dlp__step_is_ok(domains); part++) {
        dlp__Domain *domain = &domains->part[part];
        Job job = {.solids = solids,
                   .particles = &domain->particles,
                   .neighbors = &domain->fluid,
                   .dt = dt,
                   .gravity = gravity};
        dlp__parallel_for(domains->parallel, job.particles->count, 4 * DLP_NEARBY_BLOCK, work, &job);
    }
}

/* The same, with reactions on free solids; `record_only`: only record friction reactions. */
static void for_all_with_reactions(dlp__Solids *solids, dlp__Domains *domains, dlp_RangeFunction work, bool record_only,
                                   bool after_projection)
{
    const bool needed = solids->count > 0 && dlp__step_is_ok(domains);
    const bool collects_reactions = needed && dlp__reactions_begin(solids, domains);
    for (int part = 0; part < domains->count && needed; part++) {
        dlp__Domain *domain = &domains->part[part];
        Job job = {.solids = solids,
                   .particles = &domain->particles,
                   .reactions = collects_reactions ? &domain->reactions : NULL,
                   .record_only = record_only,
                   .after_projection = after_projection};
        dlp__parallel_for(domains->parallel, job.particles->count, DLP_REACTION_BLOCK, work, &job);
    }
    if (collects_reactions) {
        dlp__reactions_finish(solids, domains, !record_only);
    }
}

void dlp__boundary_push_out(dlp__Solids *solids, dlp__Domains *domains)
{
    for_all_with_reactions(solids, domains, push_range, false, false);
}

/* Predicted bodies first get the velocity that they will have after friction. */
static void apply_friction(dlp__Solids *solids, dlp__Domains *domains, bool after_projection)
{
    if (solids->bodies_predicted) {
        dlp__solids_apply_pending_impulses(solids);
        for_all_with_reactions(solids, domains, friction_range, true, after_projection);
        dlp__solids_predict_friction(solids, domains);
    }
    for_all_with_reactions(solids, domains, friction_range, false, after_projection);
}

void dlp__boundary_apply_wall_friction(dlp__Solids *solids, dlp__Domains *domains)
{
    apply_friction(solids, domains, false);
}

void dlp__boundary_apply_friction_left(dlp__Solids *solids, dlp__Domains *domains)
{
    if (solids->bodies_predicted || solids->laws.rough) {
        apply_friction(solids, domains, true);
    }
}

void dlp__boundary_undo_sliding(dlp__Solids *solids, dlp__Domains *domains, float dt)
{
    for_all_particles(solids, domains, (double)dt, 0.0, undo_sliding_range);
}

void dlp__boundary_resolve_wall_velocity(dlp__Solids *solids, dlp__Domains *domains, float dt)
{
    for_all_particles(solids, domains, (double)dt, 0.0, resolve_range);
}

void dlp__boundary_update_attachment(dlp__Solids *solids, dlp__Domains *domains, float dt, double gravity)
{
    if (solids->count > 0) {
        for_all_particles(solids, domains, (double)dt, gravity, attachment_range);
    }
}
