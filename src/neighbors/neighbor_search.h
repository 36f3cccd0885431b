/* The inner loops of the neighbour search and of the selection within a shorter radius, one version per vector width. */
#ifndef DLP_NEIGHBORS_NEIGHBOR_SEARCH_H
#define DLP_NEIGHBORS_NEIGHBOR_SEARCH_H

#include "neighbors/neighbor_list.h"

typedef struct dlp__NeighborSearch {
    const dlp__Particles *particles;
    const dlp__CellGrid *grid;
    dlp__NeighborList *list;
    float radius_squared; /* m2 */
    bool fill;            /* write the lists (else only count) */
} dlp__NeighborSearch;

/* Over a range of cells; a dlp_RangeFunction whose context is a dlp__NeighborSearch. */
void dlp__neighbor_search_w1(void *context, int64_t begin, int64_t end);
void dlp__neighbor_search_w4(void *context, int64_t begin, int64_t end);
void dlp__neighbor_search_w8(void *context, int64_t begin, int64_t end);
void dlp__neighbor_search_w16(void *context, int64_t begin, int64_t end);

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
