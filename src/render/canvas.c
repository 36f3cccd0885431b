/* An OpenGL context without a window or a display, through EGL. */
#include "base/error.h"

#include <dollop/render.h>
#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

struct dlp_Canvas {
    EGLDisplay display;
    EGLContext context;
};

/* A display without a window system: Mesa's surfaceless platform, else the first device, else the default. */
static EGLDisplay open_display(void)
{
    EGLDisplay display = EGL_NO_DISPLAY;
    if (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless")) {
        display = eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
    }
    if (display == EGL_NO_DISPLAY && epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device")) {
        EGLDeviceEXT device = NULL;
        EGLint count = 0;
        if (eglQueryDevicesEXT(1, &device, &count) && count > 0) {
            display = eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device, NULL);
        }
    }
    return display != EGL_NO_DISPLAY ? display : eglGetDisplay(EGL_DEFAULT_DISPLAY);
}

static EGLContext open_context(EGLDisplay display)
{
    static const EGLint wanted[] = {EGL_SURFACE_TYPE, 0, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    static const EGLint version[] = {
        EGL_CONTEXT_MAJOR_VERSION,           3,       EGL_CONTEXT_MINOR_VERSION, 3, EGL_CONTEXT_OPENGL_PROFILE_MASK,
        EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    EGLConfig config = NULL;
    EGLint count = 0;
    if (!eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wanted, &config, 1, &count) || count < 1) {
        return EGL_NO_CONTEXT;
    }
    return eglCreateContext(display, config, EGL_NO_CONTEXT, version);
}

dlp_Result dlp_canvas_create(dlp_Canvas **result, dlp_Error *error)
{
    *result = NULL;
    const EGLDisplay display = open_display();
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "no OpenGL driver was found: install one, such as Mesa's (libegl1, libgl1-mesa-dri)");
    }
    const EGLContext context = open_context(display);
    if (context == EGL_NO_CONTEXT || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
        eglTerminate(display);
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "the OpenGL driver cannot draw without a window, or is older than 3.3: update it, or use Mesa's");
    }
    dlp_Canvas *canvas = malloc(sizeof *canvas);
    if (canvas == NULL) {
        eglDestroyContext(display, context);
        eglTerminate(display);
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a canvas");
    }
    *canvas = (dlp_Canvas){display, context};
    *result = canvas;
    return DLP_OK;
}

void dlp_canvas_destroy(dlp_Canvas *canvas)
{
    if (canvas == NULL) {
        return;
    }
    eglMakeCurrent(canvas->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(canvas->display, canvas->context);
    eglTerminate(canvas->display);
    free(canvas);
}

const char *dlp_canvas_name(const dlp_Canvas *canvas)
{
    (void)canvas;
    const GLubyte *name = glGetString(GL_RENDERER);
    return name != NULL ? (const char *)name : "";
}
