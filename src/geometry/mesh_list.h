/* The meshes of a world, each with its distance field. */
#ifndef DLP_GEOMETRY_MESH_LIST_H
#define DLP_GEOMETRY_MESH_LIST_H

#include "base/error.h"
#include "geometry/deforming_mesh.h"

#include <dollop/world.h>

typedef struct dlp__MeshItem {
    dlp_MeshDef def;
    dlp_Mesh mesh;              /* own copy at the current time, without normals and fields */
    dlp__DistanceField field;   /* of a rigid mesh; empty for an opening */
    dlp__DeformingMesh *frames; /* of a mesh that deforms, else null */
} dlp__MeshItem;

typedef struct dlp__MeshList {
    dlp__Memory *memory;
    const dlp__Parallel *parallel;
    double cell, band; /* m, of the distance fields */
    dlp__Buffer buffer;
    dlp__MeshItem **item; /* pointers, so that items do not move in memory */
    int count;
    double now; /* s, the time of the deforming meshes */
} dlp__MeshList;

void dlp__mesh_list_init(dlp__MeshList *list, dlp__Memory *memory, const dlp__Parallel *parallel, double cell,
                         double band);
void dlp__mesh_list_release(dlp__MeshList *list);

/* Checks the triangles, but not the def. */
dlp_Result dlp__mesh_list_add(dlp__MeshList *list, const dlp_MeshDef *def, const dlp_Mesh *mesh, dlp_Error *error);

/* Whether it is a flat sheet for emitters, which has no distance field. */
bool dlp__mesh_is_opening(const dlp_MeshDef *def);
/* Make a mesh deform from the current time of the list on; shapes that use it must be placed again. On failure nothing
 * changes. */
dlp_Result dlp__mesh_list_set_frames(dlp__MeshList *list, int index, const dlp_MeshFrames *frames, dlp_Error *error);
bool dlp__mesh_list_deforms(const dlp__MeshList *list); /* whether any mesh deforms */

/* Advance all meshes from one time (s) to another: shapes placed before stay valid at the first, shapes placed from now
 * on are at the second. */
dlp_Result dlp__mesh_list_advance(dlp__MeshList *list, double from, double to, dlp_Error *error);

/* The mesh of a shape, or null if the shape is not a mesh or the mesh does not exist; the list may be null. */
const dlp__MeshItem *dlp__mesh_list_find(const dlp__MeshList *list, const dlp_ShapeDef *shape);

/* Check that the mesh of a shape exists and has an inside. */
dlp_Result dlp__mesh_list_check(const dlp__MeshList *list, const dlp_ShapeDef *shape, dlp_Error *error);

#endif
