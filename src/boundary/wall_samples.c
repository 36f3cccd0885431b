/* Boundary samples: visits the particles near solids twice, first to count each one's samples, then to write them
 * into the lists. A particle writes only its own samples, so the result is the same for any number of threads. */
#include "boundary/nearby_solids.h"
#include "bodies/reactions.h"

#include <string.h>

typedef struct Job {
    const dlp__Solids *solids;
    dlp__Domain *domain;
} Job;

static void count_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    const dlp__WallTable *table = &job->solids->table;
    for (int64_t i = begin; i < end; i++) {
        dlp_Vec3 point = dlp__particle_position(&job->domain->particles, i);
        int32_t samples = 0;
        for (int k = 0; k < near->count; k++) {
            dlp__Wall wall[DLP_SHAPE_WALLS];
            const dlp__Shape *shape = &job->solids->solid[dlp__nearby_index(near, k)].shape;
            int walls = dlp__shape_walls(shape, point, (double)table->reach, wall);
            for (int w = 0; w < walls; w++) {
                dlp__WallSample sample;
                if (dlp__wall_sample(table, (float)wall[w].distance, &sample)) {
                    samples++;
                }
            }
        }
        job->domain->boundary.count[i] = samples;
    }
}

static void count_samples(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    memset(job->domain->boundary.count + begin, 0, (size_t)(end - begin) * sizeof(int32_t));
    dlp__for_groups_near_solids(job->solids, &job->domain->particles, begin, end, (double)job->solids->table.reach,
                                count_group, context);
}

/* Write one sample; `away` (m) is its signed distance from the particle along the wall's normal. */
static void write_sample(const Job *job, int64_t row, dlp_Vec3 point, const dlp__Wall *wall, double away, float volume,
                         int32_t solid_id, int material)
{
    const dlp__Solid *solid = &job->solids->solid[solid_id];
    dlp_Vec3 at = dlp__add(point, dlp__scale(wall->normal, away));
    dlp_Vec3 velocity = dlp__solid_velocity(solid, at);
    float *position_row = job->domain->samples.position_volume + 4 * row,
          *velocity_row = job->domain->samples.velocity_friction + 4 * row;
    position_row[0] = (float)at.x;
    position_row[1] = (float)at.y;
    position_row[2] = (float)at.z;
    position_row[3] = volume;
    velocity_row[0] = (float)velocity.x;
    velocity_row[1] = (float)velocity.y;
    velocity_row[2] = (float)velocity.z;
    velocity_row[3] = (float)dlp__contact_law(job->solids, solid, material).friction;
    job->domain->samples.solid[row] = solid_id;
}

/* Sample k of a particle is stored in the row of list entry k. */
static int64_t row_of(const dlp__NeighborList *list, int64_t particle, int32_t k)
{
    return dlp__neighbors_entry(list, particle, k) - list->entry;
}

static void fill_particle(const Job *job, int64_t i, const dlp__NearbySolids *near)
{
    const dlp__WallTable *table = &job->solids->table;
    const dlp__NeighborList *list = &job->domain->boundary;
    dlp_Vec3 point = dlp__particle_position(&job->domain->particles, i);
    int32_t count = 0;
    float shares = 0.0f, shared_once = 0.0f; /* sum of the f, and 1 - product of the (1 - f) */
    for (int k = 0; k < near->count; k++) {
        dlp__Wall wall[DLP_SHAPE_WALLS];
        int32_t id = dlp__nearby_index(near, k);
        int walls = dlp__shape_walls(&job->solids->solid[id].shape, point, (double)table->reach, wall);
        for (int w = 0; w < walls; w++) {
            dlp__WallSample sample;
            if (!dlp__wall_sample(table, (float)wall[w].distance, &sample)) {
                continue;
            }
            write_sample(job, row_of(list, i, count++), point, &wall[w], -(double)sample.distance, sample.volume, id,
                         job->domain->particles.material[0][i]);
            shares += sample.share;
            shared_once += sample.share * (1.0f - shared_once);
        }
    }
    /* Perpendicular walls share f_a f_b of the kernel; counted once, together they hold 1 - (1 - f_a)(1 - f_b)... */
    float once = shares > 0.0f ? shared_once / shares : 1.0f;
    for (int32_t k = 0; k < count; k++) {
        job->domain->samples.position_volume[4 * row_of(list, i, k) + 3] *= once;
    }
}

/* Pad the lists of a group to its longest: the particle's own position, zero volume. */
static void pad_group(const Job *job, int64_t group)
{
    const dlp__NeighborList *list = &job->domain->boundary;
    const dlp__Particles *particles = &job->domain->particles;
    dlp__Samples *samples = &job->domain->samples;
    for (int64_t row = list->start[group] * DLP_GROUP; row < list->start[group + 1] * DLP_GROUP; row++) {
        int64_t i = group * DLP_GROUP + row % DLP_GROUP;
        bool real = i < particles->count;
        list->entry[row] = (int32_t)row;
        if (real && row / DLP_GROUP - list->start[group] < list->count[i]) {
            continue;
        }
        for (int axis = 0; axis < 3; axis++) {
            samples->position_volume[4 * row + axis] = real ? particles->position[axis][i] : 0.0f;
        }
        samples->position_volume[4 * row + 3] = 0.0f;
        memset(samples->velocity_friction + 4 * row, 0, 4 * sizeof(float));
        samples->solid[row] = -1;
    }
}

static void fill_group(void *context, int64_t begin, int64_t end, const dlp__NearbySolids *near)
{
    const Job *job = context;
    for (int64_t i = begin; i < end; i++) {
        if (job->domain->boundary.count[i] > 0) {
            fill_particle(job, i, near);
        }
    }
}

static void fill_samples(void *context, int64_t begin, int64_t end)
{
    const Job *job = context;
    const dlp__NeighborList *list = &job->domain->boundary;
    for (int64_t first = begin; first < end; first += DLP_GROUP) {
        int64_t group = first / DLP_GROUP, last = first + DLP_GROUP < end ? first + DLP_GROUP : end;
        if (list->start[group] == list->start[group + 1]) {
            continue;
        }
        pad_group(job, group);
        dlp__for_groups_near_solids(job->solids, &job->domain->particles, first, last, (double)job->solids->table.reach,
                                    fill_group, context);
    }
}

static bool reserve_moved(dlp__Samples *samples, dlp__Memory *memory, int64_t count)
{
    if (!dlp__buffer_reserve(memory, &samples->buffer[3], 3 * count + 1, sizeof(float))) {
        return false;
    }
    memset(samples->buffer[3].data, 0, (size_t)(3 * count) * sizeof(float));
    for (int a = 0; a < 3; a++) {
        samples->displacement[a] = (float *)samples->buffer[3].data + a * count;
    }
    return true;
}

static bool reserve_samples(dlp__Samples *samples, dlp__Memory *memory, int64_t count)
{
    samples->displacement[0] = samples->displacement[1] = samples->displacement[2] = NULL;
    if (count > INT32_MAX || !dlp__buffer_reserve(memory, &samples->buffer[0], count, 4 * sizeof(float)) ||
        !dlp__buffer_reserve(memory, &samples->buffer[1], count, 4 * sizeof(float)) ||
        !dlp__buffer_reserve(memory, &samples->buffer[2], count, sizeof(int32_t))) {
        samples->count = 0;
        return false;
    }
    samples->count = count;
    samples->position_volume = samples->buffer[0].data;
    samples->velocity_friction = samples->buffer[1].data;
    samples->solid = samples->buffer[2].data;
    return true;
}

static bool sample_parts(dlp__Solids *solids, dlp__Domains *domains)
{
    for (int part = 0; part < domains->count; part++) {
        dlp__Domain *domain = &domains->part[part];
        Job job = {solids, domain};
        int64_t particles = domain->particles.count, grain = 4 * DLP_NEARBY_BLOCK;
        if (!dlp__neighbors_reserve_counts(&domain->boundary, domains->memory, particles)) {
            return false;
        }
        dlp__parallel_for(domains->parallel, particles, grain, count_samples, &job);
        if (!dlp__neighbors_layout(&domain->boundary, domains->memory, particles)) {
            return false;
        }
        int64_t groups = (particles + DLP_GROUP - 1) / DLP_GROUP;
        const int64_t count = domain->boundary.start[groups] * DLP_GROUP;
        if (!reserve_samples(&domain->samples, domains->memory, count) ||
            ((solids->bodies_predicted || solids->impulses.count > 0) &&
             !reserve_moved(&domain->samples, domains->memory, count))) {
            return false;
        }
        dlp__parallel_for(domains->parallel, particles, grain, fill_samples, &job);
    }
    return true;
}

void dlp__boundary_build_samples(dlp__Solids *solids, dlp__Domains *domains)
{
    if (!dlp__step_is_ok(domains)) {
        return;
    }
    dlp__require_memory(domains, sample_parts(solids, domains), "boundary samples");
    if (dlp__step_is_ok(domains) && solids->bodies_predicted) {
        dlp__reactions_sum_nearby_mass(solids, domains);
    }
}
