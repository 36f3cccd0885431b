/* Reproducible sums: the result is the same to the last bit in any order, so for any number of threads, parts or ranks. Each
 * term is rounded to a multiple of a fixed unit, and integers add up exactly.
 *
 * The unit is 2^-70 of the scale; a term may be as large as the scale. The scale starts as a guess. It is changed, and the sum
 * repeated, if a term exceeds it or all terms are too small for it; the final scale depends on the terms and the guess only. */
#ifndef DLP_BASE_EXACT_SUM_H
#define DLP_BASE_EXACT_SUM_H

#include "base/parallel.h"

typedef struct dlp__ExactSum {
    double per_scale; /* a power of two */
    int64_t carry;    /* 2^-6 of the scale: whole multiples of 2^32 of `high`, in a total */
    int64_t high;     /* 2^-38              */
    int64_t low;      /* 2^-70              */
    int64_t bits;     /* bitwise or of |whole part| of all terms: bounds their size */
    bool nonzero;     /* a term was not zero              */
    bool overflow;    /* a term was larger than the scale */
} dlp__ExactSum;

static inline void dlp__exact_add(dlp__ExactSum *sum, double term)
{
    double scaled = term * sum->per_scale;
    if (!(scaled > -0x1p38 && scaled < 0x1p38)) {
        sum->overflow = true;
        return;
    }
    int64_t whole = (int64_t)scaled;
    sum->nonzero |= term != 0.0;
    sum->high += whole;
    sum->bits |= whole < 0 ? -whole : whole;
    sum->low += (int64_t)((scaled - (double)whole) * 0x1p32);
}

/* Start a sum with a guess of the exponent of its scale; add a sum of the same scale, of at most 2^24 terms or merged itself, to
 * another; finish. dlp__exact_end() returns false, with a better guess in `exponent`, if all terms must be added again. The result is
 * NaN if a term is not finite. */
dlp__ExactSum dlp__exact_begin(int exponent);
void dlp__exact_merge(dlp__ExactSum *sum, const dlp__ExactSum *other);
bool dlp__exact_end(const dlp__ExactSum *sum, int *exponent, double *result);

/* Adds the terms of items begin <= i < end of one part. */
typedef void (*dlp__TermsFunction)(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum);

/* The sum over all items of all parts of all ranks, with `counts` items each; at most 2^31 items. `scale` holds the initial guess on
 * entry (start with 1) and the final scale on return. NaN if a term is not finite. */
double dlp__exact_sum(const dlp__Parallel *parallel, int parts, const int64_t *counts, dlp__TermsFunction terms,
                      const void *context, double *scale);

/* Terms factor_i * (a_i . b_i) of floats, with up to three components. */
typedef struct dlp__ExactProducts {
    float *const *a, *const *b;
    const float *factor; /* null: 1 */
    int components;
} dlp__ExactProducts;

/* Adds the terms begin <= i < end, at most 2^15 of them, exactly as dlp__exact_add() would; one version per vector width. */
typedef void (*dlp__ExactProductsFunction)(const dlp__ExactProducts *terms, int64_t begin, int64_t end,
                                           dlp__ExactSum *sum);
void dlp__exact_products_w1(const dlp__ExactProducts *terms, int64_t begin, int64_t end, dlp__ExactSum *sum);
void dlp__exact_products_w4(const dlp__ExactProducts *terms, int64_t begin, int64_t end, dlp__ExactSum *sum);
void dlp__exact_products_w8(const dlp__ExactProducts *terms, int64_t begin, int64_t end, dlp__ExactSum *sum);
void dlp__exact_products_w16(const dlp__ExactProducts *terms, int64_t begin, int64_t end, dlp__ExactSum *sum);

#endif
