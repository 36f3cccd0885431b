/* Ghosts: which particles they copy, and the exchange of their fields. The only place where the parts of a world
 * interact. */
#ifndef DLP_NEIGHBORS_HALO_H
#define DLP_NEIGHBORS_HALO_H

#include "neighbors/domain.h"

/* Create in every part a ghost of each particle within `ghost_layers` cells of its box, another part's or a periodic
 * image, after its own particles and in order of (cell, id); the ghosts' cells are listed too. Parts must be sorted.
 * False without memory. */
bool dlp__halo_build(dlp__Domains *domains);
void dlp__halo_release(dlp__Halo *halo, dlp__Memory *memory);

/* Fill the ghosts' rows of `size` floats from their sources' rows. `shifted[c]` is true for those of their last four components that are
 * displaced along axis c in a periodic image. */
void dlp__halo_fill_rows(dlp__Domains *domains, int row, int size, const bool shifted[4]);

#endif
