/* Builds and reads the table of samples that represent walls. The integrals over a layer's plane are exact: the
 * kernels are polynomials on either side of h / 2, and eight Gauss points integrate degree 15. */
#include "sph/wall_table.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* Kernel sum of particle layers at a point, and its derivative. */
typedef struct Layers {
    double value; /* 2 pi int_z^h W r dr for a plane at distance z, times its thickness */
    /* 2 pi z int_z^h W' dr, 1/m: each point of the plane contributes along the normal by its cosine, z / r */
    double slope;
} Layers;

static Layers integrate(const dlp__Kernel *kernel, double z, double from, double to)
{
    static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267, 0.9602898564975363};
    static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745, 0.1012285362903763};
    Layers sum = {0.0, 0.0};
    double middle = 0.5 * (from + to), half = 0.5 * (to - from);
    for (int k = 0; k < 8; k++) {
        double r = middle + (k % 2 == 0 ? -half : half) * node[k / 2];
        double w = 2.0 * PI * half * weight[k / 2];
        sum.value += w * dlp__kernel_value(kernel, r) * r;
        sum.slope += w * dlp__kernel_slope(kernel, r) * z;
    }
    return sum;
}

/* All layers behind a wall at distance s >= 0. */
static Layers sum_layers(const dlp__Kernel *kernel, double spacing, double s)
{
    double h = (double)kernel->support;
    Layers sum = {0.0, 0.0};
    int layers = (int)ceil((h - s) / spacing - 0.5);
    for (int k = 0; k < layers; k++) {
        double z = s + (k + 0.5) * spacing;
        double split = fmax(0.5 * h, z);
        Layers inner = integrate(kernel, z, z, split), outer = integrate(kernel, z, split, h);
        sum.value += spacing * (inner.value + outer.value);
        sum.slope += spacing * (inner.slope + outer.slope);
    }
    return sum;
}

/* -W'/W. It grows with r without bound; for poly6/spiky only from h / 2 on. */
static double steepness(const dlp__Kernel *kernel, double r)
{
    return -dlp__kernel_slope(kernel, r) / dlp__kernel_value(kernel, r);
}

static double distance_of_steepness(const dlp__Kernel *kernel, double wanted)
{
    double high = (double)kernel->support, low = kernel->kind == DLP_KERNEL_POLY6_SPIKY ? 0.5 * high : 0.0;
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

static dlp__WallSample make_sample(const dlp__Kernel *kernel, double spacing, double s)
{
    Layers wanted = sum_layers(kernel, spacing, s);
    if (!(wanted.value > 0.0 && wanted.slope < 0.0)) {
        return (dlp__WallSample){.distance = kernel->support};
    }
    double at_rest = sum_layers(kernel, spacing, 0.5 * spacing).value; /* for the fluid's first layer */
    double share = wanted.value;
    wanted = (Layers){share * share / at_rest, 2.0 * share * wanted.slope / at_rest};
    double r = distance_of_steepness(kernel, -wanted.slope / wanted.value);
    return (dlp__WallSample){(float)r, (float)(wanted.value / dlp__kernel_value(kernel, r)), (float)share};
}

void dlp__wall_table_init(dlp__WallTable *table, const dlp__Kernel *kernel, double spacing)
{
    double reach = (double)kernel->support - 0.5 * spacing;
    table->reach = (float)reach;
    for (int k = 0; k < DLP_WALL_ENTRIES; k++) {
        table->entry[k] = make_sample(kernel, spacing, reach * k / (DLP_WALL_ENTRIES - 1));
    }
}

void dlp__wall_table_init_markers(dlp__WallTable *table, const dlp__Kernel *kernel, double spacing)
{
    dlp__wall_table_init(table, kernel, spacing);
    for (int k = 0; k < DLP_WALL_ENTRIES; k++) {
        table->entry[k].distance = (float)((double)table->reach * k / (DLP_WALL_ENTRIES - 1) + 0.5 * spacing);
        table->entry[k].volume = 1.0f;
    }
}

static float between(float a, float b, float part)
{
    return a + part * (b - a);
}

bool dlp__wall_sample(const dlp__WallTable *table, float s, dlp__WallSample *sample)
{
    float position = s / table->reach * (float)(DLP_WALL_ENTRIES - 1);
    if (!(position < (float)(DLP_WALL_ENTRIES - 1))) {
        return false;
    }
    position = position > 0.0f ? position : 0.0f;
    int k = (int)position;
    const dlp__WallSample *a = &table->entry[k], *b = &table->entry[k + 1];
    float part = position - (float)k;
    *sample = (dlp__WallSample){between(a->distance, b->distance, part), between(a->volume, b->volume, part),
                                between(a->share, b->share, part)};
    return true;
}
