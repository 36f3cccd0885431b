/* One sample that represents a wall. To the fluid a wall continues the fluid: layers of particles half a spacing,
 * one and a half, ... behind its surface, each spread evenly over its plane. At distance s from the surface their
 * kernel sum is f(s), with gradient f'(s); for a lattice of particles that ends half a spacing before the wall this
 * completes every particle's kernel sum to that of a full lattice. (A uniform half space does not: the first layer
 * would be 2 to 5 % too dense.)
 *
 * The layers would also have the fluid's pressure and push back with it, which doubles their force. Doubling it in
 * the forces alone would add energy to the fluid, because they would no longer be the gradient of the measured
 * density: so the measured quantity is g(s) = f(s)^2 / f(d/2), which equals f where the first layer rests, with
 * twice its gradient there.
 *
 * A sample of volume v at distance r along the normal gives v W(r) and v W'(r); both match when W'(r) / W(r) = g'(s)
 * / g(s). The table holds r and v over s. */
#ifndef DLP_SPH_WALL_TABLE_H
#define DLP_SPH_WALL_TABLE_H

#include "sph/kernel.h"

#define DLP_WALL_ENTRIES 256

typedef struct dlp__WallSample {
    float distance; /* m, r: from the particle to the sample, straight towards the wall */
    float volume;   /* m3, v */
    float share;    /* f(s), the wall's part of the kernel sum */
} dlp__WallSample;

typedef struct dlp__WallTable {
    float reach;                             /* m, beyond which the wall's first layer is outside the support */
    dlp__WallSample entry[DLP_WALL_ENTRIES]; /* for s from 0 to reach, evenly spaced */
} dlp__WallTable;

void dlp__wall_table_init(dlp__WallTable *table, const dlp__Kernel *kernel, double spacing);
/* The same for methods with their own wall terms: samples are placed at the wall's first layer, half a spacing
 * behind its surface, with volume 1. */
void dlp__wall_table_init_markers(dlp__WallTable *table, const dlp__Kernel *kernel, double spacing);

/* The sample for a wall at distance s (m). Inside the solid it is that of its surface. False if the wall is out of
 * reach. */
bool dlp__wall_sample(const dlp__WallTable *table, float s, dlp__WallSample *sample);

#endif
