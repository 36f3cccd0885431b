/* Solids as a method sees them: boundary samples and mirror images near each particle, contact, friction and adhesion. A
 * method never learns what kind of boundary it touches. */
#ifndef DLP_BOUNDARY_BOUNDARY_H
#define DLP_BOUNDARY_BOUNDARY_H

#include "bodies/solids.h"

/* Fill every part's samples and boundary lists for the positions as they are. A wall at distance s shows as one sample
 * on its far side whose volume and place give the kernel sum and gradient of the layers that continue the fluid behind
 * it (poly6/spiky needs two, see wall_table.h); where several walls meet, volumes are scaled so that the space they
 * share is not counted twice. Each sample belongs to one particle and stands where its list entry does: entry[e] = e,
 * samples.count entries in all, those that only pad a list being of zero volume and of solid -1. False without memory. */
bool dlp__boundary_sample(dlp__Solids *solids, dlp__Domains *domains);

/* Fill every part's mirror for the positions as they are: each wall within the kernel's support shows a particle the images
 * of its neighbours and of itself in the wall's plane, as far as they are within the support; where walls meet at right
 * angles, images of images too. A pair of particles sees a curved wall as the plane that touches it nearest to their
 * middle, so that j's image is to i what i's is to j. Two particles that are `apart` from the wall do not see each other in
 * it. Neighbour lists must be current. False without memory. */
bool dlp__boundary_mirror(dlp__Solids *solids, dlp__Domains *domains, const dlp__Kernel *kernel);

/* Which particles are `apart` from the wall they are near, after a step of `dt`: those farther than a spacing, those that
 * `stress` pulls off by more than the wall's stickiness and than the weight of a layer of particles under `gravity` (m/s2), and
 * those that were apart and will not come as close as half a spacing in the next step. Particles too lonely for a correction
 * matrix are rubbed. */
void dlp__boundary_update_attachment(dlp__Solids *solids, dlp__Domains *domains, float dt, double gravity);

/* Lay particles on rough walls: `contact` of one within a spacing that is not apart is the wall's normal and the most force
 * that friction can have on it (Pa/m), by the stress that presses it there; `slide` is its velocity along the wall. All others
 * have no contact. False if no wall is rough, and nothing was done. */
bool dlp__boundary_find_rough_contacts(const dlp__Solids *solids, dlp__Domains *domains);
/* Give particles that are `apart` from a sticky wall but within its reach, and those too lonely for a correction matrix, the speed
 * towards it that it gives them in a step of `dt`. Needs `specific_volume`, `correction_matrix` and neighbour lists. */
void dlp__boundary_attract_detached(dlp__Solids *solids, dlp__Domains *domains, float dt);

/* The same for methods in which fluid bears no tension: all particles within the reach are drawn. Needs no lists. */
void dlp__boundary_apply_adhesion(dlp__Solids *solids, dlp__Domains *domains, const dlp_MaterialDef *materials,
                                  float dt);

/* Stop particles at the surfaces that they met on their way from `start` to where they are, while solids went from where
 * they were before to where they are: the rest of the way leads along the surface, so that nothing passes a wall, however
 * thin and fast. What that moves counts into `correction`. Particles more than half a spacing inside a solid at `start` do
 * not meet it. Needs no lists. */
void dlp__boundary_sweep(dlp__Solids *solids, dlp__Domains *domains);

/* Push a point (m) out of all solids, as far as that can be done. */
void dlp__boundary_push_point(const dlp__Solids *solids, float point[3]);

/* Push particles that have entered a solid back to its surface, or a rounding error outside of it; the push counts into
 * `correction` as well. Needs no lists. A particle squeezed between solids ends outside the last of them. */
void dlp__boundary_push_out(dlp__Solids *solids, dlp__Domains *domains);

/* Take from particles in the touching layer (closer than a spacing) part of the speed along the solid, by its friction,
 * and from those closer than half a spacing their speed into it. Needs no lists. */
void dlp__boundary_apply_wall_friction(dlp__Solids *solids, dlp__Domains *domains);
/* The same on solids that are led alone, for methods that brace against all others. */
void dlp__boundary_apply_body_friction(dlp__Solids *solids, dlp__Domains *domains);

/* Undo what particles of that layer have slid along walls of friction 1 in this step, in which they were predicted `dt` (s) ahead and
 * moved by `correction` since; it counts into that. For methods in which the rest of a body would drag the layer on before it is rubbed.
 * Free solids are left out, as they would have to be given the opposite. */
void dlp__boundary_undo_sliding(dlp__Solids *solids, dlp__Domains *domains, float dt);

/* For methods that project velocities: meet the walls before that, so that the projection can take them into account. A
 * particle of the touching layer that its velocity would bring closer to a wall than half a spacing is stopped there,
 * its `contact` says with what normal and friction, and its `clearance` is the (negative) speed that it lost; of the
 * speed along walls closer than a spacing friction takes its part. Particles behind others are not stopped: those in front
 * will stop them. Where two walls are met at once, the contact is that with the one which stopped it more. All others have no
 * contact. Solids that are led are left out: they would not stand still while velocities are projected. Reads the positions of
 * ghosts, not rows. Positions are predicted with the velocities as they are, `dt` ahead of where
 * the step began, and neighbour lists are current. */
void dlp__boundary_resolve_wall_velocity(dlp__Solids *solids, dlp__Domains *domains, float dt);

#endif
