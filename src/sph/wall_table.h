/* One sample that stands for a wall. To the fluid a wall looks like more of the same: layers of particles half a
 * spacing, one and a half, ... behind its surface, each spread evenly over its plane. At distance s from the surface
 * their kernel sum is f(s), and the gradient of that is f'(s); for a lattice of particles that ends half a spacing
 * before the wall this completes every particle's kernel sum to that of a full lattice. (A solid half space does not:
 * the first layer would find itself 2 to 5 % too dense.)
 *
 * The layers also hold the fluid's pressure and answer with it, which doubles their push. Doubling it in the forces
 * alone would feed energy into the fluid, for then they are no longer the gradient of what is measured: so what is
 * measured is g(s) = f(s)^2 / f(d/2), which is f where the first layer rests, with twice its gradient there.
 *
 * A sample of volume v at distance r along the normal gives v W(r) and v W'(r); both match when
 * W'(r) / W(r) = g'(s) / g(s). The table holds r and v over s. */
#ifndef DLP_SPH_WALL_TABLE_H
#define DLP_SPH_WALL_TABLE_H

#include "sph/kernel.h"

#define DLP_WALL_ENTRIES 256

typedef struct dlp__WallSample {
    float distance; /* m, r: of the sample from the particle, straight towards the wall      */
    float volume;   /* m3, v                                                                 */
    float share;    /* f(s), the part of the kernel sum that the wall holds                  */
} dlp__WallSample;

typedef struct dlp__WallTable {
    float reach;                             /* m, from here on the wall's first layer is out of the support */
    dlp__WallSample entry[DLP_WALL_ENTRIES]; /* for s from 0 to reach, evenly */
} dlp__WallTable;

void dlp__wall_table_init(dlp__WallTable *table, const dlp__Kernel *kernel, double spacing);
/* The same for methods that work out themselves what a wall does: samples stand where its first layer is, half a spacing behind its
 * surface, and their volume is 1. */
void dlp__wall_table_mark(dlp__WallTable *table, const dlp__Kernel *kernel, double spacing);

/* The sample for a wall at distance s (m). Inside the solid it is that of its surface. False where the wall is out of
 * reach. */
bool dlp__wall_sample(const dlp__WallTable *table, float s, dlp__WallSample *sample);

#endif
