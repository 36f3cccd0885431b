/* Whether all values of an array are finite. x - x is zero unless x is NaN or infinite, and a sum with NaN in it is NaN. */
#include "particles/finite.h"

#include "base/simd.h"

bool DLP_WIDE(dlp__all_finite)(const float *values, int64_t count)
{
    enum { SUMS = 4 }; /* independent additions hide their latency */
    dlp__Wide sum[SUMS] = {dlp__wide(0.0f), dlp__wide(0.0f), dlp__wide(0.0f), dlp__wide(0.0f)};
    float rest = 0.0f, lane[DLP_WIDTH];
    int64_t i = 0;
    for (; i + SUMS * DLP_WIDTH <= count; i += SUMS * DLP_WIDTH) {
        for (int n = 0; n < SUMS; n++) {
            const dlp__Wide x = dlp__wide_load(values + i + n * DLP_WIDTH);
            sum[n] += x - x;
        }
    }
    for (; i < count; i++) {
        rest += values[i] - values[i];
    }
    dlp__wide_store(lane, sum[0] + sum[1] + sum[2] + sum[3]);
    for (int n = 0; n < DLP_WIDTH; n++) {
        rest += lane[n];
    }
    return rest == 0.0f;
}
