/* Tests whether particles are inside a sink. */
#include "world/sinks.h"

bool dlp__sinks_place(dlp__Sinks *sinks, dlp__Memory *memory, const dlp_SinkDef *defs, int count,
                      const dlp__MeshList *meshes)
{
    sinks->count = 0;
    if (!dlp__buffer_reserve(memory, &sinks->buffer, count, sizeof *sinks->shape) ||
        !dlp__buffer_reserve(memory, &sinks->box_buffer, count, sizeof(dlp__Box))) {
        return false;
    }
    sinks->shape = sinks->buffer.data;
    dlp__Box *boxes = sinks->box_buffer.data;
    for (int k = 0; k < count; k++) {
        sinks->shape[k] = dlp__shape_place(&defs[k].shape, meshes);
        boxes[k] = dlp__shape_box(&sinks->shape[k]);
    }
    if (!dlp__box_tree_build(&sinks->tree, memory, boxes, count)) {
        return false;
    }
    sinks->count = count;
    return true;
}

void dlp__sinks_release(dlp__Sinks *sinks, dlp__Memory *memory)
{
    dlp__buffer_release(memory, &sinks->buffer);
    dlp__buffer_release(memory, &sinks->box_buffer);
    dlp__box_tree_release(&sinks->tree, memory);
    *sinks = (dlp__Sinks){.shape = NULL};
}

bool dlp__sinks_take(const void *context, float x, float y, float z)
{
    const dlp__Sinks *sinks = context;
    const dlp_Vec3 point = dlp__vec3((double)x, (double)y, (double)z);
    const dlp__Box place = {{point.x, point.y, point.z}, {point.x, point.y, point.z}};
    for (int k = -1; (k = dlp__box_tree_next(&sinks->tree, &place, k)) < sinks->count;) {
        if (dlp__shape_distance(&sinks->shape[k], point, NULL) < 0.0) {
            return true;
        }
    }
    return false;
}
