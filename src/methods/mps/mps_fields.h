/* Particle fields of method mps: see particles/fields.h.
 *
 * X(name, type, components, unit, flags, meaning) */
#ifndef DLP_METHODS_MPS_FIELDS_H
#define DLP_METHODS_MPS_FIELDS_H

#include "particles/particles.h"

/* clang-format off */
#define DLP_MPS_FIELDS(X) \
    X(strain, float, 6, "", DLP_FIELD_SAVED, "elastic strain, deviatoric: xx yy zz xy xz yz") \
    X(viscosity, float, 1, "Pa.s", DLP_FIELD_SCRATCH, "of this step: viscous part, and elastic modulus times the time step") \
    X(modulus, float, 1, "Pa", DLP_FIELD_SAVED, "elastic shear modulus in this step") \
    X(viscous, float, 1, "Pa.s", DLP_FIELD_SAVED, "viscosity without the elastic part") \
    X(stabilizing, float, 1, "Pa.s", DLP_FIELD_SCRATCH, "viscosity that resists zero-energy modes") \
    X(memory, float, 2, "s", DLP_FIELD_SCRATCH, "fraction of the elastic strain left after the step, and strain gained per strain rate") \
    X(elastic_stress, float, 6, "Pa", DLP_FIELD_SCRATCH, "of the strain at the start of the step, rotated with the fluid") \
    X(flux, float, 9, "", DLP_FIELD_SCRATCH, "stress as it acts on neighbours: see mps_pairs.h") \
    X(regularization, float, 1, "", DLP_FIELD_SCRATCH, "fraction of packing and density errors that the step corrects") \
    X(interior, float, 1, "", DLP_FIELD_SCRATCH, "1 inside the fluid, 0 at a free surface") \
    X(fullness, float, 1, "", DLP_FIELD_SCRATCH, "1 where neighbours determine the velocity gradient well, 0 where they do not") \
    X(closeness, float, 1, "", DLP_FIELD_SCRATCH, "sum of w / r^2 over the neighbours, in 1 / spacing^2") \
    X(attraction, float, 1, "N/m2", DLP_FIELD_SCRATCH, "coefficient of the surface tension force, C_p") \
    X(wall_moment, float, 7, "", DLP_FIELD_SCRATCH, "contribution of walls to the moment matrix, and to n") \
    X(wall_side, float, 3, "", DLP_FIELD_SCRATCH, "contribution of walls to the sum of w e") \
    X(wall_rate, float, 9, "m2/s", DLP_FIELD_SCRATCH, "contribution of walls to the velocity gradient before correction") \
    X(wall_compression, float, 2, "", DLP_FIELD_SCRATCH, "n of walls at the start of the step and now") \
    X(last_pressure, float, 1, "Pa", DLP_FIELD_SCRATCH, "of the step before") \
    X(wall_push, float, 3, "1/m", DLP_FIELD_SCRATCH, "sum of w e / r over walls, twice: sheets have the pressure of the particle") \
    X(push_mobility, float, 1, "kg m2/m3", DLP_FIELD_SCRATCH, "one over the diagonal of the pressure operator") \
    X(push, float, 3, "m/s2", DLP_FIELD_SCRATCH, "acceleration by pressure") \
    X(density_source, float, 1, "", DLP_FIELD_SCRATCH, "density error that the step corrects by displacements without velocity") \
    X(shift, float, 3, "m", DLP_FIELD_SCRATCH, "displacement that keeps the packing regular")
/* clang-format on */

DLP_DECLARE_OWN_FIELDS(dlp__MpsFields, DLP_MPS_FIELDS);
extern const dlp__FieldTable dlp__mps_fields;

#endif
