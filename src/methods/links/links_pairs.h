/* The pair equations of links (Takahashi et al. 2014, eqs. 9 to 11), over simd.h.
 *
 * All links pull at once, from the same positions (Jacobi). Their plain sum is unstable, and a mean over each
 * particle's own links does not conserve momentum: the two ends of a link would divide its pull by different numbers.
 * Here both divide by the larger number, so they still move by opposite amounts. */
#ifndef DLP_METHODS_LINKS_PAIRS_H
#define DLP_METHODS_LINKS_PAIRS_H

#include "stages/pair_loop.h"

/* The divisor of a pull, from the number of pulling links at both ends. */
DLP_INLINE dlp__Wide shared_by(dlp__Wide own, dlp__Wide other)
{
    return dlp__wide_max(dlp__wide_max(own, other), dlp__wide(1.0f));
}

/* m, total displacement of both ends towards each other: the excess length, -C of eq. 9 where that is violated, over `links`. */
DLP_INLINE dlp__Wide rigid_pull(const dlp__Pair *pair, dlp__Wide length, dlp__Wide links)
{
    return dlp__wide_where(pair->there, dlp__wide_max(pair->r - length, dlp__wide(0.0f)) / links);
}

/* The same for a soft link, which has pulled its ends together by `pulled` so far; it converges to a stretch of
 * softness times that (XPBD, Macklin et al. 2016, eq. 18). It never pushes. The softer a link is, the less the other
 * links slow its convergence. */
DLP_INLINE dlp__Wide soft_pull(const dlp__Pair *pair, dlp__Wide length, dlp__Wide softness, dlp__Wide pulled,
                               dlp__Wide links)
{
    dlp__Wide pull = (pair->r - length - softness * pulled) / (links + softness);
    return dlp__wide_where(pair->there, dlp__wide_max(pull, dlp__wide(0.0f) - pulled));
}

typedef struct PullSums {
    dlp__Wide x, y, z; /* m */
} PullSums;

/* Displacement towards the partner by `size`; eqs. 10 and 11. */
DLP_INLINE void add_pull(PullSums *sums, const dlp__Pair *pair, dlp__Wide size, dlp__Wide least)
{
    dlp__Wide factor = size / dlp__wide_max(pair->r, least);
    sums->x -= factor * pair->x;
    sums->y -= factor * pair->y;
    sums->z -= factor * pair->z;
}

#endif
