/* Adding vertices and triangles to a model, and finishing it: checks, cleanup and normals. */
#include "geometry/mesh_builder.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

dlp_Model *dlp__model_new(const dlp_Hooks *hooks)
{
    dlp__Memory memory;
    dlp__memory_init(&memory, hooks != NULL ? &hooks->allocator : NULL);
    dlp_Model *model = dlp__memory_get(&memory, 1, sizeof *model);
    if (model != NULL) {
        memset(model, 0, sizeof *model);
        model->memory = memory;
    }
    return model;
}

void dlp_model_destroy(dlp_Model *model)
{
    if (model == NULL) {
        return;
    }
    dlp__buffer_release(&model->memory, &model->frames);
    dlp__buffer_release(&model->memory, &model->times);
    dlp__buffer_release(&model->memory, &model->origin);
    dlp__buffer_release(&model->memory, &model->triangle);
    dlp__buffer_release(&model->memory, &model->normal);
    dlp__buffer_release(&model->memory, &model->position);
    dlp__Memory memory = model->memory;
    dlp__memory_release(&memory, model, 1, sizeof *model);
}

const dlp_Mesh *dlp_model_mesh(const dlp_Model *model)
{
    return model != NULL ? &model->mesh : NULL;
}

dlp_MeshFrames dlp_model_frames(const dlp_Model *model)
{
    return model != NULL ? (dlp_MeshFrames){model->frame_count, model->times.data, model->frames.data}
                         : (dlp_MeshFrames){0};
}

void dlp__model_reserve(dlp_Model *model, int64_t vertices, int64_t triangles)
{
    const size_t vertex = 3 * sizeof(float), triangle = 3 * sizeof(uint32_t);
    if (vertices > DLP_MAX_MODEL_VERTICES || triangles > DLP_MAX_MODEL_TRIANGLES) {
        model->too_many = true;
    } else if (!dlp__buffer_grow(&model->memory, &model->position, model->vertex_count * (int64_t)vertex, vertices,
                                 vertex) ||
               !dlp__buffer_grow(&model->memory, &model->triangle, model->triangle_count * (int64_t)triangle, triangles,
                                 triangle)) {
        model->out_of_memory = true;
    }
}

/* Grow by half, so that adding one by one takes amortized constant time. */
static int64_t grown_capacity(int64_t count, int64_t max)
{
    const int64_t wanted = count + count / 2 + 256;
    return count < max && wanted > max ? max : wanted;
}

void dlp__model_add_vertex(dlp_Model *model, double x, double y, double z)
{
    const int64_t stride = 3 * sizeof(float);
    if ((model->vertex_count + 1) * stride > model->position.capacity) {
        dlp__model_reserve(model, grown_capacity(model->vertex_count, DLP_MAX_MODEL_VERTICES), 0);
    }
    if (model->out_of_memory || model->too_many) {
        return;
    }
    float *out = (float *)model->position.data + 3 * model->vertex_count++;
    out[0] = (float)x + 0.0f; /* turns -0 into 0, so that equal positions have equal bits */
    out[1] = (float)y + 0.0f;
    out[2] = (float)z + 0.0f;
}

void dlp__model_add_triangle(dlp_Model *model, int64_t a, int64_t b, int64_t c)
{
    const int64_t stride = 3 * sizeof(uint32_t);
    if ((model->triangle_count + 1) * stride > model->triangle.capacity) {
        dlp__model_reserve(model, 0, grown_capacity(model->triangle_count, DLP_MAX_MODEL_TRIANGLES));
    }
    if (model->out_of_memory || model->too_many) {
        return;
    }
    uint32_t *out = (uint32_t *)model->triangle.data + 3 * model->triangle_count++;
    out[0] = (uint32_t)a;
    out[1] = (uint32_t)b;
    out[2] = (uint32_t)c;
}

static dlp_Result check_positions(const dlp_Model *model, dlp_Error *error)
{
    const float *position = model->position.data;
    for (int64_t n = 0; n < 3 * model->vertex_count; n++) {
        if (!(fabs((double)position[n]) <= DLP_MAX_MODEL_COORDINATE)) {
            return dlp__fail(
                error, DLP_ERROR_NOT_FINITE,
                "vertex %lld has a coordinate of %g m: at most 1e9 m is possible; check the sizes and the scale",
                (long long)n / 3 + 1, (double)position[n]);
        }
    }
    return DLP_OK;
}

static dlp_Result fail_out_of_memory(const dlp_Model *model, dlp_Error *error)
{
    return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a mesh of %lld vertices and %lld triangles",
                     (long long)model->vertex_count, (long long)model->triangle_count);
}

dlp_Result dlp__model_check(const dlp_Model *model, dlp_Error *error)
{
    if (model->too_many) {
        return dlp__fail(
            error, DLP_ERROR_FORMAT,
            "it has more than %lld vertices or triangles: use a coarser mesh (Blender: the modifier Decimate)",
            (long long)DLP_MAX_MODEL_TRIANGLES);
    }
    return model->out_of_memory ? fail_out_of_memory(model, error) : check_positions(model, error);
}

dlp_Result dlp__model_finish(dlp_Model *model, dlp_Error *error)
{
    const dlp_Result result = dlp__model_check(model, error);
    if (result != DLP_OK) {
        return result;
    }
    if (!dlp__model_cleanup(model)) {
        return fail_out_of_memory(model, error);
    }
    if (model->triangle_count == 0) {
        return dlp__fail(error, DLP_ERROR_FORMAT,
                         "it has no triangle with an area: a model needs faces, not only points or lines");
    }
    if (!dlp__model_compute_normals(model)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the normals of %lld vertices",
                         (long long)model->vertex_count);
    }
    model->mesh = (dlp_Mesh){.vertex_count = model->vertex_count,
                             .triangle_count = model->triangle_count,
                             .position = model->position.data,
                             .normal = model->normal.data,
                             .triangle = model->triangle.data};
    return DLP_OK;
}
