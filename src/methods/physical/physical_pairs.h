/* The equations of the physical solver over simd.h. With corrected gradients g = V gradW and weights w = -V W'/r,
 *
 *     L_i   = sum_j (u_j - u_i) (K_i g_ij)^T                            L_ab = d u_a / d x_b
 *     P_i   = mu (2 D_i K_i - z_i L_i) + kappa tr(L_i) K_i              flux: a particle's stress as it acts on neighbours
 *     f_i   = sum_j -(P_i + P_j) g_ij + (mu_i z_i + mu_j z_j) w_ij (u_i - u_j)
 *
 * The terms with z = 4/3 tr K / 3 resist the part of the neighbours' motion that the linear L_i misses: without them
 * there are zero-energy modes. 4/3 cancels the error of second order in the wavelength of a shear wave for any kernel.
 *
 * Images in walls count like neighbours: their velocity is B u in the viscous terms and R u in the divergence (see
 * dlp__Mirror), and forces on a particle's image act on the particle through the transposed maps, so that the operator
 * is symmetric. */
#ifndef DLP_METHODS_PHYSICAL_PAIRS_H
#define DLP_METHODS_PHYSICAL_PAIRS_H

#include "sph/operator_pairs.h"

/* z, of the correction matrix. */
DLP_INLINE dlp__Wide hourglass_factor(const SymmetricMatrix *k)
{
    return dlp__wide(4.0f / 3.0f) * mean_diagonal(k->xx, k->yy, k->zz);
}

/* One image of each of the particles i, i + 1, ... */
typedef struct Image {
    dlp__Wide g[3], w, e[3], sign, no_slip, free_slip;
} Image;

DLP_INLINE Image image_at(const float *parts)
{
    Image image;
    for (int a = 0; a < 3; a++) {
        image.g[a] = dlp__image_part(parts, DLP_IMAGE_GRADIENT + a);
        image.e[a] = dlp__image_part(parts, DLP_IMAGE_AXIS + a);
    }
    image.w = dlp__image_part(parts, DLP_IMAGE_WEIGHT);
    image.sign = dlp__image_part(parts, DLP_IMAGE_SIGN);
    image.no_slip = dlp__image_part(parts, DLP_IMAGE_NO_SLIP);
    image.free_slip = dlp__image_part(parts, DLP_IMAGE_FREE_SLIP);
    return image;
}

/* R u */
DLP_INLINE void reflected(const Image *image, const dlp__Wide u[3], dlp__Wide to[3])
{
    dlp__Wide along = image->e[0] * u[0] + image->e[1] * u[1] + image->e[2] * u[2];
    for (int a = 0; a < 3; a++) {
        to[a] = image->sign * (u[a] - along * image->e[a]);
    }
}

/* B u */
DLP_INLINE void dragged(const Image *image, const dlp__Wide u[3], dlp__Wide to[3])
{
    dlp__Wide mirrored[3];
    reflected(image, u, mirrored);
    for (int a = 0; a < 3; a++) {
        to[a] = image->no_slip * u[a] + image->free_slip * mirrored[a];
    }
}

/* Sums of (u_j - u_i) g^T: for viscous stress, and the difference that images make in the divergence. */
typedef struct RateSums {
    dlp__Wide viscous[9], other[9];
} RateSums;

DLP_INLINE RateSums no_rates(void)
{
    RateSums sums;
    for (int n = 0; n < 9; n++) {
        sums.viscous[n] = sums.other[n] = dlp__wide(0.0f);
    }
    return sums;
}

DLP_INLINE void add_image_rate(RateSums *sums, const Image *image, const dlp__Wide own[3], const dlp__Wide source[3])
{
    dlp__Wide drag[3], mirror[3];
    dragged(image, source, drag);
    reflected(image, source, mirror);
    for (int n = 0; n < 9; n++) {
        sums->viscous[n] += (drag[n / 3] - own[n / 3]) * image->g[n % 3];
        sums->other[n] += (mirror[n / 3] - drag[n / 3]) * image->g[n % 3];
    }
}

/* tr(m K) */
DLP_INLINE dlp__Wide trace_with(const dlp__Wide m[9], const SymmetricMatrix *k)
{
    return m[0] * k->xx + m[4] * k->yy + m[8] * k->zz + (m[1] + m[3]) * k->xy + (m[2] + m[6]) * k->xz +
           (m[5] + m[7]) * k->yz;
}

/* m + m^T, twice the symmetric part. */
DLP_INLINE SymmetricMatrix twice_symmetric(const dlp__Wide m[9])
{
    return (SymmetricMatrix){m[0] + m[0], m[4] + m[4], m[8] + m[8], m[1] + m[3], m[2] + m[6], m[5] + m[7]};
}

/* s K, row by row. */
DLP_INLINE void times_matrix(const SymmetricMatrix *s, const SymmetricMatrix *k, dlp__Wide to[9])
{
    const dlp__Wide rows[9] = {s->xx, s->xy, s->xz, s->xy, s->yy, s->yz, s->xz, s->yz, s->zz};
    for (int n = 0; n < 9; n++) {
        to[n] = rows[n];
    }
    multiply_by_symmetric(to, k);
}

/* Invariants of a symmetric matrix m with the deviator s = m - mean I. */
typedef struct Invariants {
    dlp__Wide mean; /* tr m / 3                                                                                      */
    dlp__Wide size; /* sqrt(s:s / 6)                                                                                 */
    dlp__Wide
        cosine; /* det s / (2 size^3), of a rate of strain: 1 uniaxial extension, 0 shear, -1 biaxial extension; 0 if s is zero */
} Invariants;

/* The largest of the sizes of all entries. */
DLP_INLINE dlp__Wide largest_entry(const SymmetricMatrix *m)
{
    const dlp__Wide entry[6] = {m->xx, m->yy, m->zz, m->xy, m->xz, m->yz}, zero = dlp__wide(0.0f);
    dlp__Wide largest = zero;
    for (int n = 0; n < 6; n++) {
        largest = dlp__wide_max(largest, dlp__wide_max(entry[n], zero - entry[n]));
    }
    return largest;
}

/* Entries are divided by the largest first, because their squares may overflow. */
DLP_INLINE Invariants invariants_of(const SymmetricMatrix *m)
{
    const dlp__Wide one = dlp__wide(1.0f), half = dlp__wide(0.5f), tiny = dlp__wide(1e-18f);
    dlp__Wide mean = mean_diagonal(m->xx, m->yy, m->zz), largest = dlp__wide_max(largest_entry(m), tiny);
    SymmetricMatrix s = {m->xx - mean, m->yy - mean, m->zz - mean, m->xy, m->xz, m->yz};
    s = scaled(&s, one / largest);
    dlp__Wide across = s.xy * s.xy + s.xz * s.xz + s.yz * s.yz;
    dlp__Wide along = half * (s.xx * s.xx + s.yy * s.yy + s.zz * s.zz);
    dlp__Wide size = dlp__wide_sqrt((along + across) * dlp__wide(1.0f / 3.0f));
    SymmetricMatrix unit = scaled(&s, one / dlp__wide_max(size, tiny));
    dlp__Wide cosine = dlp__wide_min(dlp__wide_max(half * determinant(&unit), dlp__wide(-1.0f)), one);
    return (Invariants){mean, largest * size, cosine};
}

/* 1 where a tensor is extended along one axis, 0 in shear and where it is extended along two. */
DLP_INLINE dlp__Wide uniaxial_part(const SymmetricMatrix *m)
{
    return dlp__wide_max(dlp__wide(2.0f) * invariants_of(m).cosine - dlp__wide(1.0f), dlp__wide(0.0f));
}

/* The largest eigenvalue, mean + size 2 cos(phi / 3) with the above cosine of phi. The factor of size is replaced by a polynomial in
 * cos(phi / 2), exact where cos(phi) is -1, 0 or 1 and within 7e-4 elsewhere. */
DLP_INLINE dlp__Wide largest_eigenvalue(const SymmetricMatrix *m)
{
    const dlp__Wide one = dlp__wide(1.0f), half = dlp__wide(0.5f);
    const dlp__Wide a = dlp__wide(1.1547005f), b = dlp__wide(-0.2030838f), c = dlp__wide(0.0483833f);
    Invariants of = invariants_of(m);
    dlp__Wide u = dlp__wide_sqrt(half * (one + of.cosine));
    return of.mean + of.size * (one + u * (a + u * (b + u * c)));
}

/* s v */
DLP_INLINE void symmetric_product(const SymmetricMatrix *s, const dlp__Wide v[3], dlp__Wide to[3])
{
    to[0] = s->xx * v[0] + s->xy * v[1] + s->xz * v[2];
    to[1] = s->xy * v[0] + s->yy * v[1] + s->yz * v[2];
    to[2] = s->xz * v[0] + s->yz * v[1] + s->zz * v[2];
}

/* m v, subtracted. */
DLP_INLINE void take_product(dlp__Wide sum[3], const dlp__Wide m[9], const dlp__Wide v[3])
{
    for (int a = 0; a < 3; a++) {
        sum[a] -= m[3 * a] * v[0] + m[3 * a + 1] * v[1] + m[3 * a + 2] * v[2];
    }
}

/* Contribution of an image to f_i: own flux P_i on g; the source's flux on R g, its viscous part brought back by B and its
 * pressure part by R; and the stabilization terms of both. `own_u` and `source_u` are relative to the wall. */
DLP_INLINE void add_image_force(dlp__Wide sum[3], const Image *image, const dlp__Wide own_flux[9],
                                const dlp__Wide flux[9], const SymmetricMatrix *pressure_flux, dlp__Wide own_z,
                                dlp__Wide z, const dlp__Wide own_u[3], const dlp__Wide source_u[3])
{
    const dlp__Wide zero = dlp__wide(0.0f), own_w = image->w * own_z, source_w = image->w * z;
    dlp__Wide mirrored_gradient[3], source_force[3] = {zero, zero, zero}, press[3], own_dragged[3], mirrored[3],
                                    back[3];
    reflected(image, image->g, mirrored_gradient);
    take_product(sum, own_flux, image->g);
    take_product(source_force, flux, mirrored_gradient); /* -P_j R g */
    symmetric_product(pressure_flux, mirrored_gradient, press);
    dragged(image, own_u, own_dragged);
    for (int a = 0; a < 3;
         a++) { /* B is a sum of a factor and a factor of R: all that R acts on is reflected together */
        source_force[a] += press[a] + source_w * (own_dragged[a] - source_u[a]);
        mirrored[a] = image->free_slip * (source_force[a] - own_w * source_u[a]) - press[a];
    }
    reflected(image, mirrored, back);
    for (int a = 0; a < 3; a++) {
        sum[a] += back[a] + own_w * own_u[a] + image->no_slip * (source_force[a] - own_w * source_u[a]);
    }
}

#endif
