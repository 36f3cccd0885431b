/* The fields that transfer looks from particles to vertices, with three values each. */
#ifndef DLP_RENDER_LOOK_FIELDS_H
#define DLP_RENDER_LOOK_FIELDS_H

#include <dollop/render.h>

extern const char *const dlp__look_fields[DLP_LOOK_FIELDS]; /* albedo, absorption, finish, glow */

/* The values of a mesh without these fields. */
void dlp__look_default(float values[DLP_LOOK_FIELDS][3]);

#endif
