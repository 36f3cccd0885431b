/* Exact sums in blocks on many threads, repeated with another scale until it fits. */
#include "base/exact_sum.h"

#include <math.h>

enum { BLOCK = 4096, BATCH_BLOCKS = 256, EXPONENT_MAX = 900 };

dlp__ExactSum dlp__exact_begin(int exponent)
{
    return (dlp__ExactSum){.per_scale = ldexp(1.0, 38 - exponent)};
}

void dlp__exact_merge(dlp__ExactSum *sum, const dlp__ExactSum *other)
{
    const int64_t high = sum->high + other->high, kept = high & 0xffffffff;
    sum->carry += other->carry + (high - kept) / 0x100000000;
    sum->high = kept;
    sum->low += other->low;
    sum->bits |= other->bits;
    sum->nonzero |= other->nonzero;
    sum->overflow |= other->overflow;
}

/* The whole multiples of 2^-38 of the scale. */
static double whole_of(const dlp__ExactSum *sum)
{
    const int64_t most = (int64_t)1 << 30; /* of carries that fit together with the rest */
    return sum->carry > -most && sum->carry < most ? (double)(sum->carry * 0x100000000 + sum->high)
                                                   : ldexp((double)sum->carry, 32) + (double)sum->high;
}

bool dlp__exact_end(const dlp__ExactSum *sum, int *exponent, double *result)
{
    if (sum->overflow) {
        *exponent += 32;
        *result = NAN;
        return *exponent > EXPONENT_MAX;
    }
    if (sum->bits < 64 && sum->nonzero) {
        *exponent -= 32;
        *result = 0.0;
        return *exponent < -EXPONENT_MAX;
    }
    *result = ldexp(whole_of(sum), *exponent - 38) + ldexp((double)sum->low, *exponent - 70);
    return true;
}

typedef struct Batch {
    dlp__TermsFunction terms;
    const void *context;
    int part;
    int64_t first, count;
    double per_scale;
    dlp__ExactSum sum[BATCH_BLOCKS];
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
    for (batch->first = 0; batch->first < batch->count; batch->first += (int64_t)BATCH_BLOCKS * BLOCK) {
        int64_t blocks = (batch->count - batch->first + BLOCK - 1) / BLOCK;
        blocks = blocks < BATCH_BLOCKS ? blocks : BATCH_BLOCKS;
        dlp__parallel_for(parallel, blocks, 1, sum_blocks, batch);
        for (int64_t block = 0; block < blocks; block++) {
            dlp__exact_merge(total, &batch->sum[block]);
        }
    }
}

double dlp__exact_sum(const dlp__Parallel *parallel, int parts, const int64_t *counts, dlp__TermsFunction terms,
                      const void *context, double *scale)
{
    int exponent = 0;
    double result = 0.0;
    dlp__ExactSum total;
    frexp(*scale, &exponent);
    do {
        *scale = ldexp(1.0, exponent);
        total = dlp__exact_begin(exponent);
        Batch batch = {.terms = terms, .context = context, .per_scale = total.per_scale};
        for (int part = 0; part < parts; part++) {
            batch.part = part;
            batch.count = counts[part];
            add_part(parallel, &batch, &total);
        }
        dlp__ranks_reduce(parallel->ranks, DLP_REDUCE_EXACT, &total, 1);
    } while (!dlp__exact_end(&total, &exponent, &result));
    return result;
}
