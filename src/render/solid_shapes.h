/* Drawing solids: unit shapes that a vertex shader scales, stretches, rotates and moves. */
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
        int *first; /* first vertex of each mesh, and the total */
        int count;
    } meshes;
} dlp__SolidShapes;

dlp_Result dlp__solid_shapes_create(dlp__SolidShapes *shapes, dlp_Error *error);
void dlp__solid_shapes_destroy(dlp__SolidShapes *shapes);

/* Upload the meshes of a picture, replacing the previous ones. */
dlp_Result dlp__solid_meshes_upload(struct dlp__SolidMeshes *meshes, const dlp_Mesh *mesh, int count, dlp_Error *error);
void dlp__solid_meshes_destroy(struct dlp__SolidMeshes *meshes);
/* Draw a mesh, if it exists. */
void dlp__solid_mesh_draw(const struct dlp__SolidMeshes *meshes, int index);

/* Draw all visible solids with a program of solid.vert: the edges of a container, and a square of half size
 * `plane_half` for an inclined plane; horizontal planes are drawn as the floor. */
void dlp__solids_draw(const dlp__SolidShapes *shapes, GLuint program, const dlp_SolidDef *solids, int count,
                      double plane_half);
bool dlp__plane_is_level(const dlp_ShapeDef *shape);
/* A horizontal square around a point. */
void dlp__floor_draw(const dlp__SolidShapes *shapes, GLuint program, dlp_Vec3 center, double half, dlp_Vec3 color);

#endif
