/* A hash grid with linked lists of points per bucket. */
#include "geometry/point_grid.h"

#include "base/hash.h"

#include <math.h>

typedef struct Cell {
    int64_t x, y, z;
} Cell;

static Cell cell_of(const dlp__PointGrid *grid, const float center[3])
{
    return (Cell){(int64_t)floor((double)center[0] / grid->cell), (int64_t)floor((double)center[1] / grid->cell),
                  (int64_t)floor((double)center[2] / grid->cell)};
}

static int64_t bucket_of(const dlp__PointGrid *grid, Cell cell)
{
    uint64_t hash = dlp__hash_word(DLP_HASH_SEED, (uint64_t)cell.x);
    hash = dlp__hash_word(dlp__hash_word(hash, (uint64_t)cell.y), (uint64_t)cell.z);
    return (int64_t)(dlp__hash_finish(hash) & (uint64_t)(grid->buckets - 1));
}

bool dlp__point_grid_init(dlp__PointGrid *grid, dlp__Memory *memory, const float *position, int64_t capacity,
                          double cell)
{
    *grid = (dlp__PointGrid){.memory = memory, .position = position, .cell = cell, .capacity = capacity, .buckets = 1};
    while (grid->buckets < capacity) {
        grid->buckets *= 2;
    }
    grid->first = dlp__memory_get(memory, grid->buckets, sizeof *grid->first);
    grid->next = dlp__memory_get(memory, capacity, sizeof *grid->next);
    const bool ok = grid->first != NULL && grid->next != NULL;
    for (int64_t n = 0; n < grid->buckets && ok; n++) {
        grid->first[n] = -1;
    }
    return ok;
}

void dlp__point_grid_release(dlp__PointGrid *grid)
{
    dlp__memory_release(grid->memory, grid->next, grid->capacity, sizeof *grid->next);
    dlp__memory_release(grid->memory, grid->first, grid->buckets, sizeof *grid->first);
    *grid = (dlp__PointGrid){0};
}

void dlp__point_grid_add(dlp__PointGrid *grid, int32_t point)
{
    const int64_t bucket = bucket_of(grid, cell_of(grid, grid->position + 3 * (int64_t)point));
    grid->next[point] = grid->first[bucket];
    grid->first[bucket] = point;
}

/* Visit the points of one cell; other cells may share its bucket and are skipped. */
static void visit_cell(const dlp__PointGrid *grid, Cell cell, const float center[3], dlp__PointVisitor visit,
                       void *context)
{
    for (int32_t n = grid->first[bucket_of(grid, cell)]; n >= 0; n = grid->next[n]) {
        const float *p = grid->position + 3 * (int64_t)n;
        const double x = (double)p[0] - (double)center[0], y = (double)p[1] - (double)center[1],
                     z = (double)p[2] - (double)center[2], squared_distance = x * x + y * y + z * z;
        if (squared_distance < grid->cell * grid->cell) {
            const Cell own = cell_of(grid, p);
            if (own.x == cell.x && own.y == cell.y && own.z == cell.z) {
                visit(context, n, squared_distance);
            }
        }
    }
}

void dlp__point_grid_visit(const dlp__PointGrid *grid, const float center[3], dlp__PointVisitor visit, void *context)
{
    const Cell center_cell = cell_of(grid, center);
    for (int n = 0; n < 27; n++) {
        const Cell cell = {center_cell.x + n % 3 - 1, center_cell.y + n / 3 % 3 - 1, center_cell.z + n / 9 - 1};
        visit_cell(grid, cell, center, visit, context);
    }
}
