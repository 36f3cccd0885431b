/* The opening of a nozzle given by a flat mesh: the cells of a square lattice in its plane that lie inside its
 * triangles. */
#ifndef DLP_GEOMETRY_FLAT_OPENING_H
#define DLP_GEOMETRY_FLAT_OPENING_H

#include "base/memory.h"

#include <dollop/mesh.h>

typedef struct dlp__FlatOpening {
    double spacing;        /* m, edge of a cell */
    double u, v;           /* m, center of the first cell, from the mesh's origin */
    double depth;          /* m, position of the plane along the flow, from the mesh's origin */
    int64_t columns, rows; /* cells along u and v */
    int64_t count;         /* cells whose center is inside */
    uint8_t *inside;       /* 1 for these cells, rows along u */
} dlp__FlatOpening;

/* The axes of an opening: u is horizontal, v is perpendicular to u and the flow. For vertical flow u is x. */
void dlp__opening_axes(dlp_Vec3 flow, dlp_Vec3 *u, dlp_Vec3 *v);

/* Fit the lattice into a mesh that has passed dlp__mesh_check. The normal of its triangles is the flow direction. Fails
 * if the triangles are not in one plane or do not face the same way, and if no particle or far too many fit in. Release
 * it in any case. */
dlp_Result dlp__flat_opening_make(dlp__FlatOpening *opening, const dlp_Mesh *mesh, double spacing, dlp__Memory *memory,
                                  dlp_Error *error);
void dlp__flat_opening_release(dlp__FlatOpening *opening, dlp__Memory *memory);

/* The centers of the cells inside (m, from the mesh's origin); returns the count. Null arrays only count. */
int64_t dlp__flat_opening_points(const dlp__FlatOpening *opening, float *u, float *v);

/* Whether a point of the plane is in a cell that is inside. */
bool dlp__flat_opening_contains(const dlp__FlatOpening *opening, double u, double v);

#endif
