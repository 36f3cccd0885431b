/* The pair equations of SPH in method blend (Takamatsu and Kanai 2011, eqs. 1 and 2), over simd.h, changed where they do not conserve
 * momentum. V is the volume of a particle, the same for all, and rho_i its rest density.
 *
 *   pressure    rho_i a_i = -sum of V (p_i + p_j) grad W               eq. 1 is not symmetric
 *   viscosity   rho_i a_i = sum of V S mu (-W'/r) (e.(v_j - v_i)) e     eq. 2 slows uniform motion down; the Laplacian of its kernel
 *                                                                     changes sign
 *
 * mu is the harmonic mean of both viscosities, e is the direction from j to i. Only the velocity along it counts, so that angular momentum is conserved; S makes the viscosity of
 * sheared fluid that of the material. */
#ifndef DLP_METHODS_BLEND_PAIRS_H
#define DLP_METHODS_BLEND_PAIRS_H

#include "sph/kernel_pairs.h"
#include "stages/pair_loop.h"

typedef struct Acceleration {
    dlp__Wide x, y, z;
} Acceleration;

/* Add `size` times x_i - x_j. */
DLP_INLINE void add_along(Acceleration *sum, const dlp__Pair *pair, dlp__Wide size)
{
    sum->x += size * pair->x;
    sum->y += size * pair->y;
    sum->z += size * pair->z;
}

/* Of v_i - v_j along x_i - x_j, over the distance. */
DLP_INLINE dlp__Wide separation_rate(const dlp__Pair *pair, const dlp__WideRow *own, const dlp__WideRow *other,
                                     dlp__Wide least_square)
{
    dlp__Wide along = pair->x * (own->x - other->x) + pair->y * (own->y - other->y) + pair->z * (own->z - other->z);
    return along / dlp__wide_max(pair->r * pair->r, least_square);
}

#endif
