/* The equations of the doubly constrained Jacobi solver (Barreiro et al. 2017, section 5), over simd.h.
 *
 * The six multipliers of a particle are stored as stress, T = -lambda / V (twice that for the three diagonal ones), so
 * that both projections share them and the compliance 1/G' is in 1/Pa. With the weights diag(2,2,2,1,1,1) of the
 * compliance, eqs. 11 and 17 become one rule for all six components:
 *     dT = (C - T / G') / (2 dt^2 B n / beta + 1 / G')
 * where C is the constraint of eq. 10 or 16 and 2 dt^2 B the diagonal of J M^-1 J^T in these units, one number for all
 * axes, so that the result does not depend on the orientation of a scene. The paper applies the factor beta / n to the
 * displacements of a particle; here it is applied to its stress, so that displacements always match the stress and the
 * converged result does not depend on beta. Compliance needs no relaxation. At surfaces n is at least half of the
 * neighbours of a lattice. */
#ifndef DLP_METHODS_JACOBI_PAIRS_H
#define DLP_METHODS_JACOBI_PAIRS_H

#include "methods/conformation/conformation_fields.h"
#include "materials/conformation_tensor.h"

/* Sums over the neighbours of particle i for the diagonal of J M^-1 J^T. */
typedef struct DiagonalSums {
    SymmetricMatrix moment;  /* V gradW x_ji^T, whose inverse is K                       */
    SymmetricMatrix squares; /* 1/m2, (V gradW)(V gradW)^T: by the others' velocities    */
    dlp__Wide x, y, z;       /* 1/m, V gradW: by its own velocity (eq. 13, k = i)        */
    dlp__Wide lightest;      /* m3/kg, the largest specific volume of all of them        */
} DiagonalSums;

DLP_INLINE DiagonalSums no_diagonal(dlp__Wide specific_volume)
{
    const dlp__Wide zero = dlp__wide(0.0f);
    const SymmetricMatrix nothing = {zero, zero, zero, zero, zero, zero};
    return (DiagonalSums){nothing, nothing, zero, zero, zero, specific_volume};
}

/* `x`, `y`, `z`: V gradW. */
DLP_INLINE void add_diagonal(DiagonalSums *sums, const dlp__Pair *pair, dlp__Wide x, dlp__Wide y, dlp__Wide z,
                             dlp__Wide specific_volume)
{
    sums->moment.xx -= x * pair->x;
    sums->moment.yy -= y * pair->y;
    sums->moment.zz -= z * pair->z;
    sums->moment.xy -= x * pair->y;
    sums->moment.xz -= x * pair->z;
    sums->moment.yz -= y * pair->z;
    sums->squares.xx += x * x;
    sums->squares.yy += y * y;
    sums->squares.zz += z * z;
    sums->squares.xy += x * y;
    sums->squares.xz += x * z;
    sums->squares.yz += y * z;
    sums->x += x;
    sums->y += y;
    sums->z += z;
    sums->lightest = dlp__wide_max(sums->lightest, specific_volume);
}

/* B: the size of the matrix K (squares + own own^T) K / rho, which is B times the identity inside a fluid. All masses
 * are taken to be the lightest: a light particle responds to the constraints of all its heavy neighbours at once, and
 * iterations would diverge with its own share of each diagonal alone. Lengths are measured in supports, because fourth
 * powers of micrometres would overflow. */
DLP_INLINE dlp__Wide diagonal(const DiagonalSums *sums, const SymmetricMatrix *k, float support)
{
    const dlp__Wide area = dlp__wide(support * support);
    const SymmetricMatrix *o = &sums->squares;
    dlp__Wide m[9] = {o->xx, o->xy, o->xz, o->xy, o->yy, o->yz, o->xz, o->yz, o->zz}, squares = dlp__wide(0.0f);
    const dlp__Wide own[3] = {sums->x, sums->y, sums->z};
    for (int n = 0; n < 9; n++) {
        m[n] = area * (m[n] + own[n / 3] * own[n % 3]);
    }
    multiply_by_symmetric(m, k);
    for (int n = 0; n < 3; n++) {
        dlp__Wide x = k->xx * m[n] + k->xy * m[3 + n] + k->xz * m[6 + n];
        dlp__Wide y = k->xy * m[n] + k->yy * m[3 + n] + k->yz * m[6 + n];
        dlp__Wide z = k->xz * m[n] + k->yz * m[3 + n] + k->zz * m[6 + n];
        squares += x * x + y * y + z * z;
    }
    return sums->lightest * dlp__wide_sqrt(squares * dlp__wide(1.0f / 3.0f)) / area;
}

/* Twice the symmetric part of a matrix, times a factor. */
DLP_INLINE SymmetricMatrix doubled(const dlp__Wide m[9], dlp__Wide factor)
{
    return (SymmetricMatrix){factor * (m[0] + m[0]), factor * (m[4] + m[4]), factor * (m[8] + m[8]),
                             factor * (m[1] + m[3]), factor * (m[2] + m[6]), factor * (m[5] + m[7])};
}

/* The apparent strain of a rotation in a step along straight lines, dt^2 (|w|^2 I - w w^T) for the angular velocity w.
 * Without it a rotating block would grow, and lose half of (dt w)^2 of its momentum per step when the constraint
 * corrects that. With it the projected velocities lead along the circle. It is limited beyond half a radian per step.
 * Shear contributes to w too, which adds an error of second order in the strain of the step. */
DLP_INLINE SymmetricMatrix rotation_strain(const dlp__Wide gradient[9], dlp__Wide dt)
{
    const dlp__Wide most = dlp__wide(0.25f), half = dlp__wide(0.5f);
    dlp__Wide x = half * dt * (gradient[7] - gradient[5]), y = half * dt * (gradient[2] - gradient[6]),
              z = half * dt * (gradient[3] - gradient[1]);
    dlp__Wide square = x * x + y * y + z * z, part = most / dlp__wide_max(square, most);
    return (SymmetricMatrix){part * (square - x * x),        part * (square - y * y),
                             part * (square - z * z),        dlp__wide(0.0f) - part * x * y,
                             dlp__wide(0.0f) - part * x * z, dlp__wide(0.0f) - part * y * z};
}

/* Rotate B to make it as symmetric as possible: two Newton steps on tr(R B), each mapped to a rotation by the Cayley
 * transform. R is then the rotation of eq. 14, from kernel-weighted neighbours; the result is R B. */
DLP_INLINE void remove_rotation(dlp__Wide b[9])
{
    const dlp__Wide one = dlp__wide(1.0f), half = dlp__wide(0.5f);
    for (int round = 0; round < 2; round++) {
        dlp__Wide trace = b[0] + b[4] + b[8];
        const SymmetricMatrix hessian = {trace - b[0],
                                         trace - b[4],
                                         trace - b[8],
                                         dlp__wide(-0.5f) * (b[1] + b[3]),
                                         dlp__wide(-0.5f) * (b[2] + b[6]),
                                         dlp__wide(-0.5f) * (b[5] + b[7])};
        SymmetricMatrix inverse = invert(&hessian);
        dlp__Wide asymmetry[3] = {b[5] - b[7], b[6] - b[2], b[1] - b[3]};
        dlp__Wide x = half * (inverse.xx * asymmetry[0] + inverse.xy * asymmetry[1] + inverse.xz * asymmetry[2]);
        dlp__Wide y = half * (inverse.xy * asymmetry[0] + inverse.yy * asymmetry[1] + inverse.yz * asymmetry[2]);
        dlp__Wide z = half * (inverse.xz * asymmetry[0] + inverse.yz * asymmetry[1] + inverse.zz * asymmetry[2]);
        dlp__Wide factor = dlp__wide(2.0f) / (one + x * x + y * y + z * z);
        for (int column = 0; column < 3; column++) {
            dlp__Wide u = b[column], v = b[3 + column], w = b[6 + column];
            dlp__Wide s = y * w - z * v, t = z * u - x * w,
                      r = x * v - y * u; /* half the angle's vector cross (u, v, w) */
            b[column] = u + factor * (s + y * r - z * t);
            b[3 + column] = v + factor * (t + z * s - x * r);
            b[6 + column] = w + factor * (r + x * t - y * s);
        }
    }
}

DLP_INLINE void store_flux(dlp__Particles *p, int64_t i, const SymmetricMatrix *t, const SymmetricMatrix *k)
{
    const dlp__ConformationFields *f = dlp__own_fields(p);
    dlp__Wide flux[9] = {t->xx, t->xy, t->xz, t->xy, t->yy, t->yz, t->xz, t->yz, t->zz};
    multiply_by_symmetric(flux, k);
    for (int n = 0; n < 9; n++) {
        dlp__wide_store(f->flux[n] + i, flux[n]);
    }
}

/* One Jacobi update of the stress of particles i, i + 1, ... from the residual of their constraint (eqs. 11, 17): the
 * strain `before` the projection plus the strain of the projection itself. */
DLP_INLINE void relax_stress(dlp__Particles *p, int64_t i, float *const before[6], const SymmetricMatrix *strain,
                             const SymmetricMatrix *k)
{
    const dlp__ConformationFields *f = dlp__own_fields(p);
    SymmetricMatrix q = load_symmetric(before, i), t = load_symmetric(p->stress, i);
    dlp__Wide soft = dlp__wide_load(f->compliance[0] + i), response = dlp__wide_load(f->response[0] + i);
    SymmetricMatrix left = scaled(&t, dlp__wide(0.0f) - soft);
    left = sum_of(&left, &q);
    left = sum_of(&left, strain);
    SymmetricMatrix change = scaled(&left, response);
    t = sum_of(&t, &change);
    store_symmetric(p->stress, i, &t);
    store_flux(p, i, &change, k);
}

/* Sum of V (T_i K_i + T_j K_j) gradW over the neighbours, Pa/m: J^T lambda of eqs. 12 and 18. */
typedef struct ForceSums {
    dlp__Wide x, y, z;
} ForceSums;

DLP_INLINE void add_force(ForceSums *sums, dlp__Wide x, dlp__Wide y, dlp__Wide z, const dlp__Wide flux[9])
{
    sums->x += flux[0] * x + flux[1] * y + flux[2] * z;
    sums->y += flux[3] * x + flux[4] * y + flux[5] * z;
    sums->z += flux[6] * x + flux[7] * y + flux[8] * z;
}

#endif
