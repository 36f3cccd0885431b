/* Contacts of rigid bodies: pairs that may touch, in a fixed order, a few good points of each, and what happens there. */
#include "bodies/body_parts.h"

#include <stdlib.h>

/* Points kept of a pair. A polygon of contacts is as good as all the vertices that a mesh lays on a plane, and cheaper. */
enum { KEPT = 16 };

/* Softness. A part of the overlap beyond a slop is mended in each step, so that resting things keep touching and do not
 * jitter; deep overlaps are mended as if they were less deep, so that nothing is shot away. The solver's matrix gets a part
 * of its diagonal added, which keeps it calm where one body rests on many points: of 1e-4 to 1e-2, tried on a stack of five
 * boxes, this one creeps least and still bounces within 1 %. */
static const double SLOP = 0.002;      /* of the smaller body's size */
static const double DEEPEST = 0.1;     /* of the same                */
static const double MENDED = 0.2;      /* of the overlap, in a step  */
static const double SOFTENING = 0.003; /* of the diagonal            */

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

/* Bring to the front the deepest of the contacts, then again and again the one that is farthest from those chosen. Returns
 * how many are worth keeping. */
static int choose(dContactGeom *contact, int count, double apart)
{
    double away[DLP_CONTACTS_FOUND];
    int next = 0;
    for (int i = 0; i < count; i++) {
        away[i] = INFINITY;
        next = contact[i].depth > contact[next].depth ? i : next;
    }
    for (int chosen = 0; chosen < count; chosen++) {
        if (chosen == KEPT || away[next] < apart * apart) {
            return chosen;
        }
        const dContactGeom taken = contact[next];
        contact[next] = contact[chosen];
        away[next] = away[chosen];
        contact[chosen] = taken;
        next = chosen + 1 < count ? chosen + 1 : chosen;
        for (int i = chosen + 1; i < count; i++) {
            away[i] = fmin(away[i], distance_squared(&contact[i], &taken));
            next = away[i] > away[next] ? i : next;
        }
    }
    return count;
}

/* Two forms that meet, and the bodies that carry them. The first is always a body; the second may be an obstacle at rest,
 * whose body is null to ODE. */
typedef struct Meeting {
    const dlp__OdeForm *form[2];
    dGeomID geom[2];
    dBodyID body[2];
    dBodyID carrier;  /* of the second, whether it moves or not */
    bool is_obstacle; /* the second */
    double mass;      /* kg, reduced */
    double size;      /* m, of the smaller */
} Meeting;

static Meeting meeting_of(const dlp__Bodies *bodies, uint64_t pair)
{
    const uint32_t a = (uint32_t)(pair >> 32), b = (uint32_t)pair;
    const dlp__Body *first = &bodies->body[a];
    Meeting meeting = {.form = {&first->form}, .geom = {first->form.geom[0]}, .body = {first->body}};
    if (b < DLP_OBSTACLE_KEY) {
        const dlp__Body *second = &bodies->body[b];
        meeting.form[1] = &second->form;
        meeting.geom[1] = second->form.geom[0];
        meeting.body[1] = meeting.carrier = second->body;
        meeting.mass = first->own.mass * second->own.mass / (first->own.mass + second->own.mass);
    } else {
        const dlp__Obstacle *second = &bodies->obstacle[(b - DLP_OBSTACLE_KEY) / DLP_OBSTACLE_FACES];
        const bool moves = dlp__length(second->velocity) + dlp__length(second->spin) > 0.0;
        meeting.form[1] = &second->form;
        meeting.geom[1] = second->form.geom[(b - DLP_OBSTACLE_KEY) % DLP_OBSTACLE_FACES];
        meeting.body[1] = moves ? second->body : NULL;
        meeting.carrier = second->body;
        meeting.is_obstacle = true;
        meeting.mass = first->own.mass;
    }
    meeting.size = fmin(meeting.form[0]->size, meeting.form[1]->size);
    return meeting;
}

static dlp_Vec3 point_velocity(dBodyID body, const dReal *point)
{
    dVector3 velocity = {0, 0, 0, 0};
    if (body != NULL) {
        dBodyGetPointVel(body, point[0], point[1], point[2], velocity);
    }
    return dlp__vec3(velocity[0], velocity[1], velocity[2]);
}

/* Friction is solved along two directions at right angles. One of them is made that in which things would slide at the end of
 * this part without it: so the force is what Coulomb says, and not up to sqrt(2) times more or askew. */
static void rub(const Meeting *meeting, const dlp__Substep *part, dContact *contact)
{
    const dReal *n = contact->geom.normal, *at = contact->geom.pos;
    const dlp_Vec3 normal = dlp__vec3(n[0], n[1], n[2]);
    const dlp_Vec3 gained = meeting->is_obstacle ? dlp__scale(part->gravity, part->dt) : dlp__vec3(0, 0, 0);
    const dlp_Vec3 now = dlp__sub(point_velocity(meeting->body[0], at), point_velocity(meeting->body[1], at));
    const dlp_Vec3 then = dlp__add(now, gained);
    const dlp_Vec3 sliding = dlp__sub(then, dlp__scale(normal, dlp__dot(then, normal)));
    const double speed = dlp__length(sliding);
    contact->surface.mu = sqrt(meeting->form[0]->friction * meeting->form[1]->friction);
    if (speed > 1e-9) { /* m/s; else any two directions will do */
        contact->surface.mode |= dContactFDir1;
        contact->fdir1[0] = sliding.x / speed;
        contact->fdir1[1] = sliding.y / speed;
        contact->fdir1[2] = sliding.z / speed;
    }
}

static void join(dlp__Bodies *bodies, const Meeting *meeting, const dContactGeom *at, const dlp__Substep *part)
{
    dContact contact = {
        .surface = {.mode = dContactApprox1 | dContactSoftERP | dContactSoftCFM,
                    .soft_erp = MENDED,
                    .soft_cfm = SOFTENING * part->dt / meeting->mass},
        .geom = *at,
    };
    contact.geom.depth = fmin(fmax(at->depth - SLOP * meeting->size, 0.0), DEEPEST * meeting->size);
    const double restitution = fmax(meeting->form[0]->restitution, meeting->form[1]->restitution);
    if (restitution > 0.0) {
        contact.surface.mode |= dContactBounce;
        contact.surface.bounce = restitution;
        contact.surface.bounce_vel = part->slow;
    }
    rub(meeting, part, &contact);
    dJointID joint = dJointCreateContact(bodies->world, bodies->contact_group, &contact);
    dJointAttach(joint, meeting->body[0], meeting->body[1]);
}

static bool is_sound(const dContactGeom *contact)
{
    const dReal *n = contact->normal;
    return isfinite(contact->depth) && isfinite(contact->pos[0] + contact->pos[1] + contact->pos[2]) &&
           fabs(n[0] * n[0] + n[1] * n[1] + n[2] * n[2] - 1.0) < 1e-3;
}

dlp_Result dlp__body_contacts(dlp__Bodies *bodies, const dlp__Substep *part, dlp_Error *error)
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
        const Meeting meeting = meeting_of(bodies, bodies->pair[p]);
        if (dAreConnectedExcluding(meeting.body[0], meeting.carrier, dJointTypeContact)) {
            continue;
        }
        int count = dCollide(meeting.geom[0], meeting.geom[1], DLP_CONTACTS_FOUND, bodies->found,
                             sizeof *bodies->found);
        count = choose(bodies->found, count, 0.01 * meeting.size);
        for (int k = 0; k < count; k++) {
            if (is_sound(&bodies->found[k])) {
                join(bodies, &meeting, &bodies->found[k], part);
            }
        }
    }
    return DLP_OK;
}
