/* The pair equations of springs (Clavet et al. 2005), over simd.h, in gather form. A pair of different masses shares a
 * displacement or impulse so that momentum is conserved: the particle gets the fraction `share`, one half for equal
 * masses. Pair vectors point from the neighbour to the particle.
 *
 * The size of a displacement depends on the predicted positions, its direction on those of the start of the step. A
 * displacement D along the line between predicted positions changes angular momentum by D x (v_i - v_j): a spinning
 * drop lost a tenth of it in 400 steps. Along the old line it loses none. */
#ifndef DLP_METHODS_SPRINGS_PAIRS_H
#define DLP_METHODS_SPRINGS_PAIRS_H

#include "methods/springs/coincident.h"
#include "stages/pair_loop.h"

/* 1 - q if the pair exists and is within the support, else 0. */
DLP_INLINE dlp__Wide closeness(const dlp__Pair *pair, float per_h)
{
    dlp__Wide one = dlp__wide(1.0f), zero = dlp__wide(0.0f);
    return dlp__wide_where(pair->there, dlp__wide_max(one - pair->r * dlp__wide(per_h), zero));
}

/* Fraction of a displacement or impulse, from one over the density of both; mass is proportional to density. */
DLP_INLINE dlp__Wide share_of(dlp__Wide own, dlp__Wide other)
{
    return own / (own + other);
}

/* Density and near-density (eqs. 1 and 4). */
typedef struct DensitySums {
    dlp__Wide far, near;
} DensitySums;

DLP_INLINE void add_densities(DensitySums *sums, dlp__Wide close)
{
    dlp__Wide square = close * close;
    sums->far += square;
    sums->near += square * close;
}

typedef struct VectorSums {
    dlp__Wide x, y, z;
} VectorSums;

DLP_INLINE void add_along(VectorSums *sums, const dlp__Pair *pair, dlp__Wide per_r, dlp__Wide size)
{
    dlp__Wide factor = size * per_r;
    sums->x += factor * pair->x;
    sums->y += factor * pair->y;
    sums->z += factor * pair->z;
}

/* One over the distance. No pair is nearer than `least`. */
DLP_INLINE dlp__Wide per_distance(const dlp__Pair *pair, dlp__Wide least)
{
    return dlp__wide(1.0f) / dlp__wide_max(pair->r, least);
}

/* Particles i, i + 1, ... that coincide with their neighbour are treated as `least` apart. */
DLP_INLINE void separate_coincident(dlp__Pair *pair, const dlp__Particles *p, int64_t i, float least)
{
    unsigned which = dlp__wide_bits(dlp__wide_both(pair->there, dlp__wide_less(pair->r, dlp__wide(least))));
    float x[DLP_WIDTH], y[DLP_WIDTH], z[DLP_WIDTH], r[DLP_WIDTH];
    if (which == 0) {
        return;
    }
    dlp__wide_store(x, pair->x);
    dlp__wide_store(y, pair->y);
    dlp__wide_store(z, pair->z);
    dlp__wide_store(r, pair->r);
    for (int lane = 0; lane < DLP_WIDTH; lane++) {
        if ((which >> lane & 1u) != 0) {
            float offset[3];
            dlp__coincident_offset(p->id[0][i + lane], p->id[0][pair->index[lane]], least, offset);
            x[lane] = offset[0];
            y[lane] = offset[1];
            z[lane] = offset[2];
            r[lane] = least;
        }
    }
    pair->x = dlp__wide_load(x);
    pair->y = dlp__wide_load(y);
    pair->z = dlp__wide_load(z);
    pair->r = dlp__wide_load(r);
}

/* Twice the displacement of eq. 6: the one that the particle causes plus the one that its neighbour causes. */
DLP_INLINE dlp__Wide relaxation_move(dlp__Wide close, dlp__Wide far, dlp__Wide near)
{
    return (far + near * close) * close;
}

/* Viscosity impulses (Algorithm 5) along the pair: a fraction of the approach speed u, at most `most`; zero where the
 * two separate. */
DLP_INLINE dlp__Wide impulse(dlp__Wide close, dlp__Wide approach, dlp__Wide sigma_dt, dlp__Wide beta_dt, dlp__Wide most)
{
    dlp__Wide u = dlp__wide_max(approach, dlp__wide(0.0f));
    return dlp__wide_min(sigma_dt + beta_dt * u, most) * close * u;
}

#endif
