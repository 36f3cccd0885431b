/* The part of the halo that lies between ranks: cells, records and rows of particles that are ghosts of another rank. One process alone
 * has none. */
#ifndef DLP_NEIGHBORS_RANK_HALO_H
#define DLP_NEIGHBORS_RANK_HALO_H

#include "neighbors/halo.h"

enum { DLP_NO_IMAGE = 13, DLP_IMAGES = 27 };

/* The offset of a periodic image: -1, 0 or 1 periods along each axis. */
static inline void dlp__image_steps(int image, int step[3])
{
    step[0] = image % 3 - 1;
    step[1] = image / 3 % 3 - 1;
    step[2] = image / 9 - 1;
}

bool dlp__image_exists(const dlp__CellFrame *frame, int image);

/* One ghost cell of a part, or one of its particles, where an image is not displaced by whole cells. */
typedef struct dlp__GhostCell {
    uint64_t key; /* at its shifted position */
    uint64_t id;  /* of the particle, if it is listed by itself; orders the particles of a cell */
    int32_t start, population;
    uint8_t part, image;
} dlp__GhostCell;

/* List the cells of part `from`, shifted to `image`, that are within `ghost_layers` of the box lower <= c < upper; with cells == null only
 * count them. Particles across the z faces of a sheared box are listed one by one. */
int64_t dlp__list_cells_near(const dlp__Domains *domains, int from, int image, const int32_t lower[3],
                             const int32_t upper[3], dlp__GhostCell *cells);

/* Send the own cells near the boxes of other ranks to them, with the fields that ghosts copy. False without memory. */
bool dlp__rank_halo_exchange_cells(dlp__Domains *domains);
/* The cells received; with cells == null only their number. */
int64_t dlp__rank_halo_cells(const dlp__Domains *domains, dlp__GhostCell *cells);
/* The record of a particle received. */
const char *dlp__rank_halo_record(const dlp__Halo *halo, size_t record_bytes, int64_t particle);

bool dlp__rank_halo_send(dlp__Domains *domains, const dlp__HaloRow *rows, int count);
/* The rows of all particles received, side by side; null without ranks. */
const float *dlp__rank_halo_receive(dlp__Domains *domains, int count);
void dlp__rank_halo_release(dlp__Halo *halo, dlp__Memory *memory);

#endif
