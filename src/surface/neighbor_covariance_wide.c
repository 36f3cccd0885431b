/* Candidate n of a range is always added to partial sum n % 16, so that all widths sum in the same order. */
#include "base/simd.h"
#include "surface/neighbor_covariance.h"

enum { PARTS = 16, VECTORS = PARTS / DLP_WIDTH, SUMS = 10 };

typedef struct PartialSums {
    dlp__Wide part[SUMS][VECTORS];
} PartialSums;

DLP_INLINE void add_candidates(PartialSums *sums, const dlp__Particles *p, int32_t j, int32_t end, const float at[3],
                               float per_reach, int v)
{
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), scale = dlp__wide(per_reach);
    dlp__Wide x = scale * (dlp__wide_load(p->position[0] + j) - dlp__wide(at[0]));
    dlp__Wide y = scale * (dlp__wide_load(p->position[1] + j) - dlp__wide(at[1]));
    dlp__Wide z = scale * (dlp__wide_load(p->position[2] + j) - dlp__wide(at[2]));
    dlp__Wide remaining = one - (x * x + y * y + z * z);
    dlp__WideMask in_range = dlp__wide_both(dlp__wide_int_less(dlp__wide_count_from(j), dlp__wide_int(end)),
                                            dlp__wide_less(zero, remaining));
    remaining = dlp__wide_where(in_range, remaining);
    dlp__Wide weight = remaining * remaining;
    x = dlp__wide_where(in_range,
                        x); /* large or undefined numbers past the end must not be multiplied by a zero weight */
    y = dlp__wide_where(in_range, y);
    z = dlp__wide_where(in_range, z);
    dlp__Wide wx = weight * x, wy = weight * y, wz = weight * z;
    const dlp__Wide terms[SUMS] = {weight, wx, wy, wz, wx * x, wy * y, wz * z, wx * y, wx * z, wy * z};
    for (int s = 0; s < SUMS; s++) {
        sums->part[s][v] += terms[s];
    }
}

void DLP_WIDE(dlp__neighbor_covariance)(const dlp__Particles *p, const dlp__IndexRange *ranges, int count, int32_t i,
                                        float per_reach, dlp__NeighborCovariance *result)
{
    const float at[3] = {p->position[0][i], p->position[1][i], p->position[2][i]};
    PartialSums sums;
    for (int s = 0; s < SUMS; s++) {
        for (int v = 0; v < VECTORS; v++) {
            sums.part[s][v] = dlp__wide(0.0f);
        }
    }
    for (int r = 0; r < count; r++) {
        for (int32_t j = ranges[r].begin; j < ranges[r].end; j += PARTS) {
            for (int v = 0; v < VECTORS && j + v * DLP_WIDTH < ranges[r].end; v++) {
                add_candidates(&sums, p, j + v * DLP_WIDTH, ranges[r].end, at, per_reach, v);
            }
        }
    }
    float total[SUMS];
    for (int s = 0; s < SUMS; s++) {
        float parts[PARTS];
        for (int v = 0; v < VECTORS; v++) {
            dlp__wide_store(parts + v * DLP_WIDTH, sums.part[s][v]);
        }
        total[s] = 0.0f;
        for (int n = 0; n < PARTS; n++) {
            total[s] += parts[n];
        }
    }
    result->weight = total[0];
    memcpy(result->mean, total + 1, sizeof result->mean);
    memcpy(result->second_moments, total + 4, sizeof result->second_moments);
}
