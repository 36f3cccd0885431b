/* The pair loops of the Poisson equation: see poisson.h. */
#include "poisson/poisson_stages.h"

#include "poisson/poisson_pairs.h"
#include "stages/pair_loop.h"

/* A particle without couplings has mobility 0 and the solution 0. */
static void begin_solve(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PoissonPairs *pairs = c->arguments;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f);
    const dlp__NeighborList *list = pairs->list[c->part];
    int32_t *couplings = pairs->compact[c->part].count;
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide own = dlp__own_rows(c->rows[0], i).x, loss = dlp__wide_load(p->poisson_loss[0] + i), weights = zero,
                  flow = zero, number = zero;
        dlp__Lanes lanes = dlp__lanes(list, i);
        const float *weight = pairs->weight[c->part] + dlp__poisson_first(list, i);
        for (int32_t k = 0; k < lanes.longest; k++, weight += DLP_GROUP) {
            dlp__WideRow other = dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP);
            dlp__WideMask there = dlp__wide_int_less(dlp__wide_int(k), lanes.count);
            dlp__Wide w = dlp__wide_where(there, dlp__wide_load(weight));
            weights += w;
            number += dlp__wide_where(dlp__wide_less(zero, w), one);
            flow += w * (own - other.x);
        }
        dlp__Wide diagonal = loss + weights, source = dlp__wide_load(p->poisson_source[0] + i);
        dlp__WideMask coupled = dlp__wide_less(zero, diagonal);
        dlp__wide_store(p->mobility[0] + i, dlp__wide_where(coupled, one / diagonal));
        dlp__wide_store(p->residual[0] + i, dlp__wide_where(coupled, source - (flow + loss * own)));
        dlp__wide_store(p->change[0] + i, dlp__wide_where(coupled, own));
        float counted[DLP_WIDTH];
        dlp__wide_store(counted, number);
        for (int lane = 0; lane < DLP_WIDTH; lane++) {
            couplings[i + lane] = (int32_t)counted[lane];
        }
    }
}

static void product(const dlp__StageContext *c, int64_t begin, int64_t end)
{
    const dlp__PoissonPairs *pairs = c->arguments;
    const dlp__NeighborList *list = pairs->list[c->part];
    dlp__Particles *p = c->particles;
    for (int64_t i = begin; i < end; i += DLP_WIDTH) {
        dlp__Wide own = dlp__own_rows(c->rows[0], i).x, flow = dlp__wide(0.0f);
        dlp__Lanes lanes = dlp__lanes(list, i);
        const float *weight = pairs->weight[c->part] + dlp__poisson_first(list, i);
        for (int32_t k = 0; k < lanes.longest; k++, weight += DLP_GROUP) {
            dlp__WideRow other = dlp__wide_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP);
            flow += dlp__wide_load(weight) * (own - other.x); /* zero in the padding: a particle with itself */
        }
        dlp__wide_store(p->product[0] + i, flow + dlp__wide_load(p->poisson_loss[0] + i) * own);
    }
}

const dlp__PoissonStages DLP_WIDE(dlp__poisson_stages) = {
    .begin = {.name = "poisson begin",
              .function = begin_solve,
              .gathers = {DLP_ROW_SCALAR(DLP_FIELD_change)},
              .reads = {DLP_FIELD_poisson_loss, DLP_FIELD_poisson_source},
              .writes = {DLP_FIELD_mobility, DLP_FIELD_residual, DLP_FIELD_change}},
    .product = {.name = "poisson operator",
                .function = product,
                .gathers = {DLP_ROW_SCALAR(DLP_FIELD_search)},
                .reads = {DLP_FIELD_poisson_loss},
                .writes = {DLP_FIELD_product}},
};
