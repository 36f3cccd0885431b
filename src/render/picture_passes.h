/* The passes of a picture, in the order in which they run, and the maps that they fill. */
#ifndef DLP_RENDER_PICTURE_PASSES_H
#define DLP_RENDER_PICTURE_PASSES_H

#include "render/fluid_buffers.h"
#include "render/label_layer.h"
#include "render/solid_shapes.h"
#include "render/view.h"

/* Each has a program. */
typedef enum dlp__Pass {
    DLP_PASS_SOLID,
    DLP_PASS_SPHERE,
    DLP_PASS_FLUID,
    DLP_PASS_THICKNESS,
    DLP_PASS_SOLID_SHADOW,
    DLP_PASS_FLUID_SHADOW,
    DLP_PASS_CLASSIFY,
    DLP_PASS_AMBIENT_OCCLUSION,
    DLP_PASS_AMBIENT_OCCLUSION_BLUR,
    DLP_PASS_LAMP,
    DLP_PASS_SHADE,
    DLP_PASS_COMPOSE,
    DLP_PASS_EDGE,
    DLP_PASS_FINISH,
    DLP_PASS_COUNT,
} dlp__Pass;

/* Indices of the textures of the maps. */
enum { DLP_SOLID_ALBEDO, DLP_SOLID_NORMAL, DLP_SOLID_DISTANCE, DLP_SOLID_MAPS };
enum { DLP_FLUID_ALBEDO, DLP_FLUID_ABSORPTION, DLP_FLUID_NORMAL, DLP_FLUID_GLOW, DLP_FLUID_DISTANCE, DLP_FLUID_MAPS };

struct dlp_Renderer {
    dlp_RendererDef def;
    GLuint program[DLP_PASS_COUNT];
    dlp__Target solid, fluid, thickness;                                      /* several samples per pixel */
    dlp__Target kinds, solid_lamp, fluid_lamp, background, picture, finished; /* one value per pixel       */
    dlp__Target noisy_occlusion, occlusion;                                   /* one value per four pixels */
    dlp__Target solid_shadow, fluid_shadow;                                   /* seen from the lamp        */
    dlp__SolidShapes shapes;
    dlp__LabelLayer labels;
    dlp__FluidBuffers buffers;
    GLuint empty_array;
};

/* State while drawing one picture. */
typedef struct dlp__Scene {
    dlp_Renderer *r;
    const dlp_Drawing *drawing;
    dlp__View view;
    dlp__Lamp lamp;
    dlp__Floor floor;
    double plane_half; /* m, half the side of the square that is drawn of an inclined plane */
} dlp__Scene;

/* The fluid must have been uploaded. */
dlp__Scene dlp__scene_of(dlp_Renderer *r, const dlp_Drawing *drawing);
/* Use the program of a pass, seen from the camera or from the lamp. */
GLuint dlp__begin_pass(const dlp__Scene *scene, dlp__Pass pass, bool from_lamp);

/* Surfaces into maps: map_passes.c. */
void dlp__draw_shadow_maps(const dlp__Scene *scene);
void dlp__draw_solid_maps(const dlp__Scene *scene);
void dlp__draw_fluid_maps(const dlp__Scene *scene);

/* Maps into light: light_passes.c. */
void dlp__classify_pixels(const dlp__Scene *scene);
void dlp__compute_ambient_occlusion(const dlp__Scene *scene);
void dlp__compute_lamp_light(const dlp__Scene *scene);
void dlp__shade_solids(const dlp__Scene *scene);
void dlp__shade_fluid(const dlp__Scene *scene);
void dlp__shade_edges(const dlp__Scene *scene);
dlp_Result dlp__finish_picture(const dlp__Scene *scene, unsigned char *pixels, dlp_Error *error);

#endif
