/* Two particles at the same position have no line between them along which to separate: a hash of their ids gives the direction. */
#ifndef DLP_METHODS_SPRINGS_COINCIDENT_H
#define DLP_METHODS_SPRINGS_COINCIDENT_H

#include "base/hash.h"

#include <math.h>
#include <stdbool.h>

/* Particles closer than this fraction of the support count as coincident. */
#define DLP_COINCIDENT 1e-6f

/* A vector of the given length from `other` to `own`; swapping the ids reverses it. */
static inline void dlp__coincident_offset(uint64_t own, uint64_t other, float length, float offset[3])
{
    const bool first = own < other;
    const uint64_t pair = dlp__hash_word(dlp__hash_word(DLP_HASH_SEED, first ? own : other), first ? other : own);
    const uint64_t hash = dlp__hash_finish(pair);
    const float half = (float)(1 << 20);
    float square = 0.0f;
    for (int a = 0; a < 3; a++) {
        offset[a] = (float)(hash >> (21 * a) & 0x1fffff) - half + 0.5f;
        square += offset[a] * offset[a];
    }
    const float size = (first ? length : -length) / sqrtf(square);
    for (int a = 0; a < 3; a++) {
        offset[a] *= size;
    }
}

#endif
