/* Hierarchy of nested grids that solves the coarse grid's linear system nearly exactly, with work in proportion to its nodes.
 *
 * A node has three unknowns and interacts with the 27 nodes around it. Each level has half as many nodes along each axis as the
 * one above it; its matrix is the Galerkin product with trilinear interpolation. The last level is factored. A cycle corrects
 * from the next level before and after it smooths. It is therefore symmetric, positive definite, and exact for all motions that
 * the last level contains, rigid ones among them. */
#ifndef DLP_METHODS_COARSE_LEVELS_H
#define DLP_METHODS_COARSE_LEVELS_H

#include "base/arena.h"
#include "krylov/skyline.h"

enum {
    DLP_COARSE_AXES = 3,
    DLP_COARSE_BLOCK = 9,   /* entries of the matrix between two nodes, row by row                */
    DLP_COARSE_AROUND = 27, /* nodes around a node; offset (x, y, z) has number (x+1) + 3(y+1) + 9(z+1) */
    DLP_COARSE_LEVELS = 8,
};

typedef struct dlp__CoarseLevel {
    int64_t nodes[DLP_COARSE_AXES];       /* of the box, along each axis                              */
    int64_t stride[DLP_COARSE_AXES];      /* in the box; the longest axis has the largest             */
    int factor[DLP_COARSE_AXES];          /* to the next level: 2, or 1 where an axis cannot be halved */
    int32_t count;                        /* nodes in use                                             */
    int32_t *number;                      /* of each node of the box, or -1                           */
    int32_t *place;                       /* in the box, of each node                                 */
    int32_t (*around)[DLP_COARSE_AROUND]; /* numbers of the nodes around, or -1 */
    double (*block)[DLP_COARSE_AROUND][DLP_COARSE_BLOCK]; /* the matrix                       */
    double (*inverse)[DLP_COARSE_BLOCK];                  /* of diagonal blocks, times the damping */
    double (*right)[DLP_COARSE_AXES], (*solution)[DLP_COARSE_AXES], (*residual)[DLP_COARSE_AXES];
} dlp__CoarseLevel;

typedef struct dlp__CoarseLevels {
    const dlp__Parallel *parallel;
    bool wraps[DLP_COARSE_AXES];
    int count;
    dlp__CoarseLevel level[DLP_COARSE_LEVELS]; /* the finest first */
    dlp__Skyline last;                         /* matrix of the last level */
    double *unknowns;                          /* of it */
} dlp__CoarseLevels;

/* Build the levels below the first, whose nodes, stride and number are given: nodes in use are marked by 0, others by -1. Matrices are
 * allocated, and that of the first is set to zero. `work` is the number of multiplications that may be spent to factor the last matrix.
 * False without memory. */
bool dlp__coarse_levels_make(dlp__CoarseLevels *levels, dlp__Arena *arena, double work);

/* Matrices of all levels from that of the first. False if they are not positive definite. */
bool dlp__coarse_levels_factor(dlp__CoarseLevels *levels);

/* level[0].solution = approximate inverse times level[0].right */
void dlp__coarse_levels_solve(const dlp__CoarseLevels *levels);

#endif
