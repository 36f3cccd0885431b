/* The table of wall_conduction.h, integrated numerically for a kernel. */
#include "heat/wall_conduction.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

static dlp__WallShare integrate(const dlp__Kernel *kernel, double s)
{
    enum { PIECES = 400 };
    const double h = (double)kernel->support, piece = (h - s) / PIECES;
    dlp__WallShare share = {0.0, 0.0};
    for (int k = 0; k < PIECES; k++) {
        const double r = s + (k + 0.5) * piece;
        share.gradient += 2.0 * PI * piece * r * dlp__kernel_value(kernel, r);
        share.moment -= 2.0 * PI * piece * r * r * (r - s) * dlp__kernel_slope(kernel, r);
    }
    return share;
}

/* 1/m, gradient of the kernel sum of a lattice from which the layers at and above `layer` spacings over a particle
 * are missing. */
static double missing_gradient(const dlp__Kernel *kernel, double spacing, int layer)
{
    const double h = (double)kernel->support, volume = spacing * spacing * spacing;
    const int reach = (int)ceil(h / spacing);
    double sum = 0.0;
    for (; layer * spacing < h; layer++) {
        for (int row = -reach; row <= reach; row++) {
            for (int column = -reach; column <= reach; column++) {
                const double r = spacing * sqrt((double)(row * row + column * column + layer * layer));
                sum -= r < h ? volume * dlp__kernel_slope(kernel, r) * layer * spacing / r : 0.0;
            }
        }
    }
    return sum;
}

/* Calibration: the free surface of a fluid at rest contributes gradients in its first layers. */
static double area_of(const dlp__WallHeat *wall, const dlp__Kernel *kernel, double spacing)
{
    double sum = 0.0;
    for (int layer = 1; layer * spacing < wall->reach; layer++) {
        sum += spacing * fmax(missing_gradient(kernel, spacing, layer) - wall->noise, 0.0);
    }
    return sum > 0.0 ? 1.0 / sum : 0.0; /* with so few neighbours no surface is detected */
}

void dlp__wall_heat_init(dlp__WallHeat *wall, const dlp__Kernel *kernel, double spacing)
{
    *wall = (dlp__WallHeat){.reach = (double)kernel->support, .least = 0.25 * spacing};
    for (int k = 0; k < DLP_WALL_HEAT_ENTRIES; k++) {
        wall->entry[k] = integrate(kernel, wall->reach * k / (DLP_WALL_HEAT_ENTRIES - 1));
    }
    wall->noise = 0.3 * wall->entry[0].gradient;
    wall->area = area_of(wall, kernel, spacing);
}

dlp__WallShare dlp__wall_heat_at(const dlp__WallHeat *wall, double s)
{
    const double position = fmin(fmax(s / wall->reach, 0.0), 1.0) * (DLP_WALL_HEAT_ENTRIES - 1);
    const int k = position < DLP_WALL_HEAT_ENTRIES - 1 ? (int)position : DLP_WALL_HEAT_ENTRIES - 2;
    const double part = position - k;
    const dlp__WallShare *a = &wall->entry[k], *b = &wall->entry[k + 1];
    return (dlp__WallShare){a->gradient + part * (b->gradient - a->gradient),
                            a->moment + part * (b->moment - a->moment)};
}
