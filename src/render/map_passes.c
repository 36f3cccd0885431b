/* Draws solids and fluid into maps, as seen from the camera and from the lamp. */
#include "render/picture_passes.h"

dlp__Scene dlp__scene_of(dlp_Renderer *r, const dlp_Drawing *drawing)
{
    const double aspect = (double)r->def.width / (double)r->def.height;
    dlp__Scene scene = {.r = r, .drawing = drawing, .floor = dlp__floor_of(drawing)};
    scene.view = dlp__view_from_camera(&drawing->camera, aspect, drawing->lower, drawing->upper);
    scene.plane_half = 3.0 * scene.view.half_height;
    const dlp__Box casters = dlp__casters_box(drawing, scene.plane_half);
    scene.lamp = dlp__lamp_from_view(&scene.view, &casters);
    return scene;
}

GLuint dlp__begin_pass(const dlp__Scene *scene, dlp__Pass pass, bool from_lamp)
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

static bool has_mesh(const dlp__Scene *scene)
{
    return scene->r->buffers.mesh_indices > 0;
}

static void draw_spheres(const dlp__Scene *scene, bool from_lamp)
{
    const GLuint program = dlp__begin_pass(scene, DLP_PASS_SPHERE, from_lamp);
    dlp__gl_set1f(program, "radius", scene->drawing->spheres.radius);
    dlp__gl_set1i(program, "from_lamp", from_lamp);
    dlp__spheres_draw(&scene->r->buffers);
}

static void draw_solids(const dlp__Scene *scene, bool from_lamp)
{
    const dlp_Drawing *drawing = scene->drawing;
    const double far = 60.0 * scene->view.half_height;
    const GLuint program = dlp__begin_pass(scene, from_lamp ? DLP_PASS_SOLID_SHADOW : DLP_PASS_SOLID, from_lamp);
    dlp__solids_draw(&scene->r->shapes, program, drawing->solids, drawing->solid_count, scene->plane_half);
    if (!from_lamp && isfinite(scene->floor.height)) {
        dlp_Vec3 center = drawing->camera.target;
        center.z = scene->floor.height;
        dlp__floor_draw(&scene->r->shapes, program, center, far, scene->floor.color);
    }
    if (scene->r->buffers.spheres > 0) {
        draw_spheres(scene, from_lamp);
    }
}

/* Parts of a caster that are nearer to the lamp or farther than the map is deep cast shadows as well. */
void dlp__draw_shadow_maps(const dlp__Scene *scene)
{
    glEnable(GL_DEPTH_CLAMP);
    dlp__target_begin(&scene->r->solid_shadow);
    draw_solids(scene, true);
    dlp__target_begin(&scene->r->fluid_shadow);
    if (has_mesh(scene)) {
        dlp__begin_pass(scene, DLP_PASS_FLUID_SHADOW, true);
        dlp__fluid_mesh_draw(&scene->r->buffers);
    }
    glDisable(GL_DEPTH_CLAMP);
}

/* A distance of 0 marks samples without a surface; their other values are not used and need not be cleared. */
void dlp__draw_solid_maps(const dlp__Scene *scene)
{
    dlp__target_resume(&scene->r->solid);
    dlp__target_clear(DLP_SOLID_DISTANCE, 0.0f);
    glClear(GL_DEPTH_BUFFER_BIT);
    draw_solids(scene, false);
}

static void draw_thickness(const dlp__Scene *scene)
{
    dlp__target_begin(&scene->r->thickness);
    const GLuint program = dlp__begin_pass(scene, DLP_PASS_THICKNESS, false);
    dlp__gl_set_texture(program, "solid_distance", 0, scene->r->solid.color[DLP_SOLID_DISTANCE]);
    glDisable(GL_DEPTH_TEST);
    glEnable(GL_BLEND);
    glBlendFunc(GL_ONE, GL_ONE);
    dlp__fluid_mesh_draw(&scene->r->buffers);
    glDisable(GL_BLEND);
    glEnable(GL_DEPTH_TEST);
}

void dlp__draw_fluid_maps(const dlp__Scene *scene)
{
    dlp__target_resume(&scene->r->fluid);
    dlp__target_clear(DLP_FLUID_DISTANCE, 0.0f);
    if (!has_mesh(scene)) {
        return;
    }
    dlp__begin_pass(scene, DLP_PASS_FLUID, false);
    dlp__fluid_mesh_draw(&scene->r->buffers);
    if (scene->r->buffers.transmits) {
        draw_thickness(scene);
    }
}
