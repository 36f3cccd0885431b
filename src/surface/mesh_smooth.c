/* Taubin smoothing with weights that preserve creases, and a final offset that restores the volume. */
#include "surface/mesh_smooth.h"

#include "geometry/mesh_triangle.h"

#include <math.h>
#include <string.h>

enum { CHUNK_VERTICES = 4096 };

/* Taubin's steps: the second undoes the shrinkage of the first; waves longer than about twelve edges are kept. */
static const float SHRINK_STEP = 0.5f, INFLATE_STEP = -0.53f;

/* Neighbors whose normal differs by this angle have the weight 1/e: the edges of a box stay sharp. */
static const float CREASE_ANGLE = 0.7f; /* rad */

/* A mesh being smoothed. It is closed and oriented, so each neighbor of a vertex follows it in exactly one triangle:
 * the adjacency lists the corners of triangles, sorted by vertex. */
typedef struct Smoothing {
    dlp__MarchedMesh *mesh;
    const int64_t *start;
    const uint32_t *adjacent; /* for each corner of a vertex the next and the last vertex of its triangle */
    float *from, *to;         /* positions */
    float step;
    double offset; /* m, along the normal */
} Smoothing;

void dlp__mesh_smoother_init(dlp__MeshSmoother *smoother, dlp__Memory *memory)
{
    memset(smoother, 0, sizeof *smoother);
    smoother->memory = memory;
}

void dlp__mesh_smoother_release(dlp__MeshSmoother *smoother)
{
    dlp__buffer_release(smoother->memory, &smoother->other);
    dlp__buffer_release(smoother->memory, &smoother->adjacent);
    dlp__buffer_release(smoother->memory, &smoother->start);
}

static bool build_adjacency(dlp__MeshSmoother *smoother, const dlp__MarchedMesh *mesh)
{
    const int64_t vertices = mesh->vertex_count, corners = 3 * mesh->triangle_count;
    if (!dlp__buffer_reserve(smoother->memory, &smoother->start, vertices + 2, sizeof(int64_t)) ||
        !dlp__buffer_reserve(smoother->memory, &smoother->adjacent, corners + 1, 2 * sizeof(uint32_t)) ||
        !dlp__buffer_reserve(smoother->memory, &smoother->other, vertices + 1, 3 * sizeof(float))) {
        return false;
    }
    int64_t *start = smoother->start.data;
    uint32_t *adjacent = smoother->adjacent.data;
    memset(start, 0, (size_t)(vertices + 2) * sizeof *start);
    for (int64_t c = 0; c < corners; c++) {
        start[mesh->triangle[c] + 2]++;
    }
    for (int64_t v = 2; v < vertices + 2; v++) {
        start[v] += start[v - 1];
    }
    for (int64_t c = 0; c < corners; c++) { /* start[v + 1] is the next free slot of v, and finally its end */
        const uint32_t *triangle = mesh->triangle + c / 3 * 3;
        int64_t slot = start[mesh->triangle[c] + 1]++;
        adjacent[2 * slot] = triangle[(c + 1) % 3];
        adjacent[2 * slot + 1] = triangle[(c + 2) % 3];
    }
    return true;
}

static void smooth_step(void *context, int64_t begin, int64_t end)
{
    const Smoothing *s = context;
    const float *normal = s->mesh->normal;
    for (int64_t v = begin; v < end; v++) {
        const float *at = s->from + 3 * v, *own_normal = normal + 3 * v;
        float sum[3] = {0.0f, 0.0f, 0.0f}, weights = 0.0f;
        for (int64_t n = s->start[v]; n < s->start[v + 1]; n++) {
            const int64_t other = s->adjacent[2 * n];
            float cosine = own_normal[0] * normal[3 * other] + own_normal[1] * normal[3 * other + 1] +
                           own_normal[2] * normal[3 * other + 2];
            float weight = expf((cosine - 1.0f) *
                                (2.0f / (CREASE_ANGLE * CREASE_ANGLE))); /* 2 (1 - cos a) is about a^2 */
            for (int a = 0; a < 3; a++) {
                sum[a] += weight * (s->from[3 * other + a] - at[a]);
            }
            weights += weight;
        }
        for (int a = 0; a < 3; a++) {
            s->to[3 * v + a] = at[a] + (weights > 0.0f ? s->step * sum[a] / weights : 0.0f);
        }
    }
}

/* Vertex normals, weighted by the areas of the triangles. */
static void find_normals(void *context, int64_t begin, int64_t end)
{
    const Smoothing *s = context;
    for (int64_t v = begin; v < end; v++) {
        const float *at = s->from + 3 * v;
        float sum[3] = {0.0f, 0.0f, 0.0f};
        for (int64_t n = s->start[v]; n < s->start[v + 1]; n++) {
            const float *b = s->from + 3 * (int64_t)s->adjacent[2 * n],
                        *c = s->from + 3 * (int64_t)s->adjacent[2 * n + 1];
            float u[3] = {b[0] - at[0], b[1] - at[1], b[2] - at[2]}, w[3] = {c[0] - at[0], c[1] - at[1], c[2] - at[2]};
            sum[0] += u[1] * w[2] - u[2] * w[1];
            sum[1] += u[2] * w[0] - u[0] * w[2];
            sum[2] += u[0] * w[1] - u[1] * w[0];
        }
        float length = sqrtf(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
        for (int a = 0; a < 3 && length > 0.0f; a++) {
            s->mesh->normal[3 * v + a] = sum[a] / length;
        }
    }
}

static void offset_vertices(void *context, int64_t begin, int64_t end)
{
    const Smoothing *s = context;
    for (int64_t n = 3 * begin; n < 3 * end; n++) {
        s->from[n] += (float)s->offset * s->mesh->normal[n];
    }
}

static double volume_of(void *context, int64_t begin, int64_t end)
{
    const Smoothing *s = context;
    double sum = 0.0;
    for (int64_t t = begin; t < end; t++) {
        sum += dlp__triangle_volume(s->from, s->mesh->triangle + 3 * t);
    }
    return sum;
}

static double area_of(void *context, int64_t begin, int64_t end)
{
    const Smoothing *s = context;
    double sum = 0.0;
    for (int64_t t = begin; t < end; t++) {
        sum += 0.5 * dlp__length(dlp__triangle_area(s->from, s->mesh->triangle + 3 * t));
    }
    return sum;
}

bool dlp__mesh_smooth(dlp__MeshSmoother *smoother, dlp__MarchedMesh *mesh, const dlp__Parallel *parallel,
                      int iterations)
{
    const int64_t vertices = mesh->vertex_count;
    if (iterations <= 0 || vertices == 0) {
        return true;
    }
    if (!build_adjacency(smoother, mesh)) {
        return false;
    }
    Smoothing s = {.mesh = mesh,
                   .start = smoother->start.data,
                   .adjacent = smoother->adjacent.data,
                   .from = mesh->position,
                   .to = smoother->other.data};
    const double volume = dlp__parallel_sum(parallel, mesh->triangle_count, volume_of, &s);
    for (int half_step = 0; half_step < 2 * iterations; half_step++) {
        s.step = half_step % 2 == 0 ? SHRINK_STEP : INFLATE_STEP;
        dlp__parallel_for(parallel, vertices, CHUNK_VERTICES, smooth_step, &s);
        float *swap = s.from;
        s.from = s.to;
        s.to = swap;
        if (half_step % 2 == 1) {
            dlp__parallel_for(parallel, vertices, CHUNK_VERTICES, find_normals, &s);
        }
    }
    const double lost = volume - dlp__parallel_sum(parallel, mesh->triangle_count, volume_of, &s);
    s.offset = lost / dlp__parallel_sum(parallel, mesh->triangle_count, area_of, &s);
    dlp__parallel_for(parallel, vertices, CHUNK_VERTICES, offset_vertices, &s);
    return true;
}
