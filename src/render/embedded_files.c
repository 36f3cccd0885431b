/* Shaders and the font, embedded in the binary: DLP_SHADER_DIR and DLP_FONT_FILE come from the build. */
#include "render/embedded_files.h"
#include "base/embed.h"

#include <string.h>

/* All shaders: name in C, and file. */
#define SHADERS(_) \
    _(common, "common.glsl") \
    _(surface_sample, "surface_sample.glsl") \
    _(light_filter, "light_filter.glsl") \
    _(solid_light, "solid_light.glsl") \
    _(fluid_light, "fluid_light.glsl") \
    _(tone_map, "tone_map.glsl") \
    _(fullscreen_vert, "fullscreen.vert") \
    _(fluid_vert, "fluid.vert") \
    _(fluid_frag, "fluid.frag") \
    _(thickness_frag, "thickness.frag") \
    _(fluid_shadow_frag, "fluid_shadow.frag") \
    _(solid_vert, "solid.vert") \
    _(solid_frag, "solid.frag") \
    _(sphere_vert, "sphere.vert") \
    _(sphere_frag, "sphere.frag") \
    _(depth_only_frag, "depth_only.frag") \
    _(ambient_occlusion_frag, "ambient_occlusion.frag") \
    _(ambient_occlusion_blur_frag, "ambient_occlusion_blur.frag") \
    _(classify_frag, "classify.frag") \
    _(lamp_frag, "lamp.frag") \
    _(shade_frag, "shade.frag") \
    _(compose_frag, "compose.frag") \
    _(edge_frag, "edge.frag") \
    _(finish_frag, "finish.frag") \
    _(label_vert, "label.vert") \
    _(label_frag, "label.frag")

#define DECLARE(name, file) DLP__EMBED(dlp__shader_##name, DLP_SHADER_DIR "/" file);
SHADERS(DECLARE)
DLP__EMBED(dlp__font, DLP_FONT_FILE);

#define ENTRY(name, file) {file, dlp__shader_##name##_begin, dlp__shader_##name##_end},
static const struct {
    const char *file, *begin, *end;
} shaders[] = {SHADERS(ENTRY)};

dlp__ShaderText dlp__shader_text(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof shaders / sizeof shaders[0]; i++) {
        if (strlen(shaders[i].file) == length && strncmp(shaders[i].file, name, length) == 0) {
            return (dlp__ShaderText){shaders[i].begin, (int)(shaders[i].end - shaders[i].begin)};
        }
    }
    return (dlp__ShaderText){"", 0};
}

const unsigned char *dlp__font_file(void)
{
    return (const unsigned char *)dlp__font_begin;
}
