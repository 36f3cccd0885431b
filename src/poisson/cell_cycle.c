/* The W-cycle of the multigrid on cells: see cell_multigrid.h. */
#include "poisson/cell_multigrid.h"

#include <string.h>

enum { GRAIN = 1024 };

/* Damping of the Jacobi iteration; eigenvalues of D^-1 A are at most 2 and hardly above 1.4. */
static const double DAMPING = 0.9;

/* Factor of corrections from a coarser grid; 1.5 to 2 take the same number of iterations, 1 takes a third more. */
static const double CORRECTION = 1.8;

typedef struct Loop {
    dlp__CellLevel *level, *coarser;
} Loop;

static void for_rows(const dlp__CellMultigrid *multigrid, int64_t rows, Loop loop, dlp_RangeFunction function)
{
    dlp__parallel_for(multigrid->domains->parallel, rows, GRAIN, function, &loop);
}

/* right - A x of a row */
static inline double residual_of(const dlp__CellLevel *level, int64_t row, const double *x)
{
    const int32_t *column = level->column[row];
    const double *weight = level->weight[row], own = x[row];
    double flow = level->loss[row] * own;
    for (int32_t n = 0; n < level->neighbors[row]; n++) {
        flow += weight[n] * (own - x[column[n]]);
    }
    return level->right[row] - flow;
}

static void smooth_from_zero(void *context, int64_t begin, int64_t end)
{
    const dlp__CellLevel *level = ((const Loop *)context)->level;
    for (int64_t row = begin; row < end; row++) {
        level->solution[row] = DAMPING * level->per_diagonal[row] * level->right[row];
    }
}

static void restrict_residual(void *context, int64_t begin, int64_t end)
{
    const dlp__CellLevel *level = ((const Loop *)context)->level, *coarser = ((const Loop *)context)->coarser;
    for (int64_t cell = begin; cell < end; cell++) {
        double sum = 0.0;
        for (int32_t row = coarser->first_child[cell]; row < coarser->first_child[cell + 1]; row++) {
            sum += residual_of(level, row, level->solution);
        }
        coarser->right[cell] = sum;
    }
}

static void add_correction(void *context, int64_t begin, int64_t end)
{
    const dlp__CellLevel *level = ((const Loop *)context)->level, *coarser = ((const Loop *)context)->coarser;
    for (int64_t row = begin; row < end; row++) {
        level->spare[row] = level->solution[row] + CORRECTION * coarser->solution[level->parent[row]];
    }
}

static void smooth(void *context, int64_t begin, int64_t end)
{
    const dlp__CellLevel *level = ((const Loop *)context)->level;
    for (int64_t row = begin; row < end; row++) {
        level->solution[row] = level->spare[row] +
                               DAMPING * level->per_diagonal[row] * residual_of(level, row, level->spare);
    }
}

/* spare = right - A solution */
static void compute_residual(void *context, int64_t begin, int64_t end)
{
    const dlp__CellLevel *level = ((const Loop *)context)->level;
    for (int64_t row = begin; row < end; row++) {
        level->spare[row] = residual_of(level, row, level->solution);
    }
}

static void solve_directly(const dlp__CellMultigrid *multigrid, const dlp__CellLevel *level)
{
    memcpy(level->solution, level->right, (size_t)level->rows * sizeof *level->right);
    dlp__closed_groups_center(&multigrid->coarsest_closed, level->rows, level->solution);
    dlp__skyline_solve(&multigrid->matrix, level->solution);
    dlp__closed_groups_center(&multigrid->coarsest_closed, level->rows, level->solution);
}

static void cycle(dlp__CellMultigrid *multigrid, int number);

/* A second cycle for the residual that the first one leaves. */
static void repeat_cycle(dlp__CellMultigrid *multigrid, int number)
{
    dlp__CellLevel *level = &multigrid->level[number];
    for_rows(multigrid, level->rows, (Loop){.level = level}, compute_residual);
    memcpy(level->right, level->spare, (size_t)level->rows * sizeof *level->right);
    memcpy(level->kept, level->solution, (size_t)level->rows * sizeof *level->kept);
    cycle(multigrid, number);
    for (int64_t row = 0; row < level->rows; row++) {
        level->solution[row] += level->kept[row];
    }
}

/* solution = M right */
static void cycle(dlp__CellMultigrid *multigrid, int number) /* NOLINT(misc-no-recursion) */
{
    dlp__CellLevel *level = &multigrid->level[number];
    if (number == multigrid->levels - 1) {
        solve_directly(multigrid, level);
        return;
    }
    const Loop loop = {level, level + 1};
    for_rows(multigrid, level->rows, loop, smooth_from_zero);
    for_rows(multigrid, level[1].rows, loop, restrict_residual);
    cycle(multigrid, number + 1);
    if (number + 2 < multigrid->levels) {
        repeat_cycle(multigrid, number + 1);
    }
    for_rows(multigrid, level->rows, loop, add_correction);
    for_rows(multigrid, level->rows, loop, smooth);
}

void dlp__cell_cycle(dlp__CellMultigrid *multigrid)
{
    cycle(multigrid, 0);
}
