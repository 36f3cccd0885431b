/* Heat exchange of a particle at distance s from a plane wall, in closed form. Temperature is extrapolated linearly
 * behind the wall; then, with w = -W'/r,
 *
 *     sum over the wall's half space of w (T_there - T_i) = (T_wall - T_i) A(s) / s,     A(s) = 2 pi int_s^h W r dr
 *
 * where A is also the wall's contribution to the gradient of the kernel sum, and w r^2 summed over the half space is
 *
 *     M(s) = 2 pi int_s^h -W' r^2 (r - s) dr                                             (3/2 at s = 0) */
#ifndef DLP_HEAT_WALL_CONDUCTION_H
#define DLP_HEAT_WALL_CONDUCTION_H

#include "sph/kernel.h"

#define DLP_WALL_HEAT_ENTRIES 128

typedef struct dlp__WallShare {
    double gradient; /* 1/m, A(s) */
    double moment;   /* M(s) */
} dlp__WallShare;

typedef struct dlp__WallHeat {
    double reach; /* m, the kernel's support */
    double least; /* m: smaller distances are clamped to this */
    double noise; /* 1/m: smaller gradients are particle disorder, not a surface */
    double area;  /* free surface area over the volume sum of gradients beyond the noise */
    dlp__WallShare entry[DLP_WALL_HEAT_ENTRIES]; /* for s from 0 to reach, evenly spaced */
} dlp__WallHeat;

void dlp__wall_heat_init(dlp__WallHeat *wall, const dlp__Kernel *kernel, double spacing);

/* At distance s (m) < reach; inside the wall the value at its surface. */
dlp__WallShare dlp__wall_heat_at(const dlp__WallHeat *wall, double s);

#endif
