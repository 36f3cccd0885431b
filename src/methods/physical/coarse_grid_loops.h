/* The loops over the members of cells that an iteration of the solver takes, one version per vector width. */
#ifndef DLP_METHODS_COARSE_GRID_LOOPS_H
#define DLP_METHODS_COARSE_GRID_LOOPS_H

#include "base/simd.h"
#include "methods/physical/coarse_grid.h"

enum { DLP_COARSE_CORNERS = 8 }; /* of a cell; bit a of the number is set at the high end of axis a */

typedef struct dlp__CoarseGridLoop {
    const dlp__CoarseGrid *grid;
    double unit; /* whole numbers per N/m3 */
} dlp__CoarseGridLoop;

/* Over a range of filled cells, with a dlp__CoarseGridLoop as context. */
typedef struct dlp__CoarseGridLoops {
    /* sum[cell][axis][corner] = the residuals of the members, each in proportion to its weight of the corner */
    dlp_RangeFunction gather_forces;
    /* product = ease mobility residual + motion of the corners, interpolated to the members */
    dlp_RangeFunction spread_motion;
} dlp__CoarseGridLoops;

extern const dlp__CoarseGridLoops dlp__coarse_grid_loops_w1, dlp__coarse_grid_loops_w4, dlp__coarse_grid_loops_w8,
    dlp__coarse_grid_loops_w16;

#endif
