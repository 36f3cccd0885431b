#include "methods/springs/springs_sequence.h"
#include "methods/springs/springs_fields.h"

#include "methods/springs/coincident.h"
#include "methods/springs/springs_bonds.h"

#include <math.h>

enum { COLORS = 27 };

/* What is done to the pairs of one particle. */
typedef void (*TurnFunction)(const dlp__SpringsPlan *plan, dlp__Domain *domain, const dlp__BondPart *bonds, int64_t i);

typedef struct Pass {
    const dlp__SpringsPlan *plan;
    dlp__Domain *domain;
    const dlp__BondPart *bonds;
    TurnFunction turn;
    const int32_t *cell; /* of one colour */
} Pass;

static void take_turns(void *context, int64_t begin, int64_t end)
{
    const Pass *pass = context;
    const dlp__CellGrid *grid = &pass->domain->grid;
    for (int64_t n = begin; n < end; n++) {
        const int64_t first = grid->start[pass->cell[n]], count = grid->population[pass->cell[n]];
        for (int64_t i = first; i < first + count; i++) {
            pass->turn(pass->plan, pass->domain, pass->bonds, i);
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

/* Every particle's turn, in the order of colours. */
static void in_turn(dlp__StepContext *step, const dlp__SpringsPlan *plan, const char *name, TurnFunction turn)
{
    const double started = dlp__clock();
    dlp__Domain *domain = &step->domains->part[0];
    const dlp__CellGrid *grid = &domain->grid;
    int64_t next[COLORS + 1] = {0}, first = 0;
    int32_t *cell = dlp__arena_take(&step->domains->arena, grid->count, sizeof *cell);
    dlp__require_memory(step->domains, cell != NULL, "the order of cells");
    if (!dlp__step_is_ok(step->domains)) {
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
        Pass pass = {plan, domain, &plan->bonds->part[0], turn, cell + first};
        dlp__parallel_for(step->domains->parallel, next[color] - first, 1, take_turns, &pass);
        first = next[color];
    }
    dlp__profile_add(step->domains, name, started);
}

/* From j to i as the step began: the way and its length, which is never nothing. */
typedef struct Apart {
    float way[3], r;
} Apart;

/* How far apart two are where they are now. */
static float distance(const dlp__Particles *p, int64_t i, int64_t j)
{
    const float x = p->position[0][i] - p->position[0][j], y = p->position[1][i] - p->position[1][j],
                z = p->position[2][i] - p->position[2][j];
    return sqrtf(x * x + y * y + z * z);
}

static Apart apart(const dlp__SpringsPlan *plan, const dlp__Particles *p, int64_t i, int64_t j)
{
    Apart pair;
    for (int a = 0; a < 3; a++) {
        pair.way[a] = p->start[a][i] - p->start[a][j];
    }
    pair.r = sqrtf(pair.way[0] * pair.way[0] + pair.way[1] * pair.way[1] + pair.way[2] * pair.way[2]);
    if (pair.r < DLP_COINCIDENT * plan->support) {
        pair.r = DLP_COINCIDENT * plan->support;
        dlp__coincident_way(p->id[0][i], p->id[0][j], pair.r, pair.way);
    }
    return pair;
}

/* The part of a move or an impulse that particle i takes of what it exchanges with j. */
static float share_of(const dlp__Particles *p, int64_t i, int64_t j)
{
    return p->specific_volume[0][i] / (p->specific_volume[0][i] + p->specific_volume[0][j]);
}

static void move(dlp__Particles *p, int64_t i, const float way[3], float factor)
{
    for (int a = 0; a < 3; a++) {
        p->position[a][i] += factor * way[a];
        p->correction[a][i] += factor * way[a];
    }
}

static void push(const dlp__SpringsPlan *plan, dlp__Particles *p, int64_t i, const float way[3], float factor)
{
    for (int a = 0; a < 3; a++) {
        p->velocity[a][i] += factor * way[a];
        p->position[a][i] += plan->dt * factor * way[a];
    }
}

static void brake(const dlp__SpringsPlan *plan, dlp__Domain *domain, const dlp__BondPart *bonds, int64_t i)
{
    (void)bonds;
    dlp__Particles *p = &domain->particles;
    const dlp__SpringsFields *f = dlp__own_fields(p);
    for (int32_t n = 0; n < domain->fluid.count[i]; n++) {
        const int64_t j = *dlp__neighbors_entry(&domain->fluid, i, n);
        if (j < i) { /* that was its turn */
            continue;
        }
        const Apart pair = apart(plan, p, i, j);
        float u = 0.0f;
        for (int a = 0; a < 3; a++) {
            u -= (p->velocity[a][i] - p->velocity[a][j]) * pair.way[a];
        }
        u /= pair.r;
        if (u > 0.0f && pair.r < plan->support) {
            const float sigma = dlp__mean(f->sigma[0][i], f->sigma[0][j]);
            const float part = plan->dt * (1.0f - pair.r * plan->per_h) * (sigma + plan->beta * u);
            const float impulse = fminf(part, 1.0f) * u / pair.r;
            push(plan, p, i, pair.way, impulse * share_of(p, i, j));
            push(plan, p, j, pair.way, -impulse * share_of(p, j, i));
        }
    }
}

void dlp__sequence_viscosity(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    in_turn(step, plan, "springs viscosity", brake);
}

static void pull(const dlp__SpringsPlan *plan, dlp__Domain *domain, const dlp__BondPart *bonds, int64_t i)
{
    dlp__Particles *p = &domain->particles;
    const dlp__SpringsFields *f = dlp__own_fields(p);
    for (int32_t k = bonds->first[i]; k < bonds->last[i]; k++) {
        const int64_t j = bonds->partner[k];
        const float length = bonds->bond[k].length;
        if (j < i || length < 0.0f) {
            continue;
        }
        const Apart pair = apart(plan, p, i, j);
        const float stiffness = plan->by_heat ? dlp__mean(f->spring_law[0][i], f->spring_law[0][j])
                                              : dlp__mean(plan->law[p->material[0][i]].stiffness,
                                                          plan->law[p->material[0][j]].stiffness);
        const float factor = dlp__spring_move(plan, stiffness, length, distance(p, i, j)) / pair.r;
        move(p, i, pair.way, factor * share_of(p, i, j));
        move(p, j, pair.way, -factor * share_of(p, j, i));
    }
}

void dlp__sequence_pull(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    if (plan->sprung) {
        in_turn(step, plan, "springs pull", pull);
    }
}

/* Neighbours are moved at once, the particle itself at the end, so that their order does not matter to it. */
static void relax(const dlp__SpringsPlan *plan, dlp__Domain *domain, const dlp__BondPart *bonds, int64_t i)
{
    (void)bonds;
    dlp__Particles *p = &domain->particles;
    const dlp__SpringsFields *f = dlp__own_fields(p);
    float density = f->wall_density[0][i], near_density = f->wall_density[1][i], way[3] = {0.0f, 0.0f, 0.0f};
    for (int32_t n = 0; n < domain->fluid.count[i]; n++) {
        const float r = distance(p, i, *dlp__neighbors_entry(&domain->fluid, i, n));
        const float close = fmaxf(1.0f - r * plan->per_h, 0.0f);
        density += close * close;
        near_density += close * close * close;
    }
    const float near = plan->near * near_density, full = plan->far * (density - plan->target);
    const float far = full + plan->slack * fmaxf(-(full + plan->balance * near), 0.0f);
    f->far_push[0][i] = far;
    f->near_push[0][i] = near;
    for (int32_t n = 0; n < domain->fluid.count[i]; n++) {
        const int64_t j = *dlp__neighbors_entry(&domain->fluid, i, n);
        const Apart pair = apart(plan, p, i, j);
        const float close = fmaxf(1.0f - distance(p, i, j) * plan->per_h, 0.0f);
        const float factor = (far + near * close) * close / pair.r;
        for (int a = 0; a < 3; a++) {
            way[a] += factor * share_of(p, i, j) * pair.way[a];
        }
        move(p, j, pair.way, -factor * share_of(p, j, i));
    }
    move(p, i, way, 1.0f);
}

void dlp__sequence_relax(dlp__StepContext *step, const dlp__SpringsPlan *plan)
{
    in_turn(step, plan, "springs relax", relax);
}
