/* Smoothing kernels in three dimensions, zero for r >= h; h is the support. Scalar and double, for set-up and tests;
 * the particle loops use the same polynomials over simd.h in kernel_pairs.h.
 *
 * With q = r / h, and everything zero for q >= 1:
 *     W(r)      = scale * w(q)    so the kernel sum is        sum of V_j W
 *     W'(r) / r = slope * g(q)    so its gradient at x_i is   sum of V_j (W'/r) (x_i - x_j); slope is negative
 *
 *     kind           w(q)                             g(q)
 *     cubic spline   (1-q)^3 - 4 max(1/2-q, 0)^3      q < 1/2: 2 - 3 q, else (1-q)^2 / q
 *     poly6 / spiky  (1-q^2)^3                        (1-q)^2 / max(q, DLP_KERNEL_LEAST_Q), that of (1-q)^3
 *     Wendland C2    (1-q)^4 (4 q + 1)                (1-q)^3
 *     Wendland C4    (1-q)^6 (35 q^2 + 18 q + 3)      (1-q)^5 (5 q + 1)
 *
 * The cubic spline's slope is usually written ((1-q)^2 - 4 (1/2-q)^2) / q for q < 1/2; that equals 2 - 3 q, without
 * the division and its cancellation. The spiky slope diverges like 1/r, while the gradient itself stays finite. */
#ifndef DLP_SPH_KERNEL_H
#define DLP_SPH_KERNEL_H

#include <dollop/world.h>

#define DLP_KERNEL_LEAST_Q 1e-6f /* keeps 1/q finite where two particles coincide */

typedef struct dlp__Kernel {
    dlp_KernelKind kind;
    float support; /* m, h */
    float per_h;   /* 1/m */
    float scale;   /* 1/m3, norm of W */
    float slope;   /* 1/m5, norm of W'/r */
} dlp__Kernel;

dlp__Kernel dlp__kernel(dlp_KernelKind kind, double support);

/* W (1/m3) and W' (1/m4) at distance r >= 0 (m). For poly6/spiky the slope is that of the spiky kernel. */
double dlp__kernel_value(const dlp__Kernel *kernel, double r);
double dlp__kernel_slope(const dlp__Kernel *kernel, double r);

#endif
