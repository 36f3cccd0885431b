/* Reactions: every particle that a free solid pushes, stops or slows records the opposite impulse, and the reactions
 * of all particles are summed for each body. The sums are exact, so the order of particles and parts does not
 * matter. */
#ifndef DLP_BODIES_REACTIONS_H
#define DLP_BODIES_REACTIONS_H

#include "bodies/solids.h"

#define DLP_REACTION_BLOCK 1024 /* particles; a thread processes whole blocks */

/* Allocate and clear the reactions of all particles. False if no bodies are predicted, or without memory. */
bool dlp__reactions_begin(dlp__Solids *solids, dlp__Domains *domains);

/* A solid changed the velocity of particle i by `change` (m/s) at a point (m). Does nothing if `reactions` is null
 * or the solid is not free. */
void dlp__reaction_add(const dlp__Solids *solids, const dlp__Particles *particles, dlp__Reactions *reactions, int64_t i,
                       const dlp__Solid *solid, dlp_Vec3 change, dlp_Vec3 point);

/* Particle i moves with `relative` (m/s) to a wall of the solid at a point (m) next to it and is subject to its
 * friction, which takes a `fraction` of its sliding speed; `stops`: the wall also stops its normal motion. */
void dlp__reaction_add_friction(const dlp__Solids *solids, const dlp__Particles *particles, dlp__Reactions *reactions,
                                int64_t i, const dlp__Solid *solid, dlp_Vec3 relative, dlp_Vec3 point, dlp_Vec3 normal,
                                double fraction, bool stops);

/* The number of reactions on a body in each part, which its grouping lists; returns their sum. */
int64_t dlp__reactions_count(const dlp__Domains *domains, int body, int64_t counts[DLP_DOMAINS_MOST]);

/* Reaction n of those on a body in one part. */
static inline const dlp__Reaction *dlp__reaction_on(const dlp__Domains *domains, int part, int body, int64_t n)
{
    const dlp__Reactions *reactions = &domains->part[part].reactions;
    return &reactions->item[reactions->by_body.item[reactions->by_body.start[body] + n]];
}

/* Make the reactions contiguous and, if `accumulate`, add their sums to the bodies' contact impulses. */
void dlp__reactions_finish(dlp__Solids *solids, dlp__Domains *domains, bool accumulate);

/* Turn the displacements of particles by samples into reactions and set the bodies' pressure impulses to their sums. */
void dlp__reactions_from_samples(dlp__Solids *solids, dlp__Domains *domains);

/* Sum the mass and moment of inertia of the particles near each body. */
void dlp__reactions_sum_nearby_mass(dlp__Solids *solids, dlp__Domains *domains);

/* Apply all impulses that bodies have received but not yet applied (predicted_bodies.c). */
void dlp__solids_apply_pending_impulses(dlp__Solids *solids);

/* Set the velocities of free solids to those after friction (body_friction.c). The friction reactions have been
 * recorded and are contiguous. */
void dlp__solids_predict_friction(dlp__Solids *solids, dlp__Domains *domains);

/* kg */
static inline double dlp__particle_mass(const dlp__Solids *solids, const dlp__Particles *particles, int64_t i)
{
    const double spacing = (double)solids->spacing;
    return spacing * spacing * spacing / (double)particles->specific_volume[0][i];
}

#endif
