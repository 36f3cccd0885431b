/* Walls in method mps: sheets of evenly spread particles half a spacing, one and a half, ... behind a wall's surface complete the
 * number density of the particles near it. In the velocity gradient a wall is one more neighbour, at its surface, with its velocity,
 * seen from one side: L_i follows from it as from fluid neighbours, and the adjoint acts back as drag. A wall without friction takes
 * part with the normal component only. In the pressure equation the normal derivative of pressure at a wall is zero, and sheets push
 * with the pressure of the particle; they pull with it too, up to the wall's stickiness. The displacements of particles by walls are
 * recorded per sample, for free bodies and force probes. */
#ifndef DLP_METHODS_MPS_WALLS_H
#define DLP_METHODS_MPS_WALLS_H

#include "methods/mps/mps_plan.h"

/* Build the samples; set `wall_moment` and `wall_side`, which are zero without walls. */
void dlp__mps_find_walls(dlp__StepContext *step, const dlp__MpsPlan *plan);

/* `wall_rate` of the velocities, or of the search direction, where walls are at rest. */
void dlp__mps_add_wall_rates(dlp__StepContext *step, const dlp__MpsPlan *plan, bool of_search);

/* Add the drag of walls: dt f to `residual`, or subtract that of the search direction from `product`. */
void dlp__mps_add_wall_drag(dlp__StepContext *step, const dlp__MpsPlan *plan, bool of_search);

/* Record the drag at the final velocities, whose flux must be current. */
void dlp__mps_record_wall_drag(dlp__StepContext *step, const dlp__MpsPlan *plan);

/* Attraction by walls, according to the contact angle. */
void dlp__mps_wet_walls(dlp__StepContext *step, const dlp__MpsPlan *plan);

/* `wall_compression` and `wall_push` at the predicted positions. */
void dlp__mps_compress_at_walls(dlp__StepContext *step, const dlp__MpsPlan *plan);

/* Record the displacements of particles by the pressure of walls, before the particles move. */
void dlp__mps_record_wall_push(dlp__StepContext *step, const dlp__MpsPlan *plan);

#endif
