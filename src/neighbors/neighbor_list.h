/* Neighbour lists in groups of 16 particles: entries k of the 16 lists of a group are adjacent, so that one vector
 * load fetches the k-th neighbour of 4, 8 or 16 particles. Lists shorter than the group's longest are padded with
 * the particle's own index. Order: cell, then id, the same for any partition of the world. */
#ifndef DLP_NEIGHBORS_NEIGHBOR_LIST_H
#define DLP_NEIGHBORS_NEIGHBOR_LIST_H

#include "base/arena.h"
#include "neighbors/cell_grid.h"

typedef struct dlp__NeighborList {
    int64_t particles; /* number of particles with a list; others may have been added since */
    int32_t *count;    /* per particle */
    int64_t *start;    /* per group: first row of 16 entries; one more at the end */
    int32_t *entry;    /* entry[(start[group] + k) * 16 + lane] */
    dlp__Buffer buffer[3];
} dlp__NeighborList;

/* All pairs closer than `radius`, without the particle itself. `width` selects the code path (1, 4, 8, 16): the
 * lists are the same. False without memory. Scratch memory comes from the arena. */
bool dlp__neighbors_find(dlp__NeighborList *list, const dlp__Particles *particles, const dlp__CellGrid *grid,
                         const dlp__Parallel *parallel, dlp__Arena *arena, float radius, int width);

/* The pairs of the lists `full` closer than the smaller `radius`, in the same order. False without memory. */
bool dlp__neighbors_filter(dlp__NeighborList *list, const dlp__NeighborList *full, const dlp__Particles *particles,
                           const dlp__Parallel *parallel, float radius, int width);

/* Lay out lists of which every `count` is set: allocates the entries, which are still to be filled. */
bool dlp__neighbors_layout(dlp__NeighborList *list, dlp__Memory *memory, int64_t particles);
bool dlp__neighbors_reserve_counts(dlp__NeighborList *list, dlp__Memory *memory, int64_t particles);
void dlp__neighbors_release(dlp__NeighborList *list, dlp__Memory *memory);

/* The number of entries, including padding. */
static inline int64_t dlp__neighbors_entries(const dlp__NeighborList *list)
{
    return list->particles > 0 ? list->start[(list->particles + DLP_GROUP - 1) / DLP_GROUP] * DLP_GROUP : 0;
}

static inline int32_t *dlp__neighbors_entry(const dlp__NeighborList *list, int64_t particle, int32_t k)
{
    return &list->entry[(list->start[particle / DLP_GROUP] + k) * DLP_GROUP + particle % DLP_GROUP];
}

#endif
