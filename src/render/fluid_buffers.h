/* Vertex buffers of the fluid: a mesh with its looks, or spheres. */
#ifndef DLP_RENDER_FLUID_BUFFERS_H
#define DLP_RENDER_FLUID_BUFFERS_H

#include "render/gl_tools.h"

typedef struct dlp__FluidBuffers {
    GLuint mesh_array, mesh_buffer[2 + DLP_LOOK_FIELDS], mesh_index;
    GLuint sphere_array, sphere_buffer[2];
    GLsizei mesh_indices, spheres;
    bool transmits;  /* whether light passes through any part of the mesh */
    float *position; /* interleaved coordinates of the spheres */
    int64_t capacity;
} dlp__FluidBuffers;

void dlp__fluid_buffers_create(dlp__FluidBuffers *buffers);
void dlp__fluid_buffers_destroy(dlp__FluidBuffers *buffers);
/* Upload the mesh and the spheres of a picture, replacing the previous ones. */
dlp_Result dlp__fluid_buffers_upload(dlp__FluidBuffers *buffers, const dlp_Drawing *drawing, dlp_Error *error);

void dlp__fluid_mesh_draw(const dlp__FluidBuffers *buffers);
void dlp__spheres_draw(const dlp__FluidBuffers *buffers);

#endif
