#include "surface/mesh_smooth.h"

#include "geometry/mesh_triangle.h"

#include <math.h>
#include <string.h>

enum { VERTICES_AT_ONCE = 4096 };

/* Taubin's steps: the second takes back what the first has shrunk; waves longer than some twelve edges stay. */
static const float INWARD = 0.5f, OUTWARD = -0.53f;

/* Neighbours whose normal turns by this much count by 1/e: an edge of a box keeps its edge. */
static const float CREASE = 0.7f; /* rad */

/* A mesh at work. Since it is closed and oriented, each neighbour of a vertex follows it in exactly one triangle: links are the
 * corners of triangles, sorted by the vertex that they start from. */
typedef struct Smoothing {
    dlp__MarchedMesh *mesh;
    const int64_t *start;
    const uint32_t *link; /* for each corner of a vertex the next and the last vertex of its triangle */
    float *from, *to;     /* positions */
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
    dlp__buffer_release(smoother->memory, &smoother->link);
    dlp__buffer_release(smoother->memory, &smoother->start);
}

static bool link_up(dlp__MeshSmoother *smoother, const dlp__MarchedMesh *mesh)
{
    const int64_t vertices = mesh->vertex_count, corners = 3 * mesh->triangle_count;
    if (!dlp__buffer_reserve(smoother->memory, &smoother->start, vertices + 2, sizeof(int64_t)) ||
        !dlp__buffer_reserve(smoother->memory, &smoother->link, corners + 1, 2 * sizeof(uint32_t)) ||
        !dlp__buffer_reserve(smoother->memory, &smoother->other, vertices + 1, 3 * sizeof(float))) {
        return false;
    }
    int64_t *start = smoother->start.data;
    uint32_t *link = smoother->link.data;
    memset(start, 0, (size_t)(vertices + 2) * sizeof *start);
    for (int64_t c = 0; c < corners; c++) {
        start[mesh->triangle[c] + 2]++;
    }
    for (int64_t v = 2; v < vertices + 2; v++) {
        start[v] += start[v - 1];
    }
    for (int64_t c = 0; c < corners; c++) { /* start[v + 1] is where v's next link goes; in the end, where they end */
        const uint32_t *triangle = mesh->triangle + c / 3 * 3;
        int64_t place = start[mesh->triangle[c] + 1]++;
        link[2 * place] = triangle[(c + 1) % 3];
        link[2 * place + 1] = triangle[(c + 2) % 3];
    }
    return true;
}

static void smooth_step(void *context, int64_t begin, int64_t end)
{
    const Smoothing *s = context;
    const float *normal = s->mesh->normal;
    for (int64_t v = begin; v < end; v++) {
        const float *at = s->from + 3 * v, *own = normal + 3 * v;
        float sum[3] = {0.0f, 0.0f, 0.0f}, weights = 0.0f;
        for (int64_t n = s->start[v]; n < s->start[v + 1]; n++) {
            const int64_t other = s->link[2 * n];
            float along = own[0] * normal[3 * other] + own[1] * normal[3 * other + 1] + own[2] * normal[3 * other + 2];
            float weight = expf((along - 1.0f) * (2.0f / (CREASE * CREASE))); /* 2 (1 - cos a) is about a^2 */
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

/* Normals by the triangles around a vertex, weighted by their area. */
static void find_normals(void *context, int64_t begin, int64_t end)
{
    const Smoothing *s = context;
    for (int64_t v = begin; v < end; v++) {
        const float *at = s->from + 3 * v;
        float sum[3] = {0.0f, 0.0f, 0.0f};
        for (int64_t n = s->start[v]; n < s->start[v + 1]; n++) {
            const float *b = s->from + 3 * (int64_t)s->link[2 * n], *c = s->from + 3 * (int64_t)s->link[2 * n + 1];
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

static void move_out(void *context, int64_t begin, int64_t end)
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

bool dlp__mesh_smooth(dlp__MeshSmoother *smoother, dlp__MarchedMesh *mesh, const dlp__Parallel *parallel, int rounds)
{
    const int64_t vertices = mesh->vertex_count;
    if (rounds <= 0 || vertices == 0) {
        return true;
    }
    if (!link_up(smoother, mesh)) {
        return false;
    }
    Smoothing s = {.mesh = mesh,
                   .start = smoother->start.data,
                   .link = smoother->link.data,
                   .from = mesh->position,
                   .to = smoother->other.data};
    const double volume = dlp__parallel_sum(parallel, mesh->triangle_count, volume_of, &s);
    for (int round = 0; round < 2 * rounds; round++) {
        s.step = round % 2 == 0 ? INWARD : OUTWARD;
        dlp__parallel_for(parallel, vertices, VERTICES_AT_ONCE, smooth_step, &s);
        float *swap = s.from;
        s.from = s.to;
        s.to = swap;
        if (round % 2 == 1) {
            dlp__parallel_for(parallel, vertices, VERTICES_AT_ONCE, find_normals, &s);
        }
    }
    const double lost = volume - dlp__parallel_sum(parallel, mesh->triangle_count, volume_of, &s);
    s.offset = lost / dlp__parallel_sum(parallel, mesh->triangle_count, area_of, &s);
    dlp__parallel_for(parallel, vertices, VERTICES_AT_ONCE, move_out, &s);
    return true;
}
