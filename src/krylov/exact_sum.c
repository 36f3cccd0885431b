#include "krylov/exact_sum.h"

#include <math.h>

enum { BLOCK = 4096, BLOCKS_AT_ONCE = 256, TRIES = 64 };

typedef struct Batch {
    dlp__TermsFunction terms;
    const void *context;
    int part;
    int64_t first, count;
    double per_scale;
    dlp__ExactSum sum[BLOCKS_AT_ONCE];
} Batch;

static void sum_blocks(void *context, int64_t begin, int64_t end)
{
    Batch *batch = context;
    for (int64_t block = begin; block < end; block++) {
        int64_t from = batch->first + block * BLOCK, to = from + BLOCK < batch->count ? from + BLOCK : batch->count;
        dlp__ExactSum sum = {.per_scale = batch->per_scale};
        batch->terms(batch->context, batch->part, from, to, &sum);
        batch->sum[block] = sum;
    }
}

static void add_part(const dlp__Parallel *parallel, Batch *batch, dlp__ExactSum *total)
{
    for (batch->first = 0; batch->first < batch->count; batch->first += (int64_t)BLOCKS_AT_ONCE * BLOCK) {
        int64_t blocks = (batch->count - batch->first + BLOCK - 1) / BLOCK;
        blocks = blocks < BLOCKS_AT_ONCE ? blocks : BLOCKS_AT_ONCE;
        dlp__parallel_for(parallel, blocks, 1, sum_blocks, batch);
        for (int64_t block = 0; block < blocks; block++) {
            total->high += batch->sum[block].high;
            total->low += batch->sum[block].low;
            total->bits |= batch->sum[block].bits;
            total->some |= batch->sum[block].some;
            total->over |= batch->sum[block].over;
        }
    }
}

double dlp__exact_sum(const dlp__Parallel *parallel, int parts, const int64_t *counts, dlp__TermsFunction terms,
                      const void *context, double *scale)
{
    int exponent = 0;
    frexp(*scale, &exponent);
    for (int attempt = 0; attempt < TRIES; attempt++) {
        Batch batch = {.terms = terms, .context = context, .per_scale = ldexp(1.0, 38 - exponent)};
        dlp__ExactSum total = {0};
        for (int part = 0; part < parts; part++) {
            batch.part = part;
            batch.count = counts[part];
            add_part(parallel, &batch, &total);
        }
        double sum = ldexp((double)total.high, exponent - 38) + ldexp((double)total.low, exponent - 70);
        *scale = ldexp(1.0, exponent);
        if (total.over) {
            exponent += 32;
        } else if (total.bits < 64 && total.some) {
            exponent -= 32;
        } else {
            return sum;
        }
        if (exponent < -900 || exponent > 900) {
            break;
        }
    }
    return *scale > 1.0 ? NAN : 0.0;
}
