#include "base/long_accumulator.h"

#include <math.h>

enum { LIMB_BITS = 32, MANTISSA_BITS = 53, EXPONENT_MOST = 220 };

static const uint64_t LIMB_MASK = 0xffffffffu;

void dlp__long_add(dlp__LongAccumulator *sum, double term)
{
    int exponent = 0;
    if (term == 0.0) {
        return;
    }
    const double mantissa = frexp(fabs(term), &exponent);
    if (!(isfinite(term) && exponent <= EXPONENT_MOST)) {
        sum->overflow++;
        return;
    }
    uint64_t bits = (uint64_t)ldexp(mantissa, MANTISSA_BITS);
    int shift = exponent - MANTISSA_BITS - DLP_LONG_LOWEST;
    if (shift < 0) {
        bits = shift > -MANTISSA_BITS ? bits >> -shift : 0;
        shift = 0;
    }
    const int first = shift / LIMB_BITS, within = shift % LIMB_BITS;
    const uint64_t low = (bits & LIMB_MASK) << within, high = (bits >> LIMB_BITS) << within;
    const int64_t part[3] = {(int64_t)(low & LIMB_MASK), (int64_t)((low >> LIMB_BITS) + (high & LIMB_MASK)),
                             (int64_t)(high >> LIMB_BITS)};
    for (int n = 0; n < 3; n++) {
        sum->limb[first + n] += term < 0.0 ? -part[n] : part[n];
    }
}

void dlp__long_merge(dlp__LongAccumulator *sum, const dlp__LongAccumulator *other)
{
    for (int n = 0; n < DLP_LONG_LIMBS; n++) {
        sum->limb[n] += other->limb[n];
    }
    sum->overflow += other->overflow;
}

/* Carries make the limbs unique for the number, so that the result does not depend on the order of the terms. */
double dlp__long_value(const dlp__LongAccumulator *sum)
{
    int64_t limb[DLP_LONG_LIMBS], carry = 0;
    double value = 0.0;
    if (sum->overflow > 0) {
        return NAN;
    }
    for (int n = 0; n < DLP_LONG_LIMBS - 1; n++) {
        const int64_t all = sum->limb[n] + carry;
        limb[n] = (int64_t)((uint64_t)all & LIMB_MASK);
        carry = (all - limb[n]) / ((int64_t)1 << LIMB_BITS);
    }
    limb[DLP_LONG_LIMBS - 1] = sum->limb[DLP_LONG_LIMBS - 1] + carry;
    for (int n = DLP_LONG_LIMBS - 1; n >= 0; n--) {
        value += ldexp((double)limb[n], LIMB_BITS * n + DLP_LONG_LOWEST);
    }
    return value;
}

void dlp__long_merge_ranks(dlp_Ranks *ranks, dlp__LongAccumulator *sums, int count)
{
    _Static_assert(sizeof *sums == (DLP_LONG_LIMBS + 1) * sizeof(int64_t), "they are summed as integers");
    dlp__ranks_reduce(ranks, DLP_REDUCE_SUM, sums, (int64_t)count * (DLP_LONG_LIMBS + 1));
}

void dlp__ranks_add(dlp_Ranks *ranks, double *values, int count)
{
    enum { BATCH = 16 }; /* values in one reduction */
    for (int first = 0; first < count && dlp__ranks_count(ranks) > 1; first += BATCH) {
        const int batch = count - first < BATCH ? count - first : BATCH;
        dlp__LongAccumulator sums[BATCH] = {{{0}, 0}};
        for (int n = 0; n < batch; n++) {
            dlp__long_add(&sums[n], values[first + n]);
        }
        dlp__long_merge_ranks(ranks, sums, batch);
        for (int n = 0; n < batch; n++) {
            values[first + n] = dlp__long_value(&sums[n]);
        }
    }
}
