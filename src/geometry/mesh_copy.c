/* Checking, copying and releasing meshes. */
#include "geometry/mesh_copy.h"

#include "base/error.h"
#include "geometry/mesh_builder.h"

#include <math.h>
#include <string.h>

dlp_Result dlp__mesh_check(const dlp_Mesh *mesh, dlp_Error *error)
{
    if (mesh == NULL || mesh->position == NULL || mesh->triangle == NULL || mesh->triangle_count <= 0 ||
        mesh->vertex_count <= 0 || mesh->triangle_count > DLP_MAX_MODEL_TRIANGLES ||
        mesh->vertex_count > DLP_MAX_MODEL_VERTICES) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "the mesh has no triangles, or more than %lld of them",
                         (long long)DLP_MAX_MODEL_TRIANGLES);
    }
    for (int64_t n = 0; n < 3 * mesh->vertex_count; n++) {
        if (!(fabs((double)mesh->position[n]) <= DLP_MAX_MODEL_COORDINATE)) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "vertex %lld of the mesh has %g m as a coordinate: it must be finite and within 1e9 m",
                             (long long)n / 3, (double)mesh->position[n]);
        }
    }
    for (int64_t n = 0; n < 3 * mesh->triangle_count; n++) {
        if (mesh->triangle[n] >= mesh->vertex_count) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "triangle %lld of the mesh refers to vertex %lld, but there are %lld", (long long)n / 3,
                             (long long)mesh->triangle[n], (long long)mesh->vertex_count);
        }
    }
    return DLP_OK;
}

dlp_Result dlp__mesh_copy(const dlp_Mesh *mesh, dlp__Memory *memory, dlp_Mesh *copy, dlp_Error *error)
{
    const int64_t numbers = 3 * mesh->vertex_count, corners = 3 * mesh->triangle_count;
    float *position = dlp__memory_get(memory, numbers, sizeof *position);
    uint32_t *triangle = dlp__memory_get(memory, corners, sizeof *triangle);
    *copy = (dlp_Mesh){.vertex_count = mesh->vertex_count,
                       .triangle_count = mesh->triangle_count,
                       .position = position,
                       .triangle = triangle};
    if (position == NULL || triangle == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a mesh of %lld triangles",
                         (long long)mesh->triangle_count);
    }
    memcpy(position, mesh->position, (size_t)numbers * sizeof *position);
    memcpy(triangle, mesh->triangle, (size_t)corners * sizeof *triangle);
    return DLP_OK;
}

void dlp__mesh_release(dlp_Mesh *mesh, dlp__Memory *memory)
{
    dlp__memory_release(memory, (void *)(uintptr_t)mesh->triangle, 3 * mesh->triangle_count, sizeof *mesh->triangle);
    dlp__memory_release(memory, (void *)(uintptr_t)mesh->position, 3 * mesh->vertex_count, sizeof *mesh->position);
    *mesh = (dlp_Mesh){0};
}
