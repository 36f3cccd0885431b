/* Rendering: the surface of a fluid with the look of its materials, or its particles as spheres coloured by a field, with the solids
 * on a studio floor. Uses OpenGL 3.3 and renders offscreen, so no display is needed.
 *
 *     dlp_Canvas *canvas;                                  not needed if the caller has already made a context current
 *     dlp_canvas_create(DLP_CANVAS_AUTO, &canvas, &error);
 *     dlp_Renderer *renderer;
 *     dlp_renderer_create(&def, &renderer, &error);
 *     dlp_renderer_draw(renderer, &drawing, pixels, &error);
 *     dlp_picture_write("honey.png", pixels, width, height, &error);
 *
 * A renderer belongs to the context that was current when it was created, and to the thread of that context. */
#ifndef DOLLOP_RENDER_H
#define DOLLOP_RENDER_H

#include <dollop/files.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Where to draw. Auto: on a graphics card if there is one, else in software; the variable LIBGL_ALWAYS_SOFTWARE=1 of the
 * environment makes it software. */
typedef enum dlp_CanvasDevice { DLP_CANVAS_AUTO, DLP_CANVAS_HARDWARE, DLP_CANVAS_SOFTWARE } dlp_CanvasDevice;

/* An offscreen OpenGL context, current on the creating thread until it is destroyed. DLP_ERROR_UNSUPPORTED: the machine has no such
 * device, or no driver for it. */
typedef struct dlp_Canvas dlp_Canvas;
DLP_API dlp_Result dlp_canvas_create(dlp_CanvasDevice device, dlp_Canvas **canvas, dlp_Error *error);
DLP_API void dlp_canvas_destroy(dlp_Canvas *canvas);           /* null is fine */
DLP_API const char *dlp_canvas_name(const dlp_Canvas *canvas); /* the OpenGL renderer, such as "llvmpipe" */
DLP_API bool dlp_canvas_is_software(const dlp_Canvas *canvas);

typedef struct dlp_RendererDef {
    size_t size;
    int64_t width, height; /* pixels                                           */
    int64_t samples;       /* supersampling per axis: 1 is none, 2 is smooth   */
    double exposure;       /* stops: +1 doubles the brightness                 */
} dlp_RendererDef;

DLP_API const dlp_ParamTable *dlp_renderer_params(void);
DLP_API dlp_RendererDef dlp_default_renderer_def(void);

/* Particles as spheres. */
typedef struct dlp_Spheres {
    int64_t count;
    const float *position[3]; /* m */
    const float *color;       /* red, green, blue per particle, linear */
    double radius;            /* m */
} dlp_Spheres;

/* A colour legend; none if `title` is null. */
typedef struct dlp_ColorBar {
    const char *title, *unit;
    double low, high;
} dlp_ColorBar;

/* Everything in a picture. Absorption lengths scale with the height of the picture, so that honey looks like honey in a spoon and
 * in a tank. */
typedef struct dlp_Drawing {
    dlp_CameraDef camera;
    const dlp_Mesh *mesh; /* may be null; its appearance comes from the fields of dlp_looks_add() */
    dlp_Spheres spheres;
    const dlp_SolidDef *solids;
    int solid_count;
    const dlp_Mesh *solid_meshes; /* of solids; without normals */
    int solid_mesh_count;
    dlp_Vec3 lower, upper; /* m, region of interest */
    double floor;          /* m, height of the studio floor where no solid forms one; NAN: no floor */
    dlp_ColorBar bar;
    dlp_Vec3 casters_lower,
        casters_upper; /* m, box around everything that casts shadows during a film, so that they do not change
                                            * from picture to picture; both zero: of this picture */
} dlp_Drawing;

typedef struct dlp_Renderer dlp_Renderer;
DLP_API dlp_Result dlp_renderer_create(const dlp_RendererDef *def, dlp_Renderer **renderer, dlp_Error *error);
DLP_API void dlp_renderer_destroy(dlp_Renderer *renderer); /* null is fine */
/* `pixels`: red, green, blue of width * height pixels; rows from top to bottom. */
DLP_API dlp_Result dlp_renderer_draw(dlp_Renderer *renderer, const dlp_Drawing *drawing, unsigned char *pixels,
                                     dlp_Error *error);

/* A camera that frames a box. */
DLP_API dlp_CameraDef dlp_camera_around(dlp_Vec3 lower, dlp_Vec3 upper, double aspect);

/* Appearance of points by their material and, for glowing materials, their temperature: fields to be meshed with the points. Values
 * are kept in `storage`, DLP_LOOK_VALUES per point. Returns the number of fields; `fields` has space for DLP_LOOK_FIELDS. */
#define DLP_LOOK_FIELDS 4
#define DLP_LOOK_VALUES 12
DLP_API int dlp_looks_add(const dlp_Points *points, const dlp_FrameScene *scene, float *storage,
                          dlp_PointField *fields);
/* The colour of each point by its material, for spheres: three values per point. */
DLP_API void dlp_looks_color(const dlp_Points *points, const dlp_FrameScene *scene, float *color);
/* Map values between `low` and `high` to colours, three values per point. */
DLP_API void dlp_colors_map(const float *value, int64_t count, double low, double high, float *color);

/* Write a picture as PNG. */
DLP_API dlp_Result dlp_picture_write(const char *path, const unsigned char *pixels, int64_t width, int64_t height,
                                     dlp_Error *error);

#ifdef __cplusplus
}
#endif
#endif
