/* The conformation tensor's own equations, over simd.h: the velocity gradient (eq. 9, with the corrected gradient of
 * sph/operators.h) and how the tensor is carried along by it (eqs. 1 to 3). */
#ifndef DLP_METHODS_CONFORMATION_PAIRS_H
#define DLP_METHODS_CONFORMATION_PAIRS_H

#include "sph/operator_pairs.h"

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

/* F (I + q) F^T - I with F = I + dt L. The tensor I + q stays positive for any F. As printed, with L^T in place of L,
 * it would turn against the fluid. */
DLP_INLINE SymmetricMatrix convect(const SymmetricMatrix *q, const dlp__Wide gradient[9], dlp__Wide dt)
{
    const dlp__Wide one = dlp__wide(1.0f);
    dlp__Wide f[9], carried[9];
    for (int n = 0; n < 9; n++) {
        f[n] = dt * gradient[n] + (n % 4 == 0 ? one : dlp__wide(0.0f));
        carried[n] = f[n];
    }
    multiply_by_symmetric(carried, q); /* F q */
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    dlp__Wide part[6];
    for (int n = 0; n < 6; n++) {
        const dlp__Wide *a = carried + 3 * row[n], *b = f + 3 * column[n];
        const dlp__Wide *left = gradient + 3 * row[n], *right = gradient + 3 * column[n];
        dlp__Wide stretch = gradient[3 * row[n] + column[n]] + gradient[3 * column[n] + row[n]];
        dlp__Wide square = left[0] * right[0] + left[1] * right[1] + left[2] * right[2];
        part[n] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + dt * (stretch + dt * square);
    }
    return (SymmetricMatrix){part[0], part[1], part[2], part[3], part[4], part[5]};
}

#endif
