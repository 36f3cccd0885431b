/* Nozzles: fluid leaves in layers that are exactly one spacing apart, for any time step. The distance pushed since the start is
 * speed times the integral of the flow factor, minus the offset. Layer k leaves when this distance reaches k spacings; `layers`
 * counts the layers that have left. If a nozzle moves on a path, the velocity of the opening at the point where a particle leaves
 * is added to its flow velocity. */
#ifndef DLP_WORLD_EMITTERS_H
#define DLP_WORLD_EMITTERS_H

#include "world/world_state.h"

/* Add the particles that leave their nozzles in the step of dt (s) that begins at world->time. They are placed so that
 * x += v dt moves them to their position at the end of the step. On failure none is added. They are added to subdomain 0;
 * the next neighbour update migrates them to the subdomain that owns their cell. */
dlp_Result dlp__emitters_run(dlp_World *world, double dt);

/* The nozzles that are open in the step of dt (s) that begins at world->time, for the method, and the tree of their bounding boxes,
 * world->nozzle_tree; returns how many, or -1 if out of memory. */
int dlp__emitters_nozzles(dlp_World *world, double dt, const dlp__Nozzle **nozzles);

/* m/s, the largest speed at which fluid leaves an emitter that is open at some time of the interval (s), with the motion of its
 * nozzle. */
double dlp__emitters_speed(const dlp_World *world, double from, double to);

/* Check a def and apply it to an emitter (all zero: a new one). If it is running, its next layer leaves when the last one is one
 * spacing away, also if the speed has changed; a start in the past means now. On failure the emitter is unchanged. */
dlp_Result dlp__emitter_set(dlp_World *world, dlp__Emitter *emitter, const dlp_EmitterDef *def);

/* The same for its flow. */
dlp_Result dlp__emitter_set_flow(dlp_World *world, dlp__Emitter *emitter, const dlp_FlowKey *keys, int count);

/* Call after the density of a material has changed: emitters with a mass rate then have a different speed. */
void dlp__emitters_material_changed(dlp_World *world, dlp_MaterialId material);

void dlp__emitter_release(dlp__Emitter *emitter, dlp__Memory *memory);

/* m, distance that the fluid has been pushed until `time` (s) since the first layer left; negative before. */
double dlp__emitter_pushed(const dlp__Emitter *emitter, double time);

/* The points of one layer in the plane of the opening (m, from its centre); returns how many. `u` runs along the width,
 * `v` along the height. With null arrays it only counts. */
int64_t dlp__emitter_lattice(const dlp__Emitter *emitter, double spacing, float *u, float *v);

#endif
