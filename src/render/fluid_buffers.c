/* Uploads and draws the fluid. */
#include "render/fluid_buffers.h"

#include "render/look_fields.h"

#include <stdlib.h>
#include <string.h>

enum { FINISH_ATTRIBUTE = 4 }; /* roughness, transmission, subsurface, as in fluid.vert */

void dlp__fluid_buffers_create(dlp__FluidBuffers *buffers)
{
    glGenVertexArrays(1, &buffers->mesh_array);
    glGenVertexArrays(1, &buffers->sphere_array);
    glGenBuffers(2 + DLP_LOOK_FIELDS, buffers->mesh_buffer);
    glGenBuffers(1, &buffers->mesh_index);
    glGenBuffers(2, buffers->sphere_buffer);
    glBindVertexArray(buffers->sphere_array);
    for (GLuint i = 0; i < 2; i++) {
        glBindBuffer(GL_ARRAY_BUFFER, buffers->sphere_buffer[i]);
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, 0, NULL);
        glVertexAttribDivisor(i, 1);
    }
}

void dlp__fluid_buffers_destroy(dlp__FluidBuffers *buffers)
{
    glDeleteVertexArrays(1, &buffers->mesh_array);
    glDeleteVertexArrays(1, &buffers->sphere_array);
    glDeleteBuffers(2 + DLP_LOOK_FIELDS, buffers->mesh_buffer);
    glDeleteBuffers(1, &buffers->mesh_index);
    glDeleteBuffers(2, buffers->sphere_buffer);
    free(buffers->position);
    *buffers = (dlp__FluidBuffers){0};
}

static void upload(GLuint buffer, const float *values, int64_t count)
{
    glBindBuffer(GL_ARRAY_BUFFER, buffer);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)(count * (int64_t)sizeof *values), values, GL_STREAM_DRAW);
}

static bool any_transmits(const float *finish, int64_t vertices)
{
    for (int64_t v = 0; v < vertices; v++) {
        if (finish[3 * v + 1] > 0.0f) {
            return true;
        }
    }
    return false;
}

/* Position, normal, and the look fields that the mesh has. */
static void upload_mesh(dlp__FluidBuffers *buffers, const dlp_Mesh *mesh)
{
    float default_value[DLP_LOOK_FIELDS][3];
    dlp__look_default(default_value);
    const float *values[2 + DLP_LOOK_FIELDS] = {mesh->position, mesh->normal};
    for (int f = 0; f < mesh->field_count; f++) {
        for (int n = 0; n < DLP_LOOK_FIELDS; n++) {
            if (mesh->fields[f].components == 3 && strcmp(mesh->fields[f].name, dlp__look_fields[n]) == 0) {
                values[2 + n] = mesh->fields[f].values;
            }
        }
    }
    glBindVertexArray(buffers->mesh_array);
    for (GLuint i = 0; i < 2 + DLP_LOOK_FIELDS; i++) {
        if (values[i] == NULL) {
            glDisableVertexAttribArray(i);
            glVertexAttrib3fv(i, default_value[i - 2]);
            continue;
        }
        upload(buffers->mesh_buffer[i], values[i], 3 * mesh->vertex_count);
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, 0, NULL);
    }
    glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers->mesh_index);
    glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)(3 * mesh->triangle_count * (int64_t)sizeof *mesh->triangle),
                 mesh->triangle, GL_STREAM_DRAW);
    buffers->mesh_indices = (GLsizei)(3 * mesh->triangle_count);
    buffers->transmits = values[FINISH_ATTRIBUTE] != NULL &&
                         any_transmits(values[FINISH_ATTRIBUTE], mesh->vertex_count);
}

static dlp_Result upload_spheres(dlp__FluidBuffers *buffers, const dlp_Spheres *spheres, dlp_Error *error)
{
    if (spheres->count > buffers->capacity) {
        float *values = realloc(buffers->position, (size_t)spheres->count * 3 * sizeof *values);
        if (values == NULL) {
            return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld spheres", (long long)spheres->count);
        }
        buffers->position = values;
        buffers->capacity = spheres->count;
    }
    for (int64_t i = 0; i < 3 * spheres->count; i++) {
        buffers->position[i] = spheres->position[i % 3][i / 3];
    }
    upload(buffers->sphere_buffer[0], buffers->position, 3 * spheres->count);
    upload(buffers->sphere_buffer[1], spheres->color, 3 * spheres->count);
    buffers->spheres = (GLsizei)spheres->count;
    return DLP_OK;
}

dlp_Result dlp__fluid_buffers_upload(dlp__FluidBuffers *buffers, const dlp_Drawing *drawing, dlp_Error *error)
{
    const dlp_Mesh *mesh = drawing->mesh;
    buffers->mesh_indices = buffers->spheres = 0;
    buffers->transmits = false;
    if (mesh != NULL && mesh->vertex_count > 0) {
        upload_mesh(buffers, mesh);
    }
    return drawing->spheres.count > 0 ? upload_spheres(buffers, &drawing->spheres, error) : DLP_OK;
}

void dlp__fluid_mesh_draw(const dlp__FluidBuffers *buffers)
{
    glBindVertexArray(buffers->mesh_array);
    glDrawElements(GL_TRIANGLES, buffers->mesh_indices, GL_UNSIGNED_INT, NULL);
}

void dlp__spheres_draw(const dlp__FluidBuffers *buffers)
{
    glBindVertexArray(buffers->sphere_array);
    glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, buffers->spheres);
}
