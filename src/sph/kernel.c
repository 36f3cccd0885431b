/* The smoothing kernels in double: the reference for set-up and for tests of the vector code. */
#include "sph/kernel.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* Factors of 1 / (pi h^3) and 1 / (pi h^5): they normalize the integral of W to 1 and make g its slope. */
static const struct {
    double scale, slope;
} norms[] = {
    [DLP_KERNEL_CUBIC_SPLINE] = {16.0, -48.0},
    [DLP_KERNEL_POLY6_SPIKY] = {315.0 / 64.0, -45.0},
    [DLP_KERNEL_WENDLAND_C2] = {21.0 / 2.0, -210.0},
    [DLP_KERNEL_WENDLAND_C4] = {165.0 / 32.0, -1155.0 / 4.0},
};

dlp__Kernel dlp__kernel(dlp_KernelKind kind, double support)
{
    double h2 = support * support, h3 = h2 * support;
    return (dlp__Kernel){
        .kind = kind,
        .support = (float)support,
        .per_h = (float)(1.0 / support),
        .scale = (float)(norms[kind].scale / (PI * h3)),
        .slope = (float)(norms[kind].slope / (PI * h3 * h2)),
    };
}

double dlp__kernel_value(const dlp__Kernel *kernel, double r)
{
    double q = r / (double)kernel->support, p = 1.0 - q, half = fmax(0.5 - q, 0.0);
    if (q >= 1.0) {
        return 0.0;
    }
    switch (kernel->kind) {
    case DLP_KERNEL_CUBIC_SPLINE: return (double)kernel->scale * (p * p * p - 4.0 * half * half * half);
    case DLP_KERNEL_POLY6_SPIKY: return (double)kernel->scale * pow(1.0 - q * q, 3.0);
    case DLP_KERNEL_WENDLAND_C2: return (double)kernel->scale * pow(p, 4.0) * (4.0 * q + 1.0);
    case DLP_KERNEL_WENDLAND_C4: return (double)kernel->scale * pow(p, 6.0) * ((35.0 * q + 18.0) * q + 3.0);
    }
    return 0.0;
}

double dlp__kernel_slope(const dlp__Kernel *kernel, double r)
{
    double q = r / (double)kernel->support, p = 1.0 - q;
    if (q >= 1.0) {
        return 0.0;
    }
    double slope = (double)kernel->slope;
    switch (kernel->kind) {
    case DLP_KERNEL_CUBIC_SPLINE: return slope * (q < 0.5 ? r * (2.0 - 3.0 * q) : (double)kernel->support * p * p);
    case DLP_KERNEL_POLY6_SPIKY: return slope * (double)kernel->support * p * p;
    case DLP_KERNEL_WENDLAND_C2: return slope * r * p * p * p;
    case DLP_KERNEL_WENDLAND_C4: return slope * r * pow(p, 5.0) * (5.0 * q + 1.0);
    }
    return 0.0;
}
