/* The points of a surface, sorted by cell, with a flag for cells deep inside the fluid. */
#ifndef DLP_SURFACE_POINTS_H
#define DLP_SURFACE_POINTS_H

#include "neighbors/cell_grid.h"

#include <dollop/surface.h>

typedef struct dlp__SurfacePoints {
    dlp__Memory *memory;
    dlp__Particles particles; /* positions; the id is the index of the point as given */
    dlp__CellFrame frame;
    dlp__CellGrid grid;
    dlp__Buffer keys, scratch; /* of the sort */
    uint8_t *inner;            /* per cell: it and the 26 cells around it are full of points */
    dlp__Buffer inner_buffer;
} dlp__SurfacePoints;

void dlp__surface_points_init(dlp__SurfacePoints *points, dlp__Memory *memory);
void dlp__surface_points_release(dlp__SurfacePoints *points);

/* Set new points; more may be added to the particles before they are sorted into cells of `reach` (m); `spacing` (m)
 * determines how many fill a cell. False when out of memory. */
bool dlp__surface_points_set(dlp__SurfacePoints *points, const dlp_Points *from);
bool dlp__surface_points_sort(dlp__SurfacePoints *points, const dlp__Parallel *parallel, double reach, double spacing);

/* Visit the cells from `low` to `high`, both included, row by row: calls `visit` with the points of each non-empty
 * row. */
typedef void (*dlp__RowVisitor)(void *context, int32_t begin, int32_t end);
void dlp__surface_points_visit(const dlp__SurfacePoints *points, dlp__Cell low, dlp__Cell high, dlp__RowVisitor visit,
                               void *context);

#endif
