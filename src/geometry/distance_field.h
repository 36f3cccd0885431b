/* The signed distance from a triangle mesh, kept on a grid: blocks of cells near the surface hold it at every node, all others
 * only at their corners. So a look-up costs the same for any mesh, and memory goes with its surface. */
#ifndef DLP_GEOMETRY_DISTANCE_FIELD_H
#define DLP_GEOMETRY_DISTANCE_FIELD_H

#include "base/memory.h"
#include "base/parallel.h"

#include <dollop/mesh.h>

#define DLP_DISTANCE_CELLS 8                        /* along the edge of a block */
#define DLP_DISTANCE_NODES (DLP_DISTANCE_CELLS + 1) /* along the edge of a block, both ends included */

typedef struct dlp__DistanceField {
    dlp__Memory *memory;
    dlp_Vec3 lower; /* m, the first node */
    double cell;    /* m                 */
    double band;    /* m, how far from the surface every node is kept */
    int64_t blocks[3];
    int32_t *near;      /* for each block the place of its nodes in `fine`, or -1              */
    float *coarse;      /* m, at the corners of blocks                                         */
    float *fine;        /* m, DLP_DISTANCE_NODES^3 for each block near the surface, x first       */
    float *drift;       /* m, x y z at the same nodes: where the nearest point of the surface goes; may be null */
    double reach;       /* m, the longest drift at most                                         */
    int64_t near_count; /* blocks                                                              */
    dlp_Vec3 mesh_lower, mesh_upper; /* m, box around the mesh, its thickness included           */
} dlp__DistanceField;

/* Which distances are asked for. */
typedef struct dlp__DistanceDef {
    double cell;        /* m                                                                               */
    double band;        /* m, at least                                                                     */
    double sheet;       /* m: the mesh is a sheet of this thickness; 0: it is closed, negative inside       */
    const float *drift; /* m, x y z of each vertex: where it goes until the next field; null: nowhere  */
    bool checked;       /* the triangles are known to be closed, or a sheet                            */
} dlp__DistanceDef;

/* Fails, with words, on meshes that are not closed unless they are sheets, and where a grid that fine does not fit. A field of
 * all zeros may be released. */
dlp_Result dlp__distance_field_make(dlp__DistanceField *field, const dlp_Mesh *mesh, const dlp__DistanceDef *def,
                                    dlp__Memory *memory, const dlp__Parallel *parallel, dlp_Error *error);
void dlp__distance_field_release(dlp__DistanceField *field);

/* Distance at a point in the frame of the mesh, and its gradient made a unit vector. Within the band it is interpolated between
 * nodes; farther away it is at most as large as the true one, of the same sign. */
double dlp__distance_field_at(const dlp__DistanceField *field, dlp_Vec3 point, dlp_Vec3 *normal);

/* Where the point of the surface goes that is nearest to the given one; false where that is not known: beyond the band, or because
 * the field was made without. */
bool dlp__distance_field_drift(const dlp__DistanceField *field, dlp_Vec3 point, dlp_Vec3 *drift);

#endif
