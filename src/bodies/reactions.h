/* What particles do to free solids: every particle that meets one leaves a reaction, and the reactions of all are summed for
 * each body. Sums are exact, so it does not matter in which order or part particles come. */
#ifndef DLP_BODIES_REACTIONS_H
#define DLP_BODIES_REACTIONS_H

#include "bodies/solids.h"

#define DLP_REACTION_BLOCK 1024 /* particles: a thread works on whole blocks */

/* Room for the reactions of all particles; none has left one yet. False where nobody asks for them. */
bool dlp__reactions_open(dlp__Solids *solids, dlp__Domains *domains);

/* Particle i was given `change` (m/s) by a solid, at a point (m). Nothing happens where nobody asks (null) or the solid is not
 * free. */
void dlp__reaction_add(const dlp__Solids *solids, const dlp__Particles *particles, dlp__Reactions *reactions, int64_t i,
                       const dlp__Solid *solid, dlp_Vec3 change, dlp_Vec3 point);

/* Particle i, which moves with `relative` (m/s) against a wall of the solid at a point (m) next to it, would rub on it; the wall
 * `stops` it or not. */
void dlp__reaction_add_friction(const dlp__Solids *solids, const dlp__Particles *particles, dlp__Reactions *reactions,
                                int64_t i, const dlp__Solid *solid, dlp_Vec3 relative, dlp_Vec3 point, dlp_Vec3 normal,
                                bool stops);

/* Put the reactions in a row, and give their sums to the bodies if they `count`. */
void dlp__reactions_close(dlp__Solids *solids, dlp__Domains *domains, bool count);

/* Make reactions of what samples have moved particles by, and tell bodies the sums. */
void dlp__reactions_of_samples(dlp__Solids *solids, dlp__Domains *domains);

/* Find out how much mass is about each body. */
void dlp__reactions_sum_nearby_mass(dlp__Solids *solids, dlp__Domains *domains);

/* Give bodies all that they have not taken yet (led_solids.c). */
void dlp__solids_apply_pending_impulses(dlp__Solids *solids);

/* Rubbing is going to change the velocities of free solids: take them to be what they will be (drag.c). What particles feel has
 * been left and stands in a row. */
void dlp__solids_predict_friction(dlp__Solids *solids, dlp__Domains *domains);

/* kg */
static inline double dlp__particle_mass(const dlp__Solids *solids, const dlp__Particles *particles, int64_t i)
{
    const double spacing = (double)solids->spacing;
    return spacing * spacing * spacing / (double)particles->specific_volume[0][i];
}

#endif
