/* Particle fields of method blend: see particles/fields.h.
 *
 * X(name, type, components, unit, flags, meaning) */
#ifndef DLP_METHODS_BLEND_FIELDS_H
#define DLP_METHODS_BLEND_FIELDS_H

#include "particles/particles.h"

/* clang-format off */
#define DLP_BLEND_FIELDS(X) \
    X(alpha, float, 1, "", DLP_FIELD_SCRATCH, "weight of SPH") \
    X(viscosity, float, 1, "Pa.s", DLP_FIELD_SCRATCH, "of pairs within its object") \
    X(free_velocity, float, 3, "m/s", DLP_FIELD_SCRATCH, "at the end of the step without external forces other than gravity") \
    X(external, float, 3, "m/s", DLP_FIELD_SAVED, "change of velocity by external forces other than gravity, since the last check of the reference shape")
/* clang-format on */

DLP_DECLARE_OWN_FIELDS(dlp__BlendFields, DLP_BLEND_FIELDS);
extern const dlp__FieldTable dlp__blend_fields;

#endif
