/* The pair equations of springs (Clavet et al. 2005), over simd.h, as a particle gathers them. A pair of unlike masses shares a
 * move or an impulse so that its momentum stays: of the two the particle takes the part `share`, one half between like ones.
 * All pairs point from the neighbour to the particle.
 *
 * How strong a displacement is follows from where particles are predicted to be, its direction from where they come from. Along the line
 * between predicted places a displacement D changes angular momentum by D x (v_i - v_j), and a drop that turns was seen to lose a tenth of
 * it in 400 steps; along the old line it loses none. */
#ifndef DLP_METHODS_SPRINGS_PAIRS_H
#define DLP_METHODS_SPRINGS_PAIRS_H

#include "methods/springs/coincident.h"
#include "stages/pair_loop.h"

/* 1 - q where the pair is there and within the support, else 0. */
DLP_INLINE dlp__Wide closeness(const dlp__Pair *pair, float per_h)
{
    dlp__Wide one = dlp__wide(1.0f), zero = dlp__wide(0.0f);
    return dlp__wide_where(pair->there, dlp__wide_max(one - pair->r * dlp__wide(per_h), zero));
}

/* Of a move or an impulse, by one over the density of both; a particle's mass goes with its density. */
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

/* What the push of the far neighbours lacks for pressure not to be negative. */
DLP_INLINE dlp__Wide missing(dlp__Wide far, dlp__Wide near, float balance)
{
    dlp__Wide zero = dlp__wide(0.0f);
    return dlp__wide_max(zero - (far + dlp__wide(balance) * near), zero);
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

/* Those of the particles i, i + 1, ... that are in one place with their neighbour are taken to be `least` apart. */
DLP_INLINE void part_coincident(dlp__Pair *pair, const dlp__Particles *p, int64_t i, float least)
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
            float way[3];
            dlp__coincident_way(p->id[0][i + lane], p->id[0][pair->index[lane]], least, way);
            x[lane] = way[0];
            y[lane] = way[1];
            z[lane] = way[2];
            r[lane] = least;
        }
    }
    pair->x = dlp__wide_load(x);
    pair->y = dlp__wide_load(y);
    pair->z = dlp__wide_load(z);
    pair->r = dlp__wide_load(r);
}

/* The displacements of eq. 6, twice what its half is: those that the particle makes and those that its neighbour makes. */
DLP_INLINE dlp__Wide relaxation_move(dlp__Wide close, dlp__Wide far, dlp__Wide near)
{
    return (far + near * close) * close;
}

/* Viscosity impulses (Algorithm 5) over the speed of approach u, as the share of it that a step takes: at most `most`, and
 * nothing where the two go apart. */
DLP_INLINE dlp__Wide impulse(dlp__Wide close, dlp__Wide approach, dlp__Wide sigma_dt, dlp__Wide beta_dt, dlp__Wide most)
{
    dlp__Wide u = dlp__wide_max(approach, dlp__wide(0.0f));
    return dlp__wide_min(sigma_dt + beta_dt * u, most) * close * u;
}

#endif
