/* Materials whose law is not that of a single Maxwell element: flow laws, elastic laws, spectra, thixotropy (materials/law_step.h).
 *
 * If a world has one, the stress of all particles is computed here, particle by particle in double precision, and the vector loops use
 * the sums: the stress of the step, and the viscosity against changes of the rate. */
#ifndef DLP_METHODS_PHYSICAL_LAWS_H
#define DLP_METHODS_PHYSICAL_LAWS_H

#include "materials/law_parts.h"
#include "materials/maxwell.h"
#include "methods/physical/physical_stages.h"

/* Whether a material needs this. */
bool dlp__physical_has_law(const dlp_MaterialDef *material);

/* Give memory to the fields that the laws of these materials need. */
void dlp__physical_add_law_fields(dlp__Domains *domains, const dlp_MaterialDef *materials, int count);

/* The Maxwell fluid that a material is in a step as a particle's state is, or one that has not flowed: `shear_rate` (1/s). */
dlp__MaxwellFlow dlp__physical_law_flow(const dlp__LawParts *law, const dlp__Particles *particles, int64_t i, double dt,
                                        double stiffest);
dlp__MaxwellFlow dlp__physical_rest_flow(const dlp_MaterialDef *material, double shear_rate, double dt,
                                         double stiffest);

/* Before the solve, for `count` particles from i on whose velocity gradients are stored: fields law_*, and the coefficients of the flow.
 * `damping` is that of each particle. */
void dlp__physical_law_begin(const dlp__PhysicalArguments *arguments, dlp__Particles *particles, int64_t i, int count,
                             const float *damping);

/* After it, at the new velocity gradients, times `limit` of each particle: state and stress (without pressure). */
void dlp__physical_law_end(const dlp__PhysicalArguments *arguments, dlp__Particles *particles, int64_t i, int count,
                           const float *limit);

/* Multiply the strain of all elements but the first of particles that break. */
void dlp__physical_law_break(dlp__Particles *particles, int64_t i, int count, const float *kept);

/* Outside of steps: the stress (Pa) of the elements of a particle, the viscosity (Pa s) of the rest, and the shear rate (1/s) of the last
 * step. */
double dlp__physical_law_viscosity(const dlp_MaterialDef *material, const dlp__Particles *particles, int64_t i);
double dlp__physical_shear_rate(const dlp__Particles *particles, int64_t i);
void dlp__physical_law_stress(const dlp_MaterialDef *material, const dlp__Particles *particles, int64_t i,
                              double stress[6]);

#endif
