/* Solids as a method sees them: boundary samples and mirror images near each particle, contact, friction and
 * adhesion. A method never asks what kind of boundary it touches. */
#ifndef DLP_BOUNDARY_BOUNDARY_H
#define DLP_BOUNDARY_BOUNDARY_H

#include "bodies/solids.h"

/* Fill every part's samples and boundary lists for the current positions. A wall at distance s is represented by one
 * sample on its far side whose volume and position reproduce the kernel sum and gradient of the particle layers that
 * continue the fluid behind it (see wall_table.h); where several walls meet, volumes are scaled so that the space
 * they share is not counted twice. Each sample belongs to one particle and is stored at the index of its list entry:
 * entry[e] = e, samples.count entries in all; entries that only pad a list have zero volume and solid -1. */
void dlp__boundary_build_samples(dlp__Solids *solids, dlp__Domains *domains);

/* Fill every part's mirror for the current positions: each wall within the kernel support gives a particle the
 * mirror images of its neighbours and of itself in the wall's plane, as far as they are within the support; where
 * walls meet at right angles, images of images too. For a pair of particles a curved wall is its tangent plane
 * nearest to their midpoint, so that the images are symmetric in i and j. Two particles that are both `detached` from the wall have no images of each other. Neighbour lists must be current. */
void dlp__boundary_build_images(dlp__Solids *solids, dlp__Domains *domains, const dlp__Kernel *kernel);

/* Update which particles are detached (`apart`) from the wall they are near, after a step of `dt`: those farther
 * than a spacing, those that `stress` pulls off by more than the wall's stickiness and more than the weight of a
 * layer of particles under `gravity` (m/s2), and those that were detached and will not come within half a spacing in
 * the next step. Wall friction is applied to particles with too few neighbours for a correction matrix. */
void dlp__boundary_update_attachment(dlp__Solids *solids, dlp__Domains *domains, float dt, double gravity);

/* Find particles in contact with walls that have Coulomb friction: `contact` of an attached one within a spacing is
 * the wall's normal and the largest friction force on it (Pa/m), from the stress that presses it there; `slide` is
 * its velocity along the wall. All others have no contact. False, with nothing done, if no wall has Coulomb
 * friction. */
bool dlp__boundary_find_rough_contacts(const dlp__Solids *solids, dlp__Domains *domains);
/* Accelerate particles that are detached from a sticky wall but within its reach, and those with too few neighbours
 * for a correction matrix, towards it over a step of `dt`. Needs `specific_volume`, `correction_matrix` and
 * neighbour lists. */
void dlp__boundary_attract_detached(dlp__Solids *solids, dlp__Domains *domains, float dt);

/* The same for methods whose fluid supports no tension: all particles within the reach are held against separation.
 * Called before `gravity` is applied. Needs no lists. */
void dlp__boundary_apply_adhesion(dlp__Solids *solids, dlp__Domains *domains, const dlp_MaterialDef *materials,
                                  dlp_Vec3 gravity, float dt);

/* Continuous collision: stop particles at the surfaces that they hit on their way from `start` to their positions,
 * while solids move from their previous to their current poses. The rest of the way follows the surface, so that
 * nothing passes a wall, however thin and fast. The moves are added to `correction`. Particles more than half a
 * spacing inside a solid at `start` do not collide with it. Needs no lists. */
void dlp__boundary_sweep(dlp__Solids *solids, dlp__Domains *domains);

/* Push a point (m) out of all solids, as far as possible. */
void dlp__boundary_push_point(const dlp__Solids *solids, float point[3]);

/* Push particles that have entered a solid back to its surface, or a rounding error outside of it; the push is added
 * to `correction`. Needs no lists. A particle squeezed between solids ends outside the last of them. */
void dlp__boundary_push_out(dlp__Solids *solids, dlp__Domains *domains);

/* Apply wall friction. Particles in the touching layer (closer than a spacing) lose their speed along a no-slip wall, and as much
 * as Coulomb's law allows along others: the coefficient times the normal speed that the wall gives them, against the `pressure` of
 * the fluid and by stopping them. So the friction force does not depend on the time step. Those closer than half a spacing lose
 * their speed into the wall. Needs `specific_volume` and no lists. */
void dlp__boundary_apply_wall_friction(dlp__Solids *solids, dlp__Domains *domains);
/* The same for predicted bodies and for Coulomb friction only, for methods that call dlp__boundary_resolve_wall_velocity, which
 * leaves these. */
void dlp__boundary_apply_friction_left(dlp__Solids *solids, dlp__Domains *domains);

/* Undo the sliding of that layer along walls of friction 1 in this step, in which particles were predicted `dt` (s)
 * ahead and moved by `correction` since; the moves are added to it. For methods in which the rest of a body would
 * drag the layer along before friction acts. Free solids are left out, because they would have to receive the
 * reaction. */
void dlp__boundary_undo_sliding(dlp__Solids *solids, dlp__Domains *domains, float dt);

/* For methods that project velocities: resolve wall contact before the projection, so that it can take contacts into
 * account. A particle of the touching layer whose velocity would bring it closer to a wall than half a spacing is
 * stopped there; its `contact` is the wall's normal and 1 if the wall is no-slip, and its `clearance` the (negative)
 * speed that it lost. It loses its speed along no-slip walls closer than a spacing. Particles behind others are not
 * stopped: those in front will stop them. With two walls, the contact is the one that stopped the particle more. All
 * others have no contact. Predicted bodies are left out: they would move while velocities are projected. Reads the
 * positions of ghosts, not rows. Positions must be predicted with the current velocities, `dt` ahead of the start of
 * the step, and neighbour lists must be current. */
void dlp__boundary_resolve_wall_velocity(dlp__Solids *solids, dlp__Domains *domains, float dt);

#endif
