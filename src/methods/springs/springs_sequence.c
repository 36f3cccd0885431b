#include "methods/springs/springs_sequence.h"
#include "methods/springs/springs_fields.h"

#include "methods/springs/coincident.h"
#include "methods/springs/springs_bonds.h"

#include <math.h>

enum { COLORS = 27 };

/* Processes the pairs of one particle. */
typedef void (*ParticleFunction)(const dlp__SpringsPlan *plan, dlp__Domain *domain, const dlp__BondPart *bonds,
                                 int64_t i);

typedef struct Pass {
    const dlp__SpringsPlan *plan;
    dlp__Domain *domain;
    const dlp__BondPart *bonds;
    ParticleFunction function;
    const int32_t *cell; /* of one colour */
} Pass;

static void process_cells(void *context, int64_t begin, int64_t end)
{
    const Pass *pass = context;
    const dlp__CellGrid *grid = &pass->domain->grid;
    for (int64_t n = begin; n < end; n++) {
        const int64_t first = grid->start[pass->cell[n]], count = grid->population[pass->cell[n]];
        for (int64_t i = first; i < first + count; i++) {
            pass->function(pass->plan, pass->domain, pass->bonds, i);
        }
    }
}

static int third(int32_t coordinate)
{
    return (coordinate % 3 + 3) % 3;
}

static int color_of(uint64_t key)
{
    const dlp__Cell cell = dlp__cell_of_key(key);
    return third(cell.x) + 3 * third(cell.y) + 9 * third(cell.z);
}

/* Process every particle, one colour of cells after another. */
static void process_in_color_order(dlp__StepContext *step, const dlp__SpringsPlan *plan, const char *name,
                                   ParticleFunction function)
{
    const double started = dlp__clock();
    dlp__Domain *domain = &step->domains->part[0];
    const dlp__CellGrid *grid = &domain->grid;
    int64_t next[COLORS + 1] = {0}, first = 0;
    int32_t *cell = dlp__step_scratch(step->domains, grid->count, sizeof *cell, "the order of cells");
    if (cell == NULL || !dlp__step_is_ok(step->domains)) {
        return;
    }
    for (int64_t c = 0; c < grid->count; c++) {
        next[color_of(grid->key[c]) + 1]++;
    }
    for (int color = 0; color < COLORS; color++) {
        next[color + 1] += next[color];
    }
    for (int64_t c = 0; c < grid->count; c++) {
        cell[next[color_of(grid->key[c])]++] = (int32_t)c;
    }
    for (int color = 0; color < COLORS; color++) {
        Pass pass = {plan, domain, &plan->bonds->part[0], function, cell + first};
        dlp__parallel_for(step->domains->parallel, next[color] - first, 1, process_cells, &pass);
        first = next[color];
    }
    dlp__profile_add(step->domains, name, started);
}

/* From j to i at the start of the step: the vector and its length, which is never zero. */
typedef struct StartOffset {
    float offset[3], r;
} StartOffset;

/* Current distance of two particles. */
static float distance(const dlp__Particles *p, int64_t i, int64_t j)
{
    const float x = p->position[0][i] - p->position[0][j], y = p->position[1][i] - p->position[1][j],
                z = p->position[2][i] - p->position[2][j];
    return sqrtf(x * x + y * y + z * z);
}

static StartOffset start_offset(const dlp__SpringsPlan *plan, const dlp__Particles *p, int64_t i, int64_t j)
{
    StartOffset pair;
    for (int a = 0; a < 3; a++) {
        pair.offset[a] = p->start[a][i] - p->start[a][j];
    }
    pair.r = sqrtf(pair.offset[0] * pair.offset[0] + pair.offset[1] * pair.offset[1] + pair.offset[2] * pair.offset[2]);
    if (pair.r < DLP_COINCIDENT * plan->support) {
        pair.r = DLP_COINCIDENT * plan->support;
        dlp__coincident_offset(p->id[0][i], p->id[0][j], pair.r, pair.offset);
    }
    return pair;
}

/* The share of particle i in a displacement or impulse between i and j. */
static float share_of(const dlp__Particles *p, int64_t i, int64_t j)
{
    return p->specific_volume[0][i] / (p->specific_volume[0][i] + p->specific_volume[0][j]);
}

static void displace(dlp__Particles *p, int64_t i, const float offset[3], float factor)
{
    for (int a = 0; a < 3; a++) {
        p->position[a][i] += factor * offset[a];
        p->correction[a][i] += factor * offset[a];
    }
}

static void add_velocity(const dlp__SpringsPlan *plan, dlp__Particles *p, int64_t i, const float offset[3],
                         float factor)
{
    for (int a = 0; a < 3; a++) {
        p->velocity[a][i] += factor * offset[a];
        p->position[a][i] += plan->dt * factor * offset[a];
    }
}

static void apply_viscosity(const dlp__SpringsPlan *plan, dlp__Domain *domain, const dlp__BondPart *bonds, int64_t i)
{
    (void)bonds;
    dlp__Particles *p = &domain->particles;
    const dlp__SpringsFields *f = dlp__own_fields(p);
    for (int32_t n = 0; n < domain->fluid.count[i]; n++) {
        const int64_t j = *dlp__neighbors_entry(&domain->fluid, i, n);
        if (j < i) { /* done when j was processed */
            continue;
        }
        const StartOffset pair = start_offset(plan, p, i, j);
        float u = 0.0f;
        for (int a = 0; a < 3; a++) {
            u -= (p->velocity[a][i] - p->velocity[a][j]) * pair.offset[a];
        }
        u /= pair.r;
        if (u > 0.0f && pair.r < plan->support) {
            const float sigma = dlp__mean(f->sigma[0][i], f->sigma[0][j]);
            const float part = plan->dt * (1.0f - pair.r * plan->per_h) * (sigma + plan->beta * u);
            const float impulse = fminf(part, 1.0f) * u / pair.r;
            add_velocity(plan, p, i, pair.offset, impulse * share_of(p, i, j));
            add_velocity(plan, p, j, pair.offset, -impulse * share_of(p, j, i));
        }
    }
}

void dlp__sequence_viscosity(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    process_in_color_order(step, plan, "springs viscosity", apply_viscosity);
}

static void apply_springs(const dlp__SpringsPlan *plan, dlp__Domain *domain, const dlp__BondPart *bonds, int64_t i)
{
    dlp__Particles *p = &domain->particles;
    const dlp__SpringsFields *f = dlp__own_fields(p);
    for (int32_t k = bonds->first[i]; k < bonds->last[i]; k++) {
        const int64_t j = bonds->partner[k];
        const float length = bonds->bond[k].length;
        if (j < i || length < 0.0f) {
            continue;
        }
        const StartOffset pair = start_offset(plan, p, i, j);
        const float stiffness = plan->depends_on_temperature ? dlp__mean(f->spring_law[0][i], f->spring_law[0][j])
                                                             : dlp__mean(plan->law[p->material[0][i]].stiffness,
                                                                         plan->law[p->material[0][j]].stiffness);
        const float factor = dlp__spring_move(plan, stiffness, length, distance(p, i, j)) / pair.r;
        displace(p, i, pair.offset, factor * share_of(p, i, j));
        displace(p, j, pair.offset, -factor * share_of(p, j, i));
    }
}

void dlp__sequence_apply_springs(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    if (plan->has_springs) {
        process_in_color_order(step, plan, "springs pull", apply_springs);
    }
}

/* Neighbours are displaced immediately, the particle itself at the end, so that it does not depend on their order. */
static void relax(const dlp__SpringsPlan *plan, dlp__Domain *domain, const dlp__BondPart *bonds, int64_t i)
{
    (void)bonds;
    dlp__Particles *p = &domain->particles;
    const dlp__SpringsFields *f = dlp__own_fields(p);
    float density = f->wall_density[0][i], near_density = f->wall_density[1][i], offset[3] = {0.0f, 0.0f, 0.0f};
    for (int32_t n = 0; n < domain->fluid.count[i]; n++) {
        const float r = distance(p, i, *dlp__neighbors_entry(&domain->fluid, i, n));
        const float close = fmaxf(1.0f - r * plan->per_h, 0.0f);
        density += close * close;
        near_density += close * close * close;
    }
    float near = plan->near * near_density, far = plan->far * (density - plan->target);
    const float net = far + plan->balance * near, pressed = fmaxf(net, 0.0f), pulled = fmaxf(-net, 0.0f);
    far += plan->stiffening * pressed + plan->slack * pulled;
    near += plan->near_stiffening * pressed;
    f->far_push[0][i] = far;
    f->near_push[0][i] = near;
    for (int32_t n = 0; n < domain->fluid.count[i]; n++) {
        const int64_t j = *dlp__neighbors_entry(&domain->fluid, i, n);
        const StartOffset pair = start_offset(plan, p, i, j);
        const float close = fmaxf(1.0f - distance(p, i, j) * plan->per_h, 0.0f);
        const float factor = (far + near * close) * close / pair.r;
        for (int a = 0; a < 3; a++) {
            offset[a] += factor * share_of(p, i, j) * pair.offset[a];
        }
        displace(p, j, pair.offset, -factor * share_of(p, j, i));
    }
    displace(p, i, offset, 1.0f);
}

void dlp__sequence_relax(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    process_in_color_order(step, plan, "springs relax", relax);
}
