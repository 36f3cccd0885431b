/* The list of occupied cells: built from sorted keys, merged with the cells of ghosts, and walked row by row. */
#include "neighbors/cell_grid.h"

#include <string.h>

/* Allocate the arrays for `count` cells. */
static bool reserve_cells(dlp__CellGrid *grid, dlp__Memory *memory, int64_t kept, int64_t count)
{
    bool ok = dlp__buffer_grow(memory, &grid->buffer[0], kept * (int64_t)sizeof(uint64_t), count, sizeof(uint64_t)) &&
              dlp__buffer_grow(memory, &grid->buffer[1], kept * (int64_t)sizeof(int32_t), count, sizeof(int32_t)) &&
              dlp__buffer_grow(memory, &grid->buffer[2], kept * (int64_t)sizeof(int32_t), count, sizeof(int32_t));
    grid->key = grid->buffer[0].data;
    grid->start = grid->buffer[1].data;
    grid->population = grid->buffer[2].data;
    return ok;
}

bool dlp__cells_list(dlp__CellGrid *grid, dlp__Memory *memory, const uint64_t *keys, int64_t count)
{
    int64_t cells = 0;
    for (int64_t i = 0; i < count; i++) {
        cells += i == 0 || keys[i] != keys[i - 1];
    }
    grid->count = 0;
    if (!reserve_cells(grid, memory, 0, cells)) {
        return false;
    }
    for (int64_t i = 0; i < count; i++) {
        if (i == 0 || keys[i] != keys[i - 1]) {
            grid->key[grid->count] = keys[i];
            grid->start[grid->count] = (int32_t)i;
            grid->population[grid->count] = 0;
            grid->count++;
        }
        grid->population[grid->count - 1]++;
    }
    return true;
}

bool dlp__cells_merge(dlp__CellGrid *grid, dlp__Memory *memory, const dlp__CellGrid *others, int64_t offset)
{
    int64_t own_count = grid->count, other_count = others->count;
    if (!reserve_cells(grid, memory, own_count, own_count + other_count)) {
        return false;
    }
    grid->count = own_count + other_count;
    for (int64_t to = grid->count - 1; other_count > 0; to--) { /* from the back, in place */
        bool ghost = own_count == 0 || others->key[other_count - 1] > grid->key[own_count - 1];
        const dlp__CellGrid *from = ghost ? others : grid;
        int64_t cell = ghost ? --other_count : --own_count;
        grid->key[to] = from->key[cell];
        grid->start[to] = from->start[cell] + (ghost ? (int32_t)offset : 0);
        grid->population[to] = from->population[cell];
    }
    return true;
}

void dlp__cells_release(dlp__CellGrid *grid, dlp__Memory *memory)
{
    for (int i = 0; i < 3; i++) {
        dlp__buffer_release(memory, &grid->buffer[i]);
    }
    memset(grid, 0, sizeof *grid);
}

/* Key of the first cell of row n (0..8) around a cell. */
static uint64_t row_key(uint64_t key, int row)
{
    int64_t dz = row / 3 - 1, dy = row % 3 - 1;
    return (uint64_t)((int64_t)key + dz * ((int64_t)1 << (2 * DLP_CELL_BITS)) + dy * (1 << DLP_CELL_BITS) - 1);
}

void dlp__cells_cursor(const dlp__CellGrid *grid, int64_t cell, int64_t cursor[9])
{
    for (int row = 0; row < 9; row++) {
        cursor[row] = dlp__key_lower_bound(grid->key, grid->count, row_key(grid->key[cell], row));
    }
}

int dlp__cells_around(const dlp__CellGrid *grid, int64_t cell, int64_t cursor[9],
                      dlp__IndexRange ranges[DLP_CELL_RANGES])
{
    int count = 0;
    for (int row = 0; row < 9; row++) {
        uint64_t key = row_key(grid->key[cell], row);
        int64_t c = cursor[row];
        while (c < grid->count && grid->key[c] < key) {
            c++;
        }
        cursor[row] = c;
        for (; c < grid->count && grid->key[c] <= key + 2; c++) {
            int32_t begin = grid->start[c], end = begin + grid->population[c];
            if (count > 0 && ranges[count - 1].end == begin) {
                ranges[count - 1].end = end;
            } else {
                ranges[count++] = (dlp__IndexRange){begin, end};
            }
        }
    }
    return count;
}
