/* Neighbour lists: allocation, layout, and the two passes (count, then fill) of the search and of the selection within a
 * shorter radius. */
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

bool dlp__neighbors_layout(dlp__NeighborList *list, dlp__Memory *memory, int64_t particles)
{
    int64_t groups = group_count(particles), total = 0;
    for (int64_t g = 0; g < groups; g++) {
        int32_t longest = 0;
        for (int lane = 0; lane < DLP_GROUP; lane++) {
            int32_t count = list->count[g * DLP_GROUP + lane];
            longest = count > longest ? count : longest;
        }
        list->start[g] = total;
        total += longest;
    }
    list->start[groups] = total;
    bool ok = dlp__buffer_reserve(memory, &list->buffer[2], (total + 1) * DLP_GROUP, sizeof(int32_t));
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

bool dlp__neighbors_find(dlp__NeighborList *list, const dlp__Particles *particles, const dlp__CellGrid *grid,
                         const dlp__Parallel *parallel, float radius, int width)
{
    static const dlp_RangeFunction versions[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__neighbor_search);
    dlp_RangeFunction find = versions[dlp__width_index(width)];
    dlp__NeighborSearch search = {particles, grid, list, radius * radius, false};
    if (!dlp__neighbors_reserve_counts(list, particles->memory, particles->count)) {
        return false;
    }
    dlp__parallel_for(parallel, grid->count, CELL_GRAIN, find, &search);
    if (!dlp__neighbors_layout(list, particles->memory, particles->count)) {
        return false;
    }
    search.fill = true;
    dlp__parallel_for(parallel, grid->count, CELL_GRAIN, find, &search);
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
