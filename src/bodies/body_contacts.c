/* Contacts of rigid bodies: pairs that may touch, in a fixed order; a few well-spread points of each; friction and
 * bounce there. */
#include "bodies/body_parts.h"

#include <stdlib.h>

/* Points kept of a pair. A polygon of contacts works as well as all vertices of a mesh on a plane, and is cheaper. */
enum { KEPT = 16 };

/* Softness. A fraction of the penetration beyond a slop is corrected per step, so that resting bodies stay in
 * contact and do not jitter; the correction of deep penetration is limited, so that nothing is ejected. The
 * constraint force mixing adds a fraction of the solver matrix's diagonal, which stabilizes a body that rests on
 * many points: of 1e-4 to 1e-2, tried on a stack of five boxes, this value creeps least and still bounces within 1
 * %. */
static const double SLOP = 0.002;      /* of the smaller body's size */
static const double MAX_DEPTH = 0.1;   /* of the same */
static const double CORRECTED = 0.2;   /* of the penetration, per step */
static const double SOFTENING = 0.003; /* of the diagonal */

static void collect_pair(void *context, dGeomID a, dGeomID b)
{
    dlp__Bodies *bodies = context;
    if (!dlp__buffer_grow(bodies->memory, &bodies->pair_buffer, bodies->pair_count * (int64_t)sizeof *bodies->pair,
                          bodies->pair_count + 1, sizeof *bodies->pair)) {
        bodies->short_of_memory = true;
        return;
    }
    bodies->pair = bodies->pair_buffer.data;
    const uint64_t x = (uint64_t)(uintptr_t)dGeomGetData(a), y = (uint64_t)(uintptr_t)dGeomGetData(b);
    bodies->pair[bodies->pair_count++] = x < y ? x << 32 | y : y << 32 | x;
}

static int compare_pairs(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y ? 1 : 0;
}

static double distance_squared(const dContactGeom *a, const dContactGeom *b)
{
    double sum = 0.0;
    for (int k = 0; k < 3; k++) {
        sum += (a->pos[k] - b->pos[k]) * (a->pos[k] - b->pos[k]);
    }
    return sum;
}

/* Move the deepest contact to the front, then repeatedly the one farthest from those already selected. Returns the
 * number worth keeping. */
static int select_contacts(dContactGeom *contact, int count, double separation)
{
    double distance[DLP_CONTACTS_FOUND];
    int next = 0;
    for (int i = 0; i < count; i++) {
        distance[i] = INFINITY;
        next = contact[i].depth > contact[next].depth ? i : next;
    }
    for (int chosen = 0; chosen < count; chosen++) {
        if (chosen == KEPT || distance[next] < separation * separation) {
            return chosen;
        }
        const dContactGeom selected = contact[next];
        contact[next] = contact[chosen];
        distance[next] = distance[chosen];
        contact[chosen] = selected;
        next = chosen + 1 < count ? chosen + 1 : chosen;
        for (int i = chosen + 1; i < count; i++) {
            distance[i] = fmin(distance[i], distance_squared(&contact[i], &selected));
            next = distance[i] > distance[next] ? i : next;
        }
    }
    return count;
}

/* Two colliding forms and their bodies. The first is always a body; the second may be an obstacle at rest, whose
 * body is null to ODE. */
typedef struct Collision {
    const dlp__OdeForm *form[2];
    dGeomID geom[2];
    dBodyID body[2];
    dBodyID second_body; /* ODE body of the second, also if it is at rest */
    bool is_obstacle;    /* the second is an obstacle */
    double mass;         /* kg, reduced */
    double size;         /* m, of the smaller */
} Collision;

static Collision collision_of(const dlp__Bodies *bodies, uint64_t pair)
{
    const uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
    const dlp__Body *first = &bodies->body[a];
    Collision collision = {.form = {&first->form}, .geom = {first->form.geom[0]}, .body = {first->body}};
    if (b < DLP_OBSTACLE_KEY) {
        const dlp__Body *second = &bodies->body[b];
        collision.form[1] = &second->form;
        collision.geom[1] = second->form.geom[0];
        collision.body[1] = collision.second_body = second->body;
        collision.mass = first->own.mass * second->own.mass / (first->own.mass + second->own.mass);
    } else {
        const dlp__Obstacle *second = &bodies->obstacle[(b - DLP_OBSTACLE_KEY) / DLP_OBSTACLE_FACES];
        const bool moves = dlp__length(second->velocity) + dlp__length(second->spin) > 0.0;
        collision.form[1] = &second->form;
        collision.geom[1] = second->form.geom[(b - DLP_OBSTACLE_KEY) % DLP_OBSTACLE_FACES];
        collision.body[1] = moves ? second->body : NULL;
        collision.second_body = second->body;
        collision.is_obstacle = true;
        collision.mass = first->own.mass;
    }
    collision.size = fmin(collision.form[0]->size, collision.form[1]->size);
    return collision;
}

static dlp_Vec3 point_velocity(dBodyID body, const dReal *point)
{
    dVector3 velocity = {0, 0, 0, 0};
    if (body != NULL) {
        dBodyGetPointVel(body, point[0], point[1], point[2], velocity);
    }
    return dlp__vec3(velocity[0], velocity[1], velocity[2]);
}

/* ODE solves friction along two perpendicular directions. The first is set to the sliding direction at the end of
 * this substep without friction, so that the force obeys Coulomb's law instead of being up to sqrt(2) too large or
 * in the wrong direction. */
static void set_friction(const Collision *collision, const dlp__Substep *substep, dContact *contact)
{
    const dReal *n = contact->geom.normal, *at = contact->geom.pos;
    const dlp_Vec3 normal = dlp__vec3(n[0], n[1], n[2]);
    const dlp_Vec3 gravity_change = collision->is_obstacle ? dlp__scale(substep->gravity, substep->dt)
                                                           : dlp__vec3(0, 0, 0);
    const dlp_Vec3 velocity = dlp__sub(point_velocity(collision->body[0], at), point_velocity(collision->body[1], at));
    const dlp_Vec3 end_velocity = dlp__add(velocity, gravity_change);
    const dlp_Vec3 sliding = dlp__sub(end_velocity, dlp__scale(normal, dlp__dot(end_velocity, normal)));
    const double speed = dlp__length(sliding);
    contact->surface.mu = sqrt(collision->form[0]->friction * collision->form[1]->friction);
    if (speed > 1e-9) { /* m/s; below that any two directions will do */
        contact->surface.mode |= dContactFDir1;
        contact->fdir1[0] = sliding.x / speed;
        contact->fdir1[1] = sliding.y / speed;
        contact->fdir1[2] = sliding.z / speed;
    }
}

static void add_contact(dlp__Bodies *bodies, const Collision *collision, const dContactGeom *at,
                        const dlp__Substep *substep)
{
    dContact contact = {
        .surface = {.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM,
                    .soft_erp = CORRECTED,
                    .soft_cfm = SOFTENING * substep->dt / collision->mass},
        .geom = *at,
    };
    contact.geom.depth = fmin(fmax(at->depth - SLOP * collision->size, 0.0), MAX_DEPTH * collision->size);
    const double restitution = fmax(collision->form[0]->restitution, collision->form[1]->restitution);
    if (restitution > 0.0) {
        contact.surface.mode |= dContactBounce;
        contact.surface.bounce = restitution;
        contact.surface.bounce_vel = substep->bounce_threshold;
    }
    set_friction(collision, substep, &contact);
    dJointID joint = dJointCreateContact(bodies->world, bodies->contact_group, &contact);
    dJointAttach(joint, collision->body[0], collision->body[1]);
}

static bool is_valid(const dContactGeom *contact)
{
    const dReal *n = contact->normal;
    return isfinite(contact->depth) && isfinite(contact->pos[0] + contact->pos[1] + contact->pos[2]) &&
           fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0) < 1e-3;
}

dlp_Result dlp__body_contacts(dlp__Bodies *bodies, const dlp__Substep *substep, dlp_Error *error)
{
    bodies->pair_count = 0;
    bodies->short_of_memory = false;
    dSpaceCollide(bodies->space, bodies, collect_pair);
    if (bodies->short_of_memory) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the contacts of %d rigid bodies", bodies->body_count);
    }
    if (bodies->pair_count > 0) { /* qsort must not be given a null pointer */
        qsort(bodies->pair, (size_t)bodies->pair_count, sizeof *bodies->pair, compare_pairs);
    }
    for (int64_t p = 0; p < bodies->pair_count; p++) {
        const Collision collision = collision_of(bodies, bodies->pair[p]);
        if (dAreConnectedExcluding(collision.body[0], collision.second_body, dJointTypeContact)) {
            continue;
        }
        int count = dCollide(collision.geom[0], collision.geom[1], DLP_CONTACTS_FOUND, bodies->found,
                             sizeof *bodies->found);
        count = select_contacts(bodies->found, count, 0.01 * collision.size);
        for (int k = 0; k < count; k++) {
            if (is_valid(&bodies->found[k])) {
                add_contact(bodies, &collision, &bodies->found[k], substep);
            }
        }
    }
    return DLP_OK;
}
