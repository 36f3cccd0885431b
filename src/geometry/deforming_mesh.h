/* A mesh that deforms: its vertices move linearly from frame to frame. Distance fields are computed at key times: at
 * each frame, and between two frames often enough that no vertex moves farther than `key_spacing` between keys. Between
 * keys the field moves with the surface: a point is traced back to its position at the key before, so that a thin wall
 * keeps its thickness however far it moves. Keys depend on the frames alone, not on the time steps: a query at a given
 * time has the same result however that time was reached. */
#ifndef DLP_GEOMETRY_DEFORMING_MESH_H
#define DLP_GEOMETRY_DEFORMING_MESH_H

#include "geometry/distance_field.h"

#define DLP_MAX_CACHED_FIELDS 66 /* two or three are usual, more only where a step passes many keys */

typedef struct dlp__DeformingMesh {
    dlp__Memory *memory;
    int64_t vertex_count;
    int count;
    double *times;            /* s */
    float *positions;         /* m */
    double *max_displacement; /* m, largest displacement of a vertex from each frame to the next */
    int64_t *first_key;       /* key of each frame */
    dlp__DistanceField *cached[DLP_MAX_CACHED_FIELDS];
    int64_t cached_first; /* key of cached[0] */
    int cached_count;
} dlp__DeformingMesh;

/* The distance field of a mesh at one time, interpolated between two keys; `to` is null if the mesh does not deform. */
typedef struct dlp__InterpolatedField {
    const dlp__DistanceField *from, *to;
    double fraction; /* 0 to 1, from `from` to `to` */
    double interval; /* s, between the two keys */
} dlp__InterpolatedField;

/* Check the frames of a mesh and copy them. Release it even if it fails. */
dlp_Result dlp__deforming_mesh_init(dlp__DeformingMesh *deforming, const dlp_MeshFrames *given, int64_t vertex_count,
                                    double key_spacing, dlp__Memory *memory, dlp_Error *error);
void dlp__deforming_mesh_release(dlp__DeformingMesh *deforming);

/* Compute all fields needed for queries from one time to another, and release the others. Only the triangles of `mesh`
 * are used, not its vertices. On failure nothing changes. */
dlp_Result dlp__deforming_mesh_cache_fields(dlp__DeformingMesh *deforming, const dlp_Mesh *mesh,
                                            const dlp__DistanceDef *def, double from, double to,
                                            const dlp__Parallel *parallel, dlp_Error *error);

/* The field at a time within the cached range, and the vertices at that time. */
dlp__InterpolatedField dlp__deforming_mesh_field(const dlp__DeformingMesh *deforming, double time);
void dlp__deforming_mesh_vertices(const dlp__DeformingMesh *deforming, double time, float *position);

/* Upper bounds of the displacement (m) and the speed (m/s) of any point from one time to another. */
double dlp__deforming_mesh_max_displacement(const dlp__DeformingMesh *deforming, double from, double to);
double dlp__deforming_mesh_max_speed(const dlp__DeformingMesh *deforming, double from, double to);

/* See dlp__distance_field_at. */
double dlp__interpolated_distance(const dlp__InterpolatedField *field, dlp_Vec3 point, dlp_Vec3 *normal);
/* m/s, of the surface point closest to `point`; zero beyond the band. */
dlp_Vec3 dlp__interpolated_velocity(const dlp__InterpolatedField *field, dlp_Vec3 point);
/* m, a bounding box of the mesh. */
void dlp__interpolated_bounds(const dlp__InterpolatedField *field, dlp_Vec3 *lower, dlp_Vec3 *upper);

#endif
