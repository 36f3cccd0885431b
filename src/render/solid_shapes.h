/* Drawing solids: unit shapes that a vertex shader scales, draws apart, turns and moves. */
#ifndef DLP_RENDER_SOLID_SHAPES_H
#define DLP_RENDER_SOLID_SHAPES_H

#include "render/gl_tools.h"

typedef struct dlp__SolidShapes {
    GLuint array, vertices, indices;
    struct {
        int first, count; /* of the indices */
    } box, ball, tube;
} dlp__SolidShapes;

dlp_Result dlp__solid_shapes_create(dlp__SolidShapes *shapes, dlp_Error *error);
void dlp__solid_shapes_destroy(dlp__SolidShapes *shapes);

/* All solids that may be seen, with a program of solid.vert: of a container its edges, of a sloping plane a square of that half
 * size; level ones are left to the floor. */
void dlp__solids_draw(const dlp__SolidShapes *shapes, GLuint program, const dlp_SolidDef *solids, int count,
                      double plane_half);
bool dlp__plane_is_level(const dlp_ShapeDef *shape);
/* A level square about a point. */
void dlp__floor_draw(const dlp__SolidShapes *shapes, GLuint program, dlp_Vec3 middle, double half, dlp_Vec3 color);

#endif
