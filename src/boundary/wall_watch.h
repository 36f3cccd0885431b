/* Impulses on walls from operations that change particles near them, such as contact, friction and adhesion: the velocities or
 * displacements before and after an operation are compared, and the momentum of each change is attributed to the nearest wall.
 * Nothing is done unless the impulses are collected (wall_impulses.h). */
#ifndef DLP_BOUNDARY_WALL_WATCH_H
#define DLP_BOUNDARY_WALL_WATCH_H

#include "boundary/boundary.h"

typedef enum dlp__WatchKind {
    DLP_WATCH_VELOCITY, /* the operation changes `velocity` */
    DLP_WATCH_MOVES,    /* it adds to `correction`, which becomes velocity at the end of the step */
} dlp__WatchKind;

/* Before and after an operation that leaves the order of particles unchanged; not nested. */
void dlp__wall_watch_begin(dlp__Solids *solids, dlp__Domains *domains, dlp__WatchKind kind);
void dlp__wall_watch_end(dlp__Solids *solids, dlp__Domains *domains, const dlp_MaterialDef *materials,
                         dlp__WatchKind kind);

/* Add an impulse (N s) of a particle at `point` (m) to the wall nearest to it: its normal component as pressure, the rest as
 * friction. */
void dlp__add_impulse_to_nearest(const dlp__Solids *solids, dlp__ImpulseSums *sums, dlp_Vec3 point, dlp_Vec3 impulse);

/* Add the displacements of particles by boundary samples in this step (dlp__Samples), as pressure. */
void dlp__wall_watch_samples(dlp__Solids *solids, dlp__Domains *domains, const dlp_MaterialDef *materials);

#endif
