/* A picture, pass by pass, with deferred shading. Solids and the front of the fluid are drawn into maps (G-buffers) of
 * albedo, normal and distance; light is computed from the maps, so its cost depends on the size of the picture and not
 * on the number of triangles. */
#include "render/label_layer.h"
#include "render/look_fields.h"
#include "render/solid_shapes.h"
#include "render/view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SHADOW_SIDE = 2048 }; /* pixels of the shadow map */

/* The passes; each has a program. */
typedef enum Pass {
    PASS_SOLID,
    PASS_SPHERE,
    PASS_FLUID,
    PASS_THICKNESS,
    PASS_SOLID_SHADOW,
    PASS_FLUID_SHADOW,
    PASS_AMBIENT_OCCLUSION,
    PASS_AMBIENT_OCCLUSION_BLUR,
    PASS_SHADE,
    PASS_COMPOSE,
    PASS_FINISH,
    PASS_COUNT,
} Pass;

static const char *const shaders[PASS_COUNT][2] = {
    [PASS_SOLID] = {"solid.vert", "solid.frag"},
    [PASS_SPHERE] = {"sphere.vert", "sphere.frag"},
    [PASS_FLUID] = {"fluid.vert", "fluid.frag"},
    [PASS_THICKNESS] = {"fluid.vert", "thickness.frag"},
    [PASS_SOLID_SHADOW] = {"solid.vert", "depth_only.frag"},
    [PASS_FLUID_SHADOW] = {"fluid.vert", "fluid_shadow.frag"},
    [PASS_AMBIENT_OCCLUSION] = {"fullscreen.vert", "scene_distance.glsl+ambient_occlusion.frag"},
    [PASS_AMBIENT_OCCLUSION_BLUR] = {"fullscreen.vert", "scene_distance.glsl+ambient_occlusion_blur.frag"},
    [PASS_SHADE] = {"fullscreen.vert", "lamp.glsl+shade.frag"},
    [PASS_COMPOSE] = {"fullscreen.vert", "lamp.glsl+compose.frag"},
    [PASS_FINISH] = {"fullscreen.vert", "finish.frag"},
};

/* Indices of the textures of the maps. */
enum { SOLID_ALBEDO, SOLID_NORMAL, SOLID_DISTANCE, SOLID_MAPS };
enum { FLUID_ALBEDO, FLUID_ABSORPTION, FLUID_NORMAL, FLUID_GLOW, FLUID_DISTANCE, FLUID_MAPS };

struct dlp_Renderer {
    dlp_RendererDef def;
    GLuint program[PASS_COUNT];
    dlp__Target solid, fluid, thickness, noisy_occlusion, occlusion, background, picture, finished;
    dlp__Target solid_shadow, fluid_shadow;
    dlp__SolidShapes shapes;
    dlp__LabelLayer labels;
    GLuint mesh_array, mesh_buffer[2 + DLP_LOOK_FIELDS], mesh_index;
    GLuint sphere_array, sphere_buffer[2], empty_array;
    float *spheres; /* interleaved coordinates */
    int64_t sphere_capacity;
};

/* clang-format off */
#define INTEGER(member, value, min, max, help) \
    {#member, DLP_PARAM_INT, offsetof(dlp_RendererDef, member), "", {value, 0, 0}, min, max, NULL, help}

static const dlp_Param params[] = {
    INTEGER(width, 1280, 16, 8192, "pixels from left to right"),
    INTEGER(height, 720, 16, 8192, "pixels from top to bottom"),
    INTEGER(samples, 2, 1, 4, "samples along each side of a pixel: 1 is aliased, 2 smooth"),
    {"exposure", DLP_PARAM_REAL, offsetof(dlp_RendererDef, exposure), "", {0, 0, 0}, -8, 8, NULL,
     "stops: 1 is twice as bright"},
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
    static const GLenum solid[SOLID_MAPS] = {GL_RGBA8, GL_RGBA16F, GL_R32F};
    static const GLenum fluid[FLUID_MAPS] = {GL_RGBA8, GL_RGBA16F, GL_RGBA16F, GL_RGBA16F, GL_R32F};
    static const GLenum number[1] = {GL_R32F}, fraction[1] = {GL_R8}, light[1] = {GL_RGBA16F}, color[1] = {GL_RGBA8};
    const int width = (int)r->def.width, height = (int)r->def.height, samples = (int)r->def.samples;
    const int full_width = samples * width, full_height = samples * height, half_width = (full_width + 1) / 2,
              half_height_pixels = (full_height + 1) / 2;
    const struct {
        dlp__Target *target;
        int width, height;
        const GLenum *formats;
        int count;
        bool depth;
    } wanted[] = {
        {&r->solid, full_width, full_height, solid, SOLID_MAPS, true},
        {&r->fluid, full_width, full_height, fluid, FLUID_MAPS, true},
        {&r->thickness, full_width, full_height, number, 1, false},
        {&r->noisy_occlusion, half_width, half_height_pixels, fraction, 1, false},
        {&r->occlusion, half_width, half_height_pixels, fraction, 1, false},
        {&r->background, full_width, full_height, light, 1, false},
        {&r->picture, full_width, full_height, light, 1, false},
        {&r->finished, width, height, color, 1, false},
        {&r->solid_shadow, SHADOW_SIDE, SHADOW_SIDE, NULL, 0, true},
        {&r->fluid_shadow, SHADOW_SIDE, SHADOW_SIDE, color, 1, true},
    };
    dlp_Result result = DLP_OK;
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0] && result == DLP_OK; i++) {
        result = dlp__target_create(wanted[i].target, wanted[i].width, wanted[i].height, wanted[i].formats,
                                    wanted[i].count, wanted[i].depth, error);
    }
    /* The background of translucent fluid is blurred over many pixels. */
    glBindTexture(GL_TEXTURE_2D, r->background.color[0]);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
    return result;
}

static void create_arrays(dlp_Renderer *r)
{
    glGenVertexArrays(1, &r->empty_array);
    glGenVertexArrays(1, &r->mesh_array);
    glGenVertexArrays(1, &r->sphere_array);
    glGenBuffers(2 + DLP_LOOK_FIELDS, r->mesh_buffer);
    glGenBuffers(1, &r->mesh_index);
    glGenBuffers(2, r->sphere_buffer);
    glBindVertexArray(r->sphere_array);
    for (GLuint i = 0; i < 2; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, r->sphere_buffer[i]);
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, 0, NULL);
        glVertexAttribDivisor(i, 1);
    }
}

dlp_Result dlp_renderer_create(const dlp_RendererDef *def, dlp_Renderer **result, dlp_Error *error)
{
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
    for (int pass = 0; pass < PASS_COUNT && checked == DLP_OK; pass++) {
        checked = dlp__gl_program(shaders[pass][0], shaders[pass][1], &r->program[pass], error);
    }
    if (checked == DLP_OK) {
        create_arrays(r);
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
    dlp__Target *const targets[] = {&r->solid,      &r->fluid,   &r->thickness, &r->noisy_occlusion, &r->occlusion,
                                    &r->background, &r->picture, &r->finished,  &r->solid_shadow,    &r->fluid_shadow};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        dlp__target_destroy(targets[i]);
    }
    for (int pass = 0; pass < PASS_COUNT; pass++) {
        glDeleteProgram(r->program[pass]);
    }
    dlp__solid_shapes_destroy(&r->shapes);
    dlp__labels_destroy(&r->labels);
    glDeleteVertexArrays(1, &r->empty_array);
    glDeleteVertexArrays(1, &r->mesh_array);
    glDeleteVertexArrays(1, &r->sphere_array);
    glDeleteBuffers(2 + DLP_LOOK_FIELDS, r->mesh_buffer);
    glDeleteBuffers(1, &r->mesh_index);
    glDeleteBuffers(2, r->sphere_buffer);
    free(r->spheres);
    free(r);
}

static void upload(GLuint buffer, const float *values, int64_t count)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * (int64_t)sizeof *values), values, GL_STREAM_DRAW);
}

/* Position, normal, and the look fields that the mesh has. */
static void upload_mesh(const dlp_Renderer *r, const dlp_Mesh *mesh)
{
    float default_value[DLP_LOOK_FIELDS][3];
    dlp__look_default(default_value);
    const float *values[2 + DLP_LOOK_FIELDS] = {mesh->position, mesh->normal};
    for (int f = 0; f < mesh->field_count; f++) {
        for (int n = 0; n < DLP_LOOK_FIELDS; n++) {
            if (mesh->fields[f].components == 3 && strcmp(mesh->fields[f].name, dlp__look_fields[n]) == 0) {
                values[2 + n] = mesh->fields[f].values;
            }
        }
    }
    glBindVertexArray(r->mesh_array);
    for (GLuint i = 0; i < 2 + DLP_LOOK_FIELDS; i++) {
        if (values[i] == NULL) {
            glDisableVertexAttribArray(i);
            glVertexAttrib3fv(i, default_value[i - 2]);
            continue;
        }
        upload(r->mesh_buffer[i], values[i], 3 * mesh->vertex_count);
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, r->mesh_index);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(3 * mesh->triangle_count * (int64_t)sizeof *mesh->triangle),
                 mesh->triangle, GL_STREAM_DRAW);
}

static dlp_Result upload_spheres(dlp_Renderer *r, const dlp_Spheres *spheres, dlp_Error *error)
{
    if (spheres->count > r->sphere_capacity) {
        float *values = realloc(r->spheres, (size_t)spheres->count * 3 * sizeof *values);
        if (values == NULL) {
            return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld spheres", (long long)spheres->count);
        }
        r->spheres = values;
        r->sphere_capacity = spheres->count;
    }
    for (int64_t i = 0; i < 3 * spheres->count; i++) {
        r->spheres[i] = spheres->position[i % 3][i / 3];
    }
    upload(r->sphere_buffer[0], r->spheres, 3 * spheres->count);
    upload(r->sphere_buffer[1], spheres->color, 3 * spheres->count);
    return DLP_OK;
}

/* State while drawing one picture. */
typedef struct Scene {
    dlp_Renderer *r;
    const dlp_Drawing *drawing;
    dlp__View view;
    dlp__Lamp lamp;
    double floor; /* m, NAN for none */
    dlp_Vec3 floor_color;
} Scene;

static const dlp_Vec3 STUDIO_FLOOR = {0.42, 0.42, 0.42};

static double lowest_vertex(const dlp_Mesh *mesh, const dlp__Rotation *r)
{
    double lowest = HUGE_VAL;
    for (int64_t v = 0; v < mesh->vertex_count; v++) {
        const float *p = mesh->position + 3 * v;
        lowest = fmin(lowest, r->x.z * (double)p[0] + r->y.z * (double)p[1] + r->z.z * (double)p[2]);
    }
    return lowest;
}

/* The lowest point of a solid; infinite if it has none. */
static double lowest_point(const dlp_Drawing *drawing, const dlp_ShapeDef *shape)
{
    const dlp__Rotation r = dlp__rotation(shape->rotation);
    const double upright = fabs(r.z.z), half = 0.5 * shape->length;
    switch ((dlp_ShapeKind)shape->kind) {
    case DLP_SHAPE_BOX:
        return shape->position.z -
               0.5 * (fabs(r.x.z) * shape->size.x + fabs(r.y.z) * shape->size.y + upright * shape->size.z);
    case DLP_SHAPE_SPHERE: return shape->position.z - shape->radius;
    case DLP_SHAPE_CAPSULE: return shape->position.z - shape->radius - upright * half;
    case DLP_SHAPE_CYLINDER:
        return shape->position.z - shape->radius * sqrt(fmax(1.0 - upright * upright, 0.0)) - upright * half;
    case DLP_SHAPE_MESH:
        return shape->mesh >= 0 && shape->mesh < drawing->solid_mesh_count
                   ? shape->position.z + lowest_vertex(&drawing->solid_meshes[shape->mesh], &r)
                   : HUGE_VAL;
    case DLP_SHAPE_PLANE:
    case DLP_SHAPE_CONTAINER: break;
    }
    return HUGE_VAL;
}

/* The floor is the first visible horizontal plane, else the bottom of the first container, else the studio floor below
 * all solids. */
static void find_floor(Scene *scene)
{
    const dlp_Drawing *drawing = scene->drawing;
    double lowest = drawing->floor, bottom = NAN;
    scene->floor_color = STUDIO_FLOOR;
    for (int i = 0; i < drawing->solid_count; i++) {
        const dlp_SolidDef *solid = &drawing->solids[i];
        if (!solid->visible) {
            continue;
        }
        if (dlp__plane_is_level(&solid->shape)) {
            const dlp_Vec3 default_value = dlp_default_solid_def().color;
            const bool has_own_color = dlp__length(dlp__sub(solid->color, default_value)) > 0.0;
            scene->floor = solid->shape.position.z;
            scene->floor_color = has_own_color ? solid->color : STUDIO_FLOOR;
            return;
        }
        if (solid->shape.kind == DLP_SHAPE_CONTAINER && dlp__length(solid->shape.rotation) == 0.0 && isnan(bottom)) {
            bottom = solid->shape.position.z - 0.5 * solid->shape.size.z;
        }
        lowest = isnan(lowest) ? lowest : fmin(lowest, lowest_point(drawing, &solid->shape));
    }
    scene->floor = isnan(bottom) ? lowest : bottom;
}

/* Use the program of a pass, seen from the camera or from the lamp. */
static GLuint begin_pass(const Scene *scene, Pass pass, bool from_lamp)
{
    const dlp__View *view = &scene->view;
    const GLuint program = scene->r->program[pass];
    const double slope = scene->view.tangent;
    const dlp_Vec3 level = dlp__cross(dlp__vec3(0, 0, 1), view->right);
    const dlp_Vec3 rim = dlp__add(dlp__scale(view->right, 0.75),
                                  dlp__add(dlp__scale(level, 0.85), dlp__vec3(0, 0, 0.45)));
    glUseProgram(program);
    dlp__gl_set_matrix(program, "view", from_lamp ? scene->lamp.view : view->view);
    dlp__gl_set_matrix(program, "projection", from_lamp ? scene->lamp.projection : view->projection);
    dlp__gl_set_vec3(program, "eye", view->eye);
    dlp__gl_set_vec3(program, "view_right", view->right);
    dlp__gl_set_vec3(program, "view_up", view->up);
    dlp__gl_set_vec3(program, "view_forward", view->forward);
    dlp__gl_set2f(program, "view_slope", slope * view->aspect, slope);
    dlp__gl_set1f(program, "unit_length", view->half_height);
    dlp__gl_set_vec3(program, "to_lamp", scene->lamp.direction);
    dlp__gl_set_vec3(program, "lamp_right", scene->lamp.right);
    dlp__gl_set_vec3(program, "to_rim", dlp__unit(rim));
    return program;
}

static bool has_mesh(const Scene *scene)
{
    return scene->drawing->mesh != NULL && scene->drawing->mesh->triangle_count > 0;
}

static void draw_mesh(const Scene *scene)
{
    glBindVertexArray(scene->r->mesh_array);
    glDrawElements(GL_TRIANGLES, (GLsizei)(3 * scene->drawing->mesh->triangle_count), GL_UNSIGNED_INT, NULL);
}

static void draw_spheres(const Scene *scene, bool from_lamp)
{
    const dlp_Spheres *spheres = &scene->drawing->spheres;
    const GLuint program = begin_pass(scene, PASS_SPHERE, from_lamp);
    dlp__gl_set1f(program, "radius", spheres->radius);
    dlp__gl_set1i(program, "from_lamp", from_lamp);
    glBindVertexArray(scene->r->sphere_array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, (GLsizei)spheres->count);
}

static void draw_solids(const Scene *scene, bool from_lamp)
{
    const dlp_Drawing *drawing = scene->drawing;
    const double far = 60.0 * scene->view.half_height;
    const GLuint program = begin_pass(scene, from_lamp ? PASS_SOLID_SHADOW : PASS_SOLID, from_lamp);
    dlp__solids_draw(&scene->r->shapes, program, drawing->solids, drawing->solid_count, 3.0 * scene->view.half_height);
    if (!from_lamp && isfinite(scene->floor)) {
        dlp_Vec3 center = drawing->camera.target;
        center.z = scene->floor;
        dlp__floor_draw(&scene->r->shapes, program, center, far, scene->floor_color);
    }
    if (drawing->spheres.count > 0) {
        draw_spheres(scene, from_lamp);
    }
}

static void draw_shadow_maps(const Scene *scene)
{
    dlp__target_begin(&scene->r->solid_shadow);
    draw_solids(scene, true);
    dlp__target_begin(&scene->r->fluid_shadow);
    if (has_mesh(scene)) {
        begin_pass(scene, PASS_FLUID_SHADOW, true);
        draw_mesh(scene);
    }
}

static void draw_solid_maps(const Scene *scene)
{
    dlp__target_begin(&scene->r->solid);
    draw_solids(scene, false);
}

static void draw_fluid_maps(const Scene *scene)
{
    const dlp_Renderer *r = scene->r;
    dlp__target_begin(&r->fluid);
    if (!has_mesh(scene)) {
        return;
    }
    GLuint program = begin_pass(scene, PASS_FLUID, false);
    dlp__gl_set_texture(program, "solid_distance", 0, r->solid.color[SOLID_DISTANCE]);
    draw_mesh(scene);
    dlp__target_begin(&r->thickness);
    program = begin_pass(scene, PASS_THICKNESS, false);
    dlp__gl_set_texture(program, "solid_distance", 0, r->solid.color[SOLID_DISTANCE]);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    draw_mesh(scene);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}

static void compute_ambient_occlusion(const Scene *scene)
{
    static const double RADIUS = 0.22; /* of half the height of the picture */
    const dlp_Renderer *r = scene->r;
    dlp__target_begin(&r->noisy_occlusion);
    GLuint program = begin_pass(scene, PASS_AMBIENT_OCCLUSION, false);
    dlp__gl_set_texture(program, "solid_distance", 0, r->solid.color[SOLID_DISTANCE]);
    dlp__gl_set_texture(program, "fluid_distance", 1, r->fluid.color[FLUID_DISTANCE]);
    dlp__gl_set_texture(program, "solid_normal", 2, r->solid.color[SOLID_NORMAL]);
    dlp__gl_set_texture(program, "fluid_normal", 3, r->fluid.color[FLUID_NORMAL]);
    dlp__gl_set1f(program, "radius", RADIUS * scene->view.half_height);
    dlp__draw_fullscreen(r->empty_array);
    dlp__target_begin(&r->occlusion);
    program = begin_pass(scene, PASS_AMBIENT_OCCLUSION_BLUR, false);
    dlp__gl_set_texture(program, "solid_distance", 0, r->solid.color[SOLID_DISTANCE]);
    dlp__gl_set_texture(program, "fluid_distance", 1, r->fluid.color[FLUID_DISTANCE]);
    dlp__gl_set_texture(program, "ambient_occlusion", 2, r->noisy_occlusion.color[0]);
    dlp__draw_fullscreen(r->empty_array);
}

/* Bind the maps that both shading passes read. */
static void bind_light_maps(const Scene *scene, GLuint program)
{
    const dlp_Renderer *r = scene->r;
    dlp__gl_set_texture(program, "solid_distance", 0, r->solid.color[SOLID_DISTANCE]);
    dlp__gl_set_texture(program, "ambient_occlusion", 1, r->occlusion.color[0]);
    dlp__gl_set_texture(program, "solid_shadow", 2, r->solid_shadow.depth);
    dlp__gl_set_texture(program, "fluid_shadow", 3, r->fluid_shadow.depth);
    dlp__gl_set_texture(program, "fluid_through", 4, r->fluid_shadow.color[0]);
    dlp__gl_set_matrix(program, "lamp_matrix", scene->lamp.view_projection);
    dlp__gl_set1f(program, "lamp_size", scene->lamp.size);
}

static void shade_solids(const Scene *scene)
{
    const dlp_Renderer *r = scene->r;
    dlp__target_begin(&r->background);
    const GLuint program = begin_pass(scene, PASS_SHADE, false);
    bind_light_maps(scene, program);
    dlp__gl_set_texture(program, "solid_albedo", 5, r->solid.color[SOLID_ALBEDO]);
    dlp__gl_set_texture(program, "solid_normal", 6, r->solid.color[SOLID_NORMAL]);
    dlp__gl_set_vec3(program, "backdrop", dlp__vec3(0.43, 0.44, 0.45));
    dlp__draw_fullscreen(r->empty_array);
    glBindTexture(GL_TEXTURE_2D, r->background.color[0]);
    glGenerateMipmap(GL_TEXTURE_2D);
}

static void shade_fluid(const Scene *scene)
{
    const dlp_Renderer *r = scene->r;
    dlp__target_begin(&r->picture);
    const GLuint program = begin_pass(scene, PASS_COMPOSE, false);
    bind_light_maps(scene, program);
    dlp__gl_set_texture(program, "fluid_albedo", 5, r->fluid.color[FLUID_ALBEDO]);
    dlp__gl_set_texture(program, "fluid_absorption", 6, r->fluid.color[FLUID_ABSORPTION]);
    dlp__gl_set_texture(program, "fluid_normal", 7, r->fluid.color[FLUID_NORMAL]);
    dlp__gl_set_texture(program, "fluid_glow", 8, r->fluid.color[FLUID_GLOW]);
    dlp__gl_set_texture(program, "fluid_distance", 9, r->fluid.color[FLUID_DISTANCE]);
    dlp__gl_set_texture(program, "thickness", 10, r->thickness.color[0]);
    dlp__gl_set_texture(program, "background", 11, r->background.color[0]);
    dlp__draw_fullscreen(r->empty_array);
}

static dlp_Result finish(const Scene *scene, unsigned char *pixels, dlp_Error *error)
{
    dlp_Renderer *r = scene->r;
    const int width = (int)r->def.width, height = (int)r->def.height;
    dlp__target_begin(&r->finished);
    const GLuint program = begin_pass(scene, PASS_FINISH, false);
    dlp__gl_set_texture(program, "picture", 0, r->picture.color[0]);
    dlp__gl_set1i(program, "samples", (int)r->def.samples);
    dlp__gl_set1f(program, "exposure", 0.72 * exp2(r->def.exposure));
    dlp__draw_fullscreen(r->empty_array);
    if (scene->drawing->bar.title != NULL) {
        dlp_Result result = dlp__color_bar_draw(&r->labels, &scene->drawing->bar, width, height, error);
        if (result != DLP_OK) {
            return result;
        }
    }
    glPixelStorei(GL_PACK_ALIGNMENT, 1);
    for (int row = 0; row < height; row++) { /* OpenGL counts rows from the bottom */
        glReadPixels(0, height - 1 - row, width, 1, GL_RGB, GL_UNSIGNED_BYTE, pixels + (size_t)row * 3 * (size_t)width);
    }
    return DLP_OK;
}

/* Reset state that the owner of the context may have changed. */
static void reset_gl_state(void)
{
    while (glGetError() != GL_NO_ERROR) {}
    glDisable(GL_BLEND);
    glDisable(GL_CULL_FACE);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_STENCIL_TEST);
    glEnable(GL_DEPTH_TEST);
    glDepthFunc(GL_LESS);
    glDepthMask(GL_TRUE);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

dlp_Result dlp_renderer_draw(dlp_Renderer *r, const dlp_Drawing *drawing, unsigned char *pixels, dlp_Error *error)
{
    Scene scene = {.r = r, .drawing = drawing};
    const dlp_Mesh *mesh = drawing->mesh;
    if (mesh != NULL && (mesh->triangle_count > INT32_MAX / 3 ||
                         (mesh->vertex_count > 0 && (mesh->position == NULL || mesh->normal == NULL)))) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a mesh needs positions, normals and at most %d triangles",
                         INT32_MAX / 3);
    }
    GLint host_framebuffer = 0;
    glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &host_framebuffer);
    reset_gl_state();
    find_floor(&scene);
    scene.view = dlp__view_from_camera(&drawing->camera, (double)r->def.width / (double)r->def.height, drawing->lower,
                                       drawing->upper);
    scene.lamp = dlp__lamp_from_view(&scene.view, drawing->lower, drawing->upper);
    if (mesh != NULL && mesh->vertex_count > 0) {
        upload_mesh(r, mesh);
    }
    dlp_Result result = drawing->spheres.count > 0 ? upload_spheres(r, &drawing->spheres, error) : DLP_OK;
    if (result == DLP_OK) {
        result = dlp__solid_meshes_upload(&r->shapes.meshes, drawing->solid_meshes, drawing->solid_mesh_count, error);
    }
    if (result != DLP_OK) {
        return result;
    }
    draw_shadow_maps(&scene);
    draw_solid_maps(&scene);
    draw_fluid_maps(&scene);
    compute_ambient_occlusion(&scene);
    shade_solids(&scene);
    shade_fluid(&scene);
    result = finish(&scene, pixels, error);
    glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)host_framebuffer);
    const GLenum problem = glGetError();
    if (result == DLP_OK && problem != GL_NO_ERROR) {
        result = dlp__fail(error, DLP_ERROR_MEMORY, "OpenGL failed with error 0x%04x: use a smaller picture",
                           (unsigned)problem);
    }
    return result;
}
