/* Checks on the particles of a world before they are saved and after they are loaded. */
#ifndef DLP_IO_PARTICLE_CHECKS_H
#define DLP_IO_PARTICLE_CHECKS_H

#include "base/error.h"
#include "particles/particles.h"

/* The first field with any of `flags` that holds a NaN or an infinity, and in which particle; or DLP_FIELD_NONE. */
int dlp__fields_find_bad(const dlp__Particles *particles, int flags, int64_t *index);

/* Ids must be below `next_id` and no two alike; materials must be below `materials`. */
dlp_Result dlp__particles_check(const dlp__Particles *particles, uint64_t next_id, int materials, dlp_Error *error);

#endif
