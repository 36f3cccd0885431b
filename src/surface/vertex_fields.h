/* Quantities of the points carried over to the vertices of a mesh: means over the points nearby, weighted by distance. */
#ifndef DLP_SURFACE_VERTEX_FIELDS_H
#define DLP_SURFACE_VERTEX_FIELDS_H

#include "surface/marching.h"

typedef struct dlp__VertexFields {
    dlp__Memory *memory;
    int count;
    dlp_MeshField *field;
    dlp__Buffer field_buffer, value_buffer;
} dlp__VertexFields;

void dlp__vertex_fields_init(dlp__VertexFields *fields, dlp__Memory *memory);
void dlp__vertex_fields_release(dlp__VertexFields *fields);

/* `points` are the sorted ones of `from`; `radius` (m) is how far a point counts. False without memory. */
bool dlp__vertex_fields_find(dlp__VertexFields *fields, const dlp__MarchedMesh *mesh, const dlp__SurfacePoints *points,
                             const dlp_Points *from, const dlp__Parallel *parallel, double radius, int simd);

#endif
