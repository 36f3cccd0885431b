/* The pair equations of the density constraint (Macklin and Mueller 2013), over simd.h. */
#ifndef DLP_PRESSURE_DENSITY_PAIRS_H
#define DLP_PRESSURE_DENSITY_PAIRS_H

#include "sph/kernel_pairs.h"
#include "stages/pair_loop.h"

/* Sums over the neighbours of particle i. */
typedef struct ConstraintSums {
    dlp__Wide value;   /* sum V W */
    dlp__Wide x, y, z; /* 1/m, sum V grad W: derivative of C_i by its own position (eq. 8, k = i) */
    dlp__Wide others;  /* m/kg, sum |V grad W|^2 / rho_j: by its neighbours' (k = j) */
    dlp__Wide moment;  /* sum V |W'| r: three times the momentum flux of a unit pressure */
} ConstraintSums;

DLP_INLINE void add_constraint(ConstraintSums *sums, const dlp__Pair *pair, const dlp__Kernel *kernel, dlp__Wide weight,
                               dlp__Wide specific_volume, dlp_KernelKind kind)
{
    weight = dlp__wide_where(pair->there, weight);
    dlp__Wide slope = weight * dlp__pair_slope(kernel, pair->r, kind);
    dlp__Wide length = slope * pair->r;
    sums->value += weight * dlp__pair_value(kernel, pair->r, kind);
    sums->x += slope * pair->x;
    sums->y += slope * pair->y;
    sums->z += slope * pair->z;
    sums->moment -= length * pair->r;
    sums->others += length * length * specific_volume;
}

/* Sums of p grad W: the move of particle i is -(dt^2 / rho_i) times it (eq. 12 with lambda = -p dt^2). */
typedef struct MoveSums {
    dlp__Wide x, y, z;
} MoveSums;

DLP_INLINE void add_move(MoveSums *sums, const dlp__Pair *pair, const dlp__Kernel *kernel, dlp__Wide weight,
                         dlp__Wide pressure, dlp_KernelKind kind)
{
    dlp__Wide factor = dlp__wide_where(pair->there, weight) * pressure * dlp__pair_slope(kernel, pair->r, kind);
    sums->x += factor * pair->x;
    sums->y += factor * pair->y;
    sums->z += factor * pair->z;
}

/* The artificial pressure of a pair: (W(r) / W(reference))^4 (eq. 13). */
DLP_INLINE dlp__Wide tensile_ratio(const dlp__Pair *pair, const dlp__Kernel *kernel, float per_reference,
                                   dlp_KernelKind kind)
{
    dlp__Wide ratio = dlp__pair_value(kernel, pair->r, kind) * dlp__wide(per_reference);
    ratio = ratio * ratio;
    return ratio * ratio;
}

#endif
