/* Particle fields of method links: see particles/fields.h.
 *
 * X(name, type, components, unit, flags, meaning) */
#ifndef DLP_METHODS_LINKS_FIELDS_H
#define DLP_METHODS_LINKS_FIELDS_H

#include "particles/particles.h"

/* clang-format off */
#define DLP_LINKS_FIELDS(X) \
    X(extension, float, 1, "1/s", DLP_FIELD_SCRATCH, "rate at which its links lengthen; negative: it has none") \
    X(frozen, float, 2, "", DLP_FIELD_SAVED, "1 where links between such particles are elastic: in this step, and before it") \
    X(softness, float, 1, "m3/kg", DLP_FIELD_SCRATCH, "softness of its links: see link_law.h") \
    X(taut, float, 1, "", DLP_FIELD_SCRATCH, "number of its links under tension")
/* clang-format on */

DLP_DECLARE_OWN_FIELDS(dlp__LinksFields, DLP_LINKS_FIELDS);
extern const dlp__FieldTable dlp__links_fields;

#endif
