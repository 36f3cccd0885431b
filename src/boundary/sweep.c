/* Continuous collision: the path of a particle through a step is followed past moving solids, and where it hits a
 * surface, the rest continues along that surface. The path is a straight line in a frame: first the world's, after a
 * hit that of the solid hit, so that a particle on a turning blade moves with it. Distances to solids change no
 * faster than particle and solid approach each other, so it is safe to advance for the time that the distance lasts
 * at the greatest speed (conservative advancement). */
#include "boundary/nearby_solids.h"
#include "bodies/reactions.h"

/* In spacings */
/* smallest advance between two distance queries, and gap left between a particle and what it hit */
static const double SKIN = 0.02;
static const double DEPTH = 0.5;       /* a particle deeper inside at the start does not collide with the solid */
static const double STILL = 0.02;      /* a particle that moves less relative to a solid cannot pass it */
static const double SAME_PLACE = 0.25; /* points closer than this on one side of a surface count as the same */

/* Distances from a mesh are interpolated: near edges their slope may slightly exceed one. Where a mesh is compressed
 * by its deformation, it is larger still. */
static const double MESH_CAUTION = 0.9, DEFORMING_CAUTION = 0.6;

enum {
    MAX_QUERIES = 4096, /* queries along a path; a particle that needs more stays where it got to */
    MAX_SLIDES = 16,    /* after so many hits a particle moves with the solid that it hit last */
    MAX_HITS = 24,
};

typedef struct Job {
    const dlp__Solids *solids;
    dlp__Particles *particles;
    double moved;              /* m, upper bound of the displacement of all surfaces */
    dlp__Reactions *reactions; /* reactions on free solids; null if not collected */
} Job;

/* A moving frame, from the start of a step, time 0, to its end, time 1. */
typedef struct Frame {
    dlp_Vec3 origin; /* m, at the start */
    dlp_Vec3 drift;  /* m */
    dlp_Vec3 turn;   /* rad, about the origin */
} Frame;

/* A path, straight in the initial orientation of its frame: `from` at the time `since`, `to` at 1. */
typedef struct Path {
    Frame frame;
    const dlp__Solid *solid; /* owner of the frame; null: the world */
    dlp_Vec3 from, to;       /* m, from the frame's origin */
    double since;
} Path;

typedef struct Hit {
    const dlp__Solid *solid;
    dlp_Vec3 point; /* m, position of the particle, clear of the surface */
    dlp_Vec3 normal;
    double when;
    dlp_Vec3 surface_velocity; /* m per step, velocity of the surface relative to the solid's frame */
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

static dlp_Vec3 rotate_with(const Frame *frame, double time, dlp_Vec3 v)
{
    if (is_zero(frame->turn)) {
        return v;
    }
    const dlp__Rotation turned = dlp__rotation(dlp__scale(frame->turn, time));
    return dlp__rotate(&turned, v);
}

static dlp_Vec3 rotate_back(const Frame *frame, double time, dlp_Vec3 v)
{
    return rotate_with(frame, -time, v);
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

/* m per step, velocity of the deforming surface relative to the frame, for the shape at the same time. */
static dlp_Vec3 deformation_velocity(const dlp__Solid *solid, const dlp__Shape *shape, dlp_Vec3 position)
{
    return dlp__scale(dlp__shape_velocity(shape, position), solid->shape.time - solid->shape_before.time);
}

/* m per step, in the frame. */
static dlp_Vec3 frame_velocity(const Path *path)
{
    return dlp__scale(dlp__sub(path->to, path->from), 1.0 / (1.0 - path->since));
}

static dlp_Vec3 offset_at(const Path *path, double time)
{
    return dlp__add(path->from, dlp__scale(frame_velocity(path), time - path->since));
}

static dlp_Vec3 position_at(const Path *path, double time)
{
    const dlp_Vec3 offset = time >= 1.0 ? path->to : offset_at(path, time);
    return dlp__add(origin_at(&path->frame, time), rotate_with(&path->frame, time, offset));
}

/* m per step: velocity of the particle relative to a solid at its position. */
static dlp_Vec3 relative_velocity(const Path *path, const Frame *other, dlp_Vec3 position, double time)
{
    const Frame *own = &path->frame;
    const dlp_Vec3 along = rotate_with(own, time, frame_velocity(path));
    const dlp_Vec3 own_rotation = dlp__cross(own->turn, dlp__sub(position, origin_at(own, time)));
    const dlp_Vec3 other_rotation = dlp__cross(other->turn, dlp__sub(position, origin_at(other, time)));
    return dlp__add(dlp__sub(dlp__add(along, own->drift), other->drift), dlp__sub(own_rotation, other_rotation));
}

/* Upper bound of the relative speed from `time` to the end: a straight path is farthest from a centre at one of its
 * ends. */
static double greatest_speed(const Path *path, const dlp__Solid *solid, const Frame *other, double time)
{
    const Frame *own = &path->frame;
    const dlp_Vec3 along = frame_velocity(path), drift = dlp__sub(own->drift, other->drift);
    if (path->solid == solid && solid->shape.frames == NULL) {
        return dlp__length(along);
    }
    const double offset = fmax(dlp__length(offset_at(path, time)), dlp__length(path->to));
    const double separation = fmax(dlp__length(dlp__sub(origin_at(own, time), origin_at(other, time))),
                                   dlp__length(dlp__sub(origin_at(own, 1.0), origin_at(other, 1.0))));
    const double straight = is_zero(own->turn) ? dlp__length(dlp__add(along, drift))
                                               : dlp__length(along) + dlp__length(drift);
    return straight + dlp__length(own->turn) * offset + dlp__length(other->turn) * (offset + separation) +
           solid->deforming;
}

/* Whether the path enters the solid before the time `until`, and where. */
static bool follow(const Path *path, const dlp__Solid *solid, double skin, double until, Hit *hit)
{
    const Frame frame = frame_of(solid);
    const double caution = solid->shape.frames != NULL           ? DEFORMING_CAUTION
                           : solid->shape.kind == DLP_SHAPE_MESH ? MESH_CAUTION
                                                                 : 1.0;
    double time = path->since;
    for (int query = 0; time < until; query++) {
        const dlp__Shape shape = shape_at(solid, &frame, time);
        const dlp_Vec3 position = position_at(path, time);
        dlp_Vec3 normal;
        const double distance = dlp__shape_distance(&shape, position, &normal);
        const dlp_Vec3 surface_velocity = distance <= 0.0 ? deformation_velocity(solid, &shape, position)
                                                          : dlp__vec3(0.0, 0.0, 0.0);
        const dlp_Vec3 speed = dlp__sub(relative_velocity(path, &frame, position, time), surface_velocity);
        if ((distance <= 0.0 && dlp__dot(speed, normal) < 0.0) || query == MAX_QUERIES) {
            *hit = (Hit){solid, dlp__add(position, dlp__scale(normal, fmax(skin - distance, 0.0))), normal, time,
                         surface_velocity};
            return true;
        }
        time += fmax(caution * distance, skin) / greatest_speed(path, solid, &frame, time);
    }
    return false;
}

static bool find_hit(const Job *job, const dlp__NearbySolids *near, const Path *path, Hit *hit)
{
    bool found = false;
    for (int k = 0; k < near->count; k++) {
        const dlp__Solid *solid = &job->solids->solid[dlp__nearby_index(near, k)];
        found |= follow(path, solid, SKIN * (double)job->solids->spacing, found ? hit->when : 1.0, hit);
    }
    return found;
}

/* A position at that time in frame coordinates. */
static dlp_Vec3 in_frame(const Frame *frame, double time, dlp_Vec3 position)
{
    return rotate_back(frame, time, dlp__sub(position, origin_at(frame, time)));
}

/* The rest of the path without its component into the solid; `sticks`: move with the solid. */
static Path slide(const Path *path, const Hit *hit, bool sticks)
{
    Frame frame = frame_of(hit->solid);
    frame.drift = dlp__add(frame.drift, hit->surface_velocity);
    const dlp_Vec3 from = in_frame(&frame, hit->when, hit->point);
    const dlp_Vec3 rest = dlp__sub(in_frame(&frame, 1.0, position_at(path, 1.0)), from);
    const dlp_Vec3 normal = rotate_back(&frame, hit->when, hit->normal);
    const dlp_Vec3 into = dlp__scale(normal, fmin(dlp__dot(rest, normal), 0.0));
    const dlp_Vec3 to = sticks ? from : dlp__add(from, dlp__sub(rest, into));
    return (Path){frame, hit->solid, from, to, hit->when};
}

/* A plane and a container fill all space beyond their surface: nothing can pass to another side. */
static bool has_other_side(const dlp__Solid *solid)
{
    return solid->shape.kind != DLP_SHAPE_PLANE && solid->shape.kind != DLP_SHAPE_CONTAINER;
}

/* Whether two positions are close together and on the same side of the solids. */
static bool are_same_place(const Job *job, const dlp__NearbySolids *near, const float a[3], const float b[3])
{
    const dlp_Vec3 one = dlp__vec3((double)a[0], (double)a[1], (double)a[2]);
    const dlp_Vec3 other = dlp__vec3((double)b[0], (double)b[1], (double)b[2]);
    const double reach = SAME_PLACE * (double)job->solids->spacing;
    bool same = dlp__length(dlp__sub(one, other)) < reach;
    for (int k = 0; k < near->count && same; k++) {
        const dlp__Solid *solid = &job->solids->solid[dlp__nearby_index(near, k)];
        dlp_Vec3 normal, other_normal;
        const double distance = dlp__shape_distance(&solid->shape, one, &normal);
        dlp__shape_distance(&solid->shape, other, &other_normal);
        same = !has_other_side(solid) || distance > reach || dlp__dot(normal, other_normal) > 0.5;
    }
    return same;
}

/* Move a particle to the end of its path, unless the push out of solids will bring it there from its current
 * position. */
static void move_to(const Job *job, int64_t i, const dlp__NearbySolids *near, const dlp__Solid *hit_solid,
                    dlp_Vec3 position)
{
    dlp__Particles *p = job->particles;
    float **x = p->position, pushed[3] = {x[0][i], x[1][i], x[2][i]};
    float point[3] = {(float)position.x, (float)position.y, (float)position.z};
    dlp__boundary_push_point(job->solids, pushed);
    dlp__boundary_push_point(job->solids, point);
    if (are_same_place(job, near, pushed, point)) {
        return;
    }
    const bool counts = dlp__particles_have(p, DLP_FIELD_correction);
    const dlp_Vec3 change = dlp__vec3((double)(point[0] - x[0][i]), (double)(point[1] - x[1][i]),
                                      (double)(point[2] - x[2][i]));
    dlp__reaction_add(job->solids, p, job->reactions, i, hit_solid, dlp__scale(change, 1.0 / job->solids->dt),
                      position);
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
    Path path = {.frame = {.origin = start}, .to = step};
    Hit hit;
    if (!find_hit(job, near, &path, &hit)) {
        return;
    }
    for (int hits = 1;; hits++) {
        path = slide(&path, &hit, hits >= MAX_SLIDES);
        if (hits == MAX_HITS || !find_hit(job, near, &path, &hit)) {
            break;
        }
    }
    move_to(job, i, near, path.solid, position_at(&path, 1.0));
}

/* Select the solids that the particle may hit; none if it cannot pass any of them. */
static void select_candidates(const Job *job, int64_t i, const dlp__NearbySolids *near, dlp__NearbySolids *candidates)
{
    const dlp_Vec3 start = start_of(job->particles, i), end = dlp__particle_position(job->particles, i);
    const double spacing = (double)job->solids->spacing, step = dlp__length(dlp__sub(end, start)) * (1.0 + 1e-6);
    bool passes = false;
    candidates->count = 0;
    candidates->all = false;
    for (int k = 0; k < near->count && !candidates->all; k++) {
        const int index = dlp__nearby_index(near, k);
        const dlp__Solid *solid = &job->solids->solid[index];
        const double reach = step + solid->moved;
        if (dlp__shape_distance(&solid->shape, end, NULL) < reach &&
            dlp__shape_distance(&solid->shape_before, start, NULL) > -DEPTH * spacing) {
            candidates->all = candidates->count == DLP_NEARBY_MOST;
            candidates->index[candidates->count < DLP_NEARBY_MOST ? candidates->count : 0] = index;
            candidates->count++;
            passes |= reach > STILL * spacing && has_other_side(solid);
        }
    }
    candidates->count = !passes && !candidates->all ? 0 : candidates->all ? job->solids->count : candidates->count;
}

static void sweep_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    bool needed = false;
    for (int k = 0; k < near->count && !needed; k++) {
        needed = has_other_side(&job->solids->solid[dlp__nearby_index(near, k)]);
    }
    for (int64_t i = begin; i < end && needed; i++) {
        dlp__NearbySolids candidates;
        select_candidates(job, i, near, &candidates);
        if (candidates.count > 0) {
            sweep_particle(job, i, &candidates);
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
    needed = needed && dlp__step_is_ok(domains);
    const bool collects_reactions = needed && dlp__reactions_begin(solids, domains);
    for (int part = 0; part < domains->count && needed; part++) {
        dlp__Domain *domain = &domains->part[part];
        Job job = {solids, &domain->particles, moved, collects_reactions ? &domain->reactions : NULL};
        dlp__parallel_for(domains->parallel, job.particles->count, DLP_REACTION_BLOCK, sweep_range, &job);
    }
    if (collects_reactions) {
        dlp__reactions_finish(solids, domains, true);
    }
}
