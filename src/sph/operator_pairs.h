/* The equations of operators.h over simd.h. */
#ifndef DLP_SPH_OPERATOR_PAIRS_H
#define DLP_SPH_OPERATOR_PAIRS_H

#include "sph/kernel_pairs.h"
#include "sph/pair_loop.h"

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

/* The inverse, or zero where neighbours lie in a plane or a line, or there are too few. */
DLP_INLINE SymmetricMatrix invert(const SymmetricMatrix *m)
{
    const dlp__Wide least = dlp__wide(1e-3f); /* of the determinant; 1 inside a fluid, about 0.1 at a corner */
    dlp__Wide a = m->yy * m->zz - m->yz * m->yz, b = m->xz * m->yz - m->xy * m->zz, c = m->xy * m->yz - m->xz * m->yy;
    dlp__Wide det = m->xx * a + m->xy * b + m->xz * c;
    dlp__Wide factor = dlp__wide_where(dlp__wide_less(least, det), dlp__wide(1.0f) / dlp__wide_max(det, least));
    return (SymmetricMatrix){
        a * factor, (m->xx * m->zz - m->xz * m->xz) * factor, (m->xx * m->yy - m->xy * m->xy) * factor, b * factor,
        c * factor, (m->xy * m->xz - m->xx * m->yz) * factor};
}

DLP_INLINE void multiply(const SymmetricMatrix *k, dlp__Wide x, dlp__Wide y, dlp__Wide z, dlp__Wide result[3])
{
    result[0] = k->xx * x + k->xy * y + k->xz * z;
    result[1] = k->xy * x + k->yy * y + k->yz * z;
    result[2] = k->xz * x + k->yz * y + k->zz * z;
}

DLP_INLINE dlp__Wide mean_diagonal(dlp__Wide xx, dlp__Wide yy, dlp__Wide zz)
{
    return (xx + yy + zz) * dlp__wide(1.0f / 3.0f);
}

#endif
