/* Sinks: regions in which particles are removed. */
#ifndef DLP_WORLD_SINKS_H
#define DLP_WORLD_SINKS_H

#include "geometry/shape.h"

/* The shapes of the sinks with precomputed rotations, so that a test costs one distance per sink. */
typedef struct dlp__Sinks {
    dlp__Buffer buffer;
    dlp__Shape *shape;
    int count;
} dlp__Sinks;

/* Place the shapes of `count` defs; to be called again when one is added. False if out of memory, and then the sinks are
 * unchanged. */
bool dlp__sinks_place(dlp__Sinks *sinks, dlp__Memory *memory, const dlp_SinkDef *defs, int count,
                      const dlp__MeshList *meshes);
void dlp__sinks_release(dlp__Sinks *sinks, dlp__Memory *memory);

/* Whether a particle is inside a sink: a dlp__DeadFunction whose context is a dlp__Sinks. */
bool dlp__sinks_take(const void *context, float x, float y, float z);

#endif
