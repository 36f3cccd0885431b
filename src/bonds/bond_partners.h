/* Creation of bonds between neighbours that are not bonded yet. */
#ifndef DLP_BONDS_BOND_PARTNERS_H
#define DLP_BONDS_BOND_PARTNERS_H

#include "bonds/bonds.h"
#include "stages/stage_runner.h"

#include <math.h>

/* Whether particle i and its neighbour j at distance r (m) are to be bonded; must be symmetric. */
typedef bool (*dlp__BondPredicate)(const dlp__StageContext *context, int64_t i, int32_t j, float r);

/* The new bonds of particle i of a stage: returns their number and, if `to` is not null, writes them. The first row
 * of the stage holds positions. The rest length is the current distance. */
int64_t dlp__bonds_create(const dlp__StageContext *context, dlp__BondPart *part, int64_t i, dlp__BondPredicate join,
                          dlp__Bond *to);

/* Write them to the allocated bonds, for the particles of a range that have new ones. */
void dlp__bonds_create_range(const dlp__StageContext *context, dlp__BondPart *part, int64_t begin, int64_t end,
                             dlp__BondPredicate join);

/* m, between the positions at the start of two rows. */
static inline float dlp__row_distance(const float *own, const float *other)
{
    const float x = own[0] - other[0], y = own[1] - other[1], z = own[2] - other[2];
    return sqrtf(x * x + y * y + z * z);
}

#endif
