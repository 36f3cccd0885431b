/* Sorts points into cells, visits rows of cells, and marks cells deep inside the fluid. */
#include "surface/surface_points.h"

#include <string.h>

enum { CHUNK_POINTS = 4096, CHUNK_CELLS = 256 };

/* Of the expected points per cell: with fewer points a cell may contain a bubble. */
static const double FULL_FRACTION = 0.8;

void dlp__surface_points_init(dlp__SurfacePoints *points, dlp__Memory *memory)
{
    static const dlp__FieldId fields[] = {DLP_FIELD_id, DLP_FIELD_position, DLP_FIELD_NONE};
    memset(points, 0, sizeof *points);
    points->memory = memory;
    dlp__particles_init(&points->particles, memory, NULL, fields);
}

void dlp__surface_points_release(dlp__SurfacePoints *points)
{
    dlp__buffer_release(points->memory, &points->inner_buffer);
    dlp__buffer_release(points->memory, &points->keys);
    dlp__buffer_release(points->memory, &points->scratch);
    dlp__cells_release(&points->grid, points->memory);
    dlp__particles_release(&points->particles);
}

void dlp__surface_points_visit(const dlp__SurfacePoints *points, dlp__Cell low, dlp__Cell high, dlp__RowVisitor visit,
                               void *context)
{
    const dlp__CellGrid *grid = &points->grid;
    for (int32_t z = low.z; z <= high.z; z++) {
        for (int32_t y = low.y; y <= high.y; y++) {
            int64_t first = dlp__key_lower_bound(grid->key, grid->count, dlp__cell_key((dlp__Cell){low.x, y, z}));
            uint64_t last = dlp__cell_key((dlp__Cell){high.x, y, z});
            int64_t end = first;
            while (end < grid->count && grid->key[end] <= last) {
                end++;
            }
            if (end > first) {
                visit(context, grid->start[first], grid->start[end - 1] + grid->population[end - 1]);
            }
        }
    }
}

static void find_keys(void *context, int64_t begin, int64_t end)
{
    dlp__SurfacePoints *points = context;
    const dlp__Particles *p = &points->particles;
    uint64_t *keys = points->keys.data;
    for (int64_t i = begin; i < end; i++) {
        keys[i] = dlp__cell_key(dlp__cell_at(&points->frame, p->position[0][i], p->position[1][i], p->position[2][i]));
    }
}

typedef struct FullCells {
    dlp__SurfacePoints *points;
    int32_t min_points; /* in a full cell */
} FullCells;

static bool is_full(const dlp__CellGrid *grid, dlp__Cell cell, int32_t min_points)
{
    uint64_t key = dlp__cell_key(cell);
    int64_t found = dlp__key_lower_bound(grid->key, grid->count, key);
    return found < grid->count && grid->key[found] == key && grid->population[found] >= min_points;
}

static void find_inner_cells(void *context, int64_t begin, int64_t end)
{
    const FullCells *full_cells = context;
    const dlp__CellGrid *grid = &full_cells->points->grid;
    for (int64_t c = begin; c < end; c++) {
        dlp__Cell cell = dlp__cell_of_key(grid->key[c]);
        bool inner = grid->population[c] >= full_cells->min_points;
        for (int n = 0; n < 27 && inner; n++) {
            dlp__Cell other = {cell.x + n % 3 - 1, cell.y + n / 3 % 3 - 1, cell.z + n / 9 - 1};
            inner = is_full(grid, other, full_cells->min_points);
        }
        full_cells->points->inner[c] = inner;
    }
}

bool dlp__surface_points_set(dlp__SurfacePoints *points, const dlp_Points *from)
{
    dlp__Particles *p = &points->particles;
    p->count = 0;
    p->ghosts = 0;
    if (from->count > 0 && dlp__particles_add(p, from->count) < 0) {
        return false;
    }
    for (int64_t i = 0; i < from->count; i++) {
        p->id[0][i] = (uint64_t)i;
    }
    for (int a = 0; a < 3 && from->count > 0; a++) {
        memcpy(p->position[a], from->position[a], (size_t)from->count * sizeof(float));
    }
    return true;
}

bool dlp__surface_points_sort(dlp__SurfacePoints *points, const dlp__Parallel *parallel, double reach, double spacing)
{
    static const double open[3] = {0.0, 0.0, 0.0};
    dlp__Memory *memory = points->memory;
    const int64_t count = points->particles.count;
    dlp__cell_frame_init(&points->frame, reach, open, open);
    if (!dlp__buffer_reserve(memory, &points->keys, count, sizeof(uint64_t))) {
        return false;
    }
    dlp__parallel_for(parallel, count, CHUNK_POINTS, find_keys, points);
    if (!dlp__cell_sort(&points->scratch, &points->particles, parallel, points->keys.data) ||
        !dlp__cells_list(&points->grid, memory, points->keys.data, count) ||
        !dlp__buffer_reserve(memory, &points->inner_buffer, points->grid.count, 1)) {
        return false;
    }
    points->inner = points->inner_buffer.data;
    double cell = reach / spacing;
    FullCells full_cells = {points, (int32_t)(FULL_FRACTION * cell * cell * cell)};
    dlp__parallel_for(parallel, points->grid.count, CHUNK_CELLS, find_inner_cells, &full_cells);
    return true;
}
