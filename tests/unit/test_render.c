/* Pictures: objects are drawn in the right place, in the colors of their look, and reproducibly.
 * ctest: timeout 300 */
#include "support/render_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { WIDTH = 160, HEIGHT = 120, POINTS = 9 * 9 * 9 };

static RenderFixture picture;

static int open_canvas(void **state)
{
    (void)state;
    return render_fixture_open(&picture, DLP_CANVAS_AUTO, WIDTH, HEIGHT);
}

static int close_canvas(void **state)
{
    (void)state;
    return render_fixture_close(&picture);
}

/* A block of particles, 9 along each side, and the scene of its frame. */
typedef struct Block {
    float coordinate[3][POINTS], temperature[POINTS];
    uint16_t material[POINTS];
    dlp_MaterialDef materials[1];
    dlp_PointField fields[1];
    dlp_Points points;
    dlp_FrameScene scene;
    float looks[POINTS * DLP_LOOK_VALUES], colors[3 * POINTS];
} Block;

static Block *make_block(dlp_Look look)
{
    Block *b = calloc(1, sizeof *b);
    assert_non_null(b);
    for (int i = 0; i < POINTS; i++) {
        b->coordinate[0][i] = 0.1f * (float)(i % 9 - 4);
        const int row = i / 9 % 9, layer = i / 81;
        b->coordinate[1][i] = 0.1f * (float)(row - 4);
        b->coordinate[2][i] = 0.1f * (float)layer + 0.05f;
        b->temperature[i] = 1200.0f;
    }
    b->materials[0] = dlp_default_material_def();
    b->materials[0].look = (int32_t)look;
    b->fields[0] = (dlp_PointField){.name = "temperature", .components = 1, .component = {b->temperature}};
    b->points = (dlp_Points){.count = POINTS,
                             .position = {b->coordinate[0], b->coordinate[1], b->coordinate[2]},
                             .material = b->material,
                             .field_count = 1,
                             .fields = b->fields};
    b->scene = (dlp_FrameScene){.material_count = 1, .materials = b->materials};
    return b;
}

static dlp_Drawing drawing_around_block(void)
{
    dlp_Drawing drawing = {.lower = {-0.45, -0.45, 0.0}, .upper = {0.45, 0.45, 0.9}, .floor = 0.0};
    drawing.camera = dlp_camera_around(drawing.lower, drawing.upper, (double)WIDTH / HEIGHT);
    return drawing;
}

typedef struct Color {
    double red, green, blue;
} Color;

/* The mean of 9 x 9 pixels. */
static Color color_at(const unsigned char *pixels, int x, int y)
{
    Color mean = {0, 0, 0};
    for (int n = 0; n < 81; n++) {
        const unsigned char *p = pixels + 3 * ((y - 4 + n / 9) * WIDTH + x - 4 + n % 9);
        mean.red += p[0] / 81.0;
        mean.green += p[1] / 81.0;
        mean.blue += p[2] / 81.0;
    }
    return mean;
}

static Color middle_of_surface(dlp_Look look)
{
    static unsigned char pixels[3 * WIDTH * HEIGHT];
    Block *b = make_block(look);
    dlp_Drawing drawing = drawing_around_block();
    dlp_SurfaceDef def = dlp_default_surface_def();
    dlp_Surface *surface = NULL;
    dlp_Mesh mesh;
    dlp_PointField fields[DLP_LOOK_FIELDS];
    dlp_Points points = b->points;
    points.field_count = dlp_looks_add(&b->points, &b->scene, b->looks, fields);
    points.fields = fields;
    def.spacing = 0.1;
    assert_int_equal(dlp_surface_create(&def, &surface, NULL), DLP_OK);
    assert_int_equal(dlp_surface_build(surface, &points, &mesh, NULL), DLP_OK);
    drawing.mesh = &mesh;
    assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, pixels, NULL), DLP_OK);
    dlp_surface_destroy(surface);
    free(b);
    return color_at(pixels, WIDTH / 2, HEIGHT / 2);
}

static void looks_have_their_colors(void **state)
{
    (void)state;
    const Color honey = middle_of_surface(DLP_LOOK_HONEY), cream = middle_of_surface(DLP_LOOK_CREAM),
                chocolate = middle_of_surface(DLP_LOOK_CHOCOLATE), slime = middle_of_surface(DLP_LOOK_SLIME),
                lava = middle_of_surface(DLP_LOOK_LAVA);
    assert_true(honey.red > 120.0 && honey.red > 1.3 * honey.green && honey.green > 1.3 * honey.blue);
    assert_true(cream.red > 150.0 && cream.blue > 0.8 * cream.red);
    assert_true(chocolate.red < 130.0 && chocolate.red > chocolate.blue && chocolate.red < 0.7 * cream.red);
    assert_true(slime.green > 1.2 * slime.red && slime.green > 1.2 * slime.blue);
    assert_true(lava.red > 150.0 && lava.red > 1.5 * lava.blue);
}

/* The glow of lava depends on its temperature. */
static void cold_lava_is_dark(void **state)
{
    (void)state;
    Block *b = make_block(DLP_LOOK_LAVA);
    dlp_PointField fields[DLP_LOOK_FIELDS];
    b->temperature[0] = 600.0f;
    dlp_looks_add(&b->points, &b->scene, b->looks, fields);
    assert_true(fields[3].component[0][0] < 0.02f * fields[3].component[0][1]);
    assert_true(fields[3].component[0][1] > 2.0f * fields[3].component[2][1]);
    free(b);
}

/* Spheres, twice: the same picture; and the box is in view, with a margin all around it. */
static void the_camera_shows_all_of_the_box(void **state)
{
    (void)state;
    static unsigned char pixels[3 * WIDTH * HEIGHT], again[3 * WIDTH * HEIGHT];
    Block *b = make_block(DLP_LOOK_JELLY);
    dlp_Drawing drawing = drawing_around_block();
    for (int i = 0; i < POINTS; i++) {
        memcpy(b->colors + 3 * i, (const float[3]){1.0f, 0.0f, 0.0f}, 3 * sizeof(float));
    }
    drawing.spheres = (dlp_Spheres){.count = POINTS,
                                    .position = {b->coordinate[0], b->coordinate[1], b->coordinate[2]},
                                    .color = b->colors,
                                    .radius = 0.05};
    assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, pixels, NULL), DLP_OK);
    assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, again, NULL), DLP_OK);
    assert_memory_equal(pixels, again, sizeof pixels);
    int red = 0, at_edge = 0, highest = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        const bool is_red = pixels[3 * i] > 2 * pixels[3 * i + 1] + 30;
        const int x = i % WIDTH, y = i / WIDTH;
        red += is_red;
        highest = is_red && HEIGHT - y > highest ? HEIGHT - y : highest;
        at_edge += is_red && (x < 2 || x > WIDTH - 3 || y < 2 || y > HEIGHT - 3);
    }
    assert_in_range(red, WIDTH * HEIGHT / 8, WIDTH * HEIGHT / 2);
    assert_int_equal(at_edge, 0);
    assert_true(highest > HEIGHT * 4 / 5);
    free(b);
}

/* A shadow falls on the floor to the right, and a color bar is at the right edge if requested. */
static void shadows_and_bars_are_drawn(void **state)
{
    (void)state;
    static unsigned char bare[3 * WIDTH * HEIGHT], full[3 * WIDTH * HEIGHT];
    dlp_Drawing drawing = drawing_around_block();
    assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, bare, NULL), DLP_OK);
    dlp_SolidDef ball = dlp_default_solid_def();
    ball.friction = 0.0;
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.position = (dlp_Vec3){0, 0, 0.45};
    ball.shape.radius = 0.3;
    drawing.solids = &ball;
    drawing.solid_count = 1;
    drawing.bar = (dlp_ColorBar){"speed", "m/s", 0.0, 2.0};
    assert_int_equal(dlp_renderer_draw(picture.renderer, &drawing, full, NULL), DLP_OK);
    double darkest = 1.0;
    for (int x = WIDTH / 2 + 20; x < WIDTH - 40; x++) {
        for (int y = HEIGHT / 2; y < HEIGHT - 10; y++) {
            const Color before = color_at(bare, x, y), after = color_at(full, x, y);
            darkest = fmin(darkest, after.green / before.green);
        }
    }
    assert_true(darkest < 0.8);
    int changed = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        changed += i % WIDTH > WIDTH - 56 && abs(full[3 * i] - bare[3 * i]) > 60;
    }
    assert_true(changed > 200);
}

static void colors_run_from_dark_to_bright(void **state)
{
    (void)state;
    const float values[4] = {-1.0f, 0.5f, 2.0f, NAN};
    float color[12];
    dlp_colors_map(values, 4, 0.0, 1.0, color);
    assert_true(color[0] + color[1] + color[2] < color[3] + color[4] + color[5]);
    assert_true(color[3] + color[4] + color[5] < color[6] + color[7] + color[8]);
    assert_memory_equal(color, color + 9, 3 * sizeof *color);
}

static void invalid_picture_sizes_are_rejected(void **state)
{
    (void)state;
    dlp_Error error = {0};
    dlp_Renderer *none = NULL;
    dlp_RendererDef def = dlp_default_renderer_def();
    def.width = 1000000;
    assert_int_equal(dlp_renderer_create(&def, &none, &error), DLP_ERROR_ARGUMENT);
    assert_null(none);
    assert_non_null(strstr(error.text, "width"));
    const unsigned char pixel[3] = {1, 2, 3};
    assert_int_equal(dlp_picture_write("one.png", pixel, 1, 1, &error), DLP_OK);
    assert_int_equal(dlp_picture_write("no/such/folder.png", pixel, 1, 1, &error), DLP_ERROR_FILE);
    assert_int_equal(dlp_picture_write("none.png", pixel, 0, 1, &error), DLP_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(looks_have_their_colors),         cmocka_unit_test(cold_lava_is_dark),
        cmocka_unit_test(the_camera_shows_all_of_the_box), cmocka_unit_test(shadows_and_bars_are_drawn),
        cmocka_unit_test(colors_run_from_dark_to_bright),  cmocka_unit_test(invalid_picture_sizes_are_rejected),
    };
    return cmocka_run_group_tests(tests, open_canvas, close_canvas);
}
