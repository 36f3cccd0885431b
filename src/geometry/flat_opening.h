/* The opening of a nozzle that is a flat mesh: which cells of a square lattice in its plane lie inside its triangles. */
#ifndef DLP_GEOMETRY_FLAT_OPENING_H
#define DLP_GEOMETRY_FLAT_OPENING_H

#include "base/memory.h"

#include <dollop/mesh.h>

typedef struct dlp__FlatOpening {
    double spacing;     /* m, edge of a cell                                                   */
    double u, v;        /* m, centre of the first cell, from the mesh's origin                 */
    double depth;       /* m, of the plane along the flow, from the mesh's origin              */
    int64_t across, up; /* cells along u and v                                                 */
    int64_t count;      /* of the cells whose centre is inside                                 */
    uint8_t *inside;    /* 1 for these, rows along u one after the other                       */
} dlp__FlatOpening;

/* The axes of an opening: u is level, v stands on it and on the flow. For flow straight up or down u is x. */
void dlp__opening_axes(dlp_Vec3 flow, dlp_Vec3 *u, dlp_Vec3 *v);

/* Lay the lattice into a mesh that dlp__mesh_check has seen. The normal of its triangles is the flow. Fails if these do not lie in
 * one plane or do not face the same way, and if no particle fits in or far too many do. To be released even so. */
dlp_Result dlp__flat_opening_make(dlp__FlatOpening *opening, const dlp_Mesh *mesh, double spacing, dlp__Memory *memory,
                                  dlp_Error *error);
void dlp__flat_opening_release(dlp__FlatOpening *opening, dlp__Memory *memory);

/* The centres of the cells inside (m, from the mesh's origin); returns how many. Null arrays count only. */
int64_t dlp__flat_opening_points(const dlp__FlatOpening *opening, float *u, float *v);

/* Whether a place of the plane is in a cell that is inside. */
bool dlp__flat_opening_holds(const dlp__FlatOpening *opening, double u, double v);

#endif
