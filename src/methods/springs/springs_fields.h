/* Particle fields of method springs: see particles/fields.h.
 *
 * X(name, type, components, unit, flags, meaning) */
#ifndef DLP_METHODS_SPRINGS_FIELDS_H
#define DLP_METHODS_SPRINGS_FIELDS_H

#include "particles/particles.h"

/* clang-format off */
#define DLP_SPRINGS_FIELDS(X) \
    X(sigma, float, 1, "1/s", DLP_FIELD_SCRATCH, "strength of viscosity impulses") \
    X(spring_law, float, 5, "", DLP_FIELD_SCRATCH | DLP_FIELD_ON_DEMAND, "spring coefficients at its temperature: dlp__SpringLaw without sigma") \
    X(far_push, float, 1, "m", DLP_FIELD_SCRATCH, "displacement of neighbours by its density in this step") \
    X(near_push, float, 1, "m", DLP_FIELD_SCRATCH, "the same for its near density") \
    X(wall_density, float, 2, "", DLP_FIELD_SCRATCH, "contribution of walls to both densities")
/* clang-format on */

DLP_DECLARE_OWN_FIELDS(dlp__SpringsFields, DLP_SPRINGS_FIELDS);
extern const dlp__FieldTable dlp__springs_fields;

#endif
