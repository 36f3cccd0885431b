#include "support/render_fixture.h"

#include <stdio.h>

int render_fixture_open(RenderFixture *fixture, dlp_CanvasDevice device, int width, int height)
{
    dlp_Error error = {0};
    dlp_RendererDef def = dlp_default_renderer_def();
    def.width = width;
    def.height = height;
    if (dlp_canvas_create(device, &fixture->canvas, &error) == DLP_OK &&
        dlp_renderer_create(&def, &fixture->renderer, &error) == DLP_OK) {
        return 0;
    }
    fprintf(stderr, "%s\n", error.text);
    return -1;
}

int render_fixture_close(RenderFixture *fixture)
{
    dlp_renderer_destroy(fixture->renderer);
    dlp_canvas_destroy(fixture->canvas);
    return 0;
}
