/* What a plane wall is to the heat of a particle at distance s, in closed form. Behind the wall temperature goes on as straight
 * as between wall and particle; then, with w = -W'/r,
 *
 *     sum over the wall's half space of w (T_there - T_i) = (T_wall - T_i) A(s) / s,     A(s) = 2 pi int_s^h W r dr
 *
 * where A is also the gradient of the kernel sum that the wall holds, and w r^2 summed over it is
 *
 *     M(s) = 2 pi int_s^h -W' r^2 (r - s) dr                                             (3/2 at s = 0) */
#ifndef DLP_HEAT_WALL_CONDUCTION_H
#define DLP_HEAT_WALL_CONDUCTION_H

#include "sph/kernel.h"

#define DLP_WALL_HEAT_ENTRIES 128

typedef struct dlp__WallShare {
    double gradient; /* 1/m, A(s) */
    double moment;   /* M(s)      */
} dlp__WallShare;

typedef struct dlp__WallHeat {
    double reach; /* m, the kernel's support                                                    */
    double least; /* m: nothing is nearer to a wall than that                                   */
    double noise; /* 1/m: gradients below that are disorder and not a surface                   */
    double area;  /* of a free surface over what gradients beyond noise add up to, in volumes   */
    dlp__WallShare entry[DLP_WALL_HEAT_ENTRIES]; /* for s from 0 to reach, evenly                */
} dlp__WallHeat;

void dlp__wall_heat_init(dlp__WallHeat *wall, const dlp__Kernel *kernel, double spacing);

/* At distance s (m) < reach; inside the wall it is as on its surface. */
dlp__WallShare dlp__wall_heat_at(const dlp__WallHeat *wall, double s);

#endif
