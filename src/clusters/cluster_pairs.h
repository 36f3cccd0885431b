/* The equations of shape matching for clusters, over simd.h.
 *
 * The rotation R of a cluster maximizes tr(R^T A), where A is the moment matrix of its members. With M = R^T A a rotation by a small
 * vector t (in the reference frame) changes it by a.t - t.H t / 2, where a is the axial vector of M and H = tr(M) I - sym(M): Newton's
 * method takes t = H^-1 a. Started from the rotation of the step before, three iterations reach single precision. */
#ifndef DLP_CLUSTERS_CLUSTER_PAIRS_H
#define DLP_CLUSTERS_CLUSTER_PAIRS_H

#include "stages/pair_loop.h"

typedef struct Vector {
    dlp__Wide x, y, z;
} Vector;

typedef struct Quaternion {
    dlp__Wide w, x, y, z;
} Quaternion;

/* Sums over the members of a cluster, from its own particle: r is the position, s that in the reference shape. */
typedef struct ClusterSums {
    dlp__Wide weight;
    Vector r, s;
    dlp__Wide moment[3][3]; /* m2, A: sum of r s^T */
} ClusterSums;

DLP_INLINE Vector plus(Vector a, Vector b)
{
    return (Vector){a.x + b.x, a.y + b.y, a.z + b.z};
}

DLP_INLINE Vector minus(Vector a, Vector b)
{
    return (Vector){a.x - b.x, a.y - b.y, a.z - b.z};
}

DLP_INLINE Vector times(dlp__Wide factor, Vector a)
{
    return (Vector){factor * a.x, factor * a.y, factor * a.z};
}

DLP_INLINE Vector cross(Vector a, Vector b)
{
    return (Vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* The products r_a s_b come first: a shape at rest has an exactly symmetric moment then, and does not move at all. */
DLP_INLINE void add_moments(dlp__Wide moment[3][3], dlp__Wide weight, Vector r, Vector s)
{
    const dlp__Wide a[3] = {r.x, r.y, r.z}, b[3] = {s.x, s.y, s.z};
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 3; column++) {
            moment[row][column] += weight * (a[row] * b[column]);
        }
    }
}

DLP_INLINE void add_member(ClusterSums *sums, dlp__Wide weight, Vector r, Vector s)
{
    sums->weight += weight;
    sums->r = plus(sums->r, times(weight, r));
    sums->s = plus(sums->s, times(weight, s));
    add_moments(sums->moment, weight, r, s);
}

/* Replace the sums by means, and moments about the particle by those about the centres. */
DLP_INLINE void center_moments(ClusterSums *sums)
{
    const dlp__Wide part = dlp__wide(1.0f) / dlp__wide_max(sums->weight, dlp__wide(1e-30f));
    sums->r = times(part, sums->r);
    sums->s = times(part, sums->s);
    add_moments(sums->moment, dlp__wide(0.0f) - sums->weight, sums->r, sums->s);
}

DLP_INLINE Quaternion unit(Quaternion q)
{
    const dlp__Wide square = q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z;
    const dlp__Wide factor = dlp__wide(1.0f) / dlp__wide_sqrt(dlp__wide_max(square, dlp__wide(1e-30f)));
    return (Quaternion){q.w * factor, q.x * factor, q.y * factor, q.z * factor};
}

/* R v. */
DLP_INLINE Vector rotate(Quaternion q, Vector v)
{
    const Vector axis = {q.x, q.y, q.z};
    const Vector twice = times(dlp__wide(2.0f), cross(axis, v));
    return plus(plus(v, times(q.w, twice)), cross(axis, twice));
}

DLP_INLINE Vector unrotate(Quaternion q, Vector v)
{
    const dlp__Wide zero = dlp__wide(0.0f);
    return rotate((Quaternion){q.w, zero - q.x, zero - q.y, zero - q.z}, v);
}

/* The linear system of one iteration. */
typedef struct NewtonStep {
    Vector gradient;                  /* a */
    dlp__Wide xx, yy, zz, xy, xz, yz; /* H, regularized                                      */
    dlp__Wide size;                   /* of A, which the gradient is compared with            */
    dlp__WideMask definite;           /* H is positive definite: R is near the maximum, not at a saddle point */
} NewtonStep;

static const float REGULARIZATION =
    1e-3f; /* of H, in its trace: a thin row of particles does not resist turning about its axis */

DLP_INLINE NewtonStep newton_step(Quaternion q, dlp__Wide a[3][3])
{
    const Vector x = unrotate(q, (Vector){a[0][0], a[1][0], a[2][0]}),
                 y = unrotate(q, (Vector){a[0][1], a[1][1], a[2][1]}),
                 z = unrotate(q, (Vector){a[0][2], a[1][2], a[2][2]}); /* columns of M */
    const dlp__Wide half = dlp__wide(0.5f), zero = dlp__wide(0.0f), trace = x.x + y.y + z.z;
    const dlp__Wide size = dlp__wide_max(trace, zero - trace), extra = dlp__wide(REGULARIZATION) * size;
    NewtonStep step = {.gradient = {y.z - z.y, z.x - x.z, x.y - y.x},
                       .xx = trace - x.x + extra,
                       .yy = trace - y.y + extra,
                       .zz = trace - z.z + extra,
                       .xy = zero - half * (x.y + y.x),
                       .xz = zero - half * (x.z + z.x),
                       .yz = zero - half * (y.z + z.y),
                       .size = size};
    const dlp__Wide minor = step.xx * step.yy - step.xy * step.xy;
    const dlp__Wide determinant = step.zz * minor + dlp__wide(2.0f) * step.xy * step.xz * step.yz -
                                  step.xx * step.yz * step.yz - step.yy * step.xz * step.xz;
    step.definite = dlp__wide_both(dlp__wide_less(zero, step.xx),
                                   dlp__wide_both(dlp__wide_less(zero, minor), dlp__wide_less(zero, determinant)));
    return step;
}

/* H^-1 a, at most half a radian; zero where H is not positive definite. */
DLP_INLINE Vector solve(const NewtonStep *s)
{
    const dlp__Wide one = dlp__wide(1.0f), tiny = dlp__wide(1e-30f);
    const dlp__Wide l21 = s->xy / dlp__wide_max(s->xx, tiny), l31 = s->xz / dlp__wide_max(s->xx, tiny);
    const dlp__Wide d2 = dlp__wide_max(s->yy - l21 * s->xy, tiny), l32 = (s->yz - l31 * s->xy) / d2;
    const dlp__Wide d3 = dlp__wide_max(s->zz - l31 * s->xz - l32 * (s->yz - l31 * s->xy), tiny);
    const dlp__Wide y = s->gradient.y - l21 * s->gradient.x, z = (s->gradient.z - l31 * s->gradient.x - l32 * y) / d3;
    const dlp__Wide b = y / d2 - l32 * z, a = s->gradient.x / dlp__wide_max(s->xx, tiny) - l21 * b - l31 * z;
    const dlp__Wide length = dlp__wide_sqrt(a * a + b * b + z * z);
    const dlp__Wide factor = one / dlp__wide_max(one, dlp__wide(2.0f) * length);
    return (Vector){dlp__wide_where(s->definite, factor * a), dlp__wide_where(s->definite, factor * b),
                    dlp__wide_where(s->definite, factor * z)};
}

/* q followed by a rotation by t in the reference frame. */
DLP_INLINE Quaternion turned(Quaternion q, Vector t)
{
    const Vector h = times(dlp__wide(0.5f), t);
    return unit((Quaternion){q.w - (q.x * h.x + q.y * h.y + q.z * h.z), q.x + (q.w * h.x + q.y * h.z - q.z * h.y),
                             q.y + (q.w * h.y + q.z * h.x - q.x * h.z), q.z + (q.w * h.z + q.x * h.y - q.y * h.x)});
}

enum { NEWTON_ITERATIONS = 3 };
static const float CONVERGED =
    1e-3f; /* gradient before the last iteration, over the size of A: the error is the square of it after */

/* The rotation of a cluster from an initial guess, and where that did not converge. A cluster without extent keeps its guess. */
DLP_INLINE Quaternion find_rotation(Quaternion guess, dlp__Wide moment[3][3], dlp__WideMask *failed)
{
    Quaternion q = unit(guess);
    for (int n = 0; n < NEWTON_ITERATIONS; n++) {
        const NewtonStep step = newton_step(q, moment);
        const Vector a = step.gradient;
        const dlp__Wide error = dlp__wide_sqrt(a.x * a.x + a.y * a.y + a.z * a.z);
        const dlp__WideMask off = dlp__wide_less(dlp__wide(CONVERGED) * step.size, error);
        const dlp__WideMask empty = dlp__wide_not(dlp__wide_less(dlp__wide(0.0f), step.size));
        const dlp__WideMask good = dlp__wide_both(step.definite, dlp__wide_not(off));
        *failed = dlp__wide_both(dlp__wide_not(good), dlp__wide_not(empty));
        q = turned(q, solve(&step));
    }
    return q;
}

#endif
