/* Sets up the grids of cells and applies the preconditioner: see cell_multigrid.h. */
#include "poisson/cell_multigrid.h"

#include <string.h>

enum {
    ROWS_MOST = 256,      /* unknowns that are solved directly: factoring takes a few milliseconds */
    COARSENING_LEAST = 3, /* a grid has at most a third of the unknowns of the next finer one     */
    GRAIN = 256,          /* cells that a thread takes at a time                                   */
    MORTON_SHIFT = 3,     /* bits from a cell to the 2x2x2 cells around it                         */
};

/* Relative change of the diagonal that makes the coarsest matrix of a closed group definite; its constant part is removed. */
static const double SHIFT = 1e-9;

/* Add a coupling of a row. */
static void add_weight(const dlp__CellLevel *level, int64_t row, int32_t column, double weight)
{
    int32_t n = level->neighbors[row];
    while (n > 0 && level->column[row][n - 1] != column) {
        n--;
    }
    if (n > 0) {
        level->weight[row][n - 1] += weight;
    } else if (level->neighbors[row] < DLP_CELL_NEIGHBORS) {
        const int32_t last = level->neighbors[row]++;
        level->column[row][last] = column;
        level->weight[row][last] = weight;
    }
}

static void finish_row(const dlp__CellLevel *level, int64_t row)
{
    double diagonal = level->loss[row];
    for (int32_t n = 0; n < level->neighbors[row]; n++) {
        diagonal += level->weight[row][n];
    }
    level->per_diagonal[row] = diagonal > 0.0 ? 1.0 / diagonal : 0.0;
}

/* Couplings of a cell while they are summed. Cells that are neighbours differ in the last two bits of a coordinate, so the last six
 * bits of the Morton code are a perfect hash, except across a periodic boundary. */
enum { SLOTS = 64 };
typedef struct RowSums {
    int32_t column[SLOTS]; /* -1: none */
    double weight[SLOTS];
} RowSums;

/* Add the couplings of a particle to its cell. */
static void add_particle(const dlp__CellMultigrid *multigrid, RowSums *sums, int64_t row, int part, int64_t i)
{
    const dlp__CellLevel *level = &multigrid->level[0];
    const dlp__NeighborList *list = multigrid->pairs->list[part];
    const int32_t *cell_of = multigrid->cell_of[part], *entry = list->entry + dlp__poisson_first(list, i);
    const float *weight = multigrid->pairs->weight[part] + dlp__poisson_first(list, i);
    double loss = (double)multigrid->domains->part[part].particles.poisson_loss[0][i];
    for (int32_t k = 0; k < list->count[i]; k++, entry += DLP_GROUP, weight += DLP_GROUP) {
        const int32_t column = cell_of[*entry];
        const double w = (double)*weight;
        if (w == 0.0) { /* the columns of a row do not depend on pairs without coupling */
            continue;
        }
        if (column < 0) {
            loss += w;
            continue;
        }
        const int slot = (int)(level->key[column] % SLOTS);
        if (sums->column[slot] == column) {
            sums->weight[slot] += w;
        } else if (sums->column[slot] < 0) {
            sums->column[slot] = column;
            sums->weight[slot] = w;
        } else {
            add_weight(level, row, column, w);
        }
    }
    level->loss[row] += loss;
}

static void sum_couplings(void *context, int64_t begin, int64_t end)
{
    const dlp__CellMultigrid *multigrid = context;
    const dlp__CellLevel *level = &multigrid->level[0];
    RowSums sums;
    for (int64_t row = begin; row < end; row++) {
        const dlp__CellMembers *cell = &multigrid->members[row];
        const int own = (int)(level->key[row] % SLOTS);
        memset(sums.column, 0xff, sizeof sums.column);
        sums.column[own] = (int32_t)row;
        level->neighbors[row] = 0;
        level->loss[row] = 0.0;
        for (int32_t i = cell->begin; i < cell->end; i++) {
            if (multigrid->cell_of[cell->part][i] >= 0) {
                add_particle(multigrid, &sums, row, cell->part, i);
            }
        }
        for (int slot = 0; slot < SLOTS; slot++) {
            if (sums.column[slot] >= 0 && slot != own && sums.weight[slot] > 0.0) {
                add_weight(level, row, sums.column[slot], sums.weight[slot]);
            }
        }
    }
}

static void finish_rows(void *context, int64_t begin, int64_t end)
{
    const dlp__CellMultigrid *multigrid = context;
    for (int64_t row = begin; row < end; row++) {
        finish_row(&multigrid->level[0], row);
    }
}

/* Each rank sums the couplings of its own cells. */
static void assemble_finest(dlp__CellMultigrid *multigrid)
{
    const dlp__Parallel *parallel = multigrid->domains->parallel;
    const dlp__CellLevel *level = &multigrid->level[0];
    if (dlp__ranks_count(multigrid->domains->ranks) > 1) {
        memset(level->neighbors, 0, (size_t)(level->rows + 1) * sizeof *level->neighbors);
        memset(level->column, 0, (size_t)(level->rows + 1) * sizeof *level->column);
        memset(level->weight, 0, (size_t)(level->rows + 1) * sizeof *level->weight);
    }
    dlp__parallel_for(parallel, level->rows, GRAIN, sum_couplings, multigrid);
    dlp__cell_rows_merge(multigrid, level->neighbors, level->rows, sizeof *level->neighbors);
    dlp__cell_rows_merge(multigrid, level->column, level->rows, sizeof *level->column);
    dlp__cell_rows_merge(multigrid, level->weight, level->rows, sizeof *level->weight);
    dlp__cell_rows_merge(multigrid, level->loss, level->rows, sizeof *level->loss);
    dlp__parallel_for(parallel, level->rows, GRAIN, finish_rows, multigrid);
}

static void assemble_coarser(void *context, int64_t begin, int64_t end)
{
    const dlp__CellLevel *coarser = context, *level = coarser - 1;
    for (int64_t cell = begin; cell < end; cell++) {
        coarser->neighbors[cell] = 0;
        coarser->loss[cell] = 0.0;
        for (int32_t row = coarser->first_child[cell]; row < coarser->first_child[cell + 1]; row++) {
            coarser->loss[cell] += level->loss[row];
            for (int32_t n = 0; n < level->neighbors[row]; n++) {
                const int32_t other = level->parent[level->column[row][n]];
                if (other != cell) {
                    add_weight(coarser, cell, other, level->weight[row][n]);
                }
            }
        }
        finish_row(coarser, cell);
    }
}

static int64_t count_cells(const dlp__CellLevel *level, int shift)
{
    int64_t cells = 0;
    for (int64_t row = 0; row < level->rows; row++) {
        cells += row == 0 || level->key[row] >> shift != level->key[row - 1] >> shift;
    }
    return cells;
}

/* The grid of twice the cell size, or more where that has too many cells: scattered particles, thin films, jets. */
static bool coarsen(dlp__CellMultigrid *multigrid, dlp__CellLevel *level)
{
    dlp__CellLevel *coarser = level + 1;
    int shift = MORTON_SHIFT;
    int64_t cells = count_cells(level, shift);
    while (cells * COARSENING_LEAST > level->rows && shift < DLP_CELL_BITS * MORTON_SHIFT) {
        shift += MORTON_SHIFT;
        cells = shift < DLP_CELL_BITS * MORTON_SHIFT ? count_cells(level, shift) : 1;
    }
    coarser->first_child = dlp__cell_scratch(multigrid, cells, sizeof *coarser->first_child);
    if (!dlp__cell_level_reserve(multigrid, coarser, cells)) {
        return false;
    }
    int32_t cell = -1;
    for (int32_t row = 0; row < level->rows; row++) {
        const uint64_t key = shift < DLP_CELL_BITS * MORTON_SHIFT ? level->key[row] >> shift : 0;
        if (cell < 0 || key != coarser->key[cell]) {
            coarser->key[++cell] = key;
            coarser->first_child[cell] = row;
        }
        level->parent[row] = cell;
    }
    coarser->first_child[cells] = (int32_t)level->rows;
    dlp__parallel_for(multigrid->domains->parallel, cells, GRAIN, assemble_coarser, coarser);
    return true;
}

/* Columns of the coarsest matrix up to the diagonal. */
static bool reserve_matrix(dlp__CellMultigrid *multigrid, const dlp__CellLevel *level)
{
    dlp__Skyline *matrix = &multigrid->matrix;
    matrix->rows = (int32_t)level->rows;
    matrix->width = multigrid->domains->width;
    matrix->first = dlp__cell_scratch(multigrid, level->rows, sizeof *matrix->first);
    matrix->start = dlp__cell_scratch(multigrid, level->rows, sizeof *matrix->start);
    if (!dlp__step_is_ok(multigrid->domains)) {
        return false;
    }
    for (int32_t row = 0; row < matrix->rows; row++) {
        matrix->first[row] = row;
    }
    for (int32_t row = 0; row < matrix->rows; row++) {
        for (int32_t n = 0; n < level->neighbors[row]; n++) {
            const int32_t column = level->column[row][n], lower = row > column ? row : column,
                          left = row > column ? column : row;
            matrix->first[lower] = left < matrix->first[lower] ? left : matrix->first[lower];
        }
    }
    const int64_t entries = dlp__skyline_layout(matrix);
    matrix->entry = dlp__cell_scratch(multigrid, entries, sizeof *matrix->entry);
    if (matrix->entry != NULL) {
        memset(matrix->entry, 0, (size_t)entries * sizeof *matrix->entry);
    }
    return matrix->entry != NULL;
}

/* The mean of the matrix and its transpose: across a periodic boundary weights are symmetric up to rounding only, and without a loss
 * that would be enough to make it indefinite. */
static void fill_matrix(const dlp__CellLevel *level, const dlp__Skyline *matrix)
{
    for (int32_t row = 0; row < matrix->rows; row++) {
        matrix->entry[matrix->start[row] + row] += level->loss[row];
        for (int32_t n = 0; n < level->neighbors[row]; n++) {
            const int32_t column = level->column[row][n];
            const double half = 0.5 * level->weight[row][n];
            const int64_t lower = row > column ? row : column, left = row > column ? column : row;
            matrix->entry[matrix->start[lower] + left] -= half;
            matrix->entry[matrix->start[row] + row] += half;
            matrix->entry[matrix->start[column] + column] += half;
        }
    }
}

static bool factor_coarsest(dlp__CellMultigrid *multigrid)
{
    const dlp__CellLevel *level = &multigrid->level[multigrid->levels - 1];
    if (!dlp__closed_groups_find(&multigrid->coarsest_closed, multigrid->domains, level) ||
        !reserve_matrix(multigrid, level)) {
        return false;
    }
    fill_matrix(level, &multigrid->matrix);
    for (int32_t row = 0; row < level->rows; row++) {
        double *diagonal = &multigrid->matrix.entry[multigrid->matrix.start[row] + row];
        if (!(*diagonal > 0.0)) { /* a cell without couplings */
            *diagonal = 1.0;
        } else if (multigrid->coarsest_closed.group[row] >= 0) {
            *diagonal *= 1.0 + SHIFT;
        }
    }
    return dlp__skyline_factor(&multigrid->matrix, multigrid->domains->parallel);
}

/* Sums over the particles of each cell, and values of cells for their particles. */
typedef struct Transfer {
    const dlp__CellMultigrid *multigrid;
    dlp__FieldId field;
} Transfer;

static void sum_values(void *context, int64_t begin, int64_t end)
{
    const Transfer *transfer = context;
    const dlp__CellMultigrid *multigrid = transfer->multigrid;
    for (int64_t row = begin; row < end; row++) {
        const dlp__CellMembers *cell = &multigrid->members[row];
        const float *value = dlp__field_array(&multigrid->domains->part[cell->part].particles, transfer->field, 0);
        const int32_t *cell_of = multigrid->cell_of[cell->part];
        double sum = 0.0;
        for (int32_t i = cell->begin; i < cell->end; i++) {
            sum += cell_of[i] >= 0 ? (double)value[i] : 0.0;
        }
        multigrid->level[0].right[row] = sum;
    }
}

static void count_members(void *context, int64_t begin, int64_t end)
{
    const dlp__CellMultigrid *multigrid = ((const Transfer *)context)->multigrid;
    for (int64_t row = begin; row < end; row++) {
        const dlp__CellMembers *cell = &multigrid->members[row];
        int32_t members = 0;
        for (int32_t i = cell->begin; i < cell->end; i++) {
            members += multigrid->cell_of[cell->part][i] >= 0;
        }
        multigrid->level[0].right[row] = members;
    }
}

static void add_cells_to_diagonal(void *context, int64_t begin, int64_t end)
{
    const dlp__CellMultigrid *multigrid = ((const Transfer *)context)->multigrid;
    for (int64_t row = begin; row < end; row++) {
        const dlp__CellMembers *cell = &multigrid->members[row];
        dlp__Particles *p = &multigrid->domains->part[cell->part].particles;
        const int32_t *cell_of = multigrid->cell_of[cell->part];
        const float common = (float)multigrid->level[0].solution[row];
        for (int32_t i = cell->begin; i < cell->end; i++) {
            p->product[0][i] = p->mobility[0][i] * p->residual[0][i] + (cell_of[i] >= 0 ? common : 0.0f);
        }
    }
}

static void subtract_means(void *context, int64_t begin, int64_t end)
{
    const Transfer *transfer = context;
    const dlp__CellMultigrid *multigrid = transfer->multigrid;
    const dlp__ClosedGroups *closed = &multigrid->closed;
    for (int64_t row = begin; row < end; row++) {
        const dlp__CellMembers *cell = &multigrid->members[row];
        const int32_t group = closed->group[row], *cell_of = multigrid->cell_of[cell->part];
        float *value = dlp__field_array(&multigrid->domains->part[cell->part].particles, transfer->field, 0);
        for (int32_t i = cell->begin; group >= 0 && i < cell->end; i++) {
            value[i] -= cell_of[i] >= 0 ? (float)(closed->sum[group] / closed->members[group]) : 0.0f;
        }
    }
}

static void for_cells(const dlp__CellMultigrid *multigrid, dlp__FieldId field, dlp_RangeFunction function)
{
    Transfer transfer = {multigrid, field};
    dlp__parallel_for(multigrid->domains->parallel, multigrid->level[0].rows, GRAIN, function, &transfer);
}

/* right = what `function` sums over the particles of each cell, on all ranks. */
static void sum_over_cells(const dlp__CellMultigrid *multigrid, dlp__FieldId field, dlp_RangeFunction function)
{
    const dlp__CellLevel *level = &multigrid->level[0];
    for_cells(multigrid, field, function);
    dlp__cell_rows_merge(multigrid, level->right, level->rows, sizeof *level->right);
}

/* The sum of `right` over each closed group. */
static void sum_over_closed_groups(const dlp__CellMultigrid *multigrid, double *sum)
{
    const dlp__ClosedGroups *closed = &multigrid->closed;
    memset(sum, 0, (size_t)closed->count * sizeof *sum);
    for (int64_t row = 0; row < multigrid->level[0].rows; row++) {
        if (closed->group[row] >= 0) {
            sum[closed->group[row]] += multigrid->level[0].right[row];
        }
    }
}

bool dlp__cell_multigrid_build(dlp__CellMultigrid *multigrid, dlp__Domains *domains, const dlp__PoissonPairs *pairs)
{
    *multigrid = (dlp__CellMultigrid){.domains = domains, .pairs = pairs, .levels = 1};
    if (!dlp__cell_rows_find(multigrid)) {
        return false;
    }
    assemble_finest(multigrid);
    if (!dlp__closed_groups_find(&multigrid->closed, domains, &multigrid->level[0])) {
        return false;
    }
    if (multigrid->closed.count > 0) { /* members are particles here, not cells */
        sum_over_cells(multigrid, DLP_FIELD_NONE, count_members);
        sum_over_closed_groups(multigrid, multigrid->closed.members);
    }
    while (multigrid->level[multigrid->levels - 1].rows > ROWS_MOST) {
        if (multigrid->levels == DLP_CELL_LEVELS || !coarsen(multigrid, &multigrid->level[multigrid->levels - 1])) {
            return false;
        }
        multigrid->levels++;
    }
    return factor_coarsest(multigrid);
}

void dlp__cell_multigrid_apply(dlp__CellMultigrid *multigrid)
{
    double started = dlp__clock();
    sum_over_cells(multigrid, DLP_FIELD_residual, sum_values);
    dlp__cell_cycle(multigrid);
    for_cells(multigrid, DLP_FIELD_NONE, add_cells_to_diagonal);
    dlp__profile_add(multigrid->domains, "poisson multigrid", started);
}

void dlp__cell_multigrid_center(dlp__CellMultigrid *multigrid, dlp__FieldId field)
{
    if (multigrid->closed.count > 0) {
        sum_over_cells(multigrid, field, sum_values);
        sum_over_closed_groups(multigrid, multigrid->closed.sum);
        for_cells(multigrid, field, subtract_means);
    }
}
