/* A canvas and a renderer for tests of pictures. */
#ifndef DOLLOP_TEST_RENDER_FIXTURE_H
#define DOLLOP_TEST_RENDER_FIXTURE_H

#include <dollop/render.h>

typedef struct RenderFixture {
    dlp_Canvas *canvas;
    dlp_Renderer *renderer;
} RenderFixture;

/* For the set-up and teardown of a group: 0, or -1 after printing the error. */
int render_fixture_open(RenderFixture *fixture, dlp_CanvasDevice device, int width, int height);
int render_fixture_close(RenderFixture *fixture);

#endif
