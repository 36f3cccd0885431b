/* Checks on particles that come from a file. */
#ifndef DLP_IO_PARTICLE_CHECKS_H
#define DLP_IO_PARTICLE_CHECKS_H

#include "base/rank_calls.h"
#include "particles/particles.h"

/* Ids must be unique and below `next_id`; materials must be below `materials`. */
dlp_Result dlp__particles_check(const dlp__Particles *particles, uint64_t next_id, int materials, dlp_Error *error);

/* The same for the ids of particles on different ranks, all of which call it together; each compares a part of the ids. Lack of memory ends
 * all ranks. */
dlp_Result dlp__particles_check_ranks(const dlp__Particles *particles, dlp_Ranks *ranks, uint64_t next_id,
                                      dlp_Error *error);

/* Companion numbers must be below `companions`. */
dlp_Result dlp__particles_check_companions(const dlp__Particles *particles, int companions, dlp_Error *error);

#endif
