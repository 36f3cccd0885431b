/* Light in pictures: surfaces show the colors that were asked for, shadows are where the lamp is hidden, and they do not
 * depend on other objects; the device that draws is chosen from a list.
 * ctest: timeout 300 */
#include "render/canvas_device.h"
#include "render/view.h"
#include "support/render_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 240, HEIGHT = 180 };

static RenderFixture picture;
static unsigned char pixels[3 * WIDTH * HEIGHT], other_pixels[3 * WIDTH * HEIGHT];

static int open_canvas(void **state)
{
    (void)state;
    return render_fixture_open(&picture, DLP_CANVAS_SOFTWARE, WIDTH, HEIGHT);
}

static int close_canvas(void **state)
{
    (void)state;
    return render_fixture_close(&picture);
}

/* A region of one metre, seen from above at an angle. */
static dlp_Drawing empty_drawing(void)
{
    dlp_Drawing drawing = {.lower = {-0.5, -0.5, 0.0}, .upper = {0.5, 0.5, 0.2}, .floor = 0.0};
    drawing.camera = dlp_default_camera_def();
    drawing.camera.position = dlp__vec3(0.3, -2.0, 2.4);
    drawing.camera.target = dlp__vec3(0, 0, 0);
    drawing.camera.angle = 0.6;
    return drawing;
}

static dlp_SolidDef colored_solid(dlp_ShapeKind kind, dlp_Vec3 position, dlp_Vec3 size, dlp_Vec3 color)
{
    dlp_SolidDef solid = dlp_default_solid_def();
    solid.shape.kind = (int32_t)kind;
    solid.shape.position = position;
    solid.shape.size = size;
    solid.color = color;
    return solid;
}

static double linear_of(double byte)
{
    const double c = byte / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* Linear color at the middle of the picture: the mean of 9 x 9 pixels. */
static dlp_Vec3 middle_color(void)
{
    double sum[3] = {0, 0, 0};
    for (int n = 0; n < 81; n++) {
        const unsigned char *p = pixels + 3 * ((HEIGHT / 2 - 4 + n / 9) * WIDTH + WIDTH / 2 - 4 + n % 9);
        for (int c = 0; c < 3; c++) {
            sum[c] += linear_of(p[c]) / 81.0;
        }
    }
    return dlp__vec3(sum[0], sum[1], sum[2]);
}

static void assert_color(dlp_Vec3 shown, dlp_Vec3 asked, double tolerance)
{
    const dlp_Vec3 d = dlp__sub(shown, asked);
    if (fmax(fmax(fabs(d.x), fabs(d.y)), fabs(d.z)) > tolerance) {
        fail_msg("asked for %.3f %.3f %.3f, the picture shows %.3f %.3f %.3f", asked.x, asked.y, asked.z, shown.x,
                 shown.y, shown.z);
    }
}

static const dlp_Vec3 asked_colors[] = {{0.6, 0.1, 0.05},  {0.05, 0.2, 0.6},   {0.02, 0.02, 0.02},
                                        {0.42, 0.4, 0.38}, {0.75, 0.45, 0.03}, {0.1, 0.5, 0.1}};
enum { COLORS = sizeof asked_colors / sizeof asked_colors[0] };

/* The floor is matt and in full light: the tolerance is that of 8 bits. */
static void a_floor_shows_exactly_its_color(void **state)
{
    (void)state;
    for (int i = 0; i < COLORS; i++) {
        dlp_Drawing drawing = empty_drawing();
        dlp_SolidDef plane = colored_solid(DLP_SHAPE_PLANE, dlp__vec3(0, 0, 0), dlp__vec3(0, 0, 0), asked_colors[i]);
        drawing.solids = &plane;
        drawing.solid_count = 1;
        assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, pixels, NULL), DLP_OK);
        assert_color(middle_color(), asked_colors[i], 0.006);
    }
}

/* Solids reflect a little of the studio in addition. */
static void the_top_of_a_box_shows_its_color(void **state)
{
    (void)state;
    for (int i = 0; i < COLORS; i++) {
        dlp_Drawing drawing = empty_drawing();
        dlp_SolidDef box = colored_solid(DLP_SHAPE_BOX, dlp__vec3(0, 0, -0.1), dlp__vec3(1.2, 1.2, 0.2),
                                         asked_colors[i]);
        drawing.solids = &box;
        drawing.solid_count = 1;
        assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, pixels, NULL), DLP_OK);
        assert_color(middle_color(), asked_colors[i], 0.02);
    }
}

/* A level, opaque fluid: two triangles with the look of clay in another color. */
static void an_opaque_fluid_shows_its_color(void **state)
{
    (void)state;
    float position[12] = {-1, -1, 0.1f, 1, -1, 0.1f, 1, 1, 0.1f, -1, 1, 0.1f};
    float normal[12] = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1}, looks[4 * DLP_LOOK_VALUES];
    float values[DLP_LOOK_FIELDS][12];
    uint32_t triangle[6] = {0, 1, 2, 0, 2, 3};
    const float x[4] = {0};
    const dlp_Points points = {.count = 4, .position = {x, x, x}};
    for (int i = 0; i < COLORS; i++) {
        dlp_MaterialDef material = dlp_default_material_def();
        material.look = DLP_LOOK_CLAY;
        material.color = asked_colors[i];
        const dlp_FrameScene scene = {.material_count = 1, .materials = &material};
        dlp_PointField fields[DLP_LOOK_FIELDS];
        dlp_MeshField mesh_fields[DLP_LOOK_FIELDS];
        const int count = dlp_looks_add(&points, &scene, looks, fields);
        for (int f = 0; f < count; f++) {
            for (int k = 0; k < 12; k++) {
                values[f][k] = fields[f].component[k % 3][k / 3];
            }
            mesh_fields[f] = (dlp_MeshField){.components = 3, .values = values[f]};
            memcpy(mesh_fields[f].name, fields[f].name, sizeof mesh_fields[f].name);
        }
        const dlp_Mesh mesh = {.vertex_count = 4,
                               .triangle_count = 2,
                               .position = position,
                               .normal = normal,
                               .triangle = triangle,
                               .field_count = count,
                               .fields = mesh_fields};
        dlp_Drawing drawing = empty_drawing();
        drawing.mesh = &mesh;
        assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, pixels, NULL), DLP_OK);
        assert_color(middle_color(), asked_colors[i], 0.04);
    }
}

/* Where a ray from a point of the floor to the lamp meets a box, grown by a margin; by the slab method. */
static bool ray_meets_box(dlp_Vec3 start, dlp_Vec3 direction, const dlp_SolidDef *box, double margin)
{
    const double s[3] = {start.x, start.y, start.z}, d[3] = {direction.x, direction.y, direction.z};
    const double at[3] = {box->shape.position.x, box->shape.position.y, box->shape.position.z};
    const double size[3] = {box->shape.size.x, box->shape.size.y, box->shape.size.z};
    double enter = 0.0, leave = HUGE_VAL;
    for (int a = 0; a < 3; a++) {
        const double half = 0.5 * size[a] + margin, one = (at[a] - half - s[a]) / d[a],
                     two = (at[a] + half - s[a]) / d[a];
        if (half <= 0.0) {
            return false;
        }
        enter = fmax(enter, fmin(one, two));
        leave = fmin(leave, fmax(one, two));
    }
    return enter < leave;
}

static bool any_box_hides(dlp_Vec3 start, dlp_Vec3 direction, const dlp_SolidDef boxes[2], double margin)
{
    return ray_meets_box(start, direction, &boxes[0], margin) || ray_meets_box(start, direction, &boxes[1], margin);
}

/* A wall far larger than the region of interest, and a plate high above the picture. Every point of the floor that is
 * clearly in shadow or clearly not is compared; the margin leaves out the soft edges. */
static void walls_and_plates_cast_their_whole_shadow(void **state)
{
    (void)state;
    const double margin = 0.25;
    dlp_Drawing drawing = empty_drawing();
    drawing.camera.angle = 1.1;
    const dlp__View view = dlp__view_from_camera(&drawing.camera, (double)WIDTH / HEIGHT, drawing.lower, drawing.upper);
    const dlp__Box region = {drawing.lower, drawing.upper};
    const dlp_Vec3 to_lamp = dlp__lamp_from_view(&view, &region).direction, gray = {0.5, 0.5, 0.5};
    const dlp_SolidDef boxes[2] = {
        colored_solid(DLP_SHAPE_BOX, dlp__vec3(-1.1, 0.1, 1.5), dlp__vec3(0.7, 2.4, 3.0), gray),
        colored_solid(DLP_SHAPE_BOX, dlp__add(dlp__vec3(1.6, -0.4, 0.0), dlp__scale(to_lamp, 20.0)),
                      dlp__vec3(1.1, 1.1, 0.6), gray)};
    drawing.solids = boxes;
    drawing.solid_count = 2;
    assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, pixels, NULL), DLP_OK);
    drawing.solid_count = 0;
    assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, other_pixels, NULL), DLP_OK);
    int shadowed = 0, lit = 0, wrong = 0;
    for (int n = 0; n < WIDTH * HEIGHT; n++) {
        const double u = (2.0 * (n % WIDTH) + 1.0) / WIDTH - 1.0, v = 1.0 - (2.0 * (n / WIDTH) + 1.0) / HEIGHT;
        const dlp_Vec3 ray = dlp__add(view.forward, dlp__add(dlp__scale(view.right, u * view.tangent * view.aspect),
                                                             dlp__scale(view.up, v * view.tangent)));
        const dlp_Vec3 point = dlp__add(view.eye, dlp__scale(ray, -view.eye.z / ray.z));
        if (ray.z >= 0.0 || dlp__length(point) > 3.0 || any_box_hides(view.eye, ray, boxes, 0.05)) {
            continue; /* not the floor, or beyond the part of it that is drawn sharply, or a box itself */
        }
        const double ratio = linear_of(pixels[3 * n + 1]) / linear_of(other_pixels[3 * n + 1]);
        if (any_box_hides(point, to_lamp, boxes, -margin)) {
            shadowed++;
            wrong += ratio > 0.6;
        } else if (!any_box_hides(point, to_lamp, boxes, margin)) {
            lit++;
            wrong += ratio < 0.75; /* ambient occlusion darkens the floor next to the wall */
        }
    }
    assert_true(shadowed > 4000);
    assert_true(lit > 5000);
    assert_int_equal(wrong, 0);
}

/* In a film the box around all casters is given. A ball that moves elsewhere leaves every pixel of another's shadow. */
static void shadows_do_not_depend_on_other_objects(void **state)
{
    (void)state;
    dlp_Drawing drawing = empty_drawing();
    dlp_SolidDef balls[2] = {
        colored_solid(DLP_SHAPE_SPHERE, dlp__vec3(-0.4, 0, 0.15), dlp__vec3(0, 0, 0), dlp__vec3(0.5, 0.5, 0.5)),
        colored_solid(DLP_SHAPE_SPHERE, dlp__vec3(0.5, 0.3, 0.15), dlp__vec3(0, 0, 0), dlp__vec3(0.5, 0.5, 0.5))};
    balls[0].shape.radius = balls[1].shape.radius = 0.1;
    drawing.solids = balls;
    drawing.solid_count = 2;
    drawing.casters_lower = dlp__vec3(-1, -1, 0);
    drawing.casters_upper = dlp__vec3(3, 1, 3);
    assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, pixels, NULL), DLP_OK);
    balls[1].shape.position = dlp__vec3(2.5, 0.5, 2.5); /* out of the picture */
    assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, other_pixels, NULL), DLP_OK);
    for (int row = 0; row < HEIGHT; row++) {
        assert_memory_equal(pixels + 3 * row * WIDTH, other_pixels + 3 * row * WIDTH, 3 * WIDTH * 45 / 100);
    }
    assert_memory_not_equal(pixels, other_pixels, sizeof pixels);
}

/* Descriptions as EGL gives them on a machine with a card of NVIDIA, one of another maker, and Mesa's software. */
static void a_graphics_card_is_preferred(void **state)
{
    (void)state;
    const char *const extensions[] = {
        "EGL_MESA_device_software",
        NULL,
        "EGL_EXT_device_drm EGL_EXT_device_drm_render_node",
        "EGL_NV_device_cuda EGL_EXT_device_drm EGL_EXT_device_query_name",
        "EGL_MESA_device_software EGL_EXT_device_drm_render_node",
        "EGL_EXT_device_drm_other",
    };
    enum { COUNT = sizeof extensions / sizeof extensions[0] };
    dlp__DeviceKind kinds[COUNT];
    int order[COUNT];
    for (int i = 0; i < COUNT; i++) {
        kinds[i] = dlp__device_kind(extensions[i]);
    }
    assert_int_equal(dlp__devices_to_try(kinds, COUNT, DLP_CANVAS_AUTO, order), COUNT);
    assert_memory_equal(order, ((const int[]){2, 3, 1, 5, 0, 4}), sizeof order);
    assert_int_equal(dlp__devices_to_try(kinds, COUNT, DLP_CANVAS_HARDWARE, order), 4);
    assert_memory_equal(order, ((const int[]){2, 3, 1, 5}), 4 * sizeof *order);
    assert_int_equal(dlp__devices_to_try(kinds, COUNT, DLP_CANVAS_SOFTWARE, order), 2);
    assert_memory_equal(order, ((const int[]){0, 4}), 2 * sizeof *order);
    assert_int_equal(dlp__devices_to_try(kinds, 0, DLP_CANVAS_AUTO, order), 0);
}

static void software_is_recognized_by_its_name(void **state)
{
    (void)state;
    assert_true(dlp__renderer_is_software("llvmpipe (LLVM 15.0.6, 256 bits)"));
    assert_true(dlp__renderer_is_software("softpipe"));
    assert_false(dlp__renderer_is_software("NVIDIA GeForce RTX 3060/PCIe/SSE2"));
    assert_false(dlp__renderer_is_software("Mesa Intel(R) UHD Graphics 620 (KBL GT2)"));
    assert_false(dlp__renderer_is_software("AMD Radeon RX 6600 (radeonsi, navi23, LLVM 15.0.6, DRM 3.49)"));
    assert_true(dlp_canvas_is_software(picture.canvas));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_floor_shows_exactly_its_color),
        cmocka_unit_test(the_top_of_a_box_shows_its_color),
        cmocka_unit_test(an_opaque_fluid_shows_its_color),
        cmocka_unit_test(walls_and_plates_cast_their_whole_shadow),
        cmocka_unit_test(shadows_do_not_depend_on_other_objects),
        cmocka_unit_test(a_graphics_card_is_preferred),
        cmocka_unit_test(software_is_recognized_by_its_name),
    };
    return cmocka_run_group_tests(tests, open_canvas, close_canvas);
}
