/* Collects the points of a range within the radius, with their weights, a vector at a time. */
#include "base/simd.h"
#include "surface/weighted_points.h"

void DLP_WIDE(dlp__weighted_points)(void *context, int32_t begin, int32_t end)
{
    dlp__WeightedPoints *points_near = context;
    const dlp__Particles *p = points_near->particles;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), scale = dlp__wide(points_near->per_radius);
    for (int32_t j = begin; j < end; j += DLP_WIDTH) {
        dlp__Wide x = scale * (dlp__wide_load(p->position[0] + j) - dlp__wide(points_near->at[0]));
        dlp__Wide y = scale * (dlp__wide_load(p->position[1] + j) - dlp__wide(points_near->at[1]));
        dlp__Wide z = scale * (dlp__wide_load(p->position[2] + j) - dlp__wide(points_near->at[2]));
        dlp__Wide remaining = one - (x * x + y * y + z * z);
        unsigned bits = dlp__wide_bits(dlp__wide_less(zero, remaining));
        float lanes[DLP_WIDTH];
        dlp__wide_store(lanes, remaining);
        for (; bits != 0 && points_near->count < DLP_MAX_WEIGHTED_POINTS; bits &= bits - 1) {
            int lane = __builtin_ctz(bits);
            if (j + lane < end) {
                points_near->index[points_near->count] = j + lane;
                points_near->weight[points_near->count++] = lanes[lane] * lanes[lane];
            }
        }
    }
}
