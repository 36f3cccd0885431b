/* Drawing solids that are meshes: smooth shading where adjacent faces are nearly parallel, flat shading at sharp
 * edges. */
#include "geometry/mesh_normals.h"
#include "geometry/mesh_triangle.h"
#include "render/solid_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Corner {
    float position[3], normal[3];
} Corner;

static const double MIN_SMOOTH_COSINE = 0.8; /* cosine of the angle above which an edge is sharp */

static void fill_corners(const dlp_Mesh *mesh, const dlp_Vec3 *normal, Corner *corner)
{
    for (int64_t n = 0; n < 3 * mesh->triangle_count; n++) {
        const uint32_t v = mesh->triangle[n];
        const dlp_Vec3 flat = dlp__unit_or_up(dlp__triangle_area(mesh->position, mesh->triangle + n / 3 * 3));
        const dlp_Vec3 smooth = dlp__unit_or_up(normal[v]),
                       shown = dlp__dot(flat, smooth) < MIN_SMOOTH_COSINE ? flat : smooth;
        memcpy(corner[n].position, mesh->position + 3 * (int64_t)v, sizeof corner[n].position);
        corner[n].normal[0] = (float)shown.x;
        corner[n].normal[1] = (float)shown.y;
        corner[n].normal[2] = (float)shown.z;
    }
}

static void create_array(struct dlp__SolidMeshes *meshes)
{
    glGenVertexArrays(1, &meshes->array);
    glGenBuffers(1, &meshes->vertices);
    glBindVertexArray(meshes->array);
    glBindBuffer(GL_ARRAY_BUFFER, meshes->vertices);
    for (GLuint i = 0; i < 2; i++) {
        glEnableVertexAttribArray(i);
        glVertexAttribPointer(i, 3, GL_FLOAT, GL_FALSE, sizeof(Corner), (const void *)(i * offsetof(Corner, normal)));
    }
    glVertexAttrib1f(2, 0.0f);
}

dlp_Result dlp__solid_meshes_upload(struct dlp__SolidMeshes *meshes, const dlp_Mesh *mesh, int count, dlp_Error *error)
{
    int64_t corners = 0, vertices = 0;
    meshes->count = 0;
    for (int k = 0; k < count; k++) {
        corners += 3 * mesh[k].triangle_count;
        vertices = mesh[k].vertex_count > vertices ? mesh[k].vertex_count : vertices;
    }
    if (corners == 0 || vertices == 0) {
        return DLP_OK;
    }
    int *first = corners <= INT32_MAX ? realloc(meshes->first, ((size_t)count + 1) * sizeof *first) : NULL;
    meshes->first = first != NULL ? first : meshes->first;
    Corner *corner = malloc((size_t)corners * sizeof *corner);
    dlp_Vec3 *normal = malloc((size_t)vertices * sizeof *normal);
    if (first == NULL || corner == NULL || normal == NULL) {
        free(corner);
        free(normal);
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for meshes of %lld triangles", (long long)corners / 3);
    }
    first[0] = 0;
    for (int k = 0; k < count; k++) {
        dlp__mesh_vertex_normals(&mesh[k], DLP_NORMALS_BY_ANGLE_AND_AREA, normal);
        fill_corners(&mesh[k], normal, corner + first[k]);
        first[k + 1] = first[k] + (int)(3 * mesh[k].triangle_count);
    }
    if (meshes->array == 0) {
        create_array(meshes);
    }
    glBindBuffer(GL_ARRAY_BUFFER, meshes->vertices);
    glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)corners * (GLsizeiptr)sizeof *corner, corner, GL_STREAM_DRAW);
    meshes->count = count;
    free(corner);
    free(normal);
    return DLP_OK;
}

void dlp__solid_meshes_destroy(struct dlp__SolidMeshes *meshes)
{
    if (meshes->array != 0) {
        glDeleteVertexArrays(1, &meshes->array);
        glDeleteBuffers(1, &meshes->vertices);
    }
    free(meshes->first);
    *meshes = (struct dlp__SolidMeshes){0};
}

void dlp__solid_mesh_draw(const struct dlp__SolidMeshes *meshes, int index)
{
    if (index < 0 || index >= meshes->count) {
        return;
    }
    glBindVertexArray(meshes->array);
    glDrawArrays(GL_TRIANGLES, meshes->first[index], meshes->first[index + 1] - meshes->first[index]);
}
