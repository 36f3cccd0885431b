/* A mesh that deforms: its vertices go straight from frame to frame. Distances from it are worked out at moments called keys: at each
 * frame, and between two as often as the mesh moves by more than `reach`. From key to key the field of distances is carried along:
 * a point at a time between belongs to the one that the surface next to it came from, so that a thin wall stays as thin as it is
 * however far it moves. Keys follow from the frames alone, not from the steps of a world: what is asked at a time is the same
 * whichever way that time was reached. */
#ifndef DLP_GEOMETRY_MESH_FRAMES_H
#define DLP_GEOMETRY_MESH_FRAMES_H

#include "geometry/distance_field.h"

#define DLP_KEYS_HELD 66 /* fields at once: two or three, more only where a step passes many keys */

typedef struct dlp__MeshFrames {
    dlp__Memory *memory;
    int64_t vertex_count;
    int count;
    double *times;    /* s                                                                   */
    float *positions; /* m                                                                   */
    double *way;      /* m, how far any vertex goes from each frame to the next at most      */
    int64_t *first;   /* which key each frame is                                             */
    dlp__DistanceField *held[DLP_KEYS_HELD];
    int64_t held_first; /* which key that is */
    int held_count;
} dlp__MeshFrames;

/* A mesh at one time; one that does not deform has no `to`. */
typedef struct dlp__Moment {
    const dlp__DistanceField *from, *to;
    double part; /* 0 to 1, of the way between them */
    double span; /* s, from one to the other        */
} dlp__Moment;

/* Check the frames of a mesh and take a copy of them. To be released even if it fails. */
dlp_Result dlp__mesh_frames_set(dlp__MeshFrames *frames, const dlp_MeshFrames *given, int64_t vertex_count,
                                double reach, dlp__Memory *memory, dlp_Error *error);
void dlp__mesh_frames_release(dlp__MeshFrames *frames);

/* Have all fields that moments from one time to another need, and give back the others; those of `mesh` count, not its vertices.
 * What fails leaves all as it was. */
dlp_Result dlp__mesh_frames_hold(dlp__MeshFrames *frames, const dlp_Mesh *mesh, const dlp__DistanceDef *def,
                                 double from, double to, const dlp__Parallel *parallel, dlp_Error *error);

/* The mesh at a time for which fields are held, and its vertices then. */
dlp__Moment dlp__mesh_frames_moment(const dlp__MeshFrames *frames, double time);
void dlp__mesh_frames_vertices(const dlp__MeshFrames *frames, double time, float *position);

/* m, how far any point goes at most from one time to another, and m/s, how fast. */
double dlp__mesh_frames_way(const dlp__MeshFrames *frames, double from, double to);
double dlp__mesh_frames_speed(const dlp__MeshFrames *frames, double from, double to);

/* As dlp__distance_field_at. */
double dlp__moment_distance(const dlp__Moment *moment, dlp_Vec3 point, dlp_Vec3 *normal);
/* m/s, of the surface's matter that is nearest to a point not farther from it than the band. */
dlp_Vec3 dlp__moment_velocity(const dlp__Moment *moment, dlp_Vec3 point);
/* m, a box that holds the mesh. */
void dlp__moment_bounds(const dlp__Moment *moment, dlp_Vec3 *lower, dlp_Vec3 *upper);

#endif
