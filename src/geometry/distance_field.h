/* The signed distance from a triangle mesh, sampled on a grid: blocks of cells near the surface store it at every node,
 * all other blocks only at their corners. A lookup costs the same for any mesh, and memory grows with its surface. */
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
    double cell;    /* m */
    double band;    /* m, distance from the surface up to which every node is stored */
    int64_t blocks[3];
    int32_t *fine_block;      /* for each block the index of its nodes in `fine`, or -1 */
    float *coarse;            /* m, at the corners of blocks */
    float *fine;              /* m, DLP_DISTANCE_NODES^3 for each block near the surface, x fastest */
    float *displacement;      /* m, x y z at the same nodes: displacement of the closest surface point; may be null */
    double max_displacement;  /* m, upper bound of the displacement */
    int64_t fine_block_count; /* blocks near the surface */
    dlp_Vec3 mesh_lower, mesh_upper; /* m, bounding box of the mesh, including its thickness */
} dlp__DistanceField;

/* What to compute. */
typedef struct dlp__DistanceDef {
    double cell;               /* m */
    double band;               /* m, minimum */
    double sheet;              /* m: the mesh is a sheet of this thickness; 0: it is closed, negative inside */
    const float *displacement; /* m, x y z of each vertex: displacement until the next field; null: none */
    bool checked;              /* the mesh is known to be closed, or a sheet */
} dlp__DistanceDef;

/* Fails with a message on meshes that are neither closed nor sheets, and where so fine a grid does not fit. A field of
 * all zeros may be released. */
dlp_Result dlp__distance_field_make(dlp__DistanceField *field, const dlp_Mesh *mesh, const dlp__DistanceDef *def,
                                    dlp__Memory *memory, const dlp__Parallel *parallel, dlp_Error *error);
void dlp__distance_field_release(dlp__DistanceField *field);

/* Distance at a point in the frame of the mesh, and its normalized gradient. Within the band it is interpolated between
 * nodes; beyond it is a lower bound of the true distance, with the right sign. */
double dlp__distance_field_at(const dlp__DistanceField *field, dlp_Vec3 point, dlp_Vec3 *normal);

/* Displacement of the surface point closest to the given point. False where it is not known: beyond the band, or
 * because the field was made without displacements. */
bool dlp__distance_field_displacement(const dlp__DistanceField *field, dlp_Vec3 point, dlp_Vec3 *displacement);

#endif
