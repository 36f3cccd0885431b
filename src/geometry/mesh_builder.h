/* Builds the mesh of a dlp_Model: vertices and triangles are added by a file reader or a mesh generator, then cleaned
 * up; after that the mesh is constant. Also the topology of any mesh. */
#ifndef DLP_GEOMETRY_MODEL_H
#define DLP_GEOMETRY_MODEL_H

#include "base/memory.h"

#include <dollop/mesh.h>

#define DLP_MAX_MODEL_VERTICES   ((int64_t)1 << 27)
#define DLP_MAX_MODEL_TRIANGLES  ((int64_t)1 << 27)
#define DLP_MAX_MODEL_COORDINATE 1e9 /* m, largest absolute coordinate */

struct dlp_Model {
    dlp__Memory memory;
    dlp__Buffer position, normal, triangle;
    dlp__Buffer origin;        /* for each remaining vertex its index as added */
    dlp__Buffer times, frames; /* s and m, of a model that deforms */
    int64_t vertex_count, triangle_count;
    int frame_count;
    bool out_of_memory, too_many; /* why adding failed; reported by dlp__model_finish */
    dlp_Mesh mesh;
};

/* An empty model, or null when out of memory. `hooks` may be null. */
dlp_Model *dlp__model_new(const dlp_Hooks *hooks);

/* Reserve memory for a known total. */
void dlp__model_reserve(dlp_Model *model, int64_t vertices, int64_t triangles);

/* Add a vertex or a triangle. Failures are reported by dlp__model_finish, so callers need not check. A triangle may be
 * added before its vertices. */
void dlp__model_add_vertex(dlp_Model *model, double x, double y, double z); /* m */
void dlp__model_add_triangle(dlp_Model *model, int64_t a, int64_t b, int64_t c);

/* Merge vertices at the same position, drop degenerate triangles and unused vertices, and compute normals. All corners
 * of triangles must exist by now. Fails on positions that are not finite or too large, and when nothing remains. */
dlp_Result dlp__model_finish(dlp_Model *model, dlp_Error *error);

/* The first step of finishing: check that everything was added and that all positions are in range. */
dlp_Result dlp__model_check(const dlp_Model *model, dlp_Error *error);

/* The other steps; false when out of memory. */
bool dlp__model_cleanup(dlp_Model *model);
bool dlp__model_compute_normals(dlp_Model *model);

/* Generate a form other than DLP_FORM_FILE; fails with a message if its sizes contradict each other. */
dlp_Result dlp__model_generate(dlp_Model *model, const dlp_MeshDef *def, dlp_Error *error);

/* Connectivity of a mesh; triangles are adjacent if they share two vertex indices. */
typedef struct dlp__MeshTopology {
    int64_t open_edges;        /* with only one triangle */
    int64_t nonmanifold_edges; /* with more than two triangles */
    int64_t flipped_edges;     /* whose two triangles traverse them in the same direction */
    int64_t components;        /* components connected by edges */
} dlp__MeshTopology;

/* False when out of memory. */
bool dlp__mesh_topology(const dlp_Mesh *mesh, dlp__Memory *memory, dlp__MeshTopology *topology);

/* For each side (number 3 t + k goes from corner k of triangle t to the next corner) the opposite side on the same
 * edge; itself where the edge is open or has more than two triangles. False when out of memory. */
bool dlp__mesh_twin_edges(const dlp_Mesh *mesh, dlp__Memory *memory, uint32_t *twin);

#endif
