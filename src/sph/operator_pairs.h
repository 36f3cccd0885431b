/* The equations of operators.h over simd.h. */
#ifndef DLP_SPH_OPERATOR_PAIRS_H
#define DLP_SPH_OPERATOR_PAIRS_H

#include "sph/kernel_pairs.h"
#include "stages/pair_loop.h"

typedef struct SymmetricMatrix {
    dlp__Wide xx, yy, zz, xy, xz, yz;
} SymmetricMatrix;

/* Sum of V gradW (x_j - x_i)^T: minus slope times (x_i - x_j) (x_i - x_j)^T, close to the identity inside a fluid. */
DLP_INLINE void add_moment(SymmetricMatrix *m, const dlp__Pair *pair, dlp__Wide slope)
{
    dlp__Wide weight = dlp__wide_where(pair->there, dlp__wide(0.0f) - slope);
    m->xx += weight * pair->x * pair->x;
    m->yy += weight * pair->y * pair->y;
    m->zz += weight * pair->z * pair->z;
    m->xy += weight * pair->x * pair->y;
    m->xz += weight * pair->x * pair->z;
    m->yz += weight * pair->y * pair->z;
}

DLP_INLINE dlp__Wide determinant(const SymmetricMatrix *m)
{
    return m->xx * (m->yy * m->zz - m->yz * m->yz) + m->xy * (m->xz * m->yz - m->xy * m->zz) +
           m->xz * (m->xy * m->yz - m->xz * m->yy);
}

DLP_INLINE dlp__Wide mean_diagonal(dlp__Wide xx, dlp__Wide yy, dlp__Wide zz)
{
    return (xx + yy + zz) * dlp__wide(1.0f / 3.0f);
}

/* The determinant of an isotropic moment of the same size: particles on top of each other make the moment large, and
 * rounding alone then makes the determinant of a flat arrangement larger than that of a good one. */
DLP_INLINE dlp__Wide isotropic_determinant(const SymmetricMatrix *m)
{
    dlp__Wide size = dlp__wide_max(mean_diagonal(m->xx, m->yy, m->zz), dlp__wide(1.0f));
    return size * size * size;
}

/* The inverse, or zero if the neighbours lie in a plane or a line, or are too few. */
DLP_INLINE SymmetricMatrix invert(const SymmetricMatrix *m)
{
    const dlp__Wide least = dlp__wide(1e-3f) * isotropic_determinant(m); /* 1 inside a fluid, about 0.1 at a corner */
    dlp__Wide a = m->yy * m->zz - m->yz * m->yz, b = m->xz * m->yz - m->xy * m->zz, c = m->xy * m->yz - m->xz * m->yy;
    dlp__Wide det = m->xx * a + m->xy * b + m->xz * c; /* determinant(m) from cofactors that are reused */
    dlp__Wide factor = dlp__wide_where(dlp__wide_less(least, det), dlp__wide(1.0f) / dlp__wide_max(det, least));
    return (SymmetricMatrix){
        a * factor, (m->xx * m->zz - m->xz * m->xz) * factor, (m->xx * m->yy - m->xy * m->xy) * factor, b * factor,
        c * factor, (m->xy * m->xz - m->xx * m->yz) * factor};
}

DLP_INLINE SymmetricMatrix load_symmetric(float *const from[6], int64_t i)
{
    return (SymmetricMatrix){dlp__wide_load(from[0] + i), dlp__wide_load(from[1] + i), dlp__wide_load(from[2] + i),
                             dlp__wide_load(from[3] + i), dlp__wide_load(from[4] + i), dlp__wide_load(from[5] + i)};
}

DLP_INLINE SymmetricMatrix sum_of(const SymmetricMatrix *a, const SymmetricMatrix *b)
{
    return (SymmetricMatrix){a->xx + b->xx, a->yy + b->yy, a->zz + b->zz, a->xy + b->xy, a->xz + b->xz, a->yz + b->yz};
}

DLP_INLINE SymmetricMatrix scaled(const SymmetricMatrix *m, dlp__Wide factor)
{
    return (SymmetricMatrix){m->xx * factor, m->yy * factor, m->zz * factor,
                             m->xy * factor, m->xz * factor, m->yz * factor};
}

DLP_INLINE void store_symmetric(float *const to[6], int64_t i, const SymmetricMatrix *m)
{
    const dlp__Wide part[6] = {m->xx, m->yy, m->zz, m->xy, m->xz, m->yz};
    for (int n = 0; n < 6; n++) {
        dlp__wide_store(to[n] + i, part[n]);
    }
}

/* Sum of (difference of a vector field to j) (V gradW)^T; `slope` is V W'/r, zero where there is no neighbour. */
DLP_INLINE void add_gradient(dlp__Wide sum[9], const dlp__Pair *pair, dlp__Wide slope, const dlp__Wide change[3])
{
    const dlp__Wide step[3] = {slope * pair->x, slope * pair->y, slope * pair->z};
    for (int n = 0; n < 9; n++) {
        sum[n] += change[n / 3] * step[n % 3];
    }
}

/* m K, row by row, in place. */
DLP_INLINE void multiply_by_symmetric(dlp__Wide m[9], const SymmetricMatrix *k)
{
    for (int row = 0; row < 3; row++) {
        dlp__Wide x = m[3 * row], y = m[3 * row + 1], z = m[3 * row + 2];
        m[3 * row] = x * k->xx + y * k->xy + z * k->xz;
        m[3 * row + 1] = x * k->xy + y * k->yy + z * k->yz;
        m[3 * row + 2] = x * k->xz + y * k->yz + z * k->zz;
    }
}

/* L_ab = d u_a / d x_b of the particles i, i + 1, ...; the stage gathers positions in its first row and velocities in
 * its second. */
DLP_INLINE void gradient_at(const dlp__StageContext *c, int64_t i, const dlp__Kernel *kernel, dlp__Wide volume,
                            dlp_KernelKind kind, const SymmetricMatrix *correction, dlp__Wide gradient[9])
{
    dlp__WideRow at = dlp__own_rows(c->rows[0], i), own = dlp__own_rows(c->rows[1], i);
    for (int n = 0; n < 9; n++) {
        gradient[n] = dlp__wide(0.0f);
    }
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    for (int32_t k = 0; k < lanes.longest; k++) {
        dlp__Pair pair = dlp__pair(&lanes, k, c->rows[0], &at);
        dlp__WideRow other = dlp__wide_rows(c->rows[1], pair.index);
        dlp__Wide slope = dlp__wide_where(pair.there, volume * dlp__pair_slope(kernel, pair.r, kind));
        const dlp__Wide change[3] = {other.x - own.x, other.y - own.y, other.z - own.z};
        add_gradient(gradient, &pair, slope, change);
    }
    multiply_by_symmetric(gradient, correction);
}

/* The same sums before K: of (u_j - u_i) g^T for particles i, i + 1, ..., with the slopes stored per pair, and joined rows of the field u and
 * the position; `own` and `at` are those of the particles. */
DLP_INLINE void add_pair_rates(const dlp__StageContext *c, int64_t i, const dlp__WideRow *own, const dlp__WideRow *at,
                               dlp__Wide sum[9])
{
    dlp__Lanes lanes = dlp__lanes(c->fluid, i);
    const float *slopes = dlp__pair_weights(c, i);
    for (int32_t k = 0; k < lanes.longest; k++, slopes += DLP_GROUP) {
        dlp__WideRow other, there;
        dlp__wide_joined_rows(c->rows[0], lanes.entry + (int64_t)k * DLP_GROUP, &other, &there);
        dlp__Wide slope = dlp__wide_load(slopes);
        const dlp__Wide change[3] = {other.x - own->x, other.y - own->y, other.z - own->z};
        const dlp__Wide g[3] = {slope * (at->x - there.x), slope * (at->y - there.y), slope * (at->z - there.z)};
        for (int n = 0; n < 9; n++) {
            sum[n] += change[n / 3] * g[n % 3];
        }
    }
}

#endif
