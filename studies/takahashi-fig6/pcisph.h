/* The rival of takahashi-fig6: predictive-corrective incompressible SPH (Solenthaler and Pajarola 2009) with viscosity in explicit steps, by
 * the Laplacian of Mueller et al. (2003). Made to be as plain as these papers are: one thread, double precision.
 *
 * The fluid stands above the plane z = 0, below which particles that never move continue its lattice: they have a density, pass pressure
 * back and do not slip. */
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

/* Particles at rest at these places; null without memory. */
Pcisph *pcisph_create(const PcisphDef *def, const float (*points)[3], int64_t count);
void pcisph_destroy(Pcisph *fluid); /* null is fine */

/* False once a particle is no number or leaves the room above the floor, where all that follows would make no sense. */
bool pcisph_step(Pcisph *fluid, double dt);

/* The fluid as it stands after its last step. */
typedef struct PcisphStats {
    double center;      /* m, height of the centre of mass                          */
    double kinetic;     /* J                                                        */
    double compression; /* mean of max(0, density / rest density - 1)               */
} PcisphStats;

PcisphStats pcisph_stats(const Pcisph *fluid);
dlp_Vec3 pcisph_place(const Pcisph *fluid, int64_t particle); /* m */

#endif
