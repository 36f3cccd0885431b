/* Flood fills over a hash grid: a grid over the bounding box would have no bound when particles fly away. */
#include "studies/thread_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI          3.14159265358979323846
#define PIECE_REACH 1.5 /* spacings                                                  */
#define LOST_REACH  2.0 /* spacings                                                  */
#define TOUCH       1.2 /* spacings; particles at rest touch a wall at half of one   */
enum { UPPER = 1, LOWER = 2, NEAR_ANY = 4 };

typedef struct Grid {
    const StudyParticles *particles;
    double cell;    /* m                                               */
    int64_t *head;  /* of each bucket, -1: none                        */
    int64_t *next;  /* of each particle, -1: none                      */
    int64_t *queue; /* of particles whose neighbours are still to come */
    uint64_t mask;
} Grid;

static uint64_t bucket_of(const Grid *grid, const int64_t cell[3])
{
    const uint64_t key = (uint64_t)cell[0] * 73856093u ^ (uint64_t)cell[1] * 19349663u ^ (uint64_t)cell[2] * 83492791u;
    return (key ^ key >> 17) & grid->mask;
}

static void cell_of(const Grid *grid, const float x[3], int64_t cell[3])
{
    for (int a = 0; a < 3; a++) {
        cell[a] = (int64_t)floor(fmin(fmax((double)x[a] / grid->cell, -1e9), 1e9));
    }
}

static void grid_free(Grid *grid)
{
    free(grid->head);
    free(grid->next);
    free(grid->queue);
}

static bool grid_make(Grid *grid, const StudyParticles *particles, double cell)
{
    const size_t count = (size_t)particles->count;
    size_t buckets = 64;
    while (buckets < 2 * count) {
        buckets *= 2;
    }
    *grid = (Grid){particles,
                   cell,
                   malloc(buckets * sizeof *grid->head),
                   malloc((count + 1) * sizeof *grid->next),
                   malloc((count + 1) * sizeof *grid->queue),
                   buckets - 1};
    if (!grid->head || !grid->next || !grid->queue) {
        grid_free(grid);
        return false;
    }
    memset(grid->head, -1, buckets * sizeof *grid->head);
    for (int64_t i = 0; i < particles->count; i++) {
        int64_t at[3];
        cell_of(grid, particles->position[i], at);
        int64_t *head = &grid->head[bucket_of(grid, at)];
        grid->next[i] = *head;
        *head = i;
    }
    return true;
}

static bool is_near(const float a[3], const float b[3], double reach)
{
    const double x = (double)(a[0] - b[0]), y = (double)(a[1] - b[1]), z = (double)(a[2] - b[2]);
    return x * x + y * y + z * z < reach * reach;
}

/* Mark the particles within `reach` of particle i that are not marked yet, and put them into the queue. */
static int64_t mark_neighbors(const Grid *grid, uint8_t *marks, uint8_t mark, int64_t i, double reach, int64_t queued)
{
    const float(*x)[3] = (const float(*)[3])grid->particles->position;
    int64_t at[3];
    cell_of(grid, x[i], at);
    for (int n = 0; n < 27; n++) {
        const int64_t cell[3] = {at[0] + n % 3 - 1, at[1] + n / 3 % 3 - 1, at[2] + n / 9 - 1};
        for (int64_t j = grid->head[bucket_of(grid, cell)]; j >= 0; j = grid->next[j]) {
            if (!(marks[j] & mark) && is_near(x[i], x[j], reach)) {
                marks[j] |= mark;
                grid->queue[queued++] = j;
            }
        }
    }
    return queued;
}

/* Mark the particles that touch a plate and all that are connected to them. */
static void flood(const Grid *grid, uint8_t *marks, uint8_t mark, double reach, double from, double to)
{
    const StudyParticles *particles = grid->particles;
    int64_t queued = 0;
    for (int64_t i = 0; i < particles->count; i++) {
        const double z = (double)particles->position[i][2];
        if (!(marks[i] & mark) && z >= from && z <= to) {
            marks[i] |= mark;
            grid->queue[queued++] = i;
        }
    }
    for (int64_t n = 0; n < queued; n++) {
        queued = mark_neighbors(grid, marks, mark, grid->queue[n], reach, queued);
    }
}

static void mark_parts(const Grid *grid, uint8_t *marks, double spacing, ThreadPlates plates)
{
    const double touch = TOUCH * spacing;
    flood(grid, marks, UPPER, PIECE_REACH * spacing, plates.upper - touch, plates.upper);
    flood(grid, marks, LOWER, PIECE_REACH * spacing, plates.lower, plates.lower + touch);
    flood(grid, marks, NEAR_ANY, LOST_REACH * spacing, plates.upper - touch, plates.upper);
    flood(grid, marks, NEAR_ANY, LOST_REACH * spacing, plates.lower, plates.lower + touch);
}

void thread_find_parts(StudyRun *run, const StudyParticles *particles, double spacing, ThreadPlates plates,
                       ThreadParts *parts)
{
    Grid grid;
    if (parts->capacity < particles->count) {
        thread_parts_free(parts);
        parts->connected = malloc((size_t)particles->count);
        parts->capacity = parts->connected ? particles->count : 0;
    }
    if (!parts->connected || !grid_make(&grid, particles, LOST_REACH * spacing)) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return;
    }
    memset(parts->connected, 0, (size_t)particles->count);
    mark_parts(&grid, parts->connected, spacing, plates);
    int64_t lost = 0;
    parts->whole = false;
    parts->upper_tip = plates.upper;
    parts->lower_tip = plates.lower;
    for (int64_t i = 0; i < particles->count; i++) {
        uint8_t *mark = &parts->connected[i];
        const double z = (double)particles->position[i][2];
        parts->whole = parts->whole || (*mark & UPPER && *mark & LOWER);
        parts->upper_tip = *mark & UPPER ? fmin(parts->upper_tip, z) : parts->upper_tip;
        parts->lower_tip = *mark & LOWER ? fmax(parts->lower_tip, z) : parts->lower_tip;
        *mark = (*mark & NEAR_ANY) != 0;
        lost += !*mark;
    }
    parts->dispersed = (double)lost / fmax((double)particles->count, 1);
    grid_free(&grid);
}

void thread_parts_free(ThreadParts *parts)
{
    free(parts->connected);
    parts->connected = NULL;
    parts->capacity = 0;
}

double thread_radius(const StudyParticles *particles, const ThreadParts *parts, double spacing, double from, double to)
{
    double count = 0;
    for (int64_t i = 0; i < particles->count && parts->connected; i++) {
        const double z = (double)particles->position[i][2];
        count += parts->connected[i] && z >= from && z < to;
    }
    return sqrt(count * spacing * spacing * spacing / (PI * (to - from)));
}

double thread_least_radius(const StudyParticles *particles, const ThreadParts *parts, double spacing,
                           ThreadPlates plates)
{
    const int slices = (int)ceil(2 * (plates.upper - plates.lower) / spacing) - 10; /* two spacings from each plate */
    double least = INFINITY;
    for (int n = 0; n < slices; n++) {
        const double from = plates.lower + (2 + 0.5 * n) * spacing;
        least = fmin(least, thread_radius(particles, parts, spacing, from, from + spacing));
    }
    return least;
}
