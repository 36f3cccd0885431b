/* Pictures: a fluid's surface with the looks of its materials, or its particles as spheres coloured by a field, among the solids on a
 * studio floor. OpenGL 3.3; without a window it draws into memory, so that it needs no display.
 *
 *     dlp_Canvas *canvas;                                  a context of our own, or none if the caller has made one current
 *     dlp_canvas_create(&canvas, &error);
 *     dlp_Renderer *renderer;
 *     dlp_renderer_create(&def, &renderer, &error);
 *     dlp_renderer_draw(renderer, &drawing, pixels, &error);
 *     dlp_picture_write("honey.png", pixels, width, height, &error);
 *
 * A renderer belongs to the context that was current when it was made, and to that context's thread. */
#ifndef DOLLOP_RENDER_H
#define DOLLOP_RENDER_H

#include <dollop/files.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An OpenGL context without a window, current on this thread from its making until it is destroyed. */
typedef struct dlp_Canvas dlp_Canvas;
DLP_API dlp_Result dlp_canvas_create(dlp_Canvas **canvas, dlp_Error *error);
DLP_API void dlp_canvas_destroy(dlp_Canvas *canvas);           /* null is fine */
DLP_API const char *dlp_canvas_name(const dlp_Canvas *canvas); /* what draws, such as "llvmpipe" */

typedef struct dlp_RendererDef {
    size_t size;
    int64_t width, height; /* pixels                                           */
    int64_t samples;       /* along each side of a pixel: 1 is rough, 2 smooth */
    double exposure;       /* stops: 1 is twice as bright                      */
} dlp_RendererDef;

DLP_API const dlp_ParamTable *dlp_renderer_params(void);
DLP_API dlp_RendererDef dlp_default_renderer_def(void);

/* Particles as spheres. */
typedef struct dlp_Spheres {
    int64_t count;
    const float *position[3]; /* m */
    const float *color;       /* red, green, blue of each, linear */
    double radius;            /* m */
} dlp_Spheres;

/* A bar that says what the colours mean; none if `title` is null. */
typedef struct dlp_ColorBar {
    const char *title, *unit;
    double low, high;
} dlp_ColorBar;

/* All that is to be seen. Lengths by which light is absorbed go with the height of the picture, so that honey looks like honey in
 * a spoon and in a tank. */
typedef struct dlp_Drawing {
    dlp_CameraDef camera;
    const dlp_Mesh *mesh; /* may be null; fields that dlp_looks_add() made tell what it looks like */
    dlp_Spheres spheres;
    const dlp_SolidDef *solids;
    int solid_count;
    const dlp_Mesh *solid_meshes; /* that solids are made of; without normals */
    int solid_mesh_count;
    dlp_Vec3 lower, upper; /* m, box around what matters: shadows are sharpest there */
    double floor;          /* m, height of the studio floor where no solid makes one; NAN for none */
    dlp_ColorBar bar;
} dlp_Drawing;

typedef struct dlp_Renderer dlp_Renderer;
DLP_API dlp_Result dlp_renderer_create(const dlp_RendererDef *def, dlp_Renderer **renderer, dlp_Error *error);
DLP_API void dlp_renderer_destroy(dlp_Renderer *renderer); /* null is fine */
/* `pixels`: width * height times red, green, blue; rows from the top. */
DLP_API dlp_Result dlp_renderer_draw(dlp_Renderer *renderer, const dlp_Drawing *drawing, unsigned char *pixels,
                                     dlp_Error *error);

/* A camera that shows a box well. */
DLP_API dlp_CameraDef dlp_camera_around(dlp_Vec3 lower, dlp_Vec3 upper, double aspect);

/* What points look like, by their materials and, where it glows, their temperature: fields to be meshed with the points. Values are
 * kept in `storage`, DLP_LOOK_VALUES for each point. Returns how many fields; `fields` needs room for DLP_LOOK_FIELDS. */
#define DLP_LOOK_FIELDS 4
#define DLP_LOOK_VALUES 12
DLP_API int dlp_looks_add(const dlp_Points *points, const dlp_FrameScene *scene, float *storage,
                          dlp_PointField *fields);
/* The plain colour of each point by its material, for spheres: three values each. */
DLP_API void dlp_looks_color(const dlp_Points *points, const dlp_FrameScene *scene, float *color);
/* Colours for values between two ends, three values each. */
DLP_API void dlp_colors_map(const float *value, int64_t count, double low, double high, float *color);

/* Write a picture as PNG. */
DLP_API dlp_Result dlp_picture_write(const char *path, const unsigned char *pixels, int64_t width, int64_t height,
                                     dlp_Error *error);

#ifdef __cplusplus
}
#endif
#endif
