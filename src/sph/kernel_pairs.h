/* The kernels of kernel.h over vectors of pairs. A stage is compiled once for each kind of kernel, so the choice costs
 * nothing inside its loops: write it as an inline function with a last argument `kind` and call it through
 * DLP_BY_KERNEL. */
#ifndef DLP_SPH_KERNEL_PAIRS_H
#define DLP_SPH_KERNEL_PAIRS_H

#include "base/simd.h"
#include "sph/kernel.h"

#define DLP_BY_KERNEL(kernel_kind, function, ...) \
    switch (kernel_kind) { \
    case DLP_KERNEL_CUBIC_SPLINE: function(__VA_ARGS__, DLP_KERNEL_CUBIC_SPLINE); break; \
    case DLP_KERNEL_POLY6_SPIKY: function(__VA_ARGS__, DLP_KERNEL_POLY6_SPIKY); break; \
    case DLP_KERNEL_WENDLAND_C2: function(__VA_ARGS__, DLP_KERNEL_WENDLAND_C2); break; \
    case DLP_KERNEL_WENDLAND_C4: function(__VA_ARGS__, DLP_KERNEL_WENDLAND_C4); break; \
    }

/* W at distance r. */
DLP_INLINE dlp__Wide dlp__pair_value(const dlp__Kernel *kernel, dlp__Wide r, dlp_KernelKind kind)
{
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), scale = dlp__wide(kernel->scale);
    dlp__Wide q = r * dlp__wide(kernel->per_h), p = dlp__wide_max(one - q, zero);
    switch (kind) {
    case DLP_KERNEL_CUBIC_SPLINE: {
        dlp__Wide half = dlp__wide_max(dlp__wide(0.5f) - q, zero);
        return scale * (p * p * p - dlp__wide(4.0f) * (half * half * half));
    }
    case DLP_KERNEL_POLY6_SPIKY: {
        dlp__Wide s = dlp__wide_max(one - q * q, zero);
        return scale * (s * s * s);
    }
    case DLP_KERNEL_WENDLAND_C2: return scale * ((p * p) * (p * p) * (dlp__wide(4.0f) * q + one));
    case DLP_KERNEL_WENDLAND_C4: {
        dlp__Wide p3 = p * p * p;
        return scale * (p3 * p3 * ((dlp__wide(35.0f) * q + dlp__wide(18.0f)) * q + dlp__wide(3.0f)));
    }
    }
    return zero;
}

/* W' / r, so that the gradient at x_i is this times x_i - x_j. */
DLP_INLINE dlp__Wide dlp__pair_slope(const dlp__Kernel *kernel, dlp__Wide r, dlp_KernelKind kind)
{
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), slope = dlp__wide(kernel->slope);
    dlp__Wide q = r * dlp__wide(kernel->per_h), p = dlp__wide_max(one - q, zero);
    switch (kind) {
    case DLP_KERNEL_CUBIC_SPLINE: {
        const dlp__Wide half = dlp__wide(0.5f);
        dlp__Wide outer = p * p / dlp__wide_max(q, half), inner = dlp__wide(2.0f) - dlp__wide(3.0f) * q;
        return slope * dlp__wide_select(dlp__wide_less(q, half), inner, outer);
    }
    case DLP_KERNEL_POLY6_SPIKY: return slope * (p * p / dlp__wide_max(q, dlp__wide(DLP_KERNEL_LEAST_Q)));
    case DLP_KERNEL_WENDLAND_C2: return slope * (p * p * p);
    case DLP_KERNEL_WENDLAND_C4: return slope * ((p * p) * (p * p) * p * (dlp__wide(5.0f) * q + one));
    }
    return zero;
}

#endif
