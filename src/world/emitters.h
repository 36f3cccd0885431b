/* Nozzles: fluid comes out in layers that are exactly one spacing apart, whatever the time step. What has been pushed since the
 * start is speed times the integral of the flow, less the lead; layer k leaves when that comes to k spacings, and `layers` counts
 * those that have left. A nozzle on a path gives what leaves it the velocity of that place of the opening besides that of the
 * flow. */
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

/* Check a def and make an emitter (all zero: a new one) follow it from now on. If it is running, its next layer comes when the
 * last one is a spacing away, also if the speed has changed; a start in the past means now. On failure it is as it was. */
dlp_Result dlp__emitter_set(dlp_World *world, dlp__Emitter *emitter, const dlp_EmitterDef *def);

/* The same for its flow. */
dlp_Result dlp__emitter_set_flow(dlp_World *world, dlp__Emitter *emitter, const dlp_FlowKey *keys, int count);

/* After the density of a material has changed: what is pushed out by mass goes at another speed. */
void dlp__emitters_material_changed(dlp_World *world, dlp_MaterialId material);

void dlp__emitter_release(dlp__Emitter *emitter, dlp__Memory *memory);

/* m that the fluid has been pushed by until `time` (s) since the first layer left; negative before. */
double dlp__emitter_pushed(const dlp__Emitter *emitter, double time);

/* The points of one layer in the plane of the opening (m, from its centre); returns how many. `u` runs along the width,
 * `v` along the height. Null arrays count only. */
int64_t dlp__emitter_lattice(const dlp__Emitter *emitter, double spacing, float *u, float *v);

#endif
