/* Builds and reads the table of samples that stand for half spaces. The integrals over spherical shells are exact: the
 * kernels are polynomials on either side of h / 2, and eight Gauss points take those up to degree 15. */
#include "solids/wall_table.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* What the half space at distance s >= 0 weighs: of each shell of radius r > s it holds a cap. */
typedef struct HalfSpace {
    double value; /* 2 pi int W (r^2 - r s) dr: the cap's area is 2 pi r (r - s)                          */
    double slope; /* pi int W' (r^2 - s^2) dr, 1/m: each point of the cap pulls along the normal by its cosine */
} HalfSpace;

static HalfSpace integrate(const dlp__Kernel *kernel, double s, double from, double to)
{
    static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    HalfSpace sum = {0.0, 0.0};
    double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    for (int k = 0; k < 8; k++) {
        double r = middle + (k % 2 == 0 ? -half : half) * node[k / 2];
        double w = half * weight[k / 2];
        sum.value += w * 2.0 * PI * dlp__kernel_value(kernel, r) * (r * r - r * s);
        sum.slope += w * PI * dlp__kernel_slope(kernel, r) * (r * r - s * s);
    }
    return sum;
}

static HalfSpace half_space(const dlp__Kernel *kernel, double s)
{
    double h = kernel->support, knee = fmax(0.5 * h, fabs(s));
    HalfSpace inner = integrate(kernel, fabs(s), fabs(s), knee), outer = integrate(kernel, fabs(s), knee, h);
    double beyond = inner.value + outer.value;
    return (HalfSpace){s >= 0.0 ? beyond : 1.0 - beyond, inner.slope + outer.slope};
}

/* -W'/W. It grows with r without bound, from 0 for all kernels but poly6/spiky. */
static double steepness(const dlp__Kernel *kernel, double r)
{
    return -dlp__kernel_slope(kernel, r) / dlp__kernel_value(kernel, r);
}

static double distance_of_steepness(const dlp__Kernel *kernel, double wanted)
{
    double low = 0.0, high = kernel->support;
    for (int halving = 0; halving < 50; halving++) {
        double middle = 0.5 * (low + high);
        if (steepness(kernel, middle) < wanted) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static dlp__WallSample make_sample(const dlp__Kernel *kernel, double s)
{
    HalfSpace wanted = half_space(kernel, s);
    if (!(wanted.value > 0.0)) {
        return (dlp__WallSample){.distance = kernel->support};
    }
    double steep = -wanted.slope / wanted.value, r, mirror = 0.0; /* `mirror`: part of the volume on the near side */
    if (kernel->kind == DLP_KERNEL_POLY6_SPIKY) {
        double s_per_h = s / (double)kernel->support;
        r = (double)kernel->support * (0.5 + 0.125 * (1.0 + s_per_h) * (1.0 + s_per_h));
        mirror = 0.5 * (1.0 - steep / steepness(kernel, r)); /* (v - m) / (v + m) is the ratio of the two */
    } else {
        r = distance_of_steepness(kernel, steep);
    }
    double volume = wanted.value / dlp__kernel_value(kernel, r);
    return (dlp__WallSample){(float)r, (float)(volume * (1.0 - mirror)), (float)(volume * mirror), (float)wanted.value};
}

void dlp__wall_table_init(dlp__WallTable *table, const dlp__Kernel *kernel)
{
    table->support = kernel->support;
    for (int k = 0; k < DLP_WALL_ENTRIES; k++) {
        table->entry[k] = make_sample(kernel, (double)kernel->support * (2.0 * k / (DLP_WALL_ENTRIES - 1) - 1.0));
    }
}

static float between(float a, float b, float part)
{
    return a + part * (b - a);
}

bool dlp__wall_sample(const dlp__WallTable *table, float s, dlp__WallSample *sample)
{
    float place = (s / table->support + 1.0f) * (0.5f * (DLP_WALL_ENTRIES - 1));
    if (!(place < (float)(DLP_WALL_ENTRIES - 1))) {
        return false;
    }
    place = place > 0.0f ? place : 0.0f;
    int k = (int)place;
    const dlp__WallSample *a = &table->entry[k], *b = &table->entry[k + 1];
    float part = place - (float)k;
    *sample = (dlp__WallSample){between(a->distance, b->distance, part), between(a->volume, b->volume, part),
                                between(a->mirror, b->mirror, part), between(a->share, b->share, part)};
    return true;
}
