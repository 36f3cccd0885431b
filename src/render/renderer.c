/* Creates the renderer, its programs and maps, and draws a picture pass by pass with deferred shading. Solids and the
 * front of the fluid are drawn into maps (G-buffers) of albedo, normal and distance with several samples per pixel. Light
 * is computed from the maps once per pixel, and once per sample only at edges, so its cost depends on the size of the
 * picture and not on the number of triangles or samples. */
#include "render/picture_passes.h"

#include <math.h>
#include <stdlib.h>

#define SAMPLE "surface_sample.glsl+"
#define FILTER SAMPLE "light_filter.glsl+"

static const char *const shaders[DLP_PASS_COUNT][2] = {
    [DLP_PASS_SOLID] = {"solid.vert", "solid.frag"},
    [DLP_PASS_SPHERE] = {"sphere.vert", "sphere.frag"},
    [DLP_PASS_FLUID] = {"fluid.vert", "fluid.frag"},
    [DLP_PASS_THICKNESS] = {"fluid.vert", "thickness.frag"},
    [DLP_PASS_SOLID_SHADOW] = {"solid.vert", "depth_only.frag"},
    [DLP_PASS_FLUID_SHADOW] = {"fluid.vert", "fluid_shadow.frag"},
    [DLP_PASS_CLASSIFY] = {"fullscreen.vert", SAMPLE "classify.frag"},
    [DLP_PASS_AMBIENT_OCCLUSION] = {"fullscreen.vert", SAMPLE "ambient_occlusion.frag"},
    [DLP_PASS_AMBIENT_OCCLUSION_BLUR] = {"fullscreen.vert", FILTER "ambient_occlusion_blur.frag"},
    [DLP_PASS_LAMP] = {"fullscreen.vert", SAMPLE "lamp.frag"},
    [DLP_PASS_SHADE] = {"fullscreen.vert", FILTER "solid_light.glsl+shade.frag"},
    [DLP_PASS_COMPOSE] = {"fullscreen.vert", FILTER "tone_map.glsl+fluid_light.glsl+compose.frag"},
    [DLP_PASS_EDGE] = {"fullscreen.vert", FILTER "tone_map.glsl+solid_light.glsl+fluid_light.glsl+edge.frag"},
    [DLP_PASS_FINISH] = {"fullscreen.vert", "tone_map.glsl+finish.frag"},
};

/* clang-format off */
#define INTEGER(member, value, min, max, ...) \
    {#member, DLP_PARAM_INT, offsetof(dlp_RendererDef, member), "", {value, 0, 0}, min, max, NULL, .help = __VA_ARGS__}

static const dlp_Param params[] = {
    INTEGER(width, 1280, 16, 8192, "pixels from left to right"),
    INTEGER(height, 720, 16, 8192, "pixels from top to bottom"),
    INTEGER(samples, 2, 1, 4, "samples along each side of a pixel: 1 is aliased, 2 smooth"),
    {"exposure", DLP_PARAM_REAL, offsetof(dlp_RendererDef, exposure), "", {0, 0, 0}, -8, 8, NULL,
     .help = "stops: 1 is twice as bright"},
};
/* clang-format on */

const dlp_ParamTable *dlp_renderer_params(void)
{
    static const dlp_ParamTable table = {"renderer", "how pictures are drawn", sizeof(dlp_RendererDef),
                                         (int)(sizeof params / sizeof params[0]), params};
    return &table;
}

dlp_RendererDef dlp_default_renderer_def(void)
{
    dlp_RendererDef def;
    dlp_params_default(dlp_renderer_params(), &def);
    return def;
}

static dlp_Result create_targets(dlp_Renderer *r, dlp_Error *error)
{
    enum { SHADOW_SIDE = 2048 }; /* pixels of the shadow map */
    static const GLenum solid[DLP_SOLID_MAPS] = {GL_RGBA8, GL_RGBA16F, GL_R32F};
    static const GLenum fluid[DLP_FLUID_MAPS] = {GL_RGBA8, GL_RGBA16F, GL_RGBA16F, GL_RGBA16F, GL_R32F};
    static const GLenum number[1] = {GL_R32F}, pair[1] = {GL_RG16F}, light[1] = {GL_RGBA16F}, color[1] = {GL_RGBA8};
    const int width = (int)r->def.width, height = (int)r->def.height, samples = (int)r->def.samples;
    const struct {
        dlp__Target *target;
        int width, height;
        const GLenum *formats;
        int count;
        bool depth;
    } wanted[] = {
        {&r->solid, samples * width, samples * height, solid, DLP_SOLID_MAPS, true},
        {&r->fluid, samples * width, samples * height, fluid, DLP_FLUID_MAPS, false},
        {&r->thickness, samples * width, samples * height, number, 1, false},
        {&r->noisy_occlusion, (width + 1) / 2, (height + 1) / 2, pair, 1, false},
        {&r->occlusion, (width + 1) / 2, (height + 1) / 2, pair, 1, false},
        {&r->kinds, width, height, NULL, 0, true},
        {&r->solid_lamp, width, height, light, 1, false},
        {&r->fluid_lamp, width, height, light, 1, false},
        {&r->background, width, height, light, 1, false},
        {&r->picture, width, height, light, 1, false},
        {&r->finished, width, height, color, 1, false},
        {&r->solid_shadow, SHADOW_SIDE, SHADOW_SIDE, NULL, 0, true},
        {&r->fluid_shadow, SHADOW_SIDE, SHADOW_SIDE, color, 1, true},
    };
    dlp_Result result = DLP_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && result == DLP_OK; i++) {
        result = dlp__target_create(wanted[i].target, wanted[i].width, wanted[i].height, wanted[i].formats,
                                    wanted[i].count, wanted[i].depth, error);
    }
    dlp__target_share_depth(&r->fluid, &r->solid);
    dlp__target_share_depth(&r->solid_lamp, &r->kinds);
    dlp__target_share_depth(&r->fluid_lamp, &r->kinds);
    dlp__target_share_depth(&r->background, &r->kinds);
    dlp__target_share_depth(&r->picture, &r->kinds);
    /* Passes that draw opaque fluid read these two without using the values, but a driver may leave NaN in new textures. */
    dlp__target_begin(&r->thickness);
    dlp__target_begin(&r->background);
    /* The background of translucent fluid is blurred over many pixels. */
    glBindTexture(GL_TEXTURE_2D, r->background.color[0]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    glGenerateMipmap(GL_TEXTURE_2D); /* without all levels no level can be read */
    return result;
}

dlp_Result dlp_renderer_create(const dlp_RendererDef *def, dlp_Renderer **result, dlp_Error *error)
{
    if (def == NULL || result == NULL) {
        return dlp__fail_null(error);
    }
    *result = NULL;
    dlp_Result checked = dlp_params_check(dlp_renderer_params(), def, error);
    if (checked != DLP_OK) {
        return checked;
    }
    if (epoxy_gl_version() < 33) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a renderer needs a current OpenGL context of version 3.3 or later");
    }
    dlp_Renderer *r = calloc(1, sizeof *r);
    if (r == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a renderer");
    }
    r->def = *def;
    for (int pass = 0; pass < DLP_PASS_COUNT && checked == DLP_OK; pass++) {
        checked = dlp__gl_program(shaders[pass][0], shaders[pass][1], &r->program[pass], error);
    }
    if (checked == DLP_OK) {
        glGenVertexArrays(1, &r->empty_array);
        dlp__fluid_buffers_create(&r->buffers);
        checked = create_targets(r, error);
    }
    if (checked == DLP_OK) {
        checked = dlp__solid_shapes_create(&r->shapes, error);
    }
    if (checked == DLP_OK) {
        checked = dlp__labels_create(&r->labels, (int)def->height, error);
    }
    if (checked != DLP_OK) {
        dlp_renderer_destroy(r);
        return checked;
    }
    *result = r;
    return DLP_OK;
}

void dlp_renderer_destroy(dlp_Renderer *r)
{
    if (r == NULL) {
        return;
    }
    dlp__Target *const targets[] = {&r->solid,    &r->fluid,        &r->thickness,   &r->noisy_occlusion, &r->occlusion,
                                    &r->kinds,    &r->solid_lamp,   &r->fluid_lamp,  &r->background,      &r->picture,
                                    &r->finished, &r->solid_shadow, &r->fluid_shadow};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        dlp__target_destroy(targets[i]);
    }
    for (int pass = 0; pass < DLP_PASS_COUNT; pass++) {
        glDeleteProgram(r->program[pass]);
    }
    dlp__solid_shapes_destroy(&r->shapes);
    dlp__labels_destroy(&r->labels);
    glDeleteVertexArrays(1, &r->empty_array);
    dlp__fluid_buffers_destroy(&r->buffers);
    free(r);
}

/* Reset state that the owner of the context may have changed. */
static void reset_gl_state(void)
{
    while (glGetError() != GL_NO_ERROR) {}
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_DEPTH_CLAMP);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

dlp_Result dlp_renderer_draw(dlp_Renderer *r, const dlp_Drawing *drawing, unsigned char *pixels, dlp_Error *error)
{
    if (r == NULL || drawing == NULL || pixels == NULL) {
        return dlp__fail_null(error);
    }
    const dlp_Mesh *mesh = drawing->mesh;
    if (mesh != NULL && (mesh->triangle_count > INT32_MAX / 3 ||
                         (mesh->vertex_count > 0 && (mesh->position == NULL || mesh->normal == NULL)))) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a mesh needs positions, normals and at most %d triangles",
                         INT32_MAX / 3);
    }
    GLint host_framebuffer = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &host_framebuffer);
    reset_gl_state();
    dlp_Result result = dlp__fluid_buffers_upload(&r->buffers, drawing, error);
    if (result == DLP_OK) {
        result = dlp__solid_meshes_upload(&r->shapes.meshes, drawing->solid_meshes, drawing->solid_mesh_count, error);
    }
    if (result != DLP_OK) {
        return result;
    }
    const dlp__Scene scene = dlp__scene_of(r, drawing);
    dlp__draw_shadow_maps(&scene);
    dlp__draw_solid_maps(&scene);
    dlp__draw_fluid_maps(&scene);
    dlp__classify_pixels(&scene);
    dlp__compute_ambient_occlusion(&scene);
    dlp__compute_lamp_light(&scene);
    dlp__shade_solids(&scene);
    dlp__shade_fluid(&scene);
    dlp__shade_edges(&scene);
    result = dlp__finish_picture(&scene, pixels, error);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)host_framebuffer);
    const GLenum problem = glGetError();
    if (result == DLP_OK && problem != GL_NO_ERROR) {
        result = dlp__fail(error, DLP_ERROR_MEMORY, "OpenGL failed with error 0x%04x: use a smaller picture",
                           (unsigned)problem);
    }
    return result;
}
