/* Kernel sums over a full cubic lattice, the state of rest. */
#ifndef DLP_SPH_LATTICE_H
#define DLP_SPH_LATTICE_H

#include "sph/kernel.h"

typedef struct dlp__Lattice {
    double value;     /* sum V W, the particle itself included: the density of a lattice over that of the material */
    double stiffness; /* sum |V grad W|^2, 1/m2 */
    double moment;    /* m2, sum r^2 within the support */
} dlp__Lattice;

dlp__Lattice dlp__lattice_sums(const dlp__Kernel *kernel, double spacing);

#endif
