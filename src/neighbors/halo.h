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

/* Rows of `size` floats that ghosts copy from their sources. */
typedef struct dlp__HaloRow {
    int number, size;
    bool shifted[4]; /* which of their last four components are displaced along axis c in a periodic image */
    int velocity; /* 1 + the component that is velocity along x, which differs in images across the z faces of a sheared box; 0: none */
} dlp__HaloRow;

/* Fill the ghosts' rows: first send those that other ranks need, then receive theirs and fill all. Between the two the own rows may be read
 * only. The first returns false without memory; the second must then not be called. */
bool dlp__halo_send_rows(dlp__Domains *domains, const dlp__HaloRow *rows, int count);
void dlp__halo_receive_rows(dlp__Domains *domains, const dlp__HaloRow *rows, int count);

#endif
