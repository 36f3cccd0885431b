/* Neighbour lists: allocation, layout, search, and selection within a shorter radius. Where lists go depends on the lengths of all before
 * them. The search therefore stages the lists of some thousand particles, lays them out, and copies them. If they do not fit into what the
 * last search needed (rarely, and at first) two passes, count and fill, find the size. */
#include "neighbors/neighbor_list.h"

#include "base/simd.h"
#include "neighbors/neighbor_search.h"

#include <string.h>

enum { CELL_GRAIN = 64, GROUP_GRAIN = 32 };

static int64_t group_count(int64_t particles)
{
    return (particles + DLP_GROUP - 1) / DLP_GROUP;
}

bool dlp__neighbors_reserve_counts(dlp__NeighborList *list, dlp__Memory *memory, int64_t particles)
{
    int64_t groups = group_count(particles);
    bool ok = dlp__buffer_reserve(memory, &list->buffer[0], groups * DLP_GROUP + DLP_GROUP, sizeof(int32_t)) &&
              dlp__buffer_reserve(memory, &list->buffer[1], groups + 1, sizeof(int64_t));
    list->particles = ok ? particles : 0;
    list->count = list->buffer[0].data;
    list->start = list->buffer[1].data;
    if (ok) {
        memset(list->count + particles, 0, (size_t)(groups * DLP_GROUP + DLP_GROUP - particles) * sizeof(int32_t));
    }
    return ok;
}

/* Lay out some groups after those before them. Returns the longest list. */
static int32_t layout_groups(dlp__NeighborList *list, int64_t begin, int64_t end)
{
    int32_t most = 0;
    for (int64_t g = begin; g < end; g++) {
        int32_t longest = 0;
        for (int lane = 0; lane < DLP_GROUP; lane++) {
            int32_t count = list->count[g * DLP_GROUP + lane];
            longest = count > longest ? count : longest;
        }
        most = longest > most ? longest : most;
        list->start[g + 1] = list->start[g] + longest;
    }
    return most;
}

bool dlp__neighbors_layout(dlp__NeighborList *list, dlp__Memory *memory, int64_t particles)
{
    int64_t groups = group_count(particles);
    list->start[0] = 0;
    layout_groups(list, 0, groups);
    bool ok = dlp__buffer_reserve(memory, &list->buffer[2], (list->start[groups] + 1) * DLP_GROUP, sizeof(int32_t));
    list->entry = list->buffer[2].data;
    return ok;
}

void dlp__neighbors_release(dlp__NeighborList *list, dlp__Memory *memory)
{
    for (int i = 0; i < 3; i++) {
        dlp__buffer_release(memory, &list->buffer[i]);
    }
    memset(list, 0, sizeof *list);
}

/* The last group may have lanes without a particle: their entries must be valid indices too. */
static void pad_last_group(dlp__NeighborList *list, int64_t particles)
{
    int64_t group = particles / DLP_GROUP;
    if (particles % DLP_GROUP == 0) {
        return;
    }
    for (int64_t k = list->start[group]; k < list->start[group + 1]; k++) {
        for (int64_t lane = particles % DLP_GROUP; lane < DLP_GROUP; lane++) {
            list->entry[k * DLP_GROUP + lane] = 0;
        }
    }
}

/* The longest list of the last search; 0 if there was none. */
static int64_t longest_list(const dlp__NeighborList *list)
{
    int64_t longest = 0;
    for (int64_t g = 0; g < group_count(list->particles); g++) {
        const int64_t rows = list->start[g + 1] - list->start[g];
        longest = rows > longest ? rows : longest;
    }
    return longest;
}

/* Memory for lists somewhat longer than the longest of the last search; none if those were very long, or at first. */
static bool reserve_staged(dlp__StagedLists *staged, const dlp__NeighborList *list, dlp__Arena *arena,
                           int64_t particles)
{
    enum { MARGIN = 8, MOST = 512 };
    const int64_t longest = longest_list(list);
    const int64_t lists = particles < DLP_STAGED ? group_count(particles) * DLP_GROUP : DLP_STAGED;
    *staged = (dlp__StagedLists){NULL, 0};
    if (particles == 0 || longest == 0 || longest > MOST) {
        return true;
    }
    staged->length = ((int32_t)longest + MARGIN + 3) / 4 * 4;
    staged->entry = dlp__arena_take(arena, lists * (staged->length + DLP_STAGE_SLACK), sizeof(float));
    return staged->entry != NULL;
}

/* The end of the cells from the search's first one on whose lists can be staged with those of its first group; the particles up to there
 * are counted. */
static int64_t staged_cells(const dlp__NeighborSearch *search, int64_t *particles)
{
    const dlp__CellGrid *grid = search->grid;
    const int64_t most = search->first_group * DLP_GROUP + DLP_STAGED;
    int64_t cell = search->first_cell;
    for (; cell < grid->count; cell++) {
        const int64_t last = (int64_t)grid->start[cell] + grid->population[cell];
        const bool is_ghost = grid->start[cell] >= search->particles->count;
        if (!is_ghost && last > most) {
            break;
        }
        *particles = is_ghost ? *particles : last;
    }
    return cell;
}

/* Find all lists in one pass; false if they do not fit in the memory of the last search. */
static bool find_staged(dlp__NeighborSearch *search, const dlp__Parallel *parallel, int width)
{
    static const dlp_RangeFunction find[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__neighbor_search);
    static const dlp_RangeFunction spread[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__neighbor_spread);
    dlp__NeighborList *list = search->list;
    const int64_t rows = list->buffer[2].capacity / (int64_t)(DLP_GROUP * sizeof(int32_t)) - 1;
    const int64_t count = search->particles->count;
    int64_t particles = 0;
    bool fits = search->staged.entry != NULL;
    list->start[0] = 0;
    while (fits && search->first_cell < search->grid->count) {
        const int64_t end = staged_cells(search, &particles);
        dlp__parallel_for(parallel, end - search->first_cell, CELL_GRAIN, find[dlp__width_index(width)], search);
        const int64_t groups = particles == count ? group_count(count) : particles / DLP_GROUP;
        const int32_t longest = layout_groups(list, search->first_group, groups);
        fits = end > search->first_cell && longest <= search->staged.length && list->start[groups] <= rows;
        if (fits) {
            dlp__parallel_for(parallel, groups - search->first_group, GROUP_GRAIN, spread[dlp__width_index(width)],
                              search);
        }
        search->first_cell = end;
        search->first_group = groups;
    }
    return fits;
}

/* Count all lists, then write them. */
static bool find_twice(dlp__NeighborSearch *search, const dlp__Parallel *parallel, int width)
{
    static const dlp_RangeFunction versions[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__neighbor_search);
    dlp_RangeFunction find = versions[dlp__width_index(width)];
    search->staged.entry = NULL;
    search->first_cell = 0;
    dlp__parallel_for(parallel, search->grid->count, CELL_GRAIN, find, search);
    if (!dlp__neighbors_layout(search->list, search->particles->memory, search->particles->count)) {
        return false;
    }
    search->fill = true;
    dlp__parallel_for(parallel, search->grid->count, CELL_GRAIN, find, search);
    return true;
}

bool dlp__neighbors_find(dlp__NeighborList *list, const dlp__Particles *particles, const dlp__CellGrid *grid,
                         const dlp__Parallel *parallel, dlp__Arena *arena, float radius, int width)
{
    dlp__NeighborSearch search = {
        .particles = particles, .grid = grid, .list = list, .radius_squared = radius * radius};
    if (!reserve_staged(&search.staged, list, arena, particles->count) ||
        !dlp__neighbors_reserve_counts(list, particles->memory, particles->count)) {
        return false;
    }
    if (!find_staged(&search, parallel, width) && !find_twice(&search, parallel, width)) {
        return false;
    }
    pad_last_group(list, particles->count);
    return true;
}

bool dlp__neighbors_filter(dlp__NeighborList *list, const dlp__NeighborList *full, const dlp__Particles *particles,
                           const dlp__Parallel *parallel, float radius, int width)
{
    static const dlp_RangeFunction versions[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__neighbor_filter);
    dlp_RangeFunction select = versions[dlp__width_index(width)];
    dlp__NeighborFilter filter = {particles, full, list, radius * radius, false};
    const int64_t groups = group_count(full->particles);
    if (!dlp__neighbors_reserve_counts(list, particles->memory, full->particles)) {
        return false;
    }
    dlp__parallel_for(parallel, groups, GROUP_GRAIN, select, &filter);
    if (!dlp__neighbors_layout(list, particles->memory, full->particles)) {
        return false;
    }
    filter.fill = true;
    dlp__parallel_for(parallel, groups, GROUP_GRAIN, select, &filter);
    pad_last_group(list, full->particles);
    return true;
}
