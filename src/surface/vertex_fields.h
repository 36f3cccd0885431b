/* Fields of the points interpolated to the vertices of a mesh: means over nearby points, weighted by distance. */
#ifndef DLP_SURFACE_VERTEX_FIELDS_H
#define DLP_SURFACE_VERTEX_FIELDS_H

#include "surface/marching_cubes.h"

typedef struct dlp__VertexFields {
    dlp__Memory *memory;
    int count;
    dlp_MeshField *field;
    dlp__Buffer field_buffer, value_buffer;
} dlp__VertexFields;

void dlp__vertex_fields_init(dlp__VertexFields *fields, dlp__Memory *memory);
void dlp__vertex_fields_release(dlp__VertexFields *fields);

/* `points` are the sorted points of `from`; `radius` (m) is the radius of the mean. False when out of memory. */
bool dlp__vertex_fields_find(dlp__VertexFields *fields, const dlp__MarchedMesh *mesh, const dlp__SurfacePoints *points,
                             const dlp_Points *from, const dlp__Parallel *parallel, double radius, int simd);

#endif
