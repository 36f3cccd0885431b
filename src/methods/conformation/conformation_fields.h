/* Particle fields of method conformation: see particles/fields.h.
 *
 * X(name, type, components, unit, flags, meaning) */
#ifndef DLP_METHODS_CONFORMATION_FIELDS_H
#define DLP_METHODS_CONFORMATION_FIELDS_H

#include "particles/particles.h"

/* clang-format off */
#define DLP_CONFORMATION_FIELDS(X) \
    X(conformation, float, 6, "", DLP_FIELD_SAVED, "Q - I, zero at rest: xx yy zz xy xz yz") \
    X(flux, float, 9, "Pa", DLP_FIELD_SCRATCH, "last change of stress times K, row by row") \
    X(strain, float, 6, "", DLP_FIELD_SCRATCH, "Q - I plus the strain that rotation adds, for the projection of velocities: xx yy zz xy xz yz") \
    X(compliance, float, 1, "1/Pa", DLP_FIELD_SCRATCH, "strain of the step over the stress at its end") \
    X(retention, float, 1, "", DLP_FIELD_SCRATCH, "fraction of the conformation left after the relaxation of the step") \
    X(response, float, 1, "Pa", DLP_FIELD_SCRATCH, "change of stress for a unit of constraint error in an iteration")
/* clang-format on */

DLP_DECLARE_OWN_FIELDS(dlp__ConformationFields, DLP_CONFORMATION_FIELDS);
extern const dlp__FieldTable dlp__conformation_fields;

#endif
