/* An OpenGL context without a window or a display, through EGL: on a graphics card if there is one, else in software. */
#include "base/error.h"
#include "render/canvas_device.h"

#include <epoxy/egl.h>
#include <epoxy/gl.h>
#include <stdlib.h>
#include <string.h>

struct dlp_Canvas {
    EGLDisplay display;
    EGLContext context;
    bool is_software;
};

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

static const char *renderer_name(void)
{
    const GLubyte *name = glGetString(GL_RENDERER);
    return name != NULL ? (const char *)name : "";
}

static void close_canvas(dlp_Canvas *canvas)
{
    eglMakeCurrent(canvas->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    if (canvas->context != EGL_NO_CONTEXT) {
        eglDestroyContext(canvas->display, canvas->context);
    }
    eglTerminate(canvas->display);
    *canvas = (dlp_Canvas){.display = EGL_NO_DISPLAY, .context = EGL_NO_CONTEXT};
}

/* Make a context of the display current. False, and everything closed, if it cannot draw or is not as wanted. */
static bool open_on(dlp_Canvas *canvas, EGLDisplay display, dlp_CanvasDevice wanted)
{
    if (display == EGL_NO_DISPLAY || !eglInitialize(display, NULL, NULL)) {
        return false;
    }
    *canvas = (dlp_Canvas){.display = display, .context = open_context(display)};
    if (canvas->context != EGL_NO_CONTEXT && eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, canvas->context)) {
        canvas->is_software = dlp__renderer_is_software(renderer_name());
        if (wanted == DLP_CANVAS_AUTO || canvas->is_software == (wanted == DLP_CANVAS_SOFTWARE)) {
            return true;
        }
    }
    close_canvas(canvas);
    return false;
}

/* Try the devices that EGL lists. */
static bool open_device(dlp_Canvas *canvas, dlp_CanvasDevice wanted)
{
    enum { MAX_DEVICES = 32 };
    EGLDeviceEXT devices[MAX_DEVICES];
    dlp__DeviceKind kinds[MAX_DEVICES];
    int order[MAX_DEVICES];
    EGLint count = 0;
    if (!epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_platform_device") ||
        !epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_enumeration") ||
        !eglQueryDevicesEXT(MAX_DEVICES, devices, &count)) {
        return false;
    }
    const bool can_describe = epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_EXT_device_query");
    for (int i = 0; i < count; i++) {
        kinds[i] = dlp__device_kind(can_describe ? eglQueryDeviceStringEXT(devices[i], EGL_EXTENSIONS) : NULL);
    }
    const int tries = dlp__devices_to_try(kinds, count, wanted, order);
    bool opened = false;
    for (int i = 0; i < tries && !opened; i++) {
        opened = open_on(canvas, eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, devices[order[i]], NULL), wanted);
    }
    return opened;
}

/* Try the displays without a window system, which choose a device themselves. */
static bool open_platform(dlp_Canvas *canvas, dlp_CanvasDevice wanted)
{
    return (epoxy_has_egl_extension(EGL_NO_DISPLAY, "EGL_MESA_platform_surfaceless") &&
            open_on(canvas, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL),
                    wanted)) ||
           open_on(canvas, eglGetDisplay(EGL_DEFAULT_DISPLAY), wanted);
}

/* A graphics card first, even if a display would choose another device. */
static bool open_canvas(dlp_Canvas *canvas, dlp_CanvasDevice wanted)
{
    if (wanted != DLP_CANVAS_AUTO) {
        return open_device(canvas, wanted) || open_platform(canvas, wanted);
    }
    return open_device(canvas, DLP_CANVAS_HARDWARE) || open_platform(canvas, wanted) || open_device(canvas, wanted);
}

dlp_Result dlp_canvas_create(dlp_CanvasDevice device, dlp_Canvas **result, dlp_Error *error)
{
    if (result == NULL) {
        return dlp__fail_null(error);
    }
    dlp_Canvas *canvas = calloc(1, sizeof *canvas);
    *result = NULL;
    if (canvas == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a canvas");
    }
    const char *mesa_setting = getenv("LIBGL_ALWAYS_SOFTWARE"); /* the variable that Mesa's users know */
    if (device == DLP_CANVAS_AUTO && mesa_setting != NULL && mesa_setting[0] != 0 && strcmp(mesa_setting, "0") != 0) {
        device = DLP_CANVAS_SOFTWARE;
    }
    if (!open_canvas(canvas, device)) {
        free(canvas);
        return dlp__fail(error, DLP_ERROR_UNSUPPORTED,
                         device == DLP_CANVAS_HARDWARE
                             ? "no graphics card was found that can draw without a window with OpenGL 3.3: install its "
                               "driver, or draw in software"
                             : "no OpenGL driver was found that can draw without a window and has version 3.3: install "
                               "one, such as Mesa's (libegl1, libgl1-mesa-dri)");
    }
    *result = canvas;
    return DLP_OK;
}

void dlp_canvas_destroy(dlp_Canvas *canvas)
{
    if (canvas != NULL) {
        close_canvas(canvas);
        free(canvas);
    }
}

const char *dlp_canvas_name(const dlp_Canvas *canvas)
{
    if (canvas == NULL) {
        return "";
    }
    (void)canvas;
    return renderer_name();
}

bool dlp_canvas_is_software(const dlp_Canvas *canvas)
{
    return canvas != NULL && canvas->is_software;
}
