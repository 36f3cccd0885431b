/* Cleaning a model: one vertex at a place, no triangle without area, no vertex without a triangle. The order of what
 * stays is kept. */
#include "geometry/key_sort.h"
#include "geometry/mesh_normals.h"
#include "geometry/mesh_triangle.h"
#include "geometry/model.h"

#include <string.h>

static uint32_t bits_of(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Vertices at one place follow each other, the first one first. */
static void sort_by_place(const float *position, int64_t count, dlp__Keyed *sorted, dlp__Keyed *spare)
{
    for (int64_t v = 0; v < count; v++) {
        sorted[v] = (dlp__Keyed){bits_of(position[3 * v + 2]), (uint32_t)v};
    }
    dlp__key_sort(sorted, spare, count);
    for (int64_t n = 0; n < count; n++) {
        const float *p = position + 3 * (int64_t)sorted[n].item;
        sorted[n].key = (uint64_t)bits_of(p[0]) << 32 | bits_of(p[1]);
    }
    dlp__key_sort(sorted, spare, count);
}

static bool same_place(const float *position, uint32_t a, uint32_t b)
{
    const float *p = position + 3 * (int64_t)a, *q = position + 3 * (int64_t)b;
    return p[0] == q[0] && p[1] == q[1] && p[2] == q[2];
}

/* For each vertex the first one at its place. */
static bool find_first(dlp_Model *model, uint32_t *first)
{
    const int64_t count = model->vertex_count;
    dlp__Keyed *sorted = dlp__memory_get(&model->memory, count, sizeof *sorted);
    dlp__Keyed *spare = dlp__memory_get(&model->memory, count, sizeof *spare);
    const bool enough = sorted != NULL && spare != NULL;
    if (enough) {
        const float *position = model->position.data;
        sort_by_place(position, count, sorted, spare);
        uint32_t leader = sorted[0].item;
        for (int64_t n = 0; n < count; n++) {
            const uint32_t v = sorted[n].item;
            if (!same_place(position, v, leader)) {
                leader = v;
            }
            first[v] = leader;
        }
    }
    dlp__memory_release(&model->memory, spare, count, sizeof *spare);
    dlp__memory_release(&model->memory, sorted, count, sizeof *sorted);
    return enough;
}

static void keep_triangles_with_area(dlp_Model *model, const uint32_t *first)
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

/* `place` is scratch: where each vertex goes, and UINT32_MAX for those that no triangle has. */
static void keep_used_vertices(dlp_Model *model, uint32_t *place)
{
    float *position = model->position.data;
    uint32_t *triangle = model->triangle.data, *origin = model->origin.data;
    for (int64_t v = 0; v < model->vertex_count; v++) {
        place[v] = UINT32_MAX;
    }
    for (int64_t n = 0; n < 3 * model->triangle_count; n++) {
        place[triangle[n]] = 0;
    }
    uint32_t kept = 0;
    for (int64_t v = 0; v < model->vertex_count; v++) {
        if (place[v] != UINT32_MAX) {
            memmove(position + 3 * (int64_t)kept, position + 3 * v, 3 * sizeof(float));
            origin[kept] = (uint32_t)v;
            place[v] = kept++;
        }
    }
    for (int64_t n = 0; n < 3 * model->triangle_count; n++) {
        triangle[n] = place[triangle[n]];
    }
    model->vertex_count = kept;
}

bool dlp__model_clean(dlp_Model *model)
{
    if (model->vertex_count == 0 || model->triangle_count == 0) {
        model->triangle_count = 0;
        return true;
    }
    const int64_t count = model->vertex_count;
    uint32_t *scratch = dlp__memory_get(&model->memory, count, sizeof *scratch);
    const bool enough = scratch != NULL &&
                        dlp__buffer_reserve(&model->memory, &model->origin, count, sizeof *scratch) &&
                        find_first(model, scratch);
    if (enough) {
        keep_triangles_with_area(model, scratch);
        keep_used_vertices(model, scratch);
    }
    dlp__memory_release(&model->memory, scratch, count, sizeof *scratch);
    return enough;
}

bool dlp__model_find_normals(dlp_Model *model)
{
    const int64_t count = model->vertex_count;
    dlp_Vec3 *sum = dlp__memory_get(&model->memory, count, sizeof *sum);
    const bool enough = sum != NULL && dlp__buffer_reserve(&model->memory, &model->normal, count, 3 * sizeof(float));
    if (enough) {
        const dlp_Mesh mesh = {.vertex_count = count,
                               .triangle_count = model->triangle_count,
                               .position = model->position.data,
                               .triangle = model->triangle.data};
        dlp__mesh_normals(&mesh, DLP_NORMALS_SEEN, sum);
        float *normal = model->normal.data;
        for (int64_t v = 0; v < count; v++) {
            /* Triangles may cancel each other out, as in a sheet that is there twice: then any direction will do. */
            const dlp_Vec3 n = dlp__unit_or_up(sum[v]);
            normal[3 * v] = (float)n.x;
            normal[3 * v + 1] = (float)n.y;
            normal[3 * v + 2] = (float)n.z;
        }
    }
    dlp__memory_release(&model->memory, sum, count, sizeof *sum);
    return enough;
}
