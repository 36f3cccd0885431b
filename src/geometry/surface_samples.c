/* Many more candidates than samples lie scattered over the surface. Some are taken that keep a distance from each other (dart throwing);
 * then each moves to the middle of the candidates that are nearest to it, a few times (Lloyd's relaxation, on the candidates, so that
 * samples stay on the surface); and where a candidate is still far from all of them, it is taken too. */
#include "geometry/surface_samples.h"

#include "base/error.h"
#include "base/hash.h"
#include "geometry/mesh_triangle.h"
#include "geometry/point_grid.h"

#include <string.h>

enum {
    CANDIDATES = 40 /* for each sample */,
    ROUNDS = 8 /* of moving them: more than these changed little on a torus */
};

/* In spacings: how far samples are from each other at the beginning, and any candidate from them in the later rounds at most. Measured on torus,
 * bowl, ball and cube: closer at the beginning makes them more than one for each square, farther at the end leaves holes. */
static const double APART = 0.87, HOLE = 0.765;

typedef struct Job {
    dlp__Memory *memory;
    const dlp_Mesh *mesh;
    double spacing; /* m */
    uint64_t seed;
    int64_t count, ok; /* candidates, samples at most */
    float *position;   /* m, of the candidates */
    uint32_t *triangle;
    int32_t *owner;   /* which sample each candidate is nearest to */
    int32_t *sample;  /* which candidate each sample is            */
    dlp_Vec3 *middle; /* m, sum of the places of what it owns, then their mean */
    double *best;     /* m2, how near the nearest of them is to that; before, how many they are */
    int64_t samples;
} Job;

/* 0 to 1 */
static double random_of(const Job *job, int64_t candidate, int which)
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
    const bool over = u + v > 1.0;
    return dlp__add(a, dlp__add(dlp__scale(b, over ? 1.0 - u : u), dlp__scale(c, over ? 1.0 - v : v)));
}

/* The area is cut into as many equal parts as there are candidates, triangle after triangle, and each part gets one. */
static void scatter(Job *job, double area)
{
    const dlp_Mesh *mesh = job->mesh;
    double passed = 0.0;
    int64_t n = 0;
    for (int64_t t = 0; t < mesh->triangle_count && n < job->count; t++) {
        passed += 0.5 * dlp__length(dlp__triangle_area(mesh->position, mesh->triangle + 3 * t));
        const bool last = t + 1 == mesh->triangle_count;
        while (n < job->count && (last || ((double)n + random_of(job, n, 0)) * area < passed * (double)job->count)) {
            const dlp_Vec3 at = point_in(mesh, t, random_of(job, n, 1), random_of(job, n, 2));
            job->position[3 * n] = (float)at.x;
            job->position[3 * n + 1] = (float)at.y;
            job->position[3 * n + 2] = (float)at.z;
            job->triangle[n++] = (uint32_t)t;
        }
    }
}

/* The nearest sample so far. */
typedef struct Nearest {
    double square; /* m2 */
    int32_t candidate;
} Nearest;

/* Of those as near, the one with the lower number. */
static void try_point(void *context, int32_t point, double square)
{
    Nearest *nearest = context;
    if (square < nearest->square || (square == nearest->square && point < nearest->candidate)) {
        nearest->square = square;
        nearest->candidate = point;
    }
}

static Nearest find_nearest(const dlp__PointGrid *grid, const float place[3])
{
    Nearest nearest = {.square = INFINITY, .candidate = -1};
    dlp__point_grid_visit(grid, place, try_point, &nearest);
    return nearest;
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    return b == 0 ? a : greatest_divisor(b, a % b);
}

/* Take every candidate that is as far as `least` (m) from all taken before. They are tried in an order that jumps about the surface: by steps of
 * about 0.618 of their number, which comes to each of them once. */
static void take_far_ones(Job *job, dlp__PointGrid *grid, double least)
{
    int64_t step = (int64_t)(0.6180339887498949 * (double)job->count) + 1;
    while (greatest_divisor(job->count, step) != 1) {
        step++;
    }
    int64_t n = (int64_t)(random_of(job, 0, 3) * (double)job->count);
    for (int64_t k = 0; k < job->count && job->samples < job->ok; k++) {
        if (!(find_nearest(grid, job->position + 3 * n).square < least * least)) {
            dlp__point_grid_add(grid, (int32_t)n);
            job->sample[job->samples++] = (int32_t)n;
        }
        n = (n + step) % job->count;
    }
}

static dlp_Vec3 place_of(const Job *job, int64_t n)
{
    return dlp__mesh_vertex(job->position, (uint32_t)n);
}

/* `owner` tells the sample of a candidate by its number among the samples; of those that are samples it is known first. */
static void share_out(Job *job, const dlp__PointGrid *grid)
{
    for (int64_t s = 0; s < job->samples; s++) {
        job->owner[job->sample[s]] = (int32_t)s;
        job->middle[s] = dlp__vec3(0.0, 0.0, 0.0);
        job->best[s] = 0.0;
    }
    for (int64_t n = 0; n < job->count; n++) {
        const int32_t nearest = find_nearest(grid, job->position + 3 * n).candidate;
        const int32_t s = nearest >= 0 ? job->owner[nearest] : 0;
        if (nearest != n) {
            job->owner[n] = s;
        }
        job->middle[s] = dlp__add(job->middle[s], place_of(job, n));
        job->best[s] += 1.0;
    }
}

/* Each sample becomes the candidate of its own that is nearest to their middle. */
static void move_samples(Job *job)
{
    for (int64_t s = 0; s < job->samples; s++) {
        job->middle[s] = dlp__scale(job->middle[s], 1.0 / job->best[s]);
        job->best[s] = INFINITY;
    }
    for (int64_t n = 0; n < job->count; n++) {
        const int32_t s = job->owner[n];
        const dlp_Vec3 away = dlp__sub(place_of(job, n), job->middle[s]);
        const double square = dlp__dot(away, away);
        if (square < job->best[s]) {
            job->best[s] = square;
            job->sample[s] = (int32_t)n;
        }
    }
}

static bool fill_grid(const Job *job, dlp__PointGrid *grid)
{
    const bool enough = dlp__point_grid_init(grid, job->memory, job->position, job->count, job->spacing);
    for (int64_t s = 0; s < job->samples && enough; s++) {
        dlp__point_grid_add(grid, job->sample[s]);
    }
    return enough;
}

/* False when memory is out. */
static bool choose(Job *job)
{
    dlp__PointGrid grid;
    bool enough = fill_grid(job, &grid);
    for (int round = 0; round <= ROUNDS && enough; round++) {
        take_far_ones(job, &grid, (round < ROUNDS / 2 ? APART : HOLE) * job->spacing);
        if (round < ROUNDS) {
            share_out(job, &grid);
            move_samples(job);
            dlp__point_grid_release(&grid);
            enough = fill_grid(job, &grid);
        }
    }
    dlp__point_grid_release(&grid);
    return enough;
}

static bool keep(const Job *job, dlp__SurfaceSamples *samples)
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

static bool get_room(Job *job)
{
    job->position = dlp__memory_get(job->memory, job->count, 3 * sizeof(float));
    job->triangle = dlp__memory_get(job->memory, job->count, sizeof *job->triangle);
    job->owner = dlp__memory_get(job->memory, job->count, sizeof *job->owner);
    job->sample = dlp__memory_get(job->memory, job->ok, sizeof *job->sample);
    job->middle = dlp__memory_get(job->memory, job->ok, sizeof *job->middle);
    job->best = dlp__memory_get(job->memory, job->ok, sizeof *job->best);
    return job->position != NULL && job->triangle != NULL && job->owner != NULL && job->sample != NULL &&
           job->middle != NULL && job->best != NULL;
}

static void release_room(Job *job)
{
    dlp__memory_release(job->memory, job->best, job->ok, sizeof *job->best);
    dlp__memory_release(job->memory, job->middle, job->ok, sizeof *job->middle);
    dlp__memory_release(job->memory, job->sample, job->ok, sizeof *job->sample);
    dlp__memory_release(job->memory, job->owner, job->count, sizeof *job->owner);
    dlp__memory_release(job->memory, job->triangle, job->count, sizeof *job->triangle);
    dlp__memory_release(job->memory, job->position, job->count, 3 * sizeof(float));
}

dlp_Result dlp__surface_samples_make(dlp__SurfaceSamples *samples, const dlp_Mesh *mesh, double spacing, uint64_t seed,
                                     dlp__Memory *memory, dlp_Error *error)
{
    *samples = (dlp__SurfaceSamples){.memory = memory};
    const double area = area_of(mesh), wanted = area / (spacing * spacing);
    if (!(wanted <= (double)DLP_SAMPLES_MOST)) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "a surface of %g m2 needs more than %lld samples %g m apart: check its scale, or take them "
                         "farther apart",
                         area, (long long)DLP_SAMPLES_MOST, spacing);
    }
    Job job = {.memory = memory, .mesh = mesh, .spacing = spacing, .seed = seed};
    job.count = CANDIDATES * ((int64_t)wanted + 8);
    job.ok = 3 * ((int64_t)wanted +
                  8); /* discs of half of HOLE overlap nothing: at most 2.1 of what is wanted on a plane */
    bool enough = get_room(&job);
    if (enough) {
        scatter(&job, area);
        enough = choose(&job) && keep(&job, samples);
    }
    release_room(&job);
    return enough ? DLP_OK : dlp__fail(error, DLP_ERROR_MEMORY, "no memory for %.0f samples of a surface", wanted);
}

void dlp__surface_samples_release(dlp__SurfaceSamples *samples)
{
    if (samples->memory != NULL) {
        dlp__memory_release(samples->memory, samples->triangle, samples->count, sizeof *samples->triangle);
        dlp__memory_release(samples->memory, samples->position, samples->count, 3 * sizeof(float));
    }
    *samples = (dlp__SurfaceSamples){0};
}
