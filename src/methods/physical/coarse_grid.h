/* Coarse-grid preconditioner for the slow modes of conjugate gradients: relative motion of parts of the fluid of some spacings and
 * more. Velocities at the nodes of a coarse grid are interpolated to the particles. Each cell is a finite element with the mean
 * resistance of its particles.
 *
 * The grid's part of the residual is solved by a hierarchy of grids (coarse_levels.h) and added to the diagonal or block
 * preconditioner, so that the number of iterations depends on the size of a cell and not on that of the fluid. Momentum and angular
 * momentum of a free body are conserved at any iteration: the grids contain all rigid motions and solve for them exactly, cells do not
 * resist them, and nodes have the mass of the particles. Sums are taken in integers, so their order does not matter. */
#ifndef DLP_METHODS_COARSE_GRID_H
#define DLP_METHODS_COARSE_GRID_H

#include "methods/physical/coarse_levels.h"
#include "stages/stage_runner.h"

/* A particle in a cell. */
typedef struct dlp__CoarseMember {
    int32_t part, index;
} dlp__CoarseMember;

typedef struct dlp__CoarseGrid {
    dlp__Domains *domains;
    bool walls;                      /* particles see images in walls                               */
    bool adds;                       /* product holds the part of the block preconditioner already  */
    float dt;                        /* s                                                           */
    float ease;                      /* factor on the mobility of the diagonal part                 */
    double mobility;                 /* m3/kg, the least of all                                     */
    double origin[3];                /* m                                                           */
    double per_side[3];              /* 1/m, cells per metre                                        */
    int64_t cells[3];                /* of the box                                                  */
    int64_t filled;                  /* cells with particles                                        */
    int64_t first[DLP_DOMAINS_MOST]; /* number of the first particle of each part; their arrays follow one another */
    int32_t *cell;                   /* of each particle, among the filled ones                     */
    float *inside[3];                /* where each particle is in its cell, from 0 to 1             */
    int32_t *number;                 /* of each cell of the box among the filled ones, or -1        */
    int64_t *marks;                  /* bits of the filled cells of the box, to find those of all ranks */
    dlp__CoarseMember *member;       /* all particles, cell by cell                                 */
    int64_t *start;                  /* of each filled cell's members, and one more                 */
    int32_t (*corner)[8];            /* nodes of each filled cell                                   */
    uint8_t *color;                  /* of each filled cell: cells of one color have no corners in common */
    int64_t *sum;                    /* of each filled cell, whole numbers                          */
    float *motion;                   /* m/s, rows of four of the corners of each filled cell        */
    dlp__CoarseLevels levels;        /* the first one consists of the corners of filled cells       */
} dlp__CoarseGrid;

/* Build the grid for the current particles; `stiffness`, `stabilization` and `bulk` must be those of the operator.
 * False if it cannot be used: a matrix is not positive definite, or memory ran out. */
bool dlp__coarse_grid_make(dlp__CoarseGrid *grid, dlp__Domains *domains, float spacing, float dt, bool walls);

/* product = ease mobility residual + the grid's solution for the residual, whose norm is `norm`. If `adds` is set, product already holds
 * the part of the blocks, to which the grid's solution is added. */
void dlp__coarse_grid_precondition(dlp__CoarseGrid *grid, double norm);

#endif
