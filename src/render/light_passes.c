/* Computes light from the maps: ambient occlusion once per four pixels, light once per pixel, and at edges once per
 * sample. Which pixels a pass computes is selected by a depth test against their kinds, which also software drivers do
 * before they run a shader. */
#include "render/picture_passes.h"

#include <math.h>

/* Depths of the kinds of pixels, as in classify.frag. */
static const double FLUID = 0.25, EDGE = 0.5, SOLID = 0.75;

/* Begin a pass that computes one value for `stride` x `stride` samples. */
static GLuint begin_light(const dlp__Scene *scene, dlp__Pass pass, int stride)
{
    const dlp_Renderer *r = scene->r;
    const GLuint program = dlp__begin_pass(scene, pass, false);
    dlp__gl_set1i(program, "samples", (int)r->def.samples);
    dlp__gl_set1i(program, "stride", stride);
    dlp__gl_set1f(program, "exposure", exp2(r->def.exposure));
    dlp__gl_set_vec3(program, "backdrop", dlp__vec3(0.80, 0.82, 0.84));
    dlp__gl_set_texture(program, "solid_distance", 0, r->solid.color[DLP_SOLID_DISTANCE]);
    dlp__gl_set_texture(program, "solid_normal", 1, r->solid.color[DLP_SOLID_NORMAL]);
    dlp__gl_set_texture(program, "solid_albedo", 2, r->solid.color[DLP_SOLID_ALBEDO]);
    dlp__gl_set_texture(program, "fluid_distance", 3, r->fluid.color[DLP_FLUID_DISTANCE]);
    dlp__gl_set_texture(program, "fluid_normal", 4, r->fluid.color[DLP_FLUID_NORMAL]);
    return program;
}

void dlp__classify_pixels(const dlp__Scene *scene)
{
    dlp__target_resume(&scene->r->kinds);
    begin_light(scene, DLP_PASS_CLASSIFY, (int)scene->r->def.samples);
    dlp__draw_depths(scene->r->empty_array);
}

void dlp__compute_ambient_occlusion(const dlp__Scene *scene)
{
    static const double RADIUS = 0.22; /* of half the height of the picture */
    const dlp_Renderer *r = scene->r;
    const int stride = 2 * (int)r->def.samples;
    dlp__target_resume(&r->noisy_occlusion);
    GLuint program = begin_light(scene, DLP_PASS_AMBIENT_OCCLUSION, stride);
    dlp__gl_set1f(program, "radius", RADIUS * scene->view.half_height);
    dlp__draw_fullscreen(r->empty_array, program, GL_ALWAYS, EDGE);
    dlp__target_resume(&r->occlusion);
    program = begin_light(scene, DLP_PASS_AMBIENT_OCCLUSION_BLUR, stride);
    dlp__gl_set_texture(program, "ambient_occlusion", 5, r->noisy_occlusion.color[0]);
    dlp__draw_fullscreen(r->empty_array, program, GL_ALWAYS, EDGE);
}

static GLuint begin_lamp_light(const dlp__Scene *scene, const dlp__Target *target)
{
    const dlp_Renderer *r = scene->r;
    dlp__target_resume(target);
    glClearColor(1.0f, 1.0f, 1.0f, 0.0f); /* fully lit, and at no distance */
    glClear(GL_COLOR_BUFFER_BIT);
    const GLuint program = begin_light(scene, DLP_PASS_LAMP, (int)r->def.samples);
    dlp__gl_set_texture(program, "solid_shadow", 5, r->solid_shadow.depth);
    dlp__gl_set_texture(program, "fluid_shadow", 6, r->fluid_shadow.depth);
    dlp__gl_set_texture(program, "fluid_through", 7, r->fluid_shadow.color[0]);
    dlp__gl_set_matrix(program, "lamp_matrix", scene->lamp.view_projection);
    dlp__gl_set_vec3(program, "lamp_extent", scene->lamp.extent);
    dlp__gl_set1f(program, "lamp_scale", scene->view.scale);
    return program;
}

/* On solids, where they are visible or the fluid is translucent, and on the fluid. */
void dlp__compute_lamp_light(const dlp__Scene *scene)
{
    const dlp_Renderer *r = scene->r;
    GLuint program = begin_lamp_light(scene, &r->solid_lamp);
    dlp__gl_set_texture(program, "surface_distance", 8, r->solid.color[DLP_SOLID_DISTANCE]);
    dlp__gl_set_texture(program, "surface_normal", 9, r->solid.color[DLP_SOLID_NORMAL]);
    dlp__draw_fullscreen(r->empty_array, program, r->buffers.transmits ? GL_ALWAYS : GL_LEQUAL, EDGE);
    if (r->buffers.mesh_indices > 0) {
        program = begin_lamp_light(scene, &r->fluid_lamp);
        dlp__gl_set_texture(program, "surface_distance", 8, r->fluid.color[DLP_FLUID_DISTANCE]);
        dlp__gl_set_texture(program, "surface_normal", 9, r->fluid.color[DLP_FLUID_NORMAL]);
        dlp__draw_fullscreen(r->empty_array, program, GL_GEQUAL, EDGE);
    }
}

/* Bind the maps that the shading passes read in addition. */
static void bind_light_maps(const dlp__Scene *scene, GLuint program)
{
    const dlp_Renderer *r = scene->r;
    dlp__gl_set_texture(program, "ambient_occlusion", 5, r->occlusion.color[0]);
    dlp__gl_set_texture(program, "solid_lamp", 6, r->solid_lamp.color[0]);
    dlp__gl_set_texture(program, "fluid_lamp", 7, r->fluid_lamp.color[0]);
    dlp__gl_set_texture(program, "fluid_albedo", 8, r->fluid.color[DLP_FLUID_ALBEDO]);
    dlp__gl_set_texture(program, "fluid_absorption", 9, r->fluid.color[DLP_FLUID_ABSORPTION]);
    dlp__gl_set_texture(program, "fluid_glow", 10, r->fluid.color[DLP_FLUID_GLOW]);
    dlp__gl_set_texture(program, "thickness", 11, r->thickness.color[0]);
}

void dlp__shade_solids(const dlp__Scene *scene)
{
    const dlp_Renderer *r = scene->r;
    dlp__target_resume(&r->background);
    const GLuint program = begin_light(scene, DLP_PASS_SHADE, (int)r->def.samples);
    bind_light_maps(scene, program);
    dlp__draw_fullscreen(r->empty_array, program, r->buffers.transmits ? GL_ALWAYS : GL_EQUAL, SOLID);
    if (r->buffers.transmits) {
        glBindTexture(GL_TEXTURE_2D, r->background.color[0]);
        glGenerateMipmap(GL_TEXTURE_2D);
    }
}

static void shade(const dlp__Scene *scene, dlp__Pass pass, double kind)
{
    const dlp_Renderer *r = scene->r;
    dlp__target_resume(&r->picture);
    const GLuint program = begin_light(scene, pass, (int)r->def.samples);
    bind_light_maps(scene, program);
    dlp__gl_set_texture(program, "background", 12, r->background.color[0]);
    dlp__draw_fullscreen(r->empty_array, program, GL_EQUAL, kind);
}

void dlp__shade_fluid(const dlp__Scene *scene)
{
    shade(scene, DLP_PASS_COMPOSE, FLUID);
}

void dlp__shade_edges(const dlp__Scene *scene)
{
    shade(scene, DLP_PASS_EDGE, EDGE);
}

dlp_Result dlp__finish_picture(const dlp__Scene *scene, unsigned char *pixels, dlp_Error *error)
{
    dlp_Renderer *r = scene->r;
    const int width = (int)r->def.width, height = (int)r->def.height;
    dlp__target_resume(&r->finished);
    const GLuint program = begin_light(scene, DLP_PASS_FINISH, (int)r->def.samples);
    dlp__gl_set_texture(program, "picture", 5, r->picture.color[0]);
    dlp__gl_set_texture(program, "background", 6, r->background.color[0]);
    dlp__gl_set_texture(program, "kinds", 7, r->kinds.depth);
    dlp__draw_fullscreen(r->empty_array, program, GL_ALWAYS, EDGE);
    if (scene->drawing->bar.title != NULL) {
        dlp_Result result = dlp__color_bar_draw(&r->labels, &scene->drawing->bar, width, height, error);
        if (result != DLP_OK) {
            return result;
        }
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels);
    return DLP_OK;
}
