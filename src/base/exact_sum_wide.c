/* Exact sums of products, several terms at a time. Whole parts are below 2^38 and fractions are integers below 2^32, so that doubles add up 2^15
 * of them without rounding. */
#include "base/exact_sum.h"
#include "base/simd.h"

typedef struct Sums {
    dlp__WideDouble whole, fraction, largest;
} Sums;

DLP_INLINE dlp__WideDouble terms_at(const dlp__ExactProducts *terms, int64_t i)
{
    dlp__WideDouble term = dlp__wide_double(0.0);
    for (int n = 0; n < terms->components; n++) {
        term += dlp__wide_load_floats(terms->a[n] + i) * dlp__wide_load_floats(terms->b[n] + i);
    }
    return terms->factor != NULL ? dlp__wide_load_floats(terms->factor + i) * term : term;
}

DLP_INLINE double lone_term(const dlp__ExactProducts *terms, int64_t i)
{
    double term = 0.0;
    for (int n = 0; n < terms->components; n++) {
        term += (double)terms->a[n][i] * (double)terms->b[n][i];
    }
    return terms->factor != NULL ? (double)terms->factor[i] * term : term;
}

/* A NaN among the terms makes the sum of a lane NaN. */
static void add_lanes(const Sums *sums, dlp__ExactSum *sum)
{
    double whole[DLP_DOUBLES], fraction[DLP_DOUBLES], largest[DLP_DOUBLES];
    memcpy(whole, &sums->whole, sizeof whole);
    memcpy(fraction, &sums->fraction, sizeof fraction);
    memcpy(largest, &sums->largest, sizeof largest);
    for (int n = 0; n < DLP_DOUBLES; n++) {
        if (!(largest[n] * sum->per_scale < 0x1p38) || isnan(whole[n])) {
            sum->overflow = true;
            return;
        }
        sum->high += (int64_t)whole[n];
        sum->low += (int64_t)fraction[n];
        sum->bits |= (int64_t)(largest[n] * sum->per_scale);
        sum->nonzero |= largest[n] > 0.0;
    }
}

void DLP_WIDE(dlp__exact_products)(const dlp__ExactProducts *terms, int64_t begin, int64_t end, dlp__ExactSum *sum)
{
    const dlp__WideDouble zero = dlp__wide_double(0.0), per_scale = dlp__wide_double(sum->per_scale);
    Sums sums = {zero, zero, zero};
    int64_t i = begin;
    for (; i + DLP_DOUBLES <= end; i += DLP_DOUBLES) {
        dlp__WideDouble term = terms_at(terms, i), scaled = term * per_scale, whole = dlp__wide_truncate(scaled);
        sums.largest = dlp__wide_larger(sums.largest, dlp__wide_size(term));
        sums.whole += whole;
        sums.fraction += dlp__wide_truncate((scaled - whole) * dlp__wide_double(0x1p32));
    }
    add_lanes(&sums, sum);
    for (; i < end; i++) {
        dlp__exact_add(sum, lone_term(terms, i));
    }
}
