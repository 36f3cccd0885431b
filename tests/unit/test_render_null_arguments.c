/* As test_null_arguments.c, for the functions of render.h. */
#include "support/null_calls.h"
#include "support/render_fixture.h"

#include <dollop/dollop.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct Fixture {
    const char *text;
    dlp_Error error;
    dlp_Canvas *canvas, *new_canvas;
    dlp_Renderer *renderer, *new_renderer;
    dlp_RendererDef renderer_def;
    dlp_Drawing drawing;
    dlp_Points points;
    dlp_FrameScene frame_scene;
    dlp_PointField point_fields[DLP_LOOK_FIELDS];
    float numbers[64];
    unsigned char pixels[64 * 64 * 3];
} Fixture;

/* Whatever a call has created. */
static void release(Fixture *f)
{
    dlp_renderer_destroy(f->new_renderer);
    dlp_canvas_destroy(f->new_canvas);
    f->new_renderer = NULL;
    f->new_canvas = NULL;
}

#include "null_calls.inc"

static void null_pointers_are_refused(void **state)
{
    (void)state;
    static Fixture fixture;
    static RenderFixture device;
    Fixture *f = &fixture;
    assert_int_equal(render_fixture_open(&device, DLP_CANVAS_SOFTWARE, 64, 64), 0);
    f->text = "picture.png";
    f->canvas = device.canvas;
    f->renderer = device.renderer;
    f->renderer_def = dlp_default_renderer_def();
    f->drawing = (dlp_Drawing){.camera = dlp_camera_around((dlp_Vec3){0}, (dlp_Vec3){1.0, 1.0, 1.0}, 1.0),
                               .floor = (double)NAN};
    null_calls_prepare();
    call_all(f);
    assert_int_equal(null_calls_finish(), 0);
    render_fixture_close(&device);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(null_pointers_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
