/* Sinks: regions in which particles are removed. */
#ifndef DLP_WORLD_SINKS_H
#define DLP_WORLD_SINKS_H

#include "geometry/box_tree.h"
#include "geometry/shape.h"

/* The shapes of the sinks with precomputed rotations, and the tree of their bounding boxes, so that a test costs one distance per sink
 * near the particle. */
typedef struct dlp__Sinks {
    dlp__Buffer buffer, box_buffer;
    dlp__Shape *shape;
    dlp__BoxTree tree;
    int count; /* 0: not placed yet, or out of date */
} dlp__Sinks;

/* Place the shapes of `count` defs; to be called again before a step when one was added or a mesh has deformed. False if out of
 * memory, and then there are none. */
bool dlp__sinks_place(dlp__Sinks *sinks, dlp__Memory *memory, const dlp_SinkDef *defs, int count,
                      const dlp__MeshList *meshes);
void dlp__sinks_release(dlp__Sinks *sinks, dlp__Memory *memory);

/* Whether a particle is inside a sink: a dlp__DeadFunction whose context is a dlp__Sinks. */
bool dlp__sinks_take(const void *context, float x, float y, float z);

#endif
