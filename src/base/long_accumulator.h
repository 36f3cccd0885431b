/* A long (Kulisch) accumulator: a fixed-point number so wide that sums of doubles are exact in any order and at any scale. For
 * sums whose terms arise one at a time; exact_sum.h is faster where all terms can be visited again. */
#ifndef DLP_BASE_LONG_ACCUMULATOR_H
#define DLP_BASE_LONG_ACCUMULATOR_H

#include "base/rank_calls.h"

/* Limb k counts multiples of 2^(32 k + DLP_LONG_LOWEST). Parts of a term below that are dropped, and terms above 2^220 are
 * overflow. A limb has room for 2^31 terms. */
enum { DLP_LONG_LIMBS = 14, DLP_LONG_LOWEST = -192 };

typedef struct dlp__LongAccumulator {
    int64_t limb[DLP_LONG_LIMBS];
    int64_t overflow; /* terms that were too large or not finite */
} dlp__LongAccumulator;

void dlp__long_add(dlp__LongAccumulator *sum, double term);
void dlp__long_merge(dlp__LongAccumulator *sum, const dlp__LongAccumulator *other);

/* Each sum becomes that over all ranks. */
void dlp__long_merge_ranks(dlp_Ranks *ranks, dlp__LongAccumulator *sums, int count);
/* Values become their sums over all ranks, rounded once. */
void dlp__ranks_add(dlp_Ranks *ranks, double *values, int count);

/* NaN if a term was too large or not finite. */
double dlp__long_value(const dlp__LongAccumulator *sum);

#endif
