/* Models: triangle meshes that are put together vertex by vertex, from a file or from a few sizes, then cleaned, and
 * from then on only looked at. */
#ifndef DLP_GEOMETRY_MODEL_H
#define DLP_GEOMETRY_MODEL_H

#include "base/memory.h"

#include <dollop/mesh.h>

#define DLP_MODEL_VERTICES_MOST  ((int64_t)1 << 27)
#define DLP_MODEL_TRIANGLES_MOST ((int64_t)1 << 27)
#define DLP_MODEL_FARTHEST       1e9 /* m: what any coordinate may be at most */

struct dlp_Model {
    dlp__Memory memory;
    dlp__Buffer position, normal, triangle;
    dlp__Buffer origin;        /* which of the vertices that were added each of those that are left is */
    dlp__Buffer times, frames; /* s and m: of a model that deforms */
    int64_t vertex_count, triangle_count;
    int frame_count;
    bool memory_out, too_many; /* why something could not be added; kept until the model is finished */
    dlp_Mesh mesh;
};

/* An empty model, or null when memory is out. `hooks` may be null. */
dlp_Model *dlp__model_new(const dlp_Hooks *hooks);

/* Room for so many in all, for those who know it beforehand. */
void dlp__model_reserve(dlp_Model *model, int64_t vertices, int64_t triangles);

/* Add to it. What does not fit is remembered until the model is finished, so callers need not look. The vertices of a
 * triangle may be added after it. */
void dlp__model_vertex(dlp_Model *model, double x, double y, double z); /* m */
void dlp__model_triangle(dlp_Model *model, int64_t a, int64_t b, int64_t c);

/* Join vertices at the same place, leave out triangles without area and vertices without triangles, and find the
 * normals. All corners of triangles must be vertices by now. Fails on places that are not finite or too far away,
 * and when nothing is left. */
dlp_Result dlp__model_finish(dlp_Model *model, dlp_Error *error);

/* That all that was added fits and is at places that can be worked with: the first step of finishing. */
dlp_Result dlp__model_check(const dlp_Model *model, dlp_Error *error);

/* The steps of it that have a file of their own; false when memory is out. */
bool dlp__model_clean(dlp_Model *model);
bool dlp__model_find_normals(dlp_Model *model);

/* Add a form other than DLP_FORM_FILE, or say which sizes do not go together. */
dlp_Result dlp__model_make(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);

/* How the triangles of a mesh hang together; two are neighbours if they share two vertices by number. */
typedef struct dlp__Topology {
    int64_t open_edges;    /* that only one triangle has                                       */
    int64_t crowded_edges; /* that more than two have                                          */
    int64_t turned_edges;  /* whose two triangles run along them in the same direction         */
    int64_t parts;         /* sets of triangles that hang together by edges                    */
} dlp__Topology;

/* False when memory is out. */
bool dlp__mesh_topology(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__Topology *topology);

/* For each side (number 3 t + k goes from corner k of triangle t to the next one) the side of another triangle along the same
 * edge; itself where the edge is open or more than two triangles share it. False when memory is out. */
bool dlp__mesh_twins(const dlp_Mesh *mesh, dlp__Memory *memory, uint32_t *twin);

#endif
