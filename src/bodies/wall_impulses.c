#include "bodies/wall_impulses.h"

#include "base/vector.h"

#include <string.h>

/* Ranges of particles that are summed at the same time, each with its own sums. Fewer if there are many solids. */
enum { LANES = 8, SUMS_MOST = 4096, GRAIN = 16 };

bool dlp__wall_impulses_begin(dlp__WallImpulses *impulses, dlp__Memory *memory, int solids)
{
    impulses->count = 0;
    impulses->moves_are_speed = false;
    if (!impulses->wanted || solids == 0) {
        return true;
    }
    if (!dlp__buffer_reserve(memory, &impulses->sums, solids, sizeof *impulses->sum)) {
        return false;
    }
    impulses->sum = impulses->sums.data;
    impulses->count = solids;
    memset(impulses->sum, 0, (size_t)solids * sizeof *impulses->sum);
    memset(impulses->balance, 0, sizeof impulses->balance);
    return true;
}

void dlp__wall_impulses_release(dlp__WallImpulses *impulses, dlp__Memory *memory)
{
    dlp__buffer_release(memory, &impulses->sums);
    dlp__buffer_release(memory, &impulses->lanes);
    for (int d = 0; d < DLP_DOMAINS_MOST; d++) {
        dlp__buffer_release(memory, &impulses->before[d]);
    }
}

static dlp_Vec3 values_of(const dlp__LongAccumulator sum[3])
{
    return dlp__vec3(dlp__long_value(&sum[0]), dlp__long_value(&sum[1]), dlp__long_value(&sum[2]));
}

dlp__WallImpulse dlp__wall_impulses_of(const dlp__WallImpulses *impulses, int solid)
{
    dlp__WallImpulse result = {{{0.0, 0.0, 0.0}}, {{0.0, 0.0, 0.0}}};
    for (int part = 0; part < DLP_IMPULSE_PARTS && solid < impulses->count; part++) {
        result.linear[part] = values_of(impulses->sum[solid].component[part]);
        result.angular[part] = values_of(impulses->sum[solid].component[part] + 3);
    }
    return result;
}

void dlp__particle_impulse_flush(dlp__ParticleImpulse *of, dlp__ImpulseSums *sums)
{
    for (int n = 0; n < 6 * DLP_IMPULSE_PARTS && of->solid >= 0; n++) {
        dlp__long_add(&sums[of->solid].component[n / 6][n % 6], of->component[n / 6][n % 6]);
    }
    for (int n = 0; n < 4 && of->solid >= 0; n++) {
        dlp__long_add(&sums[of->solid].contact[n], of->contact[n]);
    }
    *of = (dlp__ParticleImpulse){.solid = -1};
}

static void select_solid(dlp__ParticleImpulse *of, dlp__ImpulseSums *sums, int solid)
{
    if (of->solid != solid) {
        dlp__particle_impulse_flush(of, sums);
        of->solid = solid;
    }
}

void dlp__particle_impulse_add(dlp__ParticleImpulse *of, dlp__ImpulseSums *sums, int solid, dlp__ImpulsePart part,
                               dlp_Vec3 impulse, dlp_Vec3 point)
{
    const dlp_Vec3 moment = dlp__cross(point, impulse);
    const double component[6] = {impulse.x, impulse.y, impulse.z, moment.x, moment.y, moment.z};
    select_solid(of, sums, solid);
    for (int n = 0; n < 6; n++) {
        of->component[part][n] += component[n];
    }
}

void dlp__particle_impulse_add_contact(dlp__ParticleImpulse *of, dlp__ImpulseSums *sums, int solid, double weight,
                                       dlp_Vec3 point)
{
    const double term[4] = {weight, weight * point.x, weight * point.y, weight * point.z};
    select_solid(of, sums, solid);
    for (int n = 0; n < 4; n++) {
        of->contact[n] += term[n];
    }
}

void dlp__wall_impulses_share_balance(dlp__WallImpulses *impulses)
{
    dlp__LongAccumulator all = {{0}, 0};
    for (int k = 0; k < impulses->count; k++) {
        dlp__long_merge(&all, &impulses->sum[k].contact[0]);
    }
    const double total = dlp__long_value(&all);
    const dlp_Vec3 gained = values_of(impulses->balance);
    for (int k = 0; k < impulses->count && total > 0.0; k++) {
        const double weight = dlp__long_value(&impulses->sum[k].contact[0]);
        dlp__ParticleImpulse of = {.solid = -1};
        if (weight > 0.0) {
            const dlp_Vec3 center = dlp__scale(values_of(impulses->sum[k].contact + 1), 1.0 / weight);
            dlp__particle_impulse_add(&of, impulses->sum, k, DLP_IMPULSE_PRESSURE, dlp__scale(gained, -weight / total),
                                      center);
            dlp__particle_impulse_flush(&of, impulses->sum);
        }
    }
}

typedef struct Job {
    const dlp__WallImpulses *impulses;
    dlp__ImpulseFunction add;
    const void *context;
    int part, lanes;
    int64_t particles;
} Job;

static void sum_lanes(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    const int64_t length = (job->particles / job->lanes / GRAIN + 1) * GRAIN;
    for (int64_t lane = begin; lane < end; lane++) {
        const int64_t first = lane * length, last = first + length < job->particles ? first + length : job->particles;
        dlp__ImpulseSums *sums = job->impulses->lanes.data;
        if (first < last) {
            job->add(job->context, job->part, first, last, sums + lane * job->impulses->count);
        }
    }
}

static void merge_sums(dlp__ImpulseSums *sums, const dlp__ImpulseSums *more)
{
    for (int c = 0; c < 6 * DLP_IMPULSE_PARTS; c++) {
        dlp__long_merge(&sums->component[c / 6][c % 6], &more->component[c / 6][c % 6]);
    }
    for (int c = 0; c < 4; c++) {
        dlp__long_merge(&sums->contact[c], &more->contact[c]);
    }
}

_Static_assert(sizeof(dlp__ImpulseSums) % sizeof(int64_t) == 0, "they are summed as integers");

bool dlp__wall_impulses_sum(dlp__WallImpulses *impulses, const dlp__Domains *domains, dlp__ImpulseFunction add,
                            const void *context)
{
    const int count = impulses->count, most = count > 0 ? SUMS_MOST / count : 0;
    Job job = {.impulses = impulses,
               .add = add,
               .context = context,
               .lanes = most < 1       ? 1
                        : most < LANES ? most
                                       : LANES};
    const int64_t sums = (int64_t)job.lanes * count;
    if (count == 0) {
        return true;
    }
    if (!dlp__buffer_reserve(domains->memory, &impulses->lanes, sums, sizeof *impulses->sum)) {
        return false;
    }
    dlp__ImpulseSums *lane = impulses->lanes.data;
    memset(lane, 0, (size_t)sums * sizeof *lane);
    for (job.part = 0; job.part < domains->count; job.part++) {
        job.particles = domains->part[job.part].particles.count;
        dlp__parallel_for(domains->parallel, job.lanes, 1, sum_lanes, &job);
    }
    for (int64_t n = count; n < sums; n++) {
        merge_sums(&lane[n % count], &lane[n]);
    }
    dlp__ranks_reduce(domains->ranks, DLP_REDUCE_SUM, lane, (int64_t)sizeof *lane / (int64_t)sizeof(int64_t) * count);
    for (int n = 0; n < count; n++) {
        merge_sums(&impulses->sum[n], &lane[n]);
    }
    return true;
}
