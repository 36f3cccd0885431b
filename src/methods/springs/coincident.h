/* Two particles in one place have no line between them along which to part: they take one that their ids say. */
#ifndef DLP_METHODS_SPRINGS_COINCIDENT_H
#define DLP_METHODS_SPRINGS_COINCIDENT_H

#include "base/hash.h"

#include <math.h>
#include <stdbool.h>

/* Nearer than this part of the support, two particles are in one place. */
#define DLP_COINCIDENT 1e-6f

/* A vector of that length from `other` to `own`; the opposite from `own` to `other`. */
static inline void dlp__coincident_way(uint64_t own, uint64_t other, float length, float way[3])
{
    const bool first = own < other;
    const uint64_t pair = dlp__hash_word(dlp__hash_word(DLP_HASH_SEED, first ? own : other), first ? other : own);
    const uint64_t hash = dlp__hash_finish(pair);
    const float half = (float)(1 << 20);
    float square = 0.0f;
    for (int a = 0; a < 3; a++) {
        way[a] = (float)(hash >> (21 * a) & 0x1fffff) - half + 0.5f;
        square += way[a] * way[a];
    }
    const float size = (first ? length : -length) / sqrtf(square);
    for (int a = 0; a < 3; a++) {
        way[a] *= size;
    }
}

#endif
