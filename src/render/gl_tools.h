/* The few things that OpenGL makes long-winded: programs, targets to draw into, and setting uniforms by name. */
#ifndef DLP_RENDER_GL_TOOLS_H
#define DLP_RENDER_GL_TOOLS_H

#include "base/error.h"

#include <dollop/render.h>
#include <epoxy/gl.h>

/* Compile and link shaders from src/render/shaders. Parts of one are joined as in "lamp.glsl+shade.frag"; common.glsl always comes
 * first. */
dlp_Result dlp__gl_program(const char *vertex, const char *fragment, GLuint *program, dlp_Error *error);

void dlp__gl_set1i(GLuint program, const char *name, int value);
void dlp__gl_set1f(GLuint program, const char *name, double value);
void dlp__gl_set2f(GLuint program, const char *name, double x, double y);
void dlp__gl_set_vec3(GLuint program, const char *name, dlp_Vec3 value);
void dlp__gl_set_matrix(GLuint program, const char *name, const float matrix[16]);
/* Let a sampler read a texture through the unit. */
void dlp__gl_set_texture(GLuint program, const char *name, int unit, GLuint texture);

/* Textures of one size that are drawn into together, with a depth texture. */
#define DLP_TARGET_MOST 5
typedef struct dlp__Target {
    GLuint framebuffer, depth;
    GLuint color[DLP_TARGET_MOST];
    int count, width, height;
} dlp__Target;

/* `formats`: sized internal formats, `count` of them. */
dlp_Result dlp__target_create(dlp__Target *target, int width, int height, const GLenum *formats, int count, bool depth,
                              dlp_Error *error);
void dlp__target_destroy(dlp__Target *target); /* a zeroed one is fine */
/* Draw into it from now on, everything cleared to zero. */
void dlp__target_begin(const dlp__Target *target);

/* One triangle over the whole target; the vertex shader makes it of nothing. */
void dlp__draw_everywhere(GLuint empty_array);

#endif
