/* The fields in which looks go from particles to vertices; three values each. */
#ifndef DLP_RENDER_LOOK_FIELDS_H
#define DLP_RENDER_LOOK_FIELDS_H

#include <dollop/render.h>

extern const char *const dlp__look_fields[DLP_LOOK_FIELDS]; /* albedo, absorption, finish, glow */

/* Their values where nothing else is known. */
void dlp__look_plain(float values[DLP_LOOK_FIELDS][3]);

#endif
