/* The meshes of a world, each with the distances around it. */
#ifndef DLP_GEOMETRY_MESH_LIST_H
#define DLP_GEOMETRY_MESH_LIST_H

#include "base/error.h"
#include "geometry/mesh_frames.h"

#include <dollop/world.h>

typedef struct dlp__MeshItem {
    dlp_MeshDef def;
    dlp_Mesh mesh;            /* our own copy, without normals and fields, as it is now */
    dlp__DistanceField field; /* of a mesh that does not deform; empty for an opening   */
    dlp__MeshFrames *frames;  /* of one that does, else null                            */
} dlp__MeshItem;

typedef struct dlp__MeshList {
    dlp__Memory *memory;
    const dlp__Parallel *parallel;
    double cell, band; /* m, of the grids of distances */
    dlp__Buffer buffer;
    dlp__MeshItem **item; /* they stay where they are */
    int count;
    double now; /* s, the time for which those that deform are in place */
} dlp__MeshList;

void dlp__mesh_list_init(dlp__MeshList *list, dlp__Memory *memory, const dlp__Parallel *parallel, double cell,
                         double band);
void dlp__mesh_list_release(dlp__MeshList *list);

/* Checks the triangles, not the def. */
dlp_Result dlp__mesh_list_add(dlp__MeshList *list, const dlp_MeshDef *def, const dlp_Mesh *mesh, dlp_Error *error);

/* Whether it is a flat sheet for emitters, which has no distances. */
bool dlp__mesh_is_opening(const dlp_MeshDef *def);
/* Let a mesh deform from the time of the list on; shapes that are made of it must be placed again. On failure it is as it was. */
dlp_Result dlp__mesh_list_set_frames(dlp__MeshList *list, int index, const dlp_MeshFrames *frames, dlp_Error *error);
bool dlp__mesh_list_deforms(const dlp__MeshList *list); /* any of them */

/* Bring all from one time (s) to another: shapes placed before stay good at the first, those placed from now on are at the second. */
dlp_Result dlp__mesh_list_place(dlp__MeshList *list, double from, double to, dlp_Error *error);

/* The mesh that a shape is made of, or null if it is none or there is no such mesh; the list may be null. */
const dlp__MeshItem *dlp__mesh_list_find(const dlp__MeshList *list, const dlp_ShapeDef *shape);

/* That a shape which is a mesh names one that is there and has an inside. */
dlp_Result dlp__mesh_list_check(const dlp__MeshList *list, const dlp_ShapeDef *shape, dlp_Error *error);

#endif
