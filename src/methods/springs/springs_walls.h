/* Walls in double density relaxation. To the fluid a wall is more of the same: sheets of particles half a spacing, one and a half,
 * ... behind its surface, which add to both densities of the particles near it and push them away, but do not hold them: what
 * clings to a wall does so by the wall's stickiness.
 *
 * The sheets hold the fluid's own pressure, which doubles their push. As in sph/wall_table.h, that is had without a gain of energy by
 * taking for a density f(s) of the sheets at a distance s the square f(s)^2 / f(d/2), and for the push the gradient of that. */
#ifndef DLP_METHODS_SPRINGS_WALLS_H
#define DLP_METHODS_SPRINGS_WALLS_H

#include "methods/springs/springs_plan.h"

/* What walls add to the densities of particles where they are now: `wall_density`. */
void dlp__springs_see_walls(dlp__StepContext *step, const dlp__SpringsPlan *plan);

/* Move particles away from walls, by `far_push` and `near_push`. */
void dlp__springs_push_walls(dlp__StepContext *step, const dlp__SpringsPlan *plan);

#endif
