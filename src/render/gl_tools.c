/* Compiling shaders, setting uniforms, and render targets. */
#include "render/gl_tools.h"

#include "render/embedded_files.h"

#include <stdio.h>
#include <string.h>

static GLuint compile(GLenum kind, const char *name, dlp_Error *error)
{
    enum { MAX_PARTS = 8 };
    const char *file_name = "common.glsl", *next = name;
    const GLchar *texts[MAX_PARTS];
    GLint lengths[MAX_PARTS];
    int count = 0;
    while (*file_name && count < MAX_PARTS) {
        const size_t size = strcspn(file_name, "+");
        const dlp__ShaderText text = dlp__shader_text(file_name, size);
        texts[count] = text.text;
        lengths[count++] = text.length;
        file_name = next;
        next += strcspn(next, "+");
        next += *next == '+';
    }
    GLuint shader = glCreateShader(kind);
    GLint ok = 0;
    glShaderSource(shader, count, texts, lengths);
    glCompileShader(shader);
    glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
    if (!ok) {
        char log[400] = "";
        glGetShaderInfoLog(shader, sizeof log, NULL, log);
        dlp__fail(error, DLP_ERROR_ARGUMENT, "the OpenGL driver cannot compile the shader %s: %s", name, log);
        glDeleteShader(shader);
        return 0;
    }
    return shader;
}

dlp_Result dlp__gl_program(const char *vertex, const char *fragment, GLuint *program, dlp_Error *error)
{
    *program = 0;
    const GLuint first = compile(GL_VERTEX_SHADER, vertex, error);
    const GLuint second = first != 0 ? compile(GL_FRAGMENT_SHADER, fragment, error) : 0;
    if (second != 0) {
        GLint ok = 0;
        *program = glCreateProgram();
        glAttachShader(*program, first);
        glAttachShader(*program, second);
        glLinkProgram(*program);
        glGetProgramiv(*program, GL_LINK_STATUS, &ok);
        if (!ok) {
            char log[400] = "";
            glGetProgramInfoLog(*program, sizeof log, NULL, log);
            dlp__fail(error, DLP_ERROR_ARGUMENT, "the OpenGL driver cannot link %s and %s: %s", vertex, fragment, log);
            glDeleteProgram(*program);
            *program = 0;
        }
    }
    glDeleteShader(first);
    glDeleteShader(second);
    return *program != 0 ? DLP_OK : DLP_ERROR_ARGUMENT;
}

void dlp__gl_set1i(GLuint program, const char *name, int value)
{
    glUniform1i(glGetUniformLocation(program, name), value);
}

void dlp__gl_set1f(GLuint program, const char *name, double value)
{
    glUniform1f(glGetUniformLocation(program, name), (float)value);
}

void dlp__gl_set2f(GLuint program, const char *name, double x, double y)
{
    glUniform2f(glGetUniformLocation(program, name), (float)x, (float)y);
}

void dlp__gl_set_vec3(GLuint program, const char *name, dlp_Vec3 value)
{
    glUniform3f(glGetUniformLocation(program, name), (float)value.x, (float)value.y, (float)value.z);
}

void dlp__gl_set_matrix(GLuint program, const char *name, const float matrix[16])
{
    glUniformMatrix4fv(glGetUniformLocation(program, name), 1, GL_FALSE, matrix);
}

void dlp__gl_set_texture(GLuint program, const char *name, int unit, GLuint texture)
{
    glActiveTexture((GLenum)(GL_TEXTURE0 + unit));
    glBindTexture(GL_TEXTURE_2D, texture);
    dlp__gl_set1i(program, name, unit);
}

static GLuint create_texture(GLenum format, int width, int height)
{
    const bool depth = format == GL_DEPTH_COMPONENT32F;
    const GLint filter = depth || format == GL_R32F
                             ? GL_NEAREST
                             : GL_LINEAR; /* distances of different objects must not be averaged */
    GLuint texture = 0;
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, (GLint)format, width, height, 0, depth ? GL_DEPTH_COMPONENT : GL_RGBA, GL_FLOAT,
                 NULL);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    return texture;
}

dlp_Result dlp__target_create(dlp__Target *target, int width, int height, const GLenum *formats, int count, bool depth,
                              dlp_Error *error)
{
    GLenum buffers[DLP_MAX_TARGET_TEXTURES];
    *target = (dlp__Target){.count = count, .width = width, .height = height};
    glGenFramebuffers(1, &target->framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    for (int i = 0; i < count; i++) {
        buffers[i] = (GLenum)(GL_COLOR_ATTACHMENT0 + i);
        target->color[i] = create_texture(formats[i], width, height);
        glFramebufferTexture2D(GL_FRAMEBUFFER, buffers[i], GL_TEXTURE_2D, target->color[i], 0);
    }
    glDrawBuffers(count, buffers);
    glReadBuffer(count > 0 ? GL_COLOR_ATTACHMENT0 : GL_NONE);
    if (depth) {
        target->depth = create_texture(GL_DEPTH_COMPONENT32F, width, height);
        glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, target->depth, 0);
    }
    if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE || glGetError() == GL_OUT_OF_MEMORY) {
        return dlp__fail(error, DLP_ERROR_MEMORY,
                         "the OpenGL driver has not enough memory to draw %d x %d pixels: use a smaller picture", width,
                         height);
    }
    return DLP_OK;
}

void dlp__target_share_depth(const dlp__Target *target, const dlp__Target *owner)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D, owner->depth, 0);
}

void dlp__target_destroy(dlp__Target *target)
{
    glDeleteFramebuffers(1, &target->framebuffer);
    glDeleteTextures(target->count, target->color);
    glDeleteTextures(1, &target->depth);
    *target = (dlp__Target){0};
}

void dlp__target_resume(const dlp__Target *target)
{
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    glViewport(0, 0, target->width, target->height);
}

void dlp__target_begin(const dlp__Target *target)
{
    dlp__target_resume(target);
    glClearColor(0.0f, 0.0f, 0.0f, 0.0f);
    glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

void dlp__target_clear(int texture, float value)
{
    const GLfloat values[4] = {value, value, value, value};
    glClearBufferfv(GL_COLOR, texture, values);
}

void dlp__draw_depths(GLuint empty_array)
{
    glBindVertexArray(empty_array);
    glDepthFunc(GL_ALWAYS);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthFunc(GL_LESS);
}

void dlp__draw_fullscreen(GLuint empty_array, GLuint program, GLenum comparison, double depth)
{
    glBindVertexArray(empty_array);
    glDepthFunc(comparison);
    glDepthMask(GL_FALSE);
    dlp__gl_set1f(program, "depth", 2.0 * depth - 1.0);
    glDrawArrays(GL_TRIANGLES, 0, 3);
    glDepthMask(GL_TRUE);
    glDepthFunc(GL_LESS);
}
