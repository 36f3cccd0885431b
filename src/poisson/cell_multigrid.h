/* Multigrid preconditioner for the Poisson equation of poisson.h. An unknown of the finest grid is the value common to all particles
 * of a cell of the neighbour search; coarser grids join 2x2x2 cells, and a few hundred unknowns are solved directly. Operators are
 * Galerkin products: sums of the pair weights between two cells, and of the loss of each.
 *
 *     B = D^-1 + P C P^T
 *
 * D is the diagonal, P repeats a cell's value for its particles, and C is a W-cycle with one damped Jacobi iteration before and after
 * each correction. Values that are constant in each cell are too stiff by a factor of about two, so corrections between grids are
 * enlarged by 1.8. B is symmetric positive definite: with correction factors below 2 and damping below 1 the cycle M of a grid
 * satisfies 0 < M A < 2, and repeating it (the W) gives 0 < (2 M - M A M) A <= 1, which the next finer grid needs.
 *
 * The additive form costs no further loop over pairs. It takes about twice the iterations of a V-cycle that smooths on the particles
 * too, and each of those takes three such loops instead of one. Measured with 32^3 and 64^3 jittered particles, weights of 2.1
 * spacings and cells of 3.1, to 1e-3 and 1e-6: 16, 30 and 17, 31 iterations; multiplicative 7, 13 and 8, 14; diagonal 57, 116 with
 * 32^3.
 *
 * Cells have absolute coordinates and are sorted by their Morton code. Sums are taken in that order, and over the particles of a
 * cell in the order of the store (by id), so the result does not depend on threads or subdomains.
 *
 * With several ranks each sums over the particles of its own cells; then the rows and right sides of all cells are merged, and every rank
 * computes the same cycles. A cell belongs to one rank, so no sum is split. */
#ifndef DLP_POISSON_CELL_MULTIGRID_H
#define DLP_POISSON_CELL_MULTIGRID_H

#include "krylov/skyline.h"
#include "poisson/poisson_pairs.h"

#define DLP_CELL_NEIGHBORS 26 /* cells around a cell */
#define DLP_CELL_LEVELS    16

/* Particles of a cell on the finest grid; none of a cell of another rank. */
typedef struct dlp__CellMembers {
    int32_t part, begin, end;
} dlp__CellMembers;

/* A grid. (A x)_i = loss_i x_i + sum over neighbours of weight (x_i - x_j) */
typedef struct dlp__CellLevel {
    int64_t rows;
    uint64_t *key;                           /* Morton code of each cell                                  */
    int32_t *parent;                         /* row of the next coarser grid that contains it             */
    int32_t *first_child;                    /* its rows on the next finer grid, and one more at the end  */
    int32_t *neighbors;                      /* number of neighbours                                      */
    int32_t (*column)[DLP_CELL_NEIGHBORS];   /* rows of neighbours                                        */
    double (*weight)[DLP_CELL_NEIGHBORS];    /* coupling to them                                          */
    double *loss, *per_diagonal;             /* per_diagonal: 0 for a cell without couplings              */
    double *right, *solution, *spare, *kept; /* of the cycle                                              */
} dlp__CellLevel;

/* Groups of rows that nothing couples to zero. */
typedef struct dlp__ClosedGroups {
    int32_t count;
    int32_t *group; /* of each row, or -1 */
    double *sum, *members;
} dlp__ClosedGroups;

typedef struct dlp__CellMultigrid {
    dlp__Domains *domains;
    const dlp__PoissonPairs *pairs;
    int levels;
    dlp__CellLevel level[DLP_CELL_LEVELS]; /* from fine to coarse */
    dlp__CellMembers *members;             /* of each row of the finest grid                                    */
    int32_t *cell_of[DLP_DOMAINS_MOST];    /* row of each particle and ghost; -1: the diagonal is enough for it */
    dlp__ClosedGroups closed;              /* on the finest grid   */
    dlp__ClosedGroups coarsest_closed;     /* on the coarsest grid */
    dlp__Skyline matrix;                   /* of the coarsest grid, factored */
} dlp__CellMultigrid;

/* Build the grids for these couplings, poisson_loss and mobility, in scratch memory of the step. False if the step has failed, or the
 * coarsest matrix cannot be factored. */
bool dlp__cell_multigrid_build(dlp__CellMultigrid *multigrid, dlp__Domains *domains, const dlp__PoissonPairs *pairs);

/* product = B residual */
void dlp__cell_multigrid_apply(dlp__CellMultigrid *multigrid);

/* Subtract the mean over each closed group from the residual or from `change`. */
void dlp__cell_multigrid_center(dlp__CellMultigrid *multigrid, dlp__FieldId field);

/* Scratch memory of the step for these items and one more; null if the step has failed. */
static inline void *dlp__cell_scratch(const dlp__CellMultigrid *multigrid, int64_t count, size_t size)
{
    return dlp__step_scratch(multigrid->domains, count + 1, size, "the multigrid of the pressure equation");
}

/* Memory for a grid, except parents and children. False if the step has failed, as below. */
bool dlp__cell_level_reserve(dlp__CellMultigrid *multigrid, dlp__CellLevel *level, int64_t rows);

/* Find the rows of the finest grid: keys, members and cell_of. */
bool dlp__cell_rows_find(dlp__CellMultigrid *multigrid);

/* Merge an array of which each item is known to one rank and zero on the others, by a bitwise or. The array has room for one more item,
 * which is zero too. */
void dlp__cell_rows_merge(const dlp__CellMultigrid *multigrid, void *items, int64_t count, size_t size);

/* Approximately solve A solution = right on the finest grid: the cycle C. */
void dlp__cell_cycle(dlp__CellMultigrid *multigrid);

/* Subtract the mean over each closed group from a value of each row; in place. `members`: weights of the rows. */
void dlp__closed_groups_center(const dlp__ClosedGroups *closed, int64_t rows, double *value);

/* Find the groups of a grid, in scratch memory of the step. */
bool dlp__closed_groups_find(dlp__ClosedGroups *closed, dlp__Domains *domains, const dlp__CellLevel *level);

#endif
