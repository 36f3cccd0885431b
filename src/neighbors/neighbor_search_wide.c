/* Finds the neighbours of every particle of a cell among those of the 27 cells around it, DLP_WIDTH candidates at a
 * time. Candidates come in ranges of the sorted store, so loads are contiguous and the order is cell, then id. A shorter radius
 * selects among the neighbours found: there the lanes are DLP_WIDTH particles. */
#include "base/simd.h"
#include "neighbors/neighbor_search.h"

typedef struct Candidates {
    dlp__IndexRange range[DLP_CELL_RANGES];
    int count;
} Candidates;

/* The only distance test: neighbours within two radii agree to the bit. */
DLP_INLINE dlp__WideMask is_within(dlp__Wide dx, dlp__Wide dy, dlp__Wide dz, float radius_squared)
{
    return dlp__wide_less(dx * dx + dy * dy + dz * dz, dlp__wide(radius_squared));
}

DLP_INLINE unsigned neighbor_bits(const dlp__NeighborSearch *search, int32_t i, int32_t j, int32_t end)
{
    const dlp__Particles *p = search->particles;
    dlp__Wide dx = dlp__wide(p->position[0][i]) - dlp__wide_load(p->position[0] + j);
    dlp__Wide dy = dlp__wide(p->position[1][i]) - dlp__wide_load(p->position[1] + j);
    dlp__Wide dz = dlp__wide(p->position[2][i]) - dlp__wide_load(p->position[2] + j);
    unsigned near = dlp__wide_bits(is_within(dx, dy, dz, search->radius_squared));
    unsigned past = end - j < DLP_WIDTH ? ~0u << (end - j) : 0u; /* beyond the range */
    unsigned itself = i >= j && i < j + DLP_WIDTH ? 1u << (i - j) : 0u;
    return near & ~(past | itself);
}

static int32_t count_neighbors(const dlp__NeighborSearch *search, const Candidates *around, int32_t i)
{
    int32_t count = 0;
    for (int r = 0; r < around->count; r++) {
        int32_t end = around->range[r].end;
        for (int32_t j = around->range[r].begin; j < end; j += DLP_WIDTH) {
            count += __builtin_popcount(neighbor_bits(search, i, j, end));
        }
    }
    return count;
}

/* Entries of one list are DLP_GROUP apart. Returns the position of the next one. */
static int32_t *scatter(int32_t *to, const int32_t *found, int count)
{
    for (int k = 0; k < count; k++, to += DLP_GROUP) {
        *to = found[k];
    }
    return to;
}

/* Few candidates are neighbours; they are first compressed without branches, then spread. */
static void fill_neighbors(const dlp__NeighborSearch *search, const Candidates *around, int32_t i)
{
    enum { MAX_FOUND = 128 };
    int32_t *to = dlp__neighbors_entry(search->list, i, 0);
    int32_t found[MAX_FOUND + DLP_WIDTH];
    int64_t group = i / DLP_GROUP;
    int count = 0;
    for (int r = 0; r < around->count; r++) {
        int32_t end = around->range[r].end;
        for (int32_t j = around->range[r].begin; j < end; j += DLP_WIDTH) {
            count += dlp__wide_compress(found + count, dlp__wide_count_from(j), neighbor_bits(search, i, j, end));
            if (count > MAX_FOUND) {
                to = scatter(to, found, count);
                count = 0;
            }
        }
    }
    to = scatter(to, found, count);
    int32_t *end = search->list->entry + search->list->start[group + 1] * DLP_GROUP + i % DLP_GROUP;
    for (; to < end; to += DLP_GROUP) {
        *to = i;
    }
}

void DLP_WIDE(dlp__neighbor_search)(void *context, int64_t begin, int64_t end)
{
    const dlp__NeighborSearch *search = context;
    const dlp__CellGrid *grid = search->grid;
    int64_t cursor[9];
    if (begin >= end) {
        return;
    }
    dlp__cells_cursor(grid, begin, cursor);
    for (int64_t cell = begin; cell < end; cell++) {
        int32_t first = grid->start[cell], last = first + grid->population[cell];
        if (first >= search->particles->count) { /* ghosts */
            continue;
        }
        Candidates around;
        around.count = dlp__cells_around(grid, cell, cursor, around.range);
        for (int32_t i = first; i < last; i++) {
            if (search->fill) {
                fill_neighbors(search, &around, i);
            } else {
                search->list->count[i] = count_neighbors(search, &around, i);
            }
        }
    }
}

/* x_i - x_j along one axis, of the particles i, i + 1, ... and a neighbour of each. */
DLP_INLINE dlp__Wide offset_along(const float *position, int64_t i, const int32_t *neighbor)
{
    float other[DLP_WIDTH];
    for (int lane = 0; lane < DLP_WIDTH; lane++) {
        other[lane] = position[neighbor[lane]];
    }
    return dlp__wide_load(position + i) - dlp__wide_load(other);
}

/* Which of the particles i, i + 1, ... have their k-th neighbour within the radius. */
DLP_INLINE unsigned selected_bits(const dlp__NeighborFilter *filter, int64_t i, int32_t k, const int32_t *neighbor)
{
    const dlp__Particles *p = filter->particles;
    dlp__WideMask near = is_within(offset_along(p->position[0], i, neighbor), offset_along(p->position[1], i, neighbor),
                                   offset_along(p->position[2], i, neighbor), filter->radius_squared);
    dlp__WideMask there = dlp__wide_int_less(dlp__wide_int(k), dlp__wide_load_int(filter->full->count + i));
    return dlp__wide_bits(dlp__wide_both(near, there));
}

static void count_selected(const dlp__NeighborFilter *filter, int64_t i, int32_t rows)
{
    int32_t count[DLP_WIDTH] = {0};
    for (int32_t k = 0; k < rows; k++) {
        unsigned bits = selected_bits(filter, i, k, dlp__neighbors_entry(filter->full, i, k));
        for (int lane = 0; lane < DLP_WIDTH; lane++) {
            count[lane] += (int32_t)(bits >> lane & 1u);
        }
    }
    memcpy(filter->list->count + i, count, sizeof count);
}

static void fill_selected(const dlp__NeighborFilter *filter, int64_t i, int32_t rows)
{
    int32_t *to[DLP_WIDTH];
    for (int lane = 0; lane < DLP_WIDTH; lane++) {
        to[lane] = dlp__neighbors_entry(filter->list, i + lane, 0);
    }
    for (int32_t k = 0; k < rows; k++) {
        const int32_t *neighbor = dlp__neighbors_entry(filter->full, i, k);
        for (unsigned bits = selected_bits(filter, i, k, neighbor); bits != 0; bits &= bits - 1) {
            int lane = __builtin_ctz(bits);
            *to[lane] = neighbor[lane];
            to[lane] += DLP_GROUP;
        }
    }
    const int32_t *end = filter->list->entry + filter->list->start[i / DLP_GROUP + 1] * DLP_GROUP;
    for (int lane = 0; lane < DLP_WIDTH; lane++) {
        for (; to[lane] < end; to[lane] += DLP_GROUP) {
            *to[lane] = (int32_t)i + lane;
        }
    }
}

void DLP_WIDE(dlp__neighbor_filter)(void *context, int64_t begin, int64_t end)
{
    const dlp__NeighborFilter *filter = context;
    for (int64_t group = begin; group < end; group++) {
        int32_t rows = (int32_t)(filter->full->start[group + 1] - filter->full->start[group]);
        for (int64_t i = group * DLP_GROUP; i < (group + 1) * DLP_GROUP; i += DLP_WIDTH) {
            if (filter->fill) {
                fill_selected(filter, i, rows);
            } else {
                count_selected(filter, i, rows);
            }
        }
    }
}
