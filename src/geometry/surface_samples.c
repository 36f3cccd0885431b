/* Many more candidates than samples are scattered over the surface. A subset with a minimum distance is selected (dart
 * throwing); then each sample moves to the centroid of the candidates closest to it, a few times (Lloyd's relaxation,
 * restricted to the candidates, so that samples stay on the surface); candidates that are still far from all samples
 * become samples, too. */
#include "geometry/surface_samples.h"

#include "base/error.h"
#include "base/hash.h"
#include "geometry/mesh_triangle.h"
#include "geometry/point_grid.h"

#include <string.h>

enum {
    CANDIDATES = 40 /* per sample */,
    ITERATIONS = 8 /* of the relaxation; more changed little on a torus */
};

/* In spacings: the minimum distance of samples at the beginning, and the largest gap between candidates and samples in
 * the later iterations. Measured on torus, bowl, ball and cube: a smaller distance gives more than one sample per
 * square, a larger gap leaves holes. */
static const double MIN_DISTANCE = 0.87, MAX_GAP = 0.765;

typedef struct Job {
    dlp__Memory *memory;
    const dlp_Mesh *mesh;
    double spacing; /* m */
    uint64_t seed;
    int64_t count, max_samples; /* candidates, upper limit of samples */
    float *position;            /* m, of the candidates */
    uint32_t *triangle;
    int32_t *owner;   /* closest sample of each candidate */
    int32_t *sample;  /* candidate of each sample */
    dlp_Vec3 *center; /* m, sum of the positions of its candidates, then their mean */
    double *best;     /* number of its candidates, then m2, smallest squared distance from the center */
    int64_t samples;
} Job;

/* A random number from 0 to 1. */
static double random_unit(const Job *job, int64_t candidate, int which)
{
    const uint64_t word = (uint64_t)candidate * 4 + (uint64_t)which;
    return (double)(dlp__hash_finish(dlp__hash_word(dlp__hash_word(DLP_HASH_SEED, job->seed), word)) >> 11) * 0x1p-53;
}

/* m2 */
static double area_of(const dlp_Mesh *mesh)
{
    double sum = 0.0;
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        sum += 0.5 * dlp__length(dlp__triangle_area(mesh->position, mesh->triangle + 3 * t));
    }
    return sum;
}

static dlp_Vec3 point_in(const dlp_Mesh *mesh, int64_t triangle, double u, double v)
{
    const uint32_t *corner = mesh->triangle + 3 * triangle;
    const dlp_Vec3 a = dlp__mesh_vertex(mesh->position, corner[0]);
    const dlp_Vec3 b = dlp__sub(dlp__mesh_vertex(mesh->position, corner[1]), a);
    const dlp_Vec3 c = dlp__sub(dlp__mesh_vertex(mesh->position, corner[2]), a);
    const bool reflected = u + v > 1.0;
    return dlp__add(a, dlp__add(dlp__scale(b, reflected ? 1.0 - u : u), dlp__scale(c, reflected ? 1.0 - v : v)));
}

/* Stratified sampling: the area is divided into as many equal parts as there are candidates, and each part gets one. */
static void scatter(Job *job, double area)
{
    const dlp_Mesh *mesh = job->mesh;
    double area_so_far = 0.0;
    int64_t n = 0;
    for (int64_t t = 0; t < mesh->triangle_count && n < job->count; t++) {
        area_so_far += 0.5 * dlp__length(dlp__triangle_area(mesh->position, mesh->triangle + 3 * t));
        const bool last = t + 1 == mesh->triangle_count;
        while (n < job->count &&
               (last || ((double)n + random_unit(job, n, 0)) * area < area_so_far * (double)job->count)) {
            const dlp_Vec3 at = point_in(mesh, t, random_unit(job, n, 1), random_unit(job, n, 2));
            job->position[3 * n] = (float)at.x;
            job->position[3 * n + 1] = (float)at.y;
            job->position[3 * n + 2] = (float)at.z;
            job->triangle[n++] = (uint32_t)t;
        }
    }
}

/* The closest sample so far. */
typedef struct NearestSample {
    double squared_distance; /* m2 */
    int32_t candidate;
} NearestSample;

/* On a tie the lower index. */
static void keep_closer(void *context, int32_t point, double squared_distance)
{
    NearestSample *nearest = context;
    if (squared_distance < nearest->squared_distance ||
        (squared_distance == nearest->squared_distance && point < nearest->candidate)) {
        nearest->squared_distance = squared_distance;
        nearest->candidate = point;
    }
}

static NearestSample find_nearest(const dlp__PointGrid *grid, const float point[3])
{
    NearestSample nearest = {.squared_distance = INFINITY, .candidate = -1};
    dlp__point_grid_visit(grid, point, keep_closer, &nearest);
    return nearest;
}

static int64_t gcd(int64_t a, int64_t b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* Select every candidate that is at least `min_distance` (m) from all selected before. The order jumps over the
 * surface: steps of about 0.618 of the count, coprime with it, visit each candidate once. */
static void throw_darts(Job *job, dlp__PointGrid *grid, double min_distance)
{
    int64_t step = (int64_t)(0.6180339887498949 * (double)job->count) + 1;
    while (gcd(job->count, step) != 1) {
        step++;
    }
    int64_t n = (int64_t)(random_unit(job, 0, 3) * (double)job->count);
    for (int64_t k = 0; k < job->count && job->samples < job->max_samples; k++) {
        if (!(find_nearest(grid, job->position + 3 * n).squared_distance < min_distance * min_distance)) {
            dlp__point_grid_add(grid, (int32_t)n);
            job->sample[job->samples++] = (int32_t)n;
        }
        n = (n + step) % job->count;
    }
}

static dlp_Vec3 candidate_position(const Job *job, int64_t n)
{
    return dlp__mesh_vertex(job->position, (uint32_t)n);
}

/* `owner` is the index of a candidate's sample; candidates that are samples themselves are set first. */
static void assign_candidates(Job *job, const dlp__PointGrid *grid)
{
    for (int64_t s = 0; s < job->samples; s++) {
        job->owner[job->sample[s]] = (int32_t)s;
        job->center[s] = dlp__vec3(0.0, 0.0, 0.0);
        job->best[s] = 0.0;
    }
    for (int64_t n = 0; n < job->count; n++) {
        const int32_t nearest = find_nearest(grid, job->position + 3 * n).candidate;
        const int32_t s = nearest >= 0 ? job->owner[nearest] : 0;
        if (nearest != n) {
            job->owner[n] = s;
        }
        job->center[s] = dlp__add(job->center[s], candidate_position(job, n));
        job->best[s] += 1.0;
    }
}

/* Each sample becomes the candidate of its set that is closest to their centroid. */
static void relax_samples(Job *job)
{
    for (int64_t s = 0; s < job->samples; s++) {
        job->center[s] = dlp__scale(job->center[s], 1.0 / job->best[s]);
        job->best[s] = INFINITY;
    }
    for (int64_t n = 0; n < job->count; n++) {
        const int32_t s = job->owner[n];
        const dlp_Vec3 offset = dlp__sub(candidate_position(job, n), job->center[s]);
        const double squared_distance = dlp__dot(offset, offset);
        if (squared_distance < job->best[s]) {
            job->best[s] = squared_distance;
            job->sample[s] = (int32_t)n;
        }
    }
}

static bool fill_grid(const Job *job, dlp__PointGrid *grid)
{
    const bool ok = dlp__point_grid_init(grid, job->memory, job->position, job->count, job->spacing);
    for (int64_t s = 0; s < job->samples && ok; s++) {
        dlp__point_grid_add(grid, job->sample[s]);
    }
    return ok;
}

/* False when out of memory. */
static bool select_samples(Job *job)
{
    dlp__PointGrid grid;
    bool ok = fill_grid(job, &grid);
    for (int iteration = 0; iteration <= ITERATIONS && ok; iteration++) {
        throw_darts(job, &grid, (iteration < ITERATIONS / 2 ? MIN_DISTANCE : MAX_GAP) * job->spacing);
        if (iteration < ITERATIONS) {
            assign_candidates(job, &grid);
            relax_samples(job);
            dlp__point_grid_release(&grid);
            ok = fill_grid(job, &grid);
        }
    }
    dlp__point_grid_release(&grid);
    return ok;
}

static bool store_samples(const Job *job, dlp__SurfaceSamples *samples)
{
    samples->position = dlp__memory_get(job->memory, job->samples, 3 * sizeof(float));
    samples->triangle = dlp__memory_get(job->memory, job->samples, sizeof *samples->triangle);
    samples->count = job->samples;
    for (int64_t s = 0; s < job->samples && samples->position != NULL && samples->triangle != NULL; s++) {
        memcpy(samples->position + 3 * s, job->position + 3 * (int64_t)job->sample[s], 3 * sizeof(float));
        samples->triangle[s] = job->triangle[job->sample[s]];
    }
    return samples->position != NULL && samples->triangle != NULL;
}

static bool allocate_job(Job *job)
{
    job->position = dlp__memory_get(job->memory, job->count, 3 * sizeof(float));
    job->triangle = dlp__memory_get(job->memory, job->count, sizeof *job->triangle);
    job->owner = dlp__memory_get(job->memory, job->count, sizeof *job->owner);
    job->sample = dlp__memory_get(job->memory, job->max_samples, sizeof *job->sample);
    job->center = dlp__memory_get(job->memory, job->max_samples, sizeof *job->center);
    job->best = dlp__memory_get(job->memory, job->max_samples, sizeof *job->best);
    return job->position != NULL && job->triangle != NULL && job->owner != NULL && job->sample != NULL &&
           job->center != NULL && job->best != NULL;
}

static void release_job(Job *job)
{
    dlp__memory_release(job->memory, job->best, job->max_samples, sizeof *job->best);
    dlp__memory_release(job->memory, job->center, job->max_samples, sizeof *job->center);
    dlp__memory_release(job->memory, job->sample, job->max_samples, sizeof *job->sample);
    dlp__memory_release(job->memory, job->owner, job->count, sizeof *job->owner);
    dlp__memory_release(job->memory, job->triangle, job->count, sizeof *job->triangle);
    dlp__memory_release(job->memory, job->position, job->count, 3 * sizeof(float));
}

dlp_Result dlp__surface_samples_make(dlp__SurfaceSamples *samples, const dlp_Mesh *mesh, double spacing, uint64_t seed,
                                     dlp__Memory *memory, dlp_Error *error)
{
    *samples = (dlp__SurfaceSamples){.memory = memory};
    const double area = area_of(mesh), wanted = area / (spacing * spacing);
    if (!(wanted <= (double)DLP_MAX_SURFACE_SAMPLES)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "a surface of %g m2 needs more than %lld samples %g m apart: check its scale, or use a larger spacing",
            area, (long long)DLP_MAX_SURFACE_SAMPLES, spacing);
    }
    Job job = {.memory = memory, .mesh = mesh, .spacing = spacing, .seed = seed};
    job.count = CANDIDATES * ((int64_t)wanted + 8);
    /* Discs of half of MAX_GAP do not overlap: at most 2.1 times the wanted number on a plane. */
    job.max_samples = 3 * ((int64_t)wanted + 8);
    bool ok = allocate_job(&job);
    if (ok) {
        scatter(&job, area);
        ok = select_samples(&job) && store_samples(&job, samples);
    }
    release_job(&job);
    return ok ? DLP_OK : dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %.0f surface samples", wanted);
}

void dlp__surface_samples_release(dlp__SurfaceSamples *samples)
{
    if (samples->memory != NULL) {
        dlp__memory_release(samples->memory, samples->triangle, samples->count, sizeof *samples->triangle);
        dlp__memory_release(samples->memory, samples->position, samples->count, 3 * sizeof(float));
    }
    *samples = (dlp__SurfaceSamples){0};
}
