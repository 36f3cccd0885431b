/* Helpers for OpenGL: programs, render targets, and uniforms by name. */
#ifndef DLP_RENDER_GL_TOOLS_H
#define DLP_RENDER_GL_TOOLS_H

#include "base/error.h"

#include <dollop/render.h>
#include <epoxy/gl.h>

/* Compile and link shaders from src/render/shaders. Several files are concatenated, as in "tone_map.glsl+finish.frag";
 * common.glsl always comes first. */
dlp_Result dlp__gl_program(const char *vertex, const char *fragment, GLuint *program, dlp_Error *error);

void dlp__gl_set1i(GLuint program, const char *name, int value);
void dlp__gl_set1f(GLuint program, const char *name, double value);
void dlp__gl_set2f(GLuint program, const char *name, double x, double y);
void dlp__gl_set_vec3(GLuint program, const char *name, dlp_Vec3 value);
void dlp__gl_set_matrix(GLuint program, const char *name, const float matrix[16]);
/* Bind a texture to a unit and to a sampler. */
void dlp__gl_set_texture(GLuint program, const char *name, int unit, GLuint texture);

/* A framebuffer with textures of one size and an optional depth texture. */
#define DLP_MAX_TARGET_TEXTURES 5
typedef struct dlp__Target {
    GLuint framebuffer, depth;
    GLuint color[DLP_MAX_TARGET_TEXTURES];
    int count, width, height;
} dlp__Target;

/* `formats`: sized internal formats, `count` of them. */
dlp_Result dlp__target_create(dlp__Target *target, int width, int height, const GLenum *formats, int count, bool depth,
                              dlp_Error *error);
void dlp__target_destroy(dlp__Target *target); /* may be zeroed */
/* Use the depth texture of another target of the same size, which must outlive this one. */
void dlp__target_share_depth(const dlp__Target *target, const dlp__Target *owner);
/* Bind the target and clear it: colors to zero, depth to 1. */
void dlp__target_begin(const dlp__Target *target);
/* Bind the target and keep its contents. */
void dlp__target_resume(const dlp__Target *target);
/* Set all components of one texture of the bound target. */
void dlp__target_clear(int texture, float value);

/* Draw one triangle over the whole target with a program of fullscreen.vert, where `depth` (0 to 1) compares with the
 * depth of the target (GL_ALWAYS: everywhere), which does not change. */
void dlp__draw_fullscreen(GLuint empty_array, GLuint program, GLenum comparison, double depth);
/* The same for a shader that sets the depth everywhere. */
void dlp__draw_depths(GLuint empty_array);

#endif
