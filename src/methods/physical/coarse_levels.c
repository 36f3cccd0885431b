#include "methods/physical/coarse_levels.h"

#include <math.h>
#include <string.h>

enum {
    AXES = DLP_COARSE_AXES,
    BLOCK = DLP_COARSE_BLOCK,
    AROUND = DLP_COARSE_AROUND,
    GRAIN = 64,      /* nodes                                             */
    POWER_STEPS = 6, /* to estimate the largest eigenvalue for the damping */
};

/* Damping of the smoother in units of one over the estimated largest eigenvalue, which may be low by a third. */
static const double DAMPING = 1.3;

typedef double Vector[DLP_COARSE_AXES];

/* A node of the box, or a node around it. */
static void find_position(const dlp__CoarseLevel *level, int32_t place, int64_t at[AXES])
{
    for (int a = 0; a < AXES; a++) {
        at[a] = place / level->stride[a] % level->nodes[a];
    }
}

static void offset_of(int slot, int offset[AXES])
{
    for (int a = 0; a < AXES; a++, slot /= 3) {
        offset[a] = slot % 3 - 1;
    }
}

/* The place in the box of a position, or -1 outside. */
static int64_t place_of(const dlp__CoarseLevels *levels, const dlp__CoarseLevel *level, const int64_t at[AXES])
{
    int64_t place = 0;
    for (int a = 0; a < AXES; a++) {
        const int64_t n = level->nodes[a], x = levels->wraps[a] ? (at[a] + n) % n : at[a];
        if (x < 0 || x >= n) {
            return -1;
        }
        place += x * level->stride[a];
    }
    return place;
}

/* Number the nodes in use by their place, and find those around each. */
static bool number_nodes(const dlp__CoarseLevels *levels, dlp__CoarseLevel *level, dlp__Arena *arena)
{
    const int64_t box = level->nodes[0] * level->nodes[1] * level->nodes[2];
    level->count = 0;
    for (int64_t n = 0; n < box; n++) {
        level->number[n] = level->number[n] < 0 ? -1 : level->count++;
    }
    level->place = dlp__arena_take(arena, level->count, sizeof *level->place);
    level->around = dlp__arena_take(arena, level->count, sizeof *level->around);
    if (level->place == NULL || level->around == NULL) {
        return false;
    }
    for (int64_t n = 0; n < box; n++) {
        if (level->number[n] >= 0) {
            level->place[level->number[n]] = (int32_t)n;
        }
    }
    for (int32_t i = 0; i < level->count; i++) {
        int64_t at[AXES];
        find_position(level, level->place[i], at);
        for (int slot = 0; slot < AROUND; slot++) {
            int offset[AXES];
            offset_of(slot, offset);
            const int64_t near[AXES] = {at[0] + offset[0], at[1] + offset[1], at[2] + offset[2]};
            const int64_t place = place_of(levels, level, near);
            level->around[i][slot] = place < 0 ? -1 : level->number[place];
        }
    }
    return true;
}

/* The columns of the matrix of a level that is to be factored, and the multiplications for that. */
static double lay_out_columns(const dlp__CoarseLevel *level, int32_t *first)
{
    double work = 0.0;
    for (int32_t i = 0; i < level->count; i++) {
        int32_t least = i;
        for (int slot = 0; slot < AROUND; slot++) {
            const int32_t j = level->around[i][slot];
            least = j >= 0 && j < least ? j : least;
        }
        const double entries = (double)AXES * (double)(i + 1 - least);
        work += AXES * entries * entries;
        for (int a = 0; a < AXES && first != NULL; a++) {
            first[AXES * i + a] = AXES * least;
        }
    }
    return work;
}

/* The nodes of the next level that a node is interpolated from, along one axis: at most two, with equal weights. */
static int find_parents(int64_t x, int factor, int64_t nodes, bool wraps, int64_t parent[2])
{
    parent[0] = factor == 2 ? x / 2 : x;
    parent[1] = wraps ? (parent[0] + 1) % nodes : parent[0] + 1;
    return factor == 2 && x % 2 == 1 ? 2 : 1;
}

typedef struct Parents {
    int count;
    double weight; /* of each */
    int32_t place[8];
} Parents;

static Parents parents_of(const dlp__CoarseLevels *levels, const dlp__CoarseLevel *fine, int32_t place)
{
    const dlp__CoarseLevel *next = fine + 1;
    int64_t at[AXES], parent[AXES][2];
    int ways[AXES];
    find_position(fine, place, at);
    for (int a = 0; a < AXES; a++) {
        ways[a] = find_parents(at[a], fine->factor[a], next->nodes[a], levels->wraps[a], parent[a]);
    }
    Parents parents = {.weight = 1.0 / (ways[0] * ways[1] * ways[2])};
    for (int n = 0; n < 8; n++) {
        const int way[AXES] = {n & 1, n >> 1 & 1, n >> 2};
        if (way[0] < ways[0] && way[1] < ways[1] && way[2] < ways[2]) {
            parents.place[parents.count++] = (int32_t)(parent[0][way[0]] * next->stride[0] +
                                                       parent[1][way[1]] * next->stride[1] +
                                                       parent[2][way[2]] * next->stride[2]);
        }
    }
    return parents;
}

/* The box of the next level, with the nodes in use. False without memory. */
static bool make_next(dlp__CoarseLevels *levels, dlp__Arena *arena)
{
    dlp__CoarseLevel *fine = &levels->level[levels->count - 1], *next = fine + 1;
    int64_t box = 1;
    for (int a = 0; a < AXES; a++) {
        const bool halves = levels->wraps[a] ? fine->nodes[a] % 2 == 0 : fine->nodes[a] > 2;
        fine->factor[a] = halves ? 2 : 1;
        next->nodes[a] = !halves ? fine->nodes[a] : levels->wraps[a] ? fine->nodes[a] / 2 : fine->nodes[a] / 2 + 1;
        box *= next->nodes[a];
    }
    for (int a = 0; a < AXES; a++) { /* the same order of axes as before */
        next->stride[a] = 1;
        for (int b = 0; b < AXES; b++) {
            const bool before = fine->stride[b] < fine->stride[a] || (fine->stride[b] == fine->stride[a] && b < a);
            next->stride[a] *= before ? next->nodes[b] : 1;
        }
    }
    next->number = dlp__arena_take(arena, box, sizeof *next->number);
    if (next->number == NULL) {
        return false;
    }
    memset(next->number, 0xff, (size_t)box * sizeof *next->number);
    for (int32_t i = 0; i < fine->count; i++) {
        const Parents parents = parents_of(levels, fine, fine->place[i]);
        for (int n = 0; n < parents.count; n++) {
            next->number[parents.place[n]] = 0;
        }
    }
    levels->count++;
    return number_nodes(levels, next, arena);
}

static bool take_matrix(dlp__CoarseLevel *level, dlp__Arena *arena)
{
    level->block = dlp__arena_take(arena, level->count, sizeof *level->block);
    level->inverse = dlp__arena_take(arena, level->count, sizeof *level->inverse);
    level->right = dlp__arena_take(arena, level->count, sizeof *level->right);
    level->solution = dlp__arena_take(arena, level->count, sizeof *level->solution);
    level->residual = dlp__arena_take(arena, level->count, sizeof *level->residual);
    return level->block != NULL && level->inverse != NULL && level->right != NULL && level->solution != NULL &&
           level->residual != NULL;
}

static bool take_last(dlp__CoarseLevels *levels, dlp__Arena *arena)
{
    const dlp__CoarseLevel *level = &levels->level[levels->count - 1];
    dlp__Skyline *last = &levels->last;
    last->rows = AXES * level->count;
    last->first = dlp__arena_take(arena, last->rows, sizeof *last->first);
    last->start = dlp__arena_take(arena, last->rows, sizeof *last->start);
    levels->unknowns = dlp__arena_take(arena, last->rows, sizeof *levels->unknowns);
    if (last->first == NULL || last->start == NULL || levels->unknowns == NULL) {
        return false;
    }
    lay_out_columns(level, last->first);
    const int64_t entries = dlp__skyline_layout(last);
    last->entry = dlp__arena_take(arena, entries, sizeof *last->entry);
    if (last->entry == NULL) {
        return false;
    }
    memset(last->entry, 0, (size_t)entries * sizeof *last->entry);
    return true;
}

bool dlp__coarse_levels_make(dlp__CoarseLevels *levels, dlp__Arena *arena, double work)
{
    levels->count = 1;
    bool ok = number_nodes(levels, &levels->level[0], arena);
    while (ok && levels->count < DLP_COARSE_LEVELS && lay_out_columns(&levels->level[levels->count - 1], NULL) > work) {
        const int32_t before = levels->level[levels->count - 1].count;
        ok = make_next(levels, arena);
        if (ok && levels->level[levels->count - 1].count == before) { /* no axis can be halved */
            levels->count--;
            break;
        }
    }
    for (int n = 0; ok && n < levels->count; n++) {
        ok = take_matrix(&levels->level[n], arena);
    }
    if (!ok || !take_last(levels, arena)) {
        return false;
    }
    memset(levels->level[0].block, 0, (size_t)levels->level[0].count * sizeof *levels->level[0].block);
    return true;
}

/* Along one axis: the coarse nodes from which a fine node is interpolated, by their offsets from another coarse node. */
typedef struct Share {
    int first, last;
    double weight; /* of each, times the weight of the other fine node in the other coarse node */
} Share;

/* The share of the fine node at `offset` from the one that lies at `child` from a coarse node. */
static Share find_share(int factor, int child, int offset)
{
    if (factor == 1) {
        return (Share){offset, offset, child == 0 ? 1.0 : 0.0};
    }
    const int at = child + offset; /* -2 to 2 */
    const double own = child == 0 ? 1.0 : 0.5;
    return at % 2 == 0 ? (Share){at / 2, at / 2, own} : (Share){at < 0 ? -1 : 0, at < 0 ? 0 : 1, 0.5 * own};
}

/* One of the loops below over the nodes of a level. */
typedef struct Loop {
    const dlp__CoarseLevels *levels;
    const dlp__CoarseLevel *level;
    Share share[AXES][3][3]; /* of the Galerkin product, by child and offset */
} Loop;

static void for_each_node(const dlp__CoarseLevels *levels, const dlp__CoarseLevel *level, dlp_RangeFunction function)
{
    Loop loop = {.levels = levels, .level = level};
    dlp__parallel_for(levels->parallel, level->count, GRAIN, function, &loop);
}

/* The node of the level above at an offset from a node's own place there, or -1. */
static int32_t find_child(const dlp__CoarseLevels *levels, const dlp__CoarseLevel *level, const int64_t at[AXES],
                          const int offset[AXES])
{
    const dlp__CoarseLevel *fine = level - 1;
    int64_t there[AXES];
    for (int a = 0; a < AXES; a++) {
        if (offset[a] != 0 && fine->factor[a] == 1) {
            return -1;
        }
        there[a] = fine->factor[a] * at[a] + offset[a];
    }
    const int64_t place = place_of(levels, fine, there);
    return place < 0 ? -1 : fine->number[place];
}

/* matrix += share of the block between a fine node at `child` and the one at `offset` from it */
static void add_block(const Loop *loop, const int child[AXES], const int offset[AXES], const double *block,
                      double (*matrix)[BLOCK])
{
    const Share *x = &loop->share[0][child[0] + 1][offset[0] + 1], *y = &loop->share[1][child[1] + 1][offset[1] + 1],
                *z = &loop->share[2][child[2] + 1][offset[2] + 1];
    const double weight = x->weight * y->weight * z->weight;
    for (int k = z->first; k <= z->last; k++) {
        for (int j = y->first; j <= y->last; j++) {
            for (int i = x->first; i <= x->last; i++) {
                double *to = matrix[AROUND / 2 + i + 3 * j + 9 * k];
                for (int n = 0; n < BLOCK; n++) {
                    to[n] += weight * block[n];
                }
            }
        }
    }
}

/* The Galerkin product of the level above. */
static void multiply_matrices(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    const dlp__CoarseLevel *level = loop->level, *fine = level - 1;
    for (int64_t i = begin; i < end; i++) {
        int64_t at[AXES];
        find_position(level, level->place[i], at);
        memset(level->block[i], 0, sizeof level->block[i]);
        for (int n = 0; n < AROUND; n++) {
            int child[AXES];
            offset_of(n, child);
            const int32_t from = find_child(loop->levels, level, at, child);
            for (int slot = 0; slot < AROUND && from >= 0; slot++) {
                int offset[AXES];
                offset_of(slot, offset);
                if (fine->around[from][slot] >= 0) {
                    add_block(loop, child, offset, fine->block[from][slot], level->block[i]);
                }
            }
        }
    }
}

/* right = residual of the level above, by the transpose of interpolation */
static void restrict_residual(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    const dlp__CoarseLevel *level = loop->level, *fine = level - 1;
    for (int64_t i = begin; i < end; i++) {
        Vector sum = {0.0, 0.0, 0.0};
        int64_t at[AXES];
        find_position(level, level->place[i], at);
        for (int n = 0; n < AROUND; n++) {
            int child[AXES];
            offset_of(n, child);
            const int32_t from = find_child(loop->levels, level, at, child);
            const double weight = 1.0 / (1 << (child[0] * child[0] + child[1] * child[1] + child[2] * child[2]));
            for (int a = 0; a < AXES && from >= 0; a++) {
                sum[a] += weight * fine->residual[from][a];
            }
        }
        memcpy(level->right[i], sum, sizeof sum);
    }
}

/* solution += that of the next level, interpolated */
static void add_correction(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    const dlp__CoarseLevel *level = loop->level, *next = level + 1;
    for (int64_t i = begin; i < end; i++) {
        const Parents parents = parents_of(loop->levels, level, level->place[i]);
        for (int n = 0; n < parents.count; n++) {
            const double *correction = next->solution[next->number[parents.place[n]]];
            for (int a = 0; a < AXES; a++) {
                level->solution[i][a] += parents.weight * correction[a];
            }
        }
    }
}

/* residual = right - matrix solution */
static void find_residual(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    const dlp__CoarseLevel *level = loop->level;
    for (int64_t i = begin; i < end; i++) {
        double x = level->right[i][0], y = level->right[i][1], z = level->right[i][2];
        for (int slot = 0; slot < AROUND; slot++) {
            const int32_t j = level->around[i][slot];
            if (j < 0) {
                continue;
            }
            const double *b = level->block[i][slot], *u = level->solution[j];
            x -= b[0] * u[0] + b[1] * u[1] + b[2] * u[2];
            y -= b[3] * u[0] + b[4] * u[1] + b[5] * u[2];
            z -= b[6] * u[0] + b[7] * u[1] + b[8] * u[2];
        }
        level->residual[i][0] = x;
        level->residual[i][1] = y;
        level->residual[i][2] = z;
    }
}

/* solution += inverse diagonal block times residual */
static void smooth(void *context, int64_t begin, int64_t end)
{
    const Loop *loop = context;
    const dlp__CoarseLevel *level = loop->level;
    for (int64_t i = begin; i < end; i++) {
        for (int n = 0; n < BLOCK; n++) {
            level->solution[i][n / AXES] += level->inverse[i][n] * level->residual[i][n % AXES];
        }
    }
}

/* False if the block is not positive definite. */
static bool invert_block(const double m[BLOCK], double inverse[BLOCK])
{
    for (int n = 0; n < BLOCK; n++) { /* cofactors; the block is symmetric */
        const int p = (n / 3 + 1) % 3, q = (n / 3 + 2) % 3, r = (n % 3 + 1) % 3, s = (n % 3 + 2) % 3;
        inverse[n] = m[3 * p + r] * m[3 * q + s] - m[3 * p + s] * m[3 * q + r];
    }
    const double determinant = m[0] * inverse[0] + m[1] * inverse[1] + m[2] * inverse[2];
    for (int n = 0; n < BLOCK; n++) {
        inverse[n] /= determinant;
    }
    return m[0] > 0.0 && inverse[8] > 0.0 && determinant > 0.0;
}

/* The estimated largest eigenvalue of inverse diagonal times matrix, by power iteration from a rough vector. */
static double largest_eigenvalue(const dlp__CoarseLevels *levels, const dlp__CoarseLevel *level)
{
    double largest = 1.0;
    memset(level->right, 0, (size_t)level->count * sizeof *level->right);
    for (int32_t n = 0; n < AXES * level->count; n++) {
        level->solution[n / AXES][n % AXES] = (double)((uint32_t)n * 2654435761u >> 16 & 0xff) - 127.5;
    }
    for (int step = 0; step < POWER_STEPS; step++) {
        double before = 0.0, after = 0.0;
        for_each_node(levels, level, find_residual);
        for (int32_t n = 0; n < AXES * level->count; n++) {
            before += level->solution[n / AXES][n % AXES] * level->solution[n / AXES][n % AXES];
        }
        memset(level->solution, 0, (size_t)level->count * sizeof *level->solution);
        for_each_node(levels, level, smooth);
        for (int32_t n = 0; n < AXES * level->count; n++) {
            after += level->solution[n / AXES][n % AXES] * level->solution[n / AXES][n % AXES];
        }
        largest = sqrt(after / before);
        for (int32_t n = 0; n < AXES * level->count; n++) {
            level->solution[n / AXES][n % AXES] /= largest;
        }
    }
    return largest;
}

/* The smoother of a level. */
static bool prepare_smoother(const dlp__CoarseLevels *levels, const dlp__CoarseLevel *level)
{
    for (int32_t i = 0; i < level->count; i++) {
        double diagonal[BLOCK] = {0};
        for (int slot = 0; slot < AROUND; slot++) { /* on a short periodic axis a node is its own neighbour */
            for (int n = 0; n < BLOCK && level->around[i][slot] == i; n++) {
                diagonal[n] += level->block[i][slot][n];
            }
        }
        if (!invert_block(diagonal, level->inverse[i])) {
            return false;
        }
    }
    const double damping = DAMPING / largest_eigenvalue(levels, level);
    for (int32_t n = 0; n < BLOCK * level->count; n++) {
        level->inverse[n / BLOCK][n % BLOCK] *= damping;
    }
    return damping > 0.0; /* false for NaN */
}

static bool factor_last(dlp__CoarseLevels *levels)
{
    const dlp__CoarseLevel *level = &levels->level[levels->count - 1];
    dlp__Skyline *last = &levels->last;
    for (int32_t i = 0; i < level->count; i++) {
        for (int slot = 0; slot < AROUND; slot++) {
            const int32_t j = level->around[i][slot];
            for (int n = 0; n < BLOCK && j >= 0; n++) {
                const int32_t row = AXES * i + n / AXES, column = AXES * j + n % AXES;
                if (column <= row) {
                    last->entry[last->start[row] + column] += level->block[i][slot][n];
                }
            }
        }
    }
    return dlp__skyline_factor(last, levels->parallel);
}

bool dlp__coarse_levels_factor(dlp__CoarseLevels *levels)
{
    bool ok = true;
    for (int l = 0; l + 1 < levels->count && ok; l++) {
        const dlp__CoarseLevel *level = &levels->level[l];
        Loop loop = {.levels = levels, .level = level + 1};
        for (int n = 0; n < AXES * 9; n++) {
            const int a = n / 9, child = n / 3 % 3, offset = n % 3;
            loop.share[a][child][offset] = find_share(level->factor[a], child - 1, offset - 1);
        }
        ok = prepare_smoother(levels, level);
        dlp__parallel_for(levels->parallel, level[1].count, 1, multiply_matrices, &loop);
    }
    return ok && factor_last(levels);
}

static void solve_last(const dlp__CoarseLevels *levels)
{
    const dlp__CoarseLevel *level = &levels->level[levels->count - 1];
    const size_t size = (size_t)level->count * sizeof *level->right;
    memcpy(levels->unknowns, level->right, size);
    dlp__skyline_solve(&levels->last, levels->unknowns);
    memcpy(level->solution, levels->unknowns, size);
}

/* level.solution += the correction of the next level for level.residual */
static void correct(const dlp__CoarseLevels *levels, int l);

/* level.solution = approximate inverse times level.right */
static void cycle(const dlp__CoarseLevels *levels, int l) /* NOLINT(misc-no-recursion): as deep as there are levels */
{
    const dlp__CoarseLevel *level = &levels->level[l];
    if (l == levels->count - 1) {
        solve_last(levels);
        return;
    }
    memset(level->solution, 0, (size_t)level->count * sizeof *level->solution);
    memcpy(level->residual, level->right, (size_t)level->count * sizeof *level->residual);
    correct(levels, l);
    for_each_node(levels, level, find_residual);
    for_each_node(levels, level, smooth);
    for_each_node(levels, level, find_residual);
    correct(levels, l);
}

static void correct(const dlp__CoarseLevels *levels, int l) /* NOLINT(misc-no-recursion) */
{
    for_each_node(levels, &levels->level[l + 1], restrict_residual);
    cycle(levels, l + 1);
    for_each_node(levels, &levels->level[l], add_correction);
}

void dlp__coarse_levels_solve(const dlp__CoarseLevels *levels)
{
    cycle(levels, 0);
}
