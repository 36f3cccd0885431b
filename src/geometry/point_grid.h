/* A hash grid of points: all points within one cell size of a position are in its cell or the 26 cells around it. */
#ifndef DLP_GEOMETRY_POINT_GRID_H
#define DLP_GEOMETRY_POINT_GRID_H

#include "base/memory.h"

typedef struct dlp__PointGrid {
    dlp__Memory *memory;
    const float *position; /* m, x y z of all points, also those that are not in the grid */
    double cell;           /* m */
    int64_t capacity;      /* points */
    int64_t buckets;       /* a power of two */
    int32_t *first;        /* first point of each bucket, or -1 */
    int32_t *next;         /* next point in the same bucket, or -1 */
} dlp__PointGrid;

/* An empty grid for points with indices below `capacity`. False when out of memory; release it even then. */
bool dlp__point_grid_init(dlp__PointGrid *grid, dlp__Memory *memory, const float *position, int64_t capacity,
                          double cell);
void dlp__point_grid_release(dlp__PointGrid *grid);

void dlp__point_grid_add(dlp__PointGrid *grid, int32_t point);

/* Visit each point closer to `center` than a cell size once, with the squared distance (m2); the order depends on the
 * order of insertion. */
typedef void (*dlp__PointVisitor)(void *context, int32_t point, double squared_distance);
void dlp__point_grid_visit(const dlp__PointGrid *grid, const float center[3], dlp__PointVisitor visit, void *context);

#endif
