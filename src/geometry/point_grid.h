/* Points in cubes of one size, found by a table of hashes: what is near a place is in its cube or in one of those around it. */
#ifndef DLP_GEOMETRY_POINT_GRID_H
#define DLP_GEOMETRY_POINT_GRID_H

#include "base/memory.h"

typedef struct dlp__PointGrid {
    dlp__Memory *memory;
    const float *position; /* m, x y z of all points, those that are not in the grid too */
    double cell;           /* m */
    int64_t ok;            /* points */
    int64_t buckets;       /* a power of two */
    int32_t *first;        /* of each bucket, or -1 */
    int32_t *next;         /* after each point, or -1 */
} dlp__PointGrid;

/* An empty grid for points with numbers below `ok`. False when memory is out; to be released even then. */
bool dlp__point_grid_init(dlp__PointGrid *grid, dlp__Memory *memory, const float *position, int64_t ok, double cell);
void dlp__point_grid_release(dlp__PointGrid *grid);

void dlp__point_grid_add(dlp__PointGrid *grid, int32_t point);

/* Each point closer to a place than a cell, once, with the square of the distance (m2); the order depends on how they were added. */
typedef void (*dlp__PointVisit)(void *context, int32_t point, double square);
void dlp__point_grid_visit(const dlp__PointGrid *grid, const float place[3], dlp__PointVisit visit, void *context);

#endif
