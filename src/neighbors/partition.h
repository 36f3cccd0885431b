/* Which part owns which cells. Parts are boxes of cells. */
#ifndef DLP_NEIGHBORS_PARTITION_H
#define DLP_NEIGHBORS_PARTITION_H

#include "neighbors/domain.h"

/* Choose the boxes of parts and ranks, if there are none or the load is out of balance. False without memory. */
bool dlp__partition_update(dlp__Domains *domains);
/* Divide these as others are divided, if those are, so that ranks keep copies of their particles. False without memory. */
bool dlp__partition_copy(dlp__Domains *domains, const dlp__Domains *from);
void dlp__partition_release(dlp__Domains *domains);

/* Move particles to the part and the rank that own their cell; the originals are marked dead. False without memory. migration.c */
bool dlp__migrate(dlp__Domains *domains);

static inline bool dlp__box_has(const int32_t lower[3], const int32_t upper[3], dlp__Cell cell)
{
    return cell.x >= lower[0] && cell.x < upper[0] && cell.y >= lower[1] && cell.y < upper[1] && cell.z >= lower[2] &&
           cell.z < upper[2];
}

#endif
