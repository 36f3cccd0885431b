#include "base/simd.h"
#include "surface/near_points.h"

void DLP_WIDE(dlp__near_points)(void *context, int32_t begin, int32_t end)
{
    dlp__NearPoints *near = context;
    const dlp__Particles *p = near->particles;
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), scale = dlp__wide(near->per_radius);
    for (int32_t j = begin; j < end; j += DLP_WIDTH) {
        dlp__Wide x = scale * (dlp__wide_load(p->position[0] + j) - dlp__wide(near->at[0]));
        dlp__Wide y = scale * (dlp__wide_load(p->position[1] + j) - dlp__wide(near->at[1]));
        dlp__Wide z = scale * (dlp__wide_load(p->position[2] + j) - dlp__wide(near->at[2]));
        dlp__Wide left = one - (x * x + y * y + z * z);
        unsigned bits = dlp__wide_bits(dlp__wide_less(zero, left));
        float lanes[DLP_WIDTH];
        dlp__wide_store(lanes, left);
        for (; bits != 0 && near->count < DLP_NEAR_MOST; bits &= bits - 1) {
            int lane = __builtin_ctz(bits);
            if (j + lane < end) {
                near->index[near->count] = j + lane;
                near->weight[near->count++] = lanes[lane] * lanes[lane];
            }
        }
    }
}
