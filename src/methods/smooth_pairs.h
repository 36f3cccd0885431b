/* The pair equation of velocity smoothing (XSPH; Macklin and Mueller 2013, eq. 17), over simd.h.
 *
 * As published, particles exchange part of the whole velocity difference, which also damps rigid rotation: a spinning
 * drop stops. Here only the component along the line between the two is exchanged, weighted by mass, so that linear and
 * angular momentum are both conserved. */
#ifndef DLP_METHODS_SMOOTH_PAIRS_H
#define DLP_METHODS_SMOOTH_PAIRS_H

#include "sph/kernel_pairs.h"
#include "stages/pair_loop.h"

typedef struct SmoothSums {
    dlp__Wide x, y, z; /* m/s */
} SmoothSums;

/* `own` and `other`: velocity, and the smoothing factor in w; `mass`: 2 rho_j / (rho_i + rho_j). */
DLP_INLINE void add_smooth(SmoothSums *sums, const dlp__Pair *pair, const dlp__WideRow *own, const dlp__WideRow *other,
                           dlp__Wide mass, const dlp__Kernel *kernel, dlp_KernelKind kind)
{
    dlp__Wide least = dlp__wide(DLP_KERNEL_LEAST_Q * kernel->support);
    dlp__Wide along = pair->x * (other->x - own->x) + pair->y * (other->y - own->y) + pair->z * (other->z - own->z);
    dlp__Wide r2 = dlp__wide_max(pair->r * pair->r, least * least);
    dlp__Wide factor = dlp__wide(0.5f) * (own->w + other->w) * mass * dlp__pair_value(kernel, pair->r, kind) * along /
                       r2;
    sums->x += dlp__wide_where(pair->there, factor * pair->x);
    sums->y += dlp__wide_where(pair->there, factor * pair->y);
    sums->z += dlp__wide_where(pair->there, factor * pair->z);
}

#endif
