/* Nozzles: fluid comes out in layers that are exactly one spacing apart, whatever the time step. Layer k leaves at
 * start + k * spacing / speed; `layers` counts those that have left. A nozzle on a path gives each layer its own velocity
 * besides that of the flow. */
#ifndef DLP_WORLD_EMITTERS_H
#define DLP_WORLD_EMITTERS_H

#include "world/world_state.h"

/* Add the particles that leave their nozzles in the step of dt (s) that begins at world->time. They are placed so that
 * their own motion, x += v dt, brings them to where they are at the end of the step. Either all of them come in or, on
 * failure, none. They go to part 0; the next update of the neighbours takes them to the part that owns their cell. */
dlp_Result dlp__emitters_run(dlp_World *world, double dt);

/* The nozzles that are open in the step of dt (s) that begins at world->time, for the method; returns how many, or -1
 * without memory. */
int dlp__emitters_nozzles(dlp_World *world, double dt, const dlp__Nozzle **nozzles);

/* Make an emitter (all zero: a new one) follow `def` from `time` (s) on. If it is running, its next layer comes when the
 * last one is a spacing away, also if the speed has changed; a start in the past means now. So `def.start` of the
 * emitter becomes the time of the next layer. `def` must have been checked. */
void dlp__emitter_set(dlp__Emitter *emitter, const dlp_EmitterDef *def, double spacing, double time);

/* The points of one layer in the plane of the opening (m, from its centre); returns how many. `u` runs along the width,
 * `v` along the height. Null arrays count only. */
int64_t dlp__emitter_lattice(const dlp_EmitterDef *def, double spacing, float *u, float *v);

#endif
