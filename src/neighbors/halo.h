/* Ghosts: who they are, and how their fields get there. The only place where parts of a world meet. */
#ifndef DLP_NEIGHBORS_HALO_H
#define DLP_NEIGHBORS_HALO_H

#include "neighbors/domain.h"

/* Give every part a ghost of each particle within `ghost_layers` cells of its box, another part's or a periodic image, behind its
 * own particles and in order of (cell, id); lists the ghosts' cells too. Parts must be sorted. False without memory. */
bool dlp__halo_build(dlp__Domains *domains);
void dlp__halo_release(dlp__Halo *halo, dlp__Memory *memory);

/* Fill the ghosts' rows from their sources' rows. `shifted[c]` is true for components that a periodic image has
 * displaced along axis c. */
void dlp__halo_fill_rows(dlp__Domains *domains, int row, const bool shifted[4]);

#endif
