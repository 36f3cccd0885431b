/* Read access to a world: views, statistics, stage times and the hash of its state. */
#include "base/hash.h"
#include "base/long_accumulator.h"
#include "world/derived_fields.h"
#include "world/world_state.h"

#include <math.h>
#include <string.h>

int dlp_world_part_count(const dlp_World *world)
{
    return world != NULL ? world->domains.count : 0;
}

int64_t dlp_world_particle_count(const dlp_World *world)
{
    return world != NULL ? dlp__domains_particles(&world->domains) : 0;
}

dlp_Result dlp_world_view(const dlp_World *world, int part, dlp_ParticleView *view)
{
    if (world == NULL || view == NULL) {
        return dlp__world_fail_null(world);
    }
    if (part < 0 || part >= world->domains.count) {
        return dlp__fail(dlp__error_of(world), DLP_ERROR_ARGUMENT, "there is no part %d: the world has %d", part,
                         world->domains.count);
    }
    const dlp__Particles *p = &world->domains.part[part].particles;
    *view = (dlp_ParticleView){
        .count = p->count,
        .id = p->id[0],
        .material = p->material[0],
        .position = {p->position[0], p->position[1], p->position[2]},
        .velocity = {p->velocity[0], p->velocity[1], p->velocity[2]},
        .density = p->density[0],
        .pressure = p->pressure[0],
        .temperature = world->heat.active ? p->temperature[0] : NULL,
    };
    dlp__view_derived(world, p, view);
    return DLP_OK;
}

/* Minimum and maximum temperature (K), and total heat. */
static void add_temperatures(const dlp_World *world, dlp_WorldStats *stats)
{
    bool some = false;
    for (int d = 0; d < world->domains.count; d++) {
        const dlp__Particles *p = &world->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++, some = true) {
            const double t = (double)p->temperature[0][i];
            stats->temperature_min = some && stats->temperature_min < t ? stats->temperature_min : t;
            stats->temperature_max = some && stats->temperature_max > t ? stats->temperature_max : t;
        }
    }
    dlp_Ranks *ranks = world->parallel.ranks;
    if (dlp__ranks_any(ranks, some)) {
        stats->temperature_min = dlp__ranks_least(ranks, some ? stats->temperature_min : INFINITY);
        stats->temperature_max = dlp__ranks_most(ranks, some ? stats->temperature_max : -INFINITY);
    }
    stats->heat = dlp__heat_total(&world->domains, &world->solids, world->materials, world->def.spacing);
}

/* Sums over particles in storage order, which is the order of cells. */
typedef struct Sums {
    double mass, energy, speed2_max, error, error_max;
    int64_t neighbors;
    dlp_Vec3 momentum, angular, moment, lower, upper;
} Sums;

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double smaller(double a, double b)
{
    return a < b ? a : b;
}

static const Sums NO_SUMS = {.lower = {INFINITY, INFINITY, INFINITY}, .upper = {-INFINITY, -INFINITY, -INFINITY}};

static void add_sums(Sums *sums, const Sums *more)
{
    sums->mass += more->mass;
    sums->energy += more->energy;
    sums->speed2_max = larger(sums->speed2_max, more->speed2_max);
    sums->error += more->error;
    sums->error_max = larger(sums->error_max, more->error_max);
    sums->neighbors += more->neighbors;
    sums->momentum = dlp__add(sums->momentum, more->momentum);
    sums->angular = dlp__add(sums->angular, more->angular);
    sums->moment = dlp__add(sums->moment, more->moment);
    sums->lower = dlp__vec3(smaller(sums->lower.x, more->lower.x), smaller(sums->lower.y, more->lower.y),
                            smaller(sums->lower.z, more->lower.z));
    sums->upper = dlp__vec3(larger(sums->upper.x, more->upper.x), larger(sums->upper.y, more->upper.y),
                            larger(sums->upper.z, more->upper.z));
}

static void add_particle(Sums *sums, const dlp_World *world, const dlp__Domain *part, int64_t i)
{
    const dlp__Particles *p = &part->particles;
    double density = world->materials[p->material[0][i]].density;
    double mass = density * world->def.spacing * world->def.spacing * world->def.spacing;
    dlp_Vec3 x = {(double)p->position[0][i], (double)p->position[1][i], (double)p->position[2][i]};
    dlp_Vec3 v = {(double)p->velocity[0][i], (double)p->velocity[1][i], (double)p->velocity[2][i]};
    double speed2 = dlp__dot(v, v), error = larger((double)p->density[0][i] / density - 1.0, 0.0);
    dlp_Vec3 momentum = dlp__scale(v, mass);
    add_sums(sums, &(Sums){.mass = mass,
                           .energy = 0.5 * mass * speed2,
                           .speed2_max = speed2,
                           .error = error,
                           .error_max = error,
                           .neighbors = i < part->fluid.particles ? part->fluid.count[i] : 0,
                           .momentum = momentum,
                           .angular = dlp__cross(x, momentum),
                           .moment = dlp__scale(x, mass),
                           .lower = x,
                           .upper = x});
}

enum { BLOCKS = 32 };

/* Sums over equal blocks of a part's particles. They are added in order, so the result is the same for any number of threads. */
typedef struct Summing {
    const dlp_World *world;
    const dlp__Domain *part;
    Sums block[BLOCKS];
} Summing;

static void sum_blocks(void *context, int64_t begin, int64_t end)
{
    Summing *job = context;
    const int64_t count = job->part->particles.count;
    for (int64_t block = begin; block < end; block++) {
        Sums sums = NO_SUMS;
        for (int64_t i = block * count / BLOCKS; i < (block + 1) * count / BLOCKS; i++) {
            add_particle(&sums, job->world, job->part, i);
        }
        job->block[block] = sums;
    }
}

/* The sums of all ranks. */
static void merge_sums(dlp_Ranks *ranks, Sums *sums)
{
    enum { ADDED = 12 };
    double *const member[ADDED] = {&sums->mass,       &sums->energy,     &sums->error,     &sums->momentum.x,
                                   &sums->momentum.y, &sums->momentum.z, &sums->angular.x, &sums->angular.y,
                                   &sums->angular.z,  &sums->moment.x,   &sums->moment.y,  &sums->moment.z};
    double added[ADDED], most[] = {sums->speed2_max, sums->error_max, -sums->lower.x, -sums->lower.y,
                                   -sums->lower.z,   sums->upper.x,   sums->upper.y,  sums->upper.z};
    for (int n = 0; n < ADDED; n++) {
        added[n] = *member[n];
    }
    dlp__ranks_add(ranks, added, ADDED);
    for (int n = 0; n < ADDED; n++) {
        *member[n] = added[n];
    }
    sums->neighbors = dlp__ranks_sum(ranks, sums->neighbors);
    dlp__ranks_reduce(ranks, DLP_REDUCE_MOST, most, sizeof most / sizeof most[0]);
    sums->speed2_max = most[0];
    sums->error_max = most[1];
    sums->lower = dlp__vec3(-most[2], -most[3], -most[4]);
    sums->upper = dlp__vec3(most[5], most[6], most[7]);
}

static Sums sum_all(const dlp_World *world)
{
    Sums sums = NO_SUMS;
    for (int d = 0; d < world->domains.count; d++) {
        Summing job = {.world = world, .part = &world->domains.part[d]};
        dlp__parallel_for(&world->parallel, BLOCKS, 1, sum_blocks, &job);
        for (int block = 0; block < BLOCKS; block++) {
            add_sums(&sums, &job.block[block]);
        }
    }
    merge_sums(world->parallel.ranks, &sums);
    return sums;
}

dlp_Result dlp_world_stats(const dlp_World *world, dlp_WorldStats *stats)
{
    if (world == NULL || stats == NULL) {
        return dlp__world_fail_null(world);
    }
    const Sums sums = sum_all(world);
    int64_t particles = dlp_world_particle_count(world);
    double per_particle = particles > 0 ? 1.0 / (double)particles : 0.0;
    *stats = (dlp_WorldStats){
        .time = world->time,
        .step = world->step,
        .particles = particles,
        .removed = world->removed,
        .density_error = sums.error * per_particle,
        .density_worst = sums.error_max,
        .iterations = world->iterations,
        .residual = world->residual,
        .substeps = world->substeps,
        .neighbors = (double)sums.neighbors * per_particle,
        .speed_max = sqrt(sums.speed2_max),
        .kinetic_energy = sums.energy,
        .momentum = sums.momentum,
        .angular = sums.angular,
        .center = sums.mass > 0.0 ? dlp__scale(sums.moment, 1.0 / sums.mass) : dlp__vec3(0, 0, 0),
        .lower = particles > 0 ? sums.lower : dlp__vec3(0, 0, 0),
        .upper = particles > 0 ? sums.upper : dlp__vec3(0, 0, 0),
        .memory = world->memory.bytes,
        .memory_peak = world->memory.peak,
        .simd = world->domains.width,
        .threads = world->parallel.threads,
        .step_length = world->step_length,
        .step_limit = (int32_t)world->step_limit,
        .slowest_rank = world->domains.partition.slowest,
        .imbalance = world->domains.partition.imbalance,
    };
    if (world->heat.active) {
        add_temperatures(world, stats);
    }
    return DLP_OK;
}

bool dlp_world_stage_time(const dlp_World *world, int index, dlp_StageTime *time)
{
    if (world == NULL || time == NULL) {
        return false;
    }
    if (index < 0 || index >= world->domains.profiled) {
        return false;
    }
    const dlp__StageProfile *profile = &world->domains.profile[index];
    *time = (dlp_StageTime){profile->name, profile->seconds, profile->calls, profile->bytes, profile->pairs};
    return true;
}

static uint64_t hash_bonds(const dlp_World *world, const dlp__Bonds *bonds)
{
    return (uint64_t)dlp__ranks_sum(world->parallel.ranks, (int64_t)dlp__bonds_hash(bonds));
}

uint64_t dlp_world_hash(const dlp_World *world)
{
    if (world == NULL) {
        return 0;
    }
    uint64_t time = 0, particles = 0;
    memcpy(&time, &world->time, sizeof time);
    uint64_t hash = dlp__hash_word(DLP_HASH_SEED, time);
    hash = dlp__hash_word(hash, (uint64_t)world->step);
    hash = dlp__hash_word(hash, world->next_id);
    hash = dlp__hash_word(hash, (uint64_t)world->removed);
    for (int i = 0; i < world->emitter_count; i++) {
        hash = dlp__hash_word(hash, (uint64_t)world->emitters[i].layers);
    }
    for (int i = 0; i < world->solids.count; i++) {
        if (world->solids.solid[i].body >= 0) {
            hash = dlp__hash_bytes(hash, &world->solids.solid[i].state, sizeof(dlp__BodyState));
        }
        if (dlp__solid_has_heat_capacity(&world->solids.solid[i])) {
            hash = dlp__hash_bytes(hash, &world->solids.solid[i].temperature, sizeof(double));
        }
    }
    if (dlp__is_sheared(&world->domains.frame)) {
        hash = dlp__hash_bytes(hash, &world->domains.frame.shear, sizeof(dlp__Shear));
    }
    if (world->method->keeps_bonds) {
        hash = dlp__hash_word(hash, hash_bonds(world, &world->bonds));
    }
    if (world->companions.count > 0) {
        hash = dlp__hash_word(hash, hash_bonds(world, &world->companions.bonds));
    }
    for (int d = 0; d < world->domains.count; d++) {
        particles += dlp__particles_hash(&world->domains.part[d].particles);
    }
    particles = (uint64_t)dlp__ranks_sum(world->parallel.ranks, (int64_t)particles);
    return dlp__hash_finish(dlp__hash_word(hash, particles));
}
