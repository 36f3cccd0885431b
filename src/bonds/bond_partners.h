/* New bonds between neighbours that have none with each other. */
#ifndef DLP_BONDS_BOND_PARTNERS_H
#define DLP_BONDS_BOND_PARTNERS_H

#include "bonds/bonds.h"
#include "stages/stage_runner.h"

#include <math.h>

/* Whether particle i and its neighbour j, r (m) apart, are to be bonded; both ends must say the same. */
typedef bool (*dlp__JoinFunction)(const dlp__StageContext *context, int64_t i, int32_t j, float r);

/* The bonds that particle i of a stage gets: how many, and where `to` is not null, which. The first row of the stage holds
 * positions. A bond is as long as the two are apart. */
int64_t dlp__bonds_join(const dlp__StageContext *context, dlp__BondPart *part, int64_t i, dlp__JoinFunction join,
                        dlp__Bond *to);

/* Write them to where room was made, for the particles of a range that said they would get some. */
void dlp__bonds_join_range(const dlp__StageContext *context, dlp__BondPart *part, int64_t begin, int64_t end,
                           dlp__JoinFunction join);

/* m, between the places that begin two rows. */
static inline float dlp__row_distance(const float *own, const float *other)
{
    const float x = own[0] - other[0], y = own[1] - other[1], z = own[2] - other[2];
    return sqrtf(x * x + y * y + z * z);
}

#endif
