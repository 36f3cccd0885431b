/* Sums that come out the same to the last bit in any order, and so for any number of threads, parts or ranks: each term is
 * rounded to whole units that go with the size of the sum, and whole numbers add up exactly.
 *
 * A unit is 2^-70 of the scale; a term may be as large as the scale. The scale is guessed, and sought anew when a term does
 * not fit or all are too small for it; what it ends at depends on the terms and the guess alone. */
#ifndef DLP_BASE_EXACT_SUM_H
#define DLP_BASE_EXACT_SUM_H

#include "base/parallel.h"

typedef struct dlp__ExactSum {
    double per_scale; /* a power of two */
    int64_t high;     /* 2^-38 of the scale */
    int64_t low;      /* 2^-70              */
    int64_t bits;     /* the absolute whole parts of all terms, or-ed: how large they are */
    bool some;        /* a term was not zero              */
    bool over;        /* a term was larger than the scale */
} dlp__ExactSum;

static inline void dlp__exact_add(dlp__ExactSum *sum, double term)
{
    double scaled = term * sum->per_scale;
    if (!(scaled > -0x1p38 && scaled < 0x1p38)) {
        sum->over = true;
        return;
    }
    int64_t whole = (int64_t)scaled;
    sum->some |= term != 0.0;
    sum->high += whole;
    sum->bits |= whole < 0 ? -whole : whole;
    sum->low += (int64_t)((scaled - (double)whole) * 0x1p32);
}

/* A sum with this guess of the scale's exponent, to add terms to; two of the same scale together; and what came out, or a better
 * guess in `exponent` with which to add them all again. NaN if a term is not finite. */
dlp__ExactSum dlp__exact_begin(int exponent);
void dlp__exact_join(dlp__ExactSum *sum, const dlp__ExactSum *more);
bool dlp__exact_end(const dlp__ExactSum *sum, int *exponent, double *result);

/* Adds the terms of items begin <= i < end of one of `parts` lists. */
typedef void (*dlp__TermsFunction)(const void *context, int part, int64_t begin, int64_t end, dlp__ExactSum *sum);

/* The sum over all items of all parts, `counts` of them in each; at most 2^24 or so. `scale` holds the guess, and in the end
 * the scale that fitted; start with 1. NaN if a term is not finite. */
double dlp__exact_sum(const dlp__Parallel *parallel, int parts, const int64_t *counts, dlp__TermsFunction terms,
                      const void *context, double *scale);

#endif
