/* Upper-convected transport of the conformation tensor (Barreiro et al. 2017, eqs. 1 to 3), over simd.h. */
#ifndef DLP_MATERIALS_CONFORMATION_TENSOR_H
#define DLP_MATERIALS_CONFORMATION_TENSOR_H

#include "sph/operator_pairs.h"

/* F (I + q) F^T - I with F = I + dt L. The tensor I + q stays positive for any F. As printed, with L^T in place of L,
 * it would rotate against the fluid. */
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

/* L L^T */
DLP_INLINE SymmetricMatrix stretched_square(const dlp__Wide l[9])
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    dlp__Wide part[6];
    for (int n = 0; n < 6; n++) {
        const dlp__Wide *a = l + 3 * row[n], *b = l + 3 * column[n];
        part[n] = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    }
    return (SymmetricMatrix){part[0], part[1], part[2], part[3], part[4], part[5]};
}

#endif
