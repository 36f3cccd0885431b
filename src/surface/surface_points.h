/* The points that a surface is drawn around, sorted by cell, and which of them lie deep inside. */
#ifndef DLP_SURFACE_POINTS_H
#define DLP_SURFACE_POINTS_H

#include "neighbors/cell_grid.h"

#include <dollop/surface.h>

typedef struct dlp__SurfacePoints {
    dlp__Memory *memory;
    dlp__Particles particles; /* positions, and as id the number of the point as it came in */
    dlp__CellFrame frame;
    dlp__CellGrid grid;
    dlp__CellSorter sorter;
    dlp__Buffer keys;
    uint8_t *inner; /* per cell: it and the 26 around it are full of points */
    dlp__Buffer inner_buffer;
} dlp__SurfacePoints;

void dlp__surface_points_init(dlp__SurfacePoints *points, dlp__Memory *memory);
void dlp__surface_points_release(dlp__SurfacePoints *points);

/* Take in new points; more may be added to the particles before they are sorted into cells of `reach` (m); `spacing` (m) tells how
 * many fill a cell. False without memory. */
bool dlp__surface_points_take(dlp__SurfacePoints *points, const dlp_Points *from);
bool dlp__surface_points_sort(dlp__SurfacePoints *points, const dlp__Parallel *parallel, double reach, double spacing);

/* The cells from `low` to `high`, both included, row by row: calls `visit` with the points of each row that has any. */
typedef void (*dlp__RowVisitor)(void *context, int32_t begin, int32_t end);
void dlp__surface_points_visit(const dlp__SurfacePoints *points, dlp__Cell low, dlp__Cell high, dlp__RowVisitor visit,
                               void *context);

#endif
