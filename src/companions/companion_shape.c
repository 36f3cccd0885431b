/* Rigid companions by shape matching (Mueller et al. 2005): the rigid pose nearest to the particles' positions in
 * the least-squares sense. All particles have the same mass, so sums need no weights. Sums over all parts are exact,
 * so their order does not matter. */
#include "base/vector.h"
#include "base/exact_sum.h"
#include "clusters/nearest_rotation.h"
#include "companions/companions.h"

#include <math.h>
#include <string.h>

/* One companion while it is processed, and sums over its particles. */
typedef struct Body {
    const dlp__Companions *companions;
    dlp__Domains *domains;
    int number;
    bool at_start;      /* use positions at `start` */
    double count;       /* of particles */
    dlp_Vec3 anchor;    /* m, one of its particles: for the others the periodic image nearest to it is used */
    dlp_Vec3 center;    /* m */
    dlp_Vec3 rest;      /* m, the centre of the same particles at rest */
    dlp_Vec3 velocity;  /* m/s, of the centre */
    dlp_Vec3 spin;      /* rad/s */
    dlp_Vec3 angular;   /* m2/s, angular momentum about the centre per particle mass */
    double inertia[6];  /* m2, per particle mass: xx yy zz xy xz yz */
    dlp__Rotation turn; /* from rest to the current pose */
} Body;

/* Iterator over the members of a body. */
typedef struct Member {
    int part;
    int32_t slot; /* in the list of the part */
    dlp__Particles *p;
    int32_t i;
} Member;

static bool next_member(const Body *body, Member *member)
{
    for (member->slot++; member->part < body->domains->count; member->part++, member->slot = -1) {
        const dlp__Members *list = &body->companions->member[member->part];
        if (member->slot < 0) {
            member->slot = list->first[body->number];
        }
        if (member->slot < list->first[body->number + 1]) {
            member->p = &body->domains->part[member->part].particles;
            member->i = list->index[member->slot];
            return true;
        }
    }
    return false;
}

static const Member FIRST = {.slot = -2};

static dlp_Vec3 vector_of(float *const field[3], int32_t i)
{
    return dlp__vec3((double)field[0][i], (double)field[1][i], (double)field[2][i]);
}

static double nearest_image(const dlp__CellFrame *frame, int axis, double from)
{
    return frame->periodic[axis] > 0 ? from - frame->period[axis] * rint(from / frame->period[axis]) : from;
}

/* Position of a member relative to the anchor. */
static dlp_Vec3 from_anchor(const Body *body, const Member *member)
{
    const dlp__CellFrame *frame = &body->domains->frame;
    const dlp__Particles *p = member->p;
    const dlp_Vec3 from = dlp__sub(vector_of(body->at_start ? p->start : p->position, member->i), body->anchor);
    return dlp__vec3(nearest_image(frame, 0, from.x), nearest_image(frame, 1, from.y), nearest_image(frame, 2, from.z));
}

static dlp_Vec3 from_center(const Body *body, const Member *member)
{
    return dlp__sub(from_anchor(body, member), dlp__sub(body->center, body->anchor));
}

static dlp_Vec3 from_rest(const Body *body, const Member *member)
{
    return dlp__sub(vector_of(member->p->rest, member->i), body->rest);
}

/* Sums over the members, TERMS at once. */
enum { TERMS = 9 };
typedef void (*MemberTerms)(const Body *body, const Member *member, double terms[TERMS]);

static void sum_members(const Body *body, MemberTerms terms_of, double sums[TERMS])
{
    int exponent[TERMS] = {0};
    bool done = false;
    while (!done) {
        dlp__ExactSum sum[TERMS];
        for (int t = 0; t < TERMS; t++) {
            sum[t] = dlp__exact_begin(exponent[t]);
        }
        for (Member member = FIRST; next_member(body, &member);) {
            double terms[TERMS];
            terms_of(body, &member, terms);
            for (int t = 0; t < TERMS; t++) {
                dlp__exact_add(&sum[t], terms[t]);
            }
        }
        dlp__ranks_reduce(body->domains->ranks, DLP_REDUCE_EXACT, sum, TERMS);
        done = true;
        for (int t = 0; t < TERMS; t++) {
            done &= dlp__exact_end(&sum[t], &exponent[t], &sums[t]);
        }
    }
}

static void put(double terms[3], dlp_Vec3 v)
{
    terms[0] = v.x;
    terms[1] = v.y;
    terms[2] = v.z;
}

static void mean_terms(const Body *body, const Member *member, double terms[TERMS])
{
    put(terms, from_anchor(body, member));
    put(terms + 3, vector_of(member->p->rest, member->i));
    put(terms + 6, vector_of(member->p->velocity, member->i));
}

/* x q^T, row by row: A_pq of the paper. */
static void moment_terms(const Body *body, const Member *member, double terms[TERMS])
{
    const dlp_Vec3 x = from_center(body, member), q = from_rest(body, member);
    put(terms, dlp__scale(q, x.x));
    put(terms + 3, dlp__scale(q, x.y));
    put(terms + 6, dlp__scale(q, x.z));
}

static void spin_terms(const Body *body, const Member *member, double terms[TERMS])
{
    const dlp_Vec3 x = from_center(body, member);
    put(terms, dlp__cross(x, dlp__sub(vector_of(member->p->velocity, member->i), body->velocity)));
    put(terms + 3, dlp__vec3(x.y * x.y + x.z * x.z, x.x * x.x + x.z * x.z, x.x * x.x + x.y * x.y));
    put(terms + 6, dlp__vec3(-x.x * x.y, -x.x * x.z, -x.y * x.z));
}

/* Ranks agree on the anchor, the particle with the least id, and count all particles. */
static void merge_anchor(Body *body, uint64_t least)
{
    dlp_Ranks *ranks = body->domains->ranks;
    const double own = body->count > 0.0 ? (double)least : INFINITY;
    const bool has_it = dlp__ranks_least(ranks, own) == own && body->count > 0.0;
    double anchor[3] = {body->anchor.x, body->anchor.y, body->anchor.z};
    for (int a = 0; a < 3; a++) {
        anchor[a] = has_it ? anchor[a] : INFINITY;
    }
    dlp__ranks_reduce(ranks, DLP_REDUCE_LEAST, anchor, 3);
    body->anchor = dlp__vec3(anchor[0], anchor[1], anchor[2]);
    body->count = (double)dlp__ranks_sum(ranks, (int64_t)body->count);
}

/* Compute the companion's centre and velocity; false if it has no particles left. */
static bool find_center(Body *body)
{
    uint64_t least = UINT64_MAX;
    for (Member member = FIRST; next_member(body, &member);) {
        if (member.p->id[0][member.i] < least) {
            least = member.p->id[0][member.i];
            body->anchor = vector_of(body->at_start ? member.p->start : member.p->position, member.i);
        }
        body->count += 1.0;
    }
    merge_anchor(body, least);
    if (body->count == 0.0) {
        return false;
    }
    double sums[TERMS];
    sum_members(body, mean_terms, sums);
    const double part = 1.0 / body->count;
    body->center = dlp__add(body->anchor, dlp__scale(dlp__vec3(sums[0], sums[1], sums[2]), part));
    body->rest = dlp__scale(dlp__vec3(sums[3], sums[4], sums[5]), part);
    body->velocity = dlp__scale(dlp__vec3(sums[6], sums[7], sums[8]), part);
    return true;
}

static void find_rotation(Body *body)
{
    double moments[TERMS];
    sum_members(body, moment_terms, moments);
    body->turn = dlp__nearest_rotation(moments).matrix;
}

/* The spin with this angular momentum. A thin row of particles has no inertia about its axis, a single one none at
 * all: a billionth is added to the diagonal, so that such a spin is zero. */
static dlp_Vec3 spin_of(const double inertia[6], dlp_Vec3 angular)
{
    const double regularization = 1e-9 * (inertia[0] + inertia[1] + inertia[2]);
    const dlp_Vec3 x = {inertia[0] + regularization, inertia[3], inertia[4]},
                   y = {inertia[3], inertia[1] + regularization, inertia[5]},
                   z = {inertia[4], inertia[5], inertia[2] + regularization};
    const dlp_Vec3 yz = dlp__cross(y, z), zx = dlp__cross(z, x), xy = dlp__cross(x, y);
    const double determinant = dlp__dot(x, yz);
    const dlp_Vec3 sum = dlp__add(dlp__add(dlp__scale(yz, angular.x), dlp__scale(zx, angular.y)),
                                  dlp__scale(xy, angular.z));
    return determinant > 0.0 ? dlp__scale(sum, 1.0 / determinant) : dlp__vec3(0, 0, 0);
}

static void find_spin(Body *body)
{
    double sums[TERMS];
    sum_members(body, spin_terms, sums);
    body->angular = dlp__vec3(sums[0], sums[1], sums[2]);
    memcpy(body->inertia, sums + 3, sizeof body->inertia);
    body->spin = spin_of(body->inertia, body->angular);
}

static void set_velocity(const Body *body, const Member *member, dlp_Vec3 from)
{
    const dlp_Vec3 v = dlp__add(body->velocity, dlp__cross(body->spin, from));
    member->p->velocity[0][member->i] = (float)v.x;
    member->p->velocity[1][member->i] = (float)v.y;
    member->p->velocity[2][member->i] = (float)v.z;
}

/* Move a member to its position in the body, and return the displacement. */
static dlp_Vec3 move_to_goal(const Body *body, const Member *member)
{
    dlp__Particles *p = member->p;
    const dlp_Vec3 goal = dlp__rotate(&body->turn, from_rest(body, member));
    const dlp_Vec3 way = dlp__sub(goal, from_center(body, member));
    const dlp_Vec3 to = dlp__add(vector_of(body->at_start ? p->start : p->position, member->i), way);
    p->position[0][member->i] = (float)to.x;
    p->position[1][member->i] = (float)to.y;
    p->position[2][member->i] = (float)to.z;
    return way;
}

/* Arguments of a parallel loop over companions. */
typedef struct Work {
    const dlp__Companions *companions;
    dlp__Domains *domains;
    double dt; /* s */
} Work;

static Body begin_body(const Work *work, int64_t number, bool at_start)
{
    return (Body){
        .companions = work->companions, .domains = work->domains, .number = (int)number, .at_start = at_start};
}

static void run_all(const dlp__Companions *companions, dlp__Domains *domains, double dt, const char *name,
                    dlp_RangeFunction function)
{
    if (companions->rigid == 0 || !dlp__step_is_ok(domains)) {
        return;
    }
    const double started = dlp__clock();
    Work work = {companions, domains, dt};
    if (dlp__ranks_count(domains->ranks) > 1) { /* sums over all ranks, in the same order on each */
        function(&work, 0, companions->count);
    } else {
        dlp__parallel_for(domains->parallel, companions->count, 1, function, &work);
    }
    dlp__profile_add(domains, name, started);
}

static dlp_Vec3 rotated_spin(const Body *body, const dlp__Rotation *turn)
{
    return dlp__rotate(turn, spin_of(body->inertia, dlp__unrotate(turn, body->angular)));
}

/* The free flight of a rigid body, second order in time: angular momentum is exactly conserved, and the rotation
 * uses the spin at the middle of the step. */
static void advance_bodies(void *context, int64_t begin, int64_t end)
{
    const Work *work = context;
    for (int64_t number = begin; number < end; number++) {
        Body body = begin_body(work, number, true);
        if (!find_center(&body)) {
            continue;
        }
        find_rotation(&body);
        find_spin(&body);
        const dlp__Rotation half = dlp__rotation(dlp__scale(body.spin, 0.5 * work->dt));
        const dlp__Rotation whole = dlp__rotation(dlp__scale(rotated_spin(&body, &half), work->dt));
        const dlp_Vec3 way = dlp__scale(body.velocity, work->dt);
        body.turn = dlp__rotation_product(&whole, &body.turn);
        body.spin = rotated_spin(&body, &whole);
        for (Member member = FIRST; next_member(&body, &member);) {
            move_to_goal(&body, &member);
            for (int a = 0; a < 3; a++) {
                member.p->position[a][member.i] += (float)(a == 0 ? way.x : a == 1 ? way.y : way.z);
            }
            set_velocity(&body, &member, dlp__rotate(&body.turn, from_rest(&body, &member)));
        }
    }
}

void dlp__companions_predict_rigid(const dlp__Companions *companions, dlp__Domains *domains, float dt)
{
    run_all(companions, domains, (double)dt, "companion flight", advance_bodies);
}

static void match_bodies(void *context, int64_t begin, int64_t end)
{
    for (int64_t number = begin; number < end; number++) {
        Body body = begin_body(context, number, false);
        if (!find_center(&body)) {
            continue;
        }
        find_rotation(&body);
        for (Member member = FIRST; next_member(&body, &member);) {
            const dlp_Vec3 way = move_to_goal(&body, &member);
            member.p->correction[0][member.i] += (float)way.x;
            member.p->correction[1][member.i] += (float)way.y;
            member.p->correction[2][member.i] += (float)way.z;
        }
    }
}

void dlp__companions_match_shapes(const dlp__Companions *companions, dlp__Domains *domains)
{
    run_all(companions, domains, 0.0, "companion match", match_bodies);
}

static void project_velocities(void *context, int64_t begin, int64_t end)
{
    for (int64_t number = begin; number < end; number++) {
        Body body = begin_body(context, number, false);
        if (!find_center(&body)) {
            continue;
        }
        find_spin(&body);
        for (Member member = FIRST; next_member(&body, &member);) {
            set_velocity(&body, &member, from_center(&body, &member));
        }
    }
}

void dlp__companions_project_velocities(const dlp__Companions *companions, dlp__Domains *domains)
{
    run_all(companions, domains, 0.0, "companion settle", project_velocities);
}
