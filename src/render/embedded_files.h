/* Shaders and the font that are embedded in the binary. */
#ifndef DLP_RENDER_EMBEDDED_FILES_H
#define DLP_RENDER_EMBEDDED_FILES_H

#include <stddef.h>

/* The source of a shader in src/render/shaders. */
typedef struct dlp__ShaderText {
    const char *text;
    int length;
} dlp__ShaderText;
dlp__ShaderText dlp__shader_text(const char *name, size_t length);

/* A TrueType font. */
const unsigned char *dlp__font_file(void);

#endif
