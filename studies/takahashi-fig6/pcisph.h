/* The explicit solver of takahashi-fig6: predictive-corrective incompressible SPH (Solenthaler and Pajarola 2009) with explicit viscosity
 * by the Laplacian of Mueller et al. (2003). A plain implementation of these papers: one thread, double precision.
 *
 * The fluid is above the plane z = 0. Below it fixed particles continue its lattice: they contribute to the density, return the pressure
 * and are no-slip. */
#ifndef STUDIES_PCISPH_H
#define STUDIES_PCISPH_H

#include <dollop/dollop.h>

typedef struct PcisphDef {
    double spacing;   /* m     */
    double density;   /* kg/m3 */
    double viscosity; /* Pa.s  */
    double gravity;   /* m/s2, downwards */
} PcisphDef;

typedef struct Pcisph Pcisph;

/* Particles at rest at these positions; null if out of memory. */
Pcisph *pcisph_create(const PcisphDef *def, const float (*points)[3], int64_t count);
void pcisph_destroy(Pcisph *fluid); /* null is fine */

/* False once a position is NaN or a particle leaves the grid; further steps would be meaningless. */
bool pcisph_step(Pcisph *fluid, double dt);

/* The fluid after its last step. */
typedef struct PcisphStats {
    double center;      /* m, height of the centre of mass                          */
    double kinetic;     /* J                                                        */
    double compression; /* mean of max(0, density / rest density - 1)               */
} PcisphStats;

PcisphStats pcisph_stats(const Pcisph *fluid);
dlp_Vec3 pcisph_place(const Pcisph *fluid, int64_t particle); /* m */

#endif
