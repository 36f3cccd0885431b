/* Finds the neighbours of every particle of a cell. The particles of the 27 cells around it that are near enough to the box of the cell's
 * own particles are first copied to a table of candidates, in the order of the store: cell, then id. Each particle then tests the table,
 * DLP_WIDTH candidates at a time. A shorter radius selects among the neighbours found: there the lanes are DLP_WIDTH particles. */
#include "base/simd.h"
#include "neighbors/neighbor_search.h"

/* The only distance test: neighbours within two radii agree to the bit. */
DLP_INLINE dlp__WideMask is_within(dlp__Wide dx, dlp__Wide dy, dlp__Wide dz, float radius_squared)
{
    return dlp__wide_less(dx * dx + dy * dy + dz * dz, dlp__wide(radius_squared));
}

/* Particles of one cell that are searched together, and the box around them. */
enum { BATCH = 64 };

typedef struct Batch {
    int32_t first, last;
    dlp__Wide lower[3], upper[3]; /* m, the same in all lanes */
    int32_t *to[BATCH];           /* the next entry of each list */
} Batch;

/* Candidates for the neighbours of a batch; a crowded cell needs several tables. The last vector is completed with NaN positions, which
 * are near nothing. */
enum { TABLE = 512 };

typedef struct Table {
    int count;
    int32_t index[TABLE + 2 * DLP_WIDTH];
    float position[3][TABLE + 2 * DLP_WIDTH]; /* m */
} Table;

/* The ranges of particles in the 27 cells, and the rest of the current one, which is not in a table yet. */
typedef struct Candidates {
    dlp__IndexRange range[DLP_CELL_RANGES + 1];
    int count, current;
    dlp__IndexRange rest;
} Candidates;

/* The smallest box around the particles; NaN positions are ignored. */
static void find_box(Batch *batch, const dlp__Particles *p)
{
    float lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = batch->first; i < batch->last; i++) {
        for (int a = 0; a < 3; a++) {
            const float x = p->position[a][i];
            lower[a] = x < lower[a] ? x : lower[a];
            upper[a] = x > upper[a] ? x : upper[a];
        }
    }
    for (int a = 0; a < 3; a++) {
        batch->lower[a] = dlp__wide(lower[a]);
        batch->upper[a] = dlp__wide(upper[a]);
    }
}

/* Offsets along one axis from the nearest point of the box. Rounding is monotonic, so no particle in the box has a smaller one. */
DLP_INLINE dlp__Wide offset_from_box(const Batch *batch, int axis, dlp__Wide x)
{
    return x - dlp__wide_min(dlp__wide_max(x, batch->lower[axis]), batch->upper[axis]);
}

/* Append those of the particles of a range that are near the box, until the table is full. */
static void add_range(Table *table, const dlp__NeighborSearch *search, const Batch *batch, dlp__IndexRange *range)
{
    const float *const *position = (const float *const *)search->particles->position;
    const float *const px = position[0], *const py = position[1], *const pz = position[2];
    const float radius_squared = search->radius_squared;
    const int32_t end = range->end;
    int32_t j = range->begin;
    int count = table->count;
    for (; j < end && count <= TABLE - DLP_WIDTH; j += DLP_WIDTH) {
        const dlp__Wide x = dlp__wide_load(px + j), y = dlp__wide_load(py + j), z = dlp__wide_load(pz + j);
        const dlp__WideInt index = dlp__wide_count_from(j);
        const dlp__WideMask near = is_within(offset_from_box(batch, 0, x), offset_from_box(batch, 1, y),
                                             offset_from_box(batch, 2, z), radius_squared);
        const unsigned bits = dlp__wide_bits(dlp__wide_both(near, dlp__wide_int_less(index, dlp__wide_int(end))));
        dlp__wide_compress_floats(table->position[0] + count, x, bits);
        dlp__wide_compress_floats(table->position[1] + count, y, bits);
        dlp__wide_compress_floats(table->position[2] + count, z, bits);
        count += dlp__wide_compress(table->index + count, index, bits);
    }
    range->begin = j;
    table->count = count;
}

/* Fill the table with the next candidates near the box. */
static void fill_table(Table *table, const dlp__NeighborSearch *search, const Batch *batch, Candidates *around)
{
    table->count = 0;
    while (around->current < around->count) {
        add_range(table, search, batch, &around->rest);
        if (around->rest.begin < around->rest.end) {
            break;
        }
        around->current++;
        around->rest = around->range[around->current];
    }
    for (int a = 0; a < 3; a++) {
        dlp__wide_store(table->position[a] + table->count, dlp__wide(NAN));
    }
}

/* Which of the candidates n, n + 1, ... are neighbours of particle i at `x`. */
DLP_INLINE unsigned neighbor_bits(const dlp__NeighborSearch *search, const Table *table, int n, int32_t i,
                                  const dlp__Wide x[3])
{
    const dlp__WideMask near = is_within(x[0] - dlp__wide_load(table->position[0] + n),
                                         x[1] - dlp__wide_load(table->position[1] + n),
                                         x[2] - dlp__wide_load(table->position[2] + n), search->radius_squared);
    const dlp__WideMask itself = dlp__wide_int_equal(dlp__wide_load_int(table->index + n), dlp__wide_int(i));
    return dlp__wide_bits(dlp__wide_both(near, dlp__wide_not(itself)));
}

static void count_neighbors(const dlp__NeighborSearch *search, const Batch *batch, const Table *table)
{
    float *const *position = search->particles->position;
    for (int32_t i = batch->first; i < batch->last; i++) {
        const dlp__Wide x[3] = {dlp__wide(position[0][i]), dlp__wide(position[1][i]), dlp__wide(position[2][i])};
        int32_t count = 0;
        const int candidates = table->count;
        for (int n = 0; n < candidates; n += DLP_WIDTH) {
            count += __builtin_popcount(neighbor_bits(search, table, n, i, x));
        }
        search->list->count[i] += count;
    }
}

DLP_INLINE dlp__Wide as_floats(dlp__WideInt numbers)
{
    dlp__Wide patterns;
    memcpy(&patterns, &numbers, sizeof patterns);
    return patterns;
}

/* Count the neighbours and stage their numbers; after the last table the staged lists are padded with the particle itself. */
static void stage_neighbors(const dlp__NeighborSearch *search, const Batch *batch, const Table *table, bool is_last)
{
    float *const *position = search->particles->position;
    const int candidates = table->count, length = search->staged.length;
    for (int32_t i = batch->first; i < batch->last; i++) {
        const dlp__Wide x[3] = {dlp__wide(position[0][i]), dlp__wide(position[1][i]), dlp__wide(position[2][i])};
        float *to = search->staged.entry + dlp__staged_list(&search->staged, i);
        int32_t count = search->list->count[i];
        for (int n = 0; n < candidates; n += DLP_WIDTH) {
            count += dlp__wide_compress_floats(to + (count < length ? count : length),
                                               as_floats(dlp__wide_load_int(table->index + n)),
                                               neighbor_bits(search, table, n, i, x));
        }
        for (int32_t k = count; is_last && k < length; k += DLP_WIDTH) {
            dlp__wide_store(to + k, as_floats(dlp__wide_int(i)));
        }
        search->list->count[i] = count;
    }
}

/* Few candidates are neighbours: they are first compressed without branches, then spread over the rows of the list. After the last table
 * the list is padded up to `end`: lists of a group then have the same length, which makes the loop predictable. */
static void fill_neighbors(const dlp__NeighborSearch *search, Batch *batch, const Table *table, bool is_last)
{
    float *const *position = search->particles->position;
    int32_t found[TABLE + 2 * DLP_WIDTH];
    for (int32_t i = batch->first; i < batch->last; i++) {
        const dlp__Wide x[3] = {dlp__wide(position[0][i]), dlp__wide(position[1][i]), dlp__wide(position[2][i])};
        const int32_t *end = search->list->entry + search->list->start[i / DLP_GROUP + 1] * DLP_GROUP + i % DLP_GROUP;
        int32_t *to = batch->to[i - batch->first];
        const int candidates = table->count;
        int count = 0;
        for (int n = 0; n < candidates; n += DLP_WIDTH) {
            count += dlp__wide_compress(found + count, dlp__wide_load_int(table->index + n),
                                        neighbor_bits(search, table, n, i, x));
        }
        if (is_last) {
            const int64_t rows = (end - to) / DLP_GROUP;
            const int padded = rows < TABLE ? (int)rows : TABLE;
            for (int k = count; k < padded; k += DLP_WIDTH) {
                dlp__wide_store_int(found + k, dlp__wide_int(i));
            }
            count = padded > count ? padded : count;
        }
        for (int k = 0; k < count; k++, to += DLP_GROUP) {
            *to = found[k];
        }
        for (; is_last && to < end; to += DLP_GROUP) {
            *to = i;
        }
        batch->to[i - batch->first] = to;
    }
}

/* Count or write the neighbours of a batch, with as many tables as the candidates need. */
static void search_batch(const dlp__NeighborSearch *search, Batch *batch, Candidates *around)
{
    Table table;
    find_box(batch, search->particles);
    around->current = 0;
    around->rest = around->range[0];
    for (int32_t i = batch->first; i < batch->last; i++) {
        if (search->fill) {
            batch->to[i - batch->first] = dlp__neighbors_entry(search->list, i, 0);
        } else {
            search->list->count[i] = 0;
        }
    }
    while (around->current < around->count) {
        fill_table(&table, search, batch, around);
        if (search->fill) {
            fill_neighbors(search, batch, &table, around->current == around->count);
        } else if (search->staged.entry != NULL) {
            stage_neighbors(search, batch, &table, around->current == around->count);
        } else {
            count_neighbors(search, batch, &table);
        }
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
    begin += search->first_cell;
    end += search->first_cell;
    dlp__cells_cursor(grid, begin, cursor);
    for (int64_t cell = begin; cell < end; cell++) {
        const int32_t first = grid->start[cell], last = first + grid->population[cell];
        if (first >= search->particles->count) { /* ghosts */
            continue;
        }
        Candidates around;
        around.count = dlp__cells_around(grid, cell, cursor, around.range);
        for (int32_t i = first; i < last; i += BATCH) {
            Batch batch;
            batch.first = i;
            batch.last = i + BATCH < last ? i + BATCH : last;
            search_batch(search, &batch, &around);
        }
    }
}

void DLP_WIDE(dlp__neighbor_spread)(void *context, int64_t begin, int64_t end)
{
    const dlp__NeighborSearch *search = context;
    const dlp__StagedLists *staged = &search->staged;
    for (int64_t group = begin + search->first_group; group < end + search->first_group; group++) {
        const int64_t first = search->list->start[group], rows = search->list->start[group + 1] - first;
        for (int lane = 0; lane < DLP_GROUP; lane += DLP_WIDTH) {
            int32_t *to = search->list->entry + first * DLP_GROUP + lane, index[DLP_WIDTH];
            for (int n = 0; n < DLP_WIDTH; n++) {
                index[n] = (int32_t)(dlp__staged_list(staged, group * DLP_GROUP + lane + n) / 4);
            }
            for (int64_t k = 0; k < rows; k += 4) {
                const dlp__WideRow four = dlp__wide_rows(staged->entry + k, index);
                const dlp__Wide row[4] = {four.x, four.y, four.z, four.w};
                for (int n = 0; n < 4 && k + n < rows; n++, to += DLP_GROUP) {
                    memcpy(to, &row[n], sizeof row[n]);
                }
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
