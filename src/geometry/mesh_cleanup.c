/* Cleaning up a model: merge duplicate vertices, drop degenerate triangles and unused vertices. The order of the rest
 * is kept. */
#include "geometry/radix_sort.h"
#include "geometry/mesh_normals.h"
#include "geometry/mesh_triangle.h"
#include "geometry/mesh_builder.h"

#include <string.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Sort so that vertices at the same position are adjacent, in ascending order. */
static void sort_by_position(const float *position, int64_t count, dlp__KeyedIndex *sorted,
                             dlp__KeyedIndex *scratch_keys)
{
    for (int64_t v = 0; v < count; v++) {
        sorted[v] = (dlp__KeyedIndex){bits_of(position[3 * v + 2]), (uint32_t)v};
    }
    dlp__radix_sort(sorted, scratch_keys, count);
    for (int64_t n = 0; n < count; n++) {
        const float *p = position + 3 * (int64_t)sorted[n].item;
        sorted[n].key = (uint64_t)bits_of(p[0]) << 32 | bits_of(p[1]);
    }
    dlp__radix_sort(sorted, scratch_keys, count);
}

static bool same_position(const float *position, uint32_t a, uint32_t b)
{
    const float *p = position + 3 * (int64_t)a, *q = position + 3 * (int64_t)b;
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* For each vertex the first vertex at the same position. */
static bool find_first_at_position(dlp_Model *model, uint32_t *first)
{
    const int64_t count = model->vertex_count;
    dlp__KeyedIndex *sorted = dlp__memory_get(&model->memory, count, sizeof *sorted);
    dlp__KeyedIndex *scratch_keys = dlp__memory_get(&model->memory, count, sizeof *scratch_keys);
    const bool ok = sorted != NULL && scratch_keys != NULL;
    if (ok) {
        const float *position = model->position.data;
        sort_by_position(position, count, sorted, scratch_keys);
        uint32_t representative = sorted[0].item;
        for (int64_t n = 0; n < count; n++) {
            const uint32_t v = sorted[n].item;
            if (!same_position(position, v, representative)) {
                representative = v;
            }
            first[v] = representative;
        }
    }
    dlp__memory_release(&model->memory, scratch_keys, count, sizeof *scratch_keys);
    dlp__memory_release(&model->memory, sorted, count, sizeof *sorted);
    return ok;
}

static void drop_degenerate_triangles(dlp_Model *model, const uint32_t *first)
{
    uint32_t *triangle = model->triangle.data;
    int64_t kept = 0;
    for (int64_t t = 0; t < model->triangle_count; t++) {
        const uint32_t corner[3] = {first[triangle[3 * t]], first[triangle[3 * t + 1]], first[triangle[3 * t + 2]]};
        if (dlp__length(dlp__triangle_area(model->position.data, corner)) > 0.0) {
            memcpy(triangle + 3 * kept++, corner, sizeof corner);
        }
    }
    model->triangle_count = kept;
}

/* `new_index` is scratch: the new index of each vertex, UINT32_MAX for unused vertices. */
static void drop_unused_vertices(dlp_Model *model, uint32_t *new_index)
{
    float *position = model->position.data;
    uint32_t *triangle = model->triangle.data, *origin = model->origin.data;
    for (int64_t v = 0; v < model->vertex_count; v++) {
        new_index[v] = UINT32_MAX;
    }
    for (int64_t n = 0; n < 3 * model->triangle_count; n++) {
        new_index[triangle[n]] = 0;
    }
    uint32_t kept = 0;
    for (int64_t v = 0; v < model->vertex_count; v++) {
        if (new_index[v] != UINT32_MAX) {
            memmove(position + 3 * (int64_t)kept, position + 3 * v, 3 * sizeof(float));
            origin[kept] = (uint32_t)v;
            new_index[v] = kept++;
        }
    }
    for (int64_t n = 0; n < 3 * model->triangle_count; n++) {
        triangle[n] = new_index[triangle[n]];
    }
    model->vertex_count = kept;
}

bool dlp__model_cleanup(dlp_Model *model)
{
    if (model->vertex_count == 0 || model->triangle_count == 0) {
        model->triangle_count = 0;
        return true;
    }
    const int64_t count = model->vertex_count;
    uint32_t *scratch = dlp__memory_get(&model->memory, count, sizeof *scratch);
    const bool ok = scratch != NULL && dlp__buffer_reserve(&model->memory, &model->origin, count, sizeof *scratch) &&
                    find_first_at_position(model, scratch);
    if (ok) {
        drop_degenerate_triangles(model, scratch);
        drop_unused_vertices(model, scratch);
    }
    dlp__memory_release(&model->memory, scratch, count, sizeof *scratch);
    return ok;
}

bool dlp__model_compute_normals(dlp_Model *model)
{
    const int64_t count = model->vertex_count;
    dlp_Vec3 *sum = dlp__memory_get(&model->memory, count, sizeof *sum);
    const bool ok = sum != NULL && dlp__buffer_reserve(&model->memory, &model->normal, count, 3 * sizeof(float));
    if (ok) {
        const dlp_Mesh mesh = {.vertex_count = count,
                               .triangle_count = model->triangle_count,
                               .position = model->position.data,
                               .triangle = model->triangle.data};
        dlp__mesh_vertex_normals(&mesh, DLP_NORMALS_BY_ANGLE_AND_AREA, sum);
        float *normal = model->normal.data;
        for (int64_t v = 0; v < count; v++) {
            /* Triangles may cancel out, as in a doubled sheet: then any direction will do. */
            const dlp_Vec3 n = dlp__unit_or_up(sum[v]);
            normal[3 * v] = (float)n.x;
            normal[3 * v + 1] = (float)n.y;
            normal[3 * v + 2] = (float)n.z;
        }
    }
    dlp__memory_release(&model->memory, sum, count, sizeof *sum);
    return ok;
}
