#include "support/poisson_fixture.h"

#include "base/hash.h"
#include "stages/stage_runner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double poisson_noise(uint64_t id, int pattern)
{
    uint64_t x = (id + 1) * 0x9e3779b97f4a7c15u + (uint64_t)pattern * 0xd1b54a32d192ed03u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (double)((x ^ x >> 31) >> 11) / 4503599627370496.0 - 1.0;
}

static double lattice_density(double reach)
{
    const int most = (int)reach + 1;
    double sum = 0.0;
    for (int x = -most; x <= most; x++) {
        for (int y = -most; y <= most; y++) {
            for (int z = -most; z <= most; z++) {
                const double r = sqrt((double)(x * x + y * y + z * z));
                sum += r > 0.0 && r < reach ? reach / r - 1.0 : 0.0;
            }
        }
    }
    return sum;
}

static void place(const PoissonSystem *system, dlp__Particles *p, int64_t i)
{
    const PoissonSetup *setup = &system->setup;
    const int64_t nx = setup->count[0], ny = setup->count[1], block = nx * ny * setup->count[2];
    p->id[0][i] = (uint64_t)i;
    if (i >= block) { /* 50 spacings apart */
        p->position[0][i] = (float)(nx + 100 + 50 * (i - block));
        p->position[1][i] = p->position[2][i] = 0.0f;
        return;
    }
    const int64_t at[3] = {i % nx, i / nx % ny, i / (nx * ny)};
    for (int a = 0; a < 3; a++) {
        p->position[a][i] = (float)((double)at[a] + 0.5 + 0.5 * setup->jitter * poisson_noise((uint64_t)i, a));
    }
    p->position[0][i] += (float)(setup->gap > 0.0 && 2 * at[0] >= nx ? setup->gap : 0.0);
}

/* The weights of pairs, and the loss of particles near the top: what neighbours above it would weigh. */
static void set_weights(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const PoissonSystem *system = c->arguments;
    const float reach = (float)system->setup.reach, top = (float)system->setup.count[2];
    const bool open = !system->setup.closed && !system->setup.periodic;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i++) {
        const float *own = c->rows[0] + 4 * i;
        float *weights = c->pair_weights + c->fluid->start[i / DLP_GROUP] * DLP_GROUP + i % DLP_GROUP;
        const int64_t k_most = c->fluid->start[i / DLP_GROUP + 1] - c->fluid->start[i / DLP_GROUP];
        double above = 0.0;
        for (int32_t k = 0; k < k_most; k++) {
            const float *other = c->rows[0] + 4 * (int64_t)*dlp__neighbors_entry(c->fluid, i, k);
            const float x = own[0] - other[0], y = own[1] - other[1], z = own[2] - other[2];
            const float r = sqrtf(x * x + y * y + z * z);
            const float w = k < c->fluid->count[i] && r < reach ? reach / r - 1.0f : 0.0f;
            weights[(int64_t)k * DLP_GROUP] = w;
            /* the mirror image of the neighbour in the surface is missing if it is in reach */
            const float up = own[2] + other[2] - 2.0f * top, missing = sqrtf(x * x + y * y + up * up);
            above += k < c->fluid->count[i] && missing < reach ? (double)(reach / missing) - 1.0 : 0.0;
        }
        p->poisson_loss[0][i] = open ? (float)above : 0.0f;
    }
}

static const dlp__Stage WEIGHTS[2] = {{.name = "poisson fixture",
                                       .function = set_weights,
                                       .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
                                       .writes = {DLP_FIELD_poisson_loss},
                                       .pair_weights = DLP_PAIRS_WRITTEN},
                                      {.name = "poisson fixture",
                                       .function = set_weights,
                                       .gathers = {DLP_ROW_VECTOR(DLP_FIELD_position)},
                                       .writes = {DLP_FIELD_poisson_loss},
                                       .short_range = true,
                                       .pair_weights = DLP_PAIRS_WRITTEN}};

void poisson_begin(PoissonSystem *system)
{
    dlp__domains_begin_step(&system->domains);
    system->error = (dlp_Error){0};
}

PoissonSystem *poisson_create(const PoissonSetup *setup)
{
    static const dlp__FieldId fields[] = {DLP_FIELD_id, DLP_FIELD_position, DLP_POISSON_FIELDS, DLP_FIELD_NONE};
    const int64_t count = (int64_t)setup->count[0] * setup->count[1] * setup->count[2] + setup->scattered;
    const double support = setup->support > 0.0 ? setup->support : setup->reach, lower[3] = {0.0, 0.0, 0.0};
    double size[3] = {0.0, 0.0, 0.0};
    PoissonSystem *system = calloc(1, sizeof *system);
    if (system == NULL) {
        return NULL;
    }
    system->setup = *setup;
    system->rest = lattice_density(setup->reach);
    dlp__memory_init(&system->memory, &setup->allocator);
    dlp__parallel_init(&system->parallel, setup->threads > 0 ? setup->threads : 1, NULL);
    dlp__domains_init(&system->domains, &system->memory, &system->parallel, setup->parts > 0 ? setup->parts : 1, NULL,
                      fields);
    system->domains.width = setup->width > 0 ? setup->width : 16;
    system->domains.support = (float)support;
    system->domains.short_support = setup->near ? (float)setup->reach : 0.0f;
    system->domains.error = &system->error;
    for (int a = 0; a < 3; a++) {
        size[a] = setup->periodic ? setup->count[a] : 0.0;
    }
    dlp__Particles *p = &system->domains.part[0].particles;
    if (!dlp__cell_frame_init(&system->domains.frame, support, lower, size) || dlp__particles_add(p, count) != 0) {
        poisson_destroy(system);
        return NULL;
    }
    for (int64_t i = 0; i < count; i++) {
        place(system, p, i);
    }
    int64_t removed = 0;
    poisson_begin(system);
    dlp__domains_remove(&system->domains, NULL, NULL);
    dlp__domains_update(&system->domains, &removed);
    dlp__run(&system->domains, &WEIGHTS[setup->near], system);
    if (!dlp__step_is_ok(&system->domains)) {
        poisson_destroy(system);
        return NULL;
    }
    return system;
}

void poisson_destroy(PoissonSystem *system)
{
    if (system != NULL) {
        dlp__domains_release(&system->domains);
        free(system);
    }
}

static void position_of(const dlp__Particles *p, int64_t i, double x[3])
{
    for (int a = 0; a < 3; a++) {
        x[a] = (double)p->position[a][i];
    }
}

/* What the operator makes of a value of each particle and ghost. */
typedef double (*ValueFunction)(const PoissonSystem *system, const dlp__Domain *domain, int64_t i, const void *context);

static double apply_to(const PoissonSystem *system, const dlp__Domain *domain, int64_t i, ValueFunction value,
                       const void *context, double *diagonal)
{
    const dlp__NeighborList *list = domain->weights_list;
    const float *weights = domain->pair_weights.data;
    const double own = value(system, domain, i, context), loss = (double)domain->particles.poisson_loss[0][i];
    double sum = loss * own;
    *diagonal = loss;
    for (int32_t k = 0; k < list->count[i]; k++) {
        const double w = (double)weights[(list->start[i / DLP_GROUP] + k) * DLP_GROUP + i % DLP_GROUP];
        sum += w * (own - value(system, domain, *dlp__neighbors_entry(list, i, k), context));
        *diagonal += w;
    }
    return sum;
}

/* Ghosts are those of their sources. */
static double change_of(const PoissonSystem *system, const dlp__Domain *domain, int64_t i, const void *context)
{
    (void)context;
    const int64_t ghost = i - domain->particles.count;
    const dlp__Particles *p = ghost < 0 ? &domain->particles
                                        : &system->domains.part[domain->halo.part[ghost]].particles;
    return (double)p->change[0][ghost < 0 ? i : domain->halo.source[ghost]];
}

static double function_of(const PoissonSystem *system, const dlp__Domain *domain, int64_t i, const void *context)
{
    const PoissonFunction *function = context;
    double x[3];
    position_of(&domain->particles, i, x);
    return (*function)(system, x);
}

double poisson_depth(const PoissonSystem *system, const double x[3])
{
    return (double)system->setup.count[2] - x[2];
}

void poisson_set_source(PoissonSystem *system, PoissonFunction function)
{
    for (int d = 0; d < system->domains.count; d++) {
        const dlp__Domain *domain = &system->domains.part[d];
        for (int64_t i = 0; i < domain->particles.count; i++) {
            double diagonal = 0.0;
            domain->particles.poisson_source[0][i] = (float)apply_to(system, domain, i, function_of, &function,
                                                                     &diagonal);
            domain->particles.change[0][i] = 0.0f;
        }
    }
}

void poisson_set_noise(PoissonSystem *system, int pattern)
{
    for (int d = 0; d < system->domains.count; d++) {
        const dlp__Particles *p = &system->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            p->poisson_source[0][i] = (float)poisson_noise(p->id[0][i], pattern);
            p->change[0][i] = 0.0f;
        }
    }
}

double poisson_true_residual(const PoissonSystem *system)
{
    double residuals = 0.0, sources = 0.0, mean = 0.0, count = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int d = 0; d < system->domains.count; d++) {
            const dlp__Domain *domain = &system->domains.part[d];
            for (int64_t i = 0; i < domain->particles.count; i++) {
                double diagonal = 0.0, product = apply_to(system, domain, i, change_of, NULL, &diagonal);
                const double source = (double)domain->particles.poisson_source[0][i];
                if (diagonal > 0.0 && pass == 0) {
                    mean += source;
                    count += 1.0;
                } else if (diagonal > 0.0) {
                    residuals += (source - mean - product) * (source - mean - product) / diagonal;
                    sources += (source - mean) * (source - mean) / diagonal;
                }
            }
        }
        mean = pass == 0 && (system->setup.closed || system->setup.periodic) && count > 0.0 ? mean / count
               : pass == 0                                                                  ? 0.0
                                                                                            : mean;
    }
    return sqrt(residuals / sources);
}

uint64_t poisson_hash(const PoissonSystem *system)
{
    uint64_t hash = 0;
    for (int d = 0; d < system->domains.count; d++) {
        const dlp__Particles *p = &system->domains.part[d].particles;
        for (int64_t i = 0; i < p->count; i++) {
            uint64_t of_particle = dlp__hash_bytes(DLP_HASH_SEED, &p->id[0][i], sizeof p->id[0][i]);
            hash += dlp__hash_bytes(of_particle, &p->change[0][i], sizeof(float));
        }
    }
    return hash;
}
