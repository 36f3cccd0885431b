/* The order in which EGL devices are tried. */
#include "render/canvas_device.h"

#include <string.h>

/* Whether a word is in a list of words separated by spaces. */
static bool has_word(const char *words, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0)) {
            return true;
        }
    }
    return false;
}

dlp__DeviceKind dlp__device_kind(const char *extensions)
{
    if (extensions == NULL) {
        return DLP_DEVICE_IS_UNKNOWN;
    }
    if (has_word(extensions, "EGL_MESA_device_software")) {
        return DLP_DEVICE_IS_SOFTWARE;
    }
    const bool is_card = has_word(extensions, "EGL_EXT_device_drm") ||
                         has_word(extensions, "EGL_EXT_device_drm_render_node") ||
                         has_word(extensions, "EGL_NV_device_cuda");
    return is_card ? DLP_DEVICE_IS_HARDWARE : DLP_DEVICE_IS_UNKNOWN;
}

bool dlp__renderer_is_software(const char *name)
{
    static const char *const software[] = {"llvmpipe", "softpipe", "swrast", "SWR", "Software"};
    for (size_t i = 0; i < sizeof software / sizeof software[0]; i++) {
        if (strstr(name, software[i]) != NULL) {
            return true;
        }
    }
    return false;
}

int dlp__devices_to_try(const dlp__DeviceKind *kinds, int count, dlp_CanvasDevice wanted, int *order)
{
    int chosen = 0;
    for (int kind = DLP_DEVICE_IS_HARDWARE; kind >= DLP_DEVICE_IS_SOFTWARE; kind--) {
        const bool fits = wanted == DLP_CANVAS_AUTO ||
                          (wanted == DLP_CANVAS_SOFTWARE) == (kind == DLP_DEVICE_IS_SOFTWARE);
        for (int i = 0; i < count && fits; i++) {
            if ((int)kinds[i] == kind) {
                order[chosen++] = i;
            }
        }
    }
    return chosen;
}
