/* The inner loops of the neighbour search and of the selection within a shorter radius, one version per vector width. */
#ifndef DLP_NEIGHBORS_NEIGHBOR_SEARCH_H
#define DLP_NEIGHBORS_NEIGHBOR_SEARCH_H

#include "neighbors/neighbor_list.h"

/* Lists between their search and the layout of their groups: those of STAGED particles, by number modulo STAGED. Particle numbers are kept
 * as bit patterns of floats, because rows of four floats are what simd.h transposes. */
enum { DLP_STAGED = 4096, DLP_STAGE_SLACK = 16 };

typedef struct dlp__StagedLists {
    float *entry;   /* null: lists are only counted */
    int32_t length; /* of each list, a multiple of 4, DLP_STAGE_SLACK apart; longer ones are cut, shorter ones padded */
} dlp__StagedLists;

typedef struct dlp__NeighborSearch {
    const dlp__Particles *particles;
    const dlp__CellGrid *grid;
    dlp__NeighborList *list;
    float radius_squared; /* m2 */
    bool fill;            /* write the lists (else count, and stage) */
    dlp__StagedLists staged;
    int64_t first_cell, first_group; /* where the ranges below begin */
} dlp__NeighborSearch;

/* Over a range of cells; a dlp_RangeFunction whose context is a dlp__NeighborSearch. */
void dlp__neighbor_search_w1(void *context, int64_t begin, int64_t end);
void dlp__neighbor_search_w4(void *context, int64_t begin, int64_t end);
void dlp__neighbor_search_w8(void *context, int64_t begin, int64_t end);
void dlp__neighbor_search_w16(void *context, int64_t begin, int64_t end);

/* Copy staged lists to their places, over a range of groups; the same context. */
void dlp__neighbor_spread_w1(void *context, int64_t begin, int64_t end);
void dlp__neighbor_spread_w4(void *context, int64_t begin, int64_t end);
void dlp__neighbor_spread_w8(void *context, int64_t begin, int64_t end);
void dlp__neighbor_spread_w16(void *context, int64_t begin, int64_t end);

/* The first entry of a staged list. */
static inline int64_t dlp__staged_list(const dlp__StagedLists *staged, int64_t particle)
{
    return particle % DLP_STAGED * (staged->length + DLP_STAGE_SLACK);
}

typedef struct dlp__NeighborFilter {
    const dlp__Particles *particles;
    const dlp__NeighborList *full;
    dlp__NeighborList *list; /* the neighbours of `full` within the radius */
    float radius_squared;    /* m2 */
    bool fill;               /* write the lists (else only count) */
} dlp__NeighborFilter;

/* Over a range of groups of lists; a dlp_RangeFunction whose context is a dlp__NeighborFilter. */
void dlp__neighbor_filter_w1(void *context, int64_t begin, int64_t end);
void dlp__neighbor_filter_w4(void *context, int64_t begin, int64_t end);
void dlp__neighbor_filter_w8(void *context, int64_t begin, int64_t end);
void dlp__neighbor_filter_w16(void *context, int64_t begin, int64_t end);

#endif
