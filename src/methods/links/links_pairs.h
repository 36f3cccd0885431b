/* The pair equations of links (Takahashi et al. 2014, eqs. 9 to 11), over simd.h.
 *
 * All links pull at once, from the same places. Their plain sum explodes, and a mean over each particle's own links
 * destroys momentum: what a link asks of its two ends would be divided by two numbers. Here it is divided by the larger of both, so the
 * two still move by opposite amounts. */
#ifndef DLP_METHODS_LINKS_PAIRS_H
#define DLP_METHODS_LINKS_PAIRS_H

#include "stages/pair_loop.h"

/* How many links a pull is shared with, by how many pull at either end. */
DLP_INLINE dlp__Wide shared_by(dlp__Wide own, dlp__Wide other)
{
    return dlp__wide_max(dlp__wide_max(own, other), dlp__wide(1.0f));
}

/* m, to draw both ends of a link together by: its part of what it is too long, -C of eq. 9 where it does not hold. */
DLP_INLINE dlp__Wide rigid_pull(const dlp__Pair *pair, dlp__Wide length, dlp__Wide links)
{
    return dlp__wide_where(pair->there, dlp__wide_max(pair->r - length, dlp__wide(0.0f)) / links);
}

/* The same of a soft link, which has drawn its ends together by `pulled` so far: towards where its stretch is softness times that (XPBD,
 * Macklin et al. 2016, eq. 18). It never pushes. What others pull matters the less the softer it is, so that soft ones are where they belong
 * at once. */
DLP_INLINE dlp__Wide soft_pull(const dlp__Pair *pair, dlp__Wide length, dlp__Wide softness, dlp__Wide pulled,
                               dlp__Wide links)
{
    dlp__Wide pull = (pair->r - length - softness * pulled) / (links + softness);
    return dlp__wide_where(pair->there, dlp__wide_max(pull, dlp__wide(0.0f) - pulled));
}

typedef struct PullSums {
    dlp__Wide x, y, z; /* m */
} PullSums;

/* Towards the partner by `size`; eqs. 10 and 11. */
DLP_INLINE void add_pull(PullSums *sums, const dlp__Pair *pair, dlp__Wide size, dlp__Wide least)
{
    dlp__Wide factor = size / dlp__wide_max(pair->r, least);
    sums->x -= factor * pair->x;
    sums->y -= factor * pair->y;
    sums->z -= factor * pair->z;
}

#endif
