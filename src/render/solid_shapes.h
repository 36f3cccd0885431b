/* Drawing solids: unit shapes that a vertex shader scales, draws apart, turns and moves. */
#ifndef DLP_RENDER_SOLID_SHAPES_H
#define DLP_RENDER_SOLID_SHAPES_H

#include "render/gl_tools.h"

typedef struct dlp__SolidShapes {
    GLuint array, vertices, indices;
    struct {
        int first, count; /* of the indices */
    } box, ball, tube;
    struct dlp__SolidMeshes {
        GLuint array, vertices;
        int *first; /* of each mesh's vertices, and one past the last */
        int count;
    } meshes;
} dlp__SolidShapes;

dlp_Result dlp__solid_shapes_create(dlp__SolidShapes *shapes, dlp_Error *error);
void dlp__solid_shapes_destroy(dlp__SolidShapes *shapes);

/* Take over the meshes of a picture, in place of those before. */
dlp_Result dlp__solid_meshes_upload(struct dlp__SolidMeshes *meshes, const dlp_Mesh *mesh, int count, dlp_Error *error);
void dlp__solid_meshes_destroy(struct dlp__SolidMeshes *meshes);
/* The one of that number, if there is one. */
void dlp__solid_mesh_draw(const struct dlp__SolidMeshes *meshes, int number);

/* All solids that may be seen, with a program of solid.vert: of a container its edges, of a sloping plane a square of that half
 * size; level ones are left to the floor. */
void dlp__solids_draw(const dlp__SolidShapes *shapes, GLuint program, const dlp_SolidDef *solids, int count,
                      double plane_half);
bool dlp__plane_is_level(const dlp_ShapeDef *shape);
/* A level square about a point. */
void dlp__floor_draw(const dlp__SolidShapes *shapes, GLuint program, dlp_Vec3 middle, double half, dlp_Vec3 color);

#endif
