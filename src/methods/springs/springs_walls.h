/* Walls in double density relaxation. A wall acts like more fluid: sheets of particles half a spacing, one and a half,
 * ... behind its surface add to both densities of the particles near it and push them away. They do not attract:
 * adhesion comes from the wall's stickiness alone.
 *
 * The sheets have the pressure of the particle itself, which doubles their push. As in sph/wall_table.h, energy is
 * conserved by replacing the density f(s) of the sheets at a distance s by f(s)^2 / f(d/2), whose gradient is the
 * push. */
#ifndef DLP_METHODS_SPRINGS_WALLS_H
#define DLP_METHODS_SPRINGS_WALLS_H

#include "methods/springs/springs_plan.h"

/* Contribution of walls to both densities at the current positions: `wall_density`. */
void dlp__springs_add_wall_density(dlp__StepContext *step, const dlp__SpringsPlan *plan);

/* Displace particles away from walls according to `far_push` and `near_push`. */
void dlp__springs_push_walls(dlp__StepContext *step, const dlp__SpringsPlan *plan);

#endif
