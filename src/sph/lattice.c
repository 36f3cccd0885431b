/* Kernel sums over a full cubic lattice by direct summation. */
#include "sph/lattice.h"

#include <math.h>

dlp__Lattice dlp__lattice_sums(const dlp__Kernel *kernel, double spacing)
{
    dlp__Lattice sums = {0.0, 0.0, 0.0};
    double volume = spacing * spacing * spacing;
    int reach = (int)ceil((double)kernel->support / spacing);
    for (int x = -reach; x <= reach; x++) {
        for (int y = -reach; y <= reach; y++) {
            for (int z = -reach; z <= reach; z++) {
                double r = spacing * sqrt((double)(x * x + y * y + z * z));
                double slope = volume * dlp__kernel_slope(kernel, r);
                sums.value += volume * dlp__kernel_value(kernel, r);
                sums.moment += r < (double)kernel->support ? r * r : 0.0;
                sums.stiffness += r > 0.0 ? slope * slope : 0.0; /* a particle is not its own neighbour */
            }
        }
    }
    return sums;
}
