/* The loops of the coarse grid over particles, one version per vector width. */
#ifndef DLP_METHODS_COARSE_GRID_LOOPS_H
#define DLP_METHODS_COARSE_GRID_LOOPS_H

#include "base/simd.h"
#include "methods/physical/coarse_grid.h"

enum { DLP_COARSE_CORNERS = 8 }; /* of a cell; bit a of the number is set at the high end of axis a */

/* Sums over the particles of a cell. */
enum {
    DLP_COARSE_MASS = 0, /* kg/m3, times the weights of two corners: corner by corner */
    DLP_COARSE_WALL = DLP_COARSE_MASS + DLP_COARSE_CORNERS * DLP_COARSE_CORNERS,
    /* kg/m3, near walls: corner by corner for each of xx yy zz xy xz yz */
    DLP_COARSE_SHEAR = DLP_COARSE_WALL + 6 * DLP_COARSE_CORNERS, /* kg/m, stiffness in shear */
    DLP_COARSE_BULK,                                             /* kg/m, in volume change   */
    DLP_COARSE_SUMS,
};

/* Whole numbers per unit of these sums. */
typedef struct dlp__CoarseUnits {
    double mass;     /* per kg/m3 */
    double stiff;    /* per kg/m  */
    double heaviest; /* kg/m3     */
} dlp__CoarseUnits;

/* Context of the loops of an iteration. */
typedef struct dlp__CoarseGridLoop {
    const dlp__CoarseGrid *grid;
    double unit; /* whole numbers per N/m3 */
    int part;    /* of the particles       */
} dlp__CoarseGridLoop;

typedef struct dlp__CoarseGridLoops {
    /* The sums over the members of a cell. */
    void (*sum_members)(const dlp__CoarseGrid *grid, const dlp__CoarseUnits *units, int64_t cell,
                        int64_t sum[DLP_COARSE_SUMS]);
    /* Over filled cells: sum[cell][axis][corner] = the residuals of the members, each in proportion to its weight of the corner. */
    dlp_RangeFunction gather_forces;
    /* Over the particles of a part: product = ease mobility residual + motion of the corners, interpolated. */
    dlp_RangeFunction spread_motion;
} dlp__CoarseGridLoops;

extern const dlp__CoarseGridLoops dlp__coarse_grid_loops_w1, dlp__coarse_grid_loops_w4, dlp__coarse_grid_loops_w8,
    dlp__coarse_grid_loops_w16;

#endif
