/* Continuous collision: the way of a particle through a step is followed past solids that move meanwhile, and where it meets
 * a surface, the rest of it leads along that surface. What is followed is a straight line in some frame, first in that of the
 * world, after a hit in that of the solid which was hit, so that a particle on a turning blade goes with it. Distances to
 * solids change no faster than particle and solid move towards each other, so one may always go on for as long as the
 * distance needs at the greatest speed (conservative advancement). */
#include "boundary/nearby_solids.h"
#include "bodies/reactions.h"

/* In spacings */
static const double SKIN = 0.02;  /* least way between two looks, and what is left between a particle and what it hit */
static const double DEPTH = 0.5;  /* who is deeper inside at the beginning does not meet the solid */
static const double STILL = 0.02; /* who moves less than this against a solid cannot pass it */
static const double TOGETHER = 0.25; /* what is closer than this on one side of a surface is in one place */

/* Distances from a mesh are interpolated: next to edges they may grow a little faster than one moves. Where it is pressed together
 * while it deforms, they grow faster still. */
static const double MESH_CAUTION = 0.9, DEFORMING_CAUTION = 0.6;

enum {
    LOOKS_MOST = 4096, /* along a way; a particle that needs more stays where it came to */
    SLIDES_MOST = 16,  /* after so many hits a particle goes with the solid that it hit last */
    HITS_MOST = 24,
};

typedef struct Job {
    const dlp__Solids *solids;
    dlp__Particles *particles;
    double moved;              /* m, how far any surface moved at most */
    dlp__Reactions *reactions; /* what they do to free solids; null where nobody asks */
} Job;

/* What moves from the beginning of a step, time 0, to its end, time 1. */
typedef struct Frame {
    dlp_Vec3 origin; /* m, at the beginning */
    dlp_Vec3 drift;  /* m */
    dlp_Vec3 turn;   /* rad, about the origin */
} Frame;

/* Straight in its frame, as that was oriented at the beginning: `from` at the time `since`, `to` at 1. */
typedef struct Way {
    Frame frame;
    const dlp__Solid *solid; /* whose frame it is; null: the world's */
    dlp_Vec3 from, to;       /* m, from the frame's origin */
    double since;
} Way;

typedef struct Hit {
    const dlp__Solid *solid;
    dlp_Vec3 point; /* m, of the particle, clear of the surface */
    dlp_Vec3 normal;
    double when;
    dlp_Vec3 carried; /* m per step, by which the surface moves there besides the solid's frame */
} Hit;

static bool is_zero(dlp_Vec3 v)
{
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

static Frame frame_of(const dlp__Solid *solid)
{
    const dlp_Vec3 origin = solid->shape_before.position;
    return (Frame){origin, dlp__sub(solid->shape.position, origin), solid->turn};
}

static dlp_Vec3 origin_at(const Frame *frame, double time)
{
    return dlp__add(frame->origin, dlp__scale(frame->drift, time));
}

static dlp_Vec3 turn_on(const Frame *frame, double time, dlp_Vec3 v)
{
    if (is_zero(frame->turn)) {
        return v;
    }
    const dlp__Rotation turned = dlp__rotation(dlp__scale(frame->turn, time));
    return dlp__rotate(&turned, v);
}

static dlp_Vec3 turn_back(const Frame *frame, double time, dlp_Vec3 v)
{
    return turn_on(frame, -time, v);
}

static dlp__Shape shape_at(const dlp__Solid *solid, const Frame *frame, double time)
{
    dlp__Shape shape = solid->shape;
    if (time >= 1.0) {
        return shape;
    }
    shape.position = origin_at(frame, time);
    if (!is_zero(frame->turn)) {
        const dlp__Rotation turned = dlp__rotation(dlp__scale(frame->turn, time));
        shape.rotation = dlp__rotation_product(&turned, &solid->shape_before.rotation);
    }
    if (shape.frames != NULL) {
        const double before = solid->shape_before.time;
        dlp__shape_deform(&shape, before + (solid->shape.time - before) * time);
    }
    return shape;
}

/* m per step, by which its matter moves at a place besides the frame: the shape is that at the same time. */
static dlp_Vec3 deforming_at(const dlp__Solid *solid, const dlp__Shape *shape, dlp_Vec3 place)
{
    return dlp__scale(dlp__shape_velocity(shape, place), solid->shape.time - solid->shape_before.time);
}

/* m per step, in the frame. */
static dlp_Vec3 own_speed(const Way *way)
{
    return dlp__scale(dlp__sub(way->to, way->from), 1.0 / (1.0 - way->since));
}

static dlp_Vec3 offset_at(const Way *way, double time)
{
    return dlp__add(way->from, dlp__scale(own_speed(way), time - way->since));
}

static dlp_Vec3 place_at(const Way *way, double time)
{
    const dlp_Vec3 offset = time >= 1.0 ? way->to : offset_at(way, time);
    return dlp__add(origin_at(&way->frame, time), turn_on(&way->frame, time, offset));
}

/* m per step: how fast the particle moves against the matter of a solid where it is. */
static dlp_Vec3 speed_against(const Way *way, const Frame *other, dlp_Vec3 place, double time)
{
    const Frame *own = &way->frame;
    const dlp_Vec3 along = turn_on(own, time, own_speed(way));
    const dlp_Vec3 carried = dlp__cross(own->turn, dlp__sub(place, origin_at(own, time)));
    const dlp_Vec3 passing = dlp__cross(other->turn, dlp__sub(place, origin_at(other, time)));
    return dlp__add(dlp__sub(dlp__add(along, own->drift), other->drift), dlp__sub(carried, passing));
}

/* An upper bound of it from `time` to the end: a straight way is farthest from a centre at one of its ends. */
static double greatest_speed(const Way *way, const dlp__Solid *solid, const Frame *other, double time)
{
    const Frame *own = &way->frame;
    const dlp_Vec3 along = own_speed(way), drift = dlp__sub(own->drift, other->drift);
    if (way->solid == solid && solid->shape.frames == NULL) {
        return dlp__length(along);
    }
    const double offset = fmax(dlp__length(offset_at(way, time)), dlp__length(way->to));
    const double apart = fmax(dlp__length(dlp__sub(origin_at(own, time), origin_at(other, time))),
                              dlp__length(dlp__sub(origin_at(own, 1.0), origin_at(other, 1.0))));
    const double straight = is_zero(own->turn) ? dlp__length(dlp__add(along, drift))
                                               : dlp__length(along) + dlp__length(drift);
    return straight + dlp__length(own->turn) * offset + dlp__length(other->turn) * (offset + apart) + solid->deforming;
}

/* Whether the way leads into the solid before the time `until`, and where. */
static bool follow(const Way *way, const dlp__Solid *solid, double skin, double until, Hit *hit)
{
    const Frame frame = frame_of(solid);
    const double caution = solid->shape.frames != NULL           ? DEFORMING_CAUTION
                           : solid->shape.kind == DLP_SHAPE_MESH ? MESH_CAUTION
                                                                 : 1.0;
    double time = way->since;
    for (int look = 0; time < until; look++) {
        const dlp__Shape shape = shape_at(solid, &frame, time);
        const dlp_Vec3 place = place_at(way, time);
        dlp_Vec3 normal;
        const double distance = dlp__shape_distance(&shape, place, &normal);
        const dlp_Vec3 carried = distance <= 0.0 ? deforming_at(solid, &shape, place) : dlp__vec3(0.0, 0.0, 0.0);
        const dlp_Vec3 speed = dlp__sub(speed_against(way, &frame, place, time), carried);
        if ((distance <= 0.0 && dlp__dot(speed, normal) < 0.0) || look == LOOKS_MOST) {
            *hit = (Hit){solid, dlp__add(place, dlp__scale(normal, fmax(skin - distance, 0.0))), normal, time, carried};
            return true;
        }
        time += fmax(caution * distance, skin) / greatest_speed(way, solid, &frame, time);
    }
    return false;
}

static bool find_hit(const Job *job, const dlp__NearbySolids *near, const Way *way, Hit *hit)
{
    bool found = false;
    for (int k = 0; k < near->count; k++) {
        const dlp__Solid *solid = &job->solids->solid[dlp__nearby_index(near, k)];
        found |= follow(way, solid, SKIN * (double)job->solids->spacing, found ? hit->when : 1.0, hit);
    }
    return found;
}

/* Where a place at that time is in the frame. */
static dlp_Vec3 seen_from(const Frame *frame, double time, dlp_Vec3 place)
{
    return turn_back(frame, time, dlp__sub(place, origin_at(frame, time)));
}

/* The rest of the way, without what would lead into the solid; `sticks`: go with the solid. */
static Way slide(const Way *way, const Hit *hit, bool sticks)
{
    Frame frame = frame_of(hit->solid);
    frame.drift = dlp__add(frame.drift, hit->carried);
    const dlp_Vec3 from = seen_from(&frame, hit->when, hit->point);
    const dlp_Vec3 rest = dlp__sub(seen_from(&frame, 1.0, place_at(way, 1.0)), from);
    const dlp_Vec3 normal = turn_back(&frame, hit->when, hit->normal);
    const dlp_Vec3 into = dlp__scale(normal, fmin(dlp__dot(rest, normal), 0.0));
    const dlp_Vec3 to = sticks ? from : dlp__add(from, dlp__sub(rest, into));
    return (Way){frame, hit->solid, from, to, hit->when};
}

/* A plane and a container fill all space beyond their surface: nothing comes out on another side. */
static bool has_other_side(const dlp__Solid *solid)
{
    return solid->shape.kind != DLP_SHAPE_PLANE && solid->shape.kind != DLP_SHAPE_CONTAINER;
}

/* Whether two places are next to each other, and on the same side of the solids. */
static bool are_together(const Job *job, const dlp__NearbySolids *near, const float a[3], const float b[3])
{
    const dlp_Vec3 one = dlp__vec3((double)a[0], (double)a[1], (double)a[2]);
    const dlp_Vec3 other = dlp__vec3((double)b[0], (double)b[1], (double)b[2]);
    const double reach = TOGETHER * (double)job->solids->spacing;
    bool together = dlp__length(dlp__sub(one, other)) < reach;
    for (int k = 0; k < near->count && together; k++) {
        const dlp__Solid *solid = &job->solids->solid[dlp__nearby_index(near, k)];
        dlp_Vec3 normal, other_normal;
        const double distance = dlp__shape_distance(&solid->shape, one, &normal);
        dlp__shape_distance(&solid->shape, other, &other_normal);
        together = !has_other_side(solid) || distance > reach || dlp__dot(normal, other_normal) > 0.5;
    }
    return together;
}

/* Put a particle where its way has led, unless the push out of solids will bring it there from where it is. */
static void move_to(const Job *job, int64_t i, const dlp__NearbySolids *near, const dlp__Solid *met, dlp_Vec3 place)
{
    dlp__Particles *p = job->particles;
    float **x = p->position, pushed[3] = {x[0][i], x[1][i], x[2][i]};
    float point[3] = {(float)place.x, (float)place.y, (float)place.z};
    dlp__boundary_push_point(job->solids, pushed);
    dlp__boundary_push_point(job->solids, point);
    if (are_together(job, near, pushed, point)) {
        return;
    }
    const bool counts = dlp__particles_have(p, DLP_FIELD_correction);
    const dlp_Vec3 change = dlp__vec3((double)(point[0] - x[0][i]), (double)(point[1] - x[1][i]),
                                      (double)(point[2] - x[2][i]));
    dlp__reaction_add(job->solids, p, job->reactions, i, met, dlp__scale(change, 1.0 / job->solids->dt), place);
    for (int a = 0; a < 3; a++) {
        if (counts) {
            p->correction[a][i] += point[a] - x[a][i];
        }
        x[a][i] = point[a];
    }
}

static dlp_Vec3 start_of(const dlp__Particles *p, int64_t i)
{
    return dlp__vec3((double)p->start[0][i], (double)p->start[1][i], (double)p->start[2][i]);
}

static void sweep_particle(const Job *job, int64_t i, const dlp__NearbySolids *near)
{
    const dlp_Vec3 start = start_of(job->particles, i),
                   step = dlp__sub(dlp__particle_position(job->particles, i), start);
    Way way = {.frame = {.origin = start}, .to = step};
    Hit hit;
    if (!find_hit(job, near, &way, &hit)) {
        return;
    }
    for (int hits = 1;; hits++) {
        way = slide(&way, &hit, hits >= SLIDES_MOST);
        if (hits == HITS_MOST || !find_hit(job, near, &way, &hit)) {
            break;
        }
    }
    move_to(job, i, near, way.solid, place_at(&way, 1.0));
}

/* Which of the solids the particle may meet; none if it can pass none of them. */
static void pick_solids(const Job *job, int64_t i, const dlp__NearbySolids *near, dlp__NearbySolids *met)
{
    const dlp_Vec3 start = start_of(job->particles, i), end = dlp__particle_position(job->particles, i);
    const double spacing = (double)job->solids->spacing, step = dlp__length(dlp__sub(end, start)) * (1.0 + 1e-6);
    bool passes = false;
    met->count = 0;
    met->all = false;
    for (int k = 0; k < near->count && !met->all; k++) {
        const int index = dlp__nearby_index(near, k);
        const dlp__Solid *solid = &job->solids->solid[index];
        const double reach = step + solid->moved;
        if (dlp__shape_distance(&solid->shape, end, NULL) < reach &&
            dlp__shape_distance(&solid->shape_before, start, NULL) > -DEPTH * spacing) {
            met->all = met->count == DLP_NEARBY_MOST;
            met->index[met->count < DLP_NEARBY_MOST ? met->count : 0] = index;
            met->count++;
            passes |= reach > STILL * spacing && has_other_side(solid);
        }
    }
    met->count = !passes && !met->all ? 0 : met->all ? job->solids->count : met->count;
}

static void sweep_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    bool needed = false;
    for (int k = 0; k < near->count && !needed; k++) {
        needed = has_other_side(&job->solids->solid[dlp__nearby_index(near, k)]);
    }
    for (int64_t i = begin; i < end && needed; i++) {
        dlp__NearbySolids met;
        pick_solids(job, i, near, &met);
        if (met.count > 0) {
            sweep_particle(job, i, &met);
        }
    }
}

/* m */
static double longest_step(const dlp__Particles *p, int64_t begin, int64_t end)
{
    float most = 0.0f;
    for (int64_t i = begin; i < end; i++) {
        const float x = p->position[0][i] - p->start[0][i], y = p->position[1][i] - p->start[1][i],
                    z = p->position[2][i] - p->start[2][i], square = x * x + y * y + z * z;
        most = square > most ? square : most;
    }
    return sqrt((double)most) * (1.0 + 1e-6);
}

static void sweep_range(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    for (int64_t first = begin; first < end; first += DLP_NEARBY_BLOCK) {
        const int64_t last = first + DLP_NEARBY_BLOCK < end ? first + DLP_NEARBY_BLOCK : end;
        const double reach = longest_step(job->particles, first, last) + job->moved;
        if (reach > STILL * (double)job->solids->spacing) {
            dlp__for_groups_near_solids(job->solids, job->particles, first, last, reach, sweep_group, context);
        }
    }
}

void dlp__boundary_sweep(dlp__Solids *solids, dlp__Domains *domains)
{
    bool needed = false;
    double moved = 0.0;
    for (int k = 0; k < solids->count; k++) {
        needed |= has_other_side(&solids->solid[k]);
        moved = fmax(moved, solids->solid[k].moved);
    }
    const bool collects_reactions = needed && dlp__reactions_open(solids, domains);
    for (int part = 0; part < domains->count && needed; part++) {
        dlp__Domain *domain = &domains->part[part];
        Job job = {solids, &domain->particles, moved, collects_reactions ? &domain->reactions : NULL};
        dlp__parallel_for(domains->parallel, job.particles->count, DLP_REACTION_BLOCK, sweep_range, &job);
    }
    if (collects_reactions) {
        dlp__reactions_close(solids, domains, true);
    }
}
