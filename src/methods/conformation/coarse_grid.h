/* A coarse picture of the coupled system, for what conjugate gradients find slowly: how large parts of the fluid move against
 * each other. Velocities at the nodes of a coarse grid are interpolated to the particles. Each of its cells is a finite
 * element, filled evenly with what the particles in it resist, and its matrix is factored once a step.
 *
 * The part of the residual that such motions can see is solved exactly; added to the plain preconditioner, motions smaller than
 * a cell are left to find, so the number of iterations goes with the size of a cell and not with that of the fluid. Momentum and
 * angular momentum of a free body are kept at any iteration: rigid motions are among those of the grid, cells do not resist
 * them, and the mass of nodes is that of the particles. Sums are of whole numbers, and so the same in any order. */
#ifndef DLP_METHODS_COARSE_GRID_H
#define DLP_METHODS_COARSE_GRID_H

#include "krylov/skyline.h"
#include "stages/stage_runner.h"

/* A particle in a cell. */
typedef struct dlp__CoarseMember {
    int32_t part, index;
    float inside[3]; /* where in the cell, from 0 to 1 */
} dlp__CoarseMember;

typedef struct dlp__CoarseGrid {
    dlp__Domains *domains;
    bool walls;                /* particles see images in walls                               */
    float dt;                  /* s                                                           */
    float ease;                /* part of the mobility that is left for what cells do not see */
    double mobility;           /* m3/kg, the least of all                                     */
    double origin[3];          /* m                                                           */
    double per_side[3];        /* 1/m, cells per metre                                        */
    int64_t cells[3];          /* of the box                                                  */
    int64_t filled;            /* cells with particles                                        */
    int32_t *number;           /* of each cell of the box among the filled ones, or -1        */
    dlp__CoarseMember *member; /* all particles, cell by cell                                */
    int64_t *start;            /* of each filled cell's members, and one more                 */
    int32_t (*corner)[8];      /* nodes of each filled cell                                   */
    int32_t *node;             /* numbers of the nodes of the box, or -1                      */
    int64_t *sum;              /* of each filled cell, whole numbers                          */
    double *motion;            /* m/s, of each node                                           */
    dlp__Skyline matrix;
} dlp__CoarseGrid;

typedef enum dlp__CoarseResult { DLP_COARSE_READY, DLP_COARSE_USELESS, DLP_COARSE_NO_ROOM } dlp__CoarseResult;

/* Make the grid for the particles as they are, with `stiffness`, `unevenness` and `bulk` as the operator has them. Useless if the
 * matrix cannot be factored. */
dlp__CoarseResult dlp__coarse_grid_make(dlp__CoarseGrid *grid, dlp__Domains *domains, float spacing, float dt,
                                        bool walls);

/* product = ease mobility residual + what the grid makes of the residual, of which `norm` is the norm. */
void dlp__coarse_grid_precondition(const dlp__CoarseGrid *grid, double norm);

#endif
