/* Tests whether particles are inside a sink. */
#include "world/sinks.h"

bool dlp__sinks_place(dlp__Sinks *sinks, dlp__Memory *memory, const dlp_SinkDef *defs, int count,
                      const dlp__MeshList *meshes)
{
    int64_t kept = sinks->count * (int64_t)sizeof *sinks->shape;
    if (!dlp__buffer_grow(memory, &sinks->buffer, kept, count, sizeof *sinks->shape)) {
        return false;
    }
    sinks->shape = sinks->buffer.data;
    sinks->count = count;
    for (int k = 0; k < count; k++) {
        sinks->shape[k] = dlp__shape_place(&defs[k].shape, meshes);
    }
    return true;
}

void dlp__sinks_release(dlp__Sinks *sinks, dlp__Memory *memory)
{
    dlp__buffer_release(memory, &sinks->buffer);
    *sinks = (dlp__Sinks){.shape = NULL};
}

bool dlp__sinks_take(const void *context, float x, float y, float z)
{
    const dlp__Sinks *sinks = context;
    dlp_Vec3 point = dlp__vec3((double)x, (double)y, (double)z);
    for (int k = 0; k < sinks->count; k++) {
        if (dlp__shape_distance(&sinks->shape[k], point, NULL) < 0.0) {
            return true;
        }
    }
    return false;
}
