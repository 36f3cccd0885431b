/* The rows of the finest grid: cells of all subdomains and ranks, and the row of each particle and ghost. See cell_multigrid.h. */
#include "poisson/cell_multigrid.h"

#include "geometry/radix_sort.h"
#include "neighbors/halo.h"

#include <string.h>

enum { GRAIN = 256 }; /* cells that a thread takes at a time */

/* A particle whose own loss is more than this fraction of its diagonal has a fixed value to its neighbours, and the diagonal
 * preconditioner is enough for it. */
static const float LOSS_MOST = 0.9f;

void dlp__cell_rows_merge(const dlp__CellMultigrid *multigrid, void *items, int64_t count, size_t size)
{
    const int64_t words = (count * (int64_t)size + (int64_t)sizeof(int64_t) - 1) / (int64_t)sizeof(int64_t);
    dlp__ranks_reduce(multigrid->domains->ranks, DLP_REDUCE_OR, items, words);
}

bool dlp__cell_level_reserve(dlp__CellMultigrid *multigrid, dlp__CellLevel *level, int64_t rows)
{
    level->rows = rows;
    level->key = dlp__cell_scratch(multigrid, rows, sizeof *level->key);
    level->parent = dlp__cell_scratch(multigrid, rows, sizeof *level->parent);
    level->neighbors = dlp__cell_scratch(multigrid, rows, sizeof *level->neighbors);
    level->column = dlp__cell_scratch(multigrid, rows, sizeof *level->column);
    level->weight = dlp__cell_scratch(multigrid, rows, sizeof *level->weight);
    double **const arrays[] = {&level->loss,     &level->per_diagonal, &level->right,
                               &level->solution, &level->spare,        &level->kept};
    for (size_t n = 0; n < sizeof arrays / sizeof arrays[0]; n++) {
        *arrays[n] = dlp__cell_scratch(multigrid, rows, sizeof(double));
    }
    return dlp__step_is_ok(multigrid->domains);
}

/* Insert two zero bits above each of the lowest 21 bits. */
static uint64_t spread_bits(uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001f00000000ffffu;
    bits = (bits | bits << 16) & 0x001f0000ff0000ffu;
    bits = (bits | bits << 8) & 0x100f00f00f00f00fu;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3u;
    return (bits | bits << 2) & 0x1249249249249249u;
}

/* Interleaves the three coordinates of a cell's key. */
static uint64_t morton_code(uint64_t key)
{
    const uint64_t mask = ((uint64_t)1 << DLP_CELL_BITS) - 1;
    return spread_bits(key & mask) | spread_bits(key >> DLP_CELL_BITS & mask) << 1 |
           spread_bits(key >> (2 * DLP_CELL_BITS) & mask) << 2;
}

/* The cells of this process, and the Morton codes of those of all ranks, one rank after the other. */
typedef struct CellList {
    int64_t own, all;
    int64_t first; /* where the own cells begin among all */
    dlp__CellMembers *members;
    uint64_t *key;
} CellList;

/* Call with `members` and `key` null to count the cells only. */
static int64_t list_own_cells(const dlp__Domains *domains, dlp__CellMembers *members, uint64_t *key)
{
    int64_t cells = 0;
    for (int d = 0; d < domains->count; d++) {
        const dlp__CellGrid *grid = &domains->part[d].grid;
        for (int64_t c = 0; c < grid->count; c++) {
            if (grid->start[c] >= domains->part[d].particles.count) { /* a cell of ghosts */
                continue;
            }
            if (members != NULL) {
                key[cells] = morton_code(grid->key[c]);
                members[cells] = (dlp__CellMembers){d, grid->start[c], grid->start[c] + grid->population[c]};
            }
            cells++;
        }
    }
    return cells;
}

static bool list_cells(dlp__CellMultigrid *multigrid, CellList *list)
{
    const dlp__Domains *domains = multigrid->domains;
    const int ranks = dlp__ranks_count(domains->ranks), rank = domains->ranks != NULL ? domains->ranks->rank : 0;
    int64_t *cells_of = dlp__cell_scratch(multigrid, ranks, sizeof *cells_of);
    *list = (CellList){.own = list_own_cells(domains, NULL, NULL)};
    if (cells_of == NULL) {
        return false;
    }
    memset(cells_of, 0, (size_t)ranks * sizeof *cells_of);
    cells_of[rank] = list->own;
    dlp__cell_rows_merge(multigrid, cells_of, ranks, sizeof *cells_of);
    for (int r = 0; r < ranks; r++) {
        list->first = r == rank ? list->all : list->first;
        list->all += cells_of[r];
    }
    list->members = dlp__cell_scratch(multigrid, list->own, sizeof *list->members);
    list->key = dlp__cell_scratch(multigrid, list->all, sizeof *list->key);
    if (!dlp__step_is_ok(domains)) {
        return false;
    }
    memset(list->key, 0, (size_t)list->all * sizeof *list->key);
    list_own_cells(domains, list->members, list->key + list->first);
    dlp__cell_rows_merge(multigrid, list->key, list->all, sizeof *list->key);
    return true;
}

/* The finest grid: cells of all subdomains and ranks, sorted by Morton code. */
static bool sort_cells(dlp__CellMultigrid *multigrid)
{
    CellList list;
    if (!list_cells(multigrid, &list)) {
        return false;
    }
    dlp__KeyedIndex *items = dlp__cell_scratch(multigrid, list.all, sizeof *items),
                    *sorted = dlp__cell_scratch(multigrid, list.all, sizeof *sorted);
    multigrid->members = dlp__cell_scratch(multigrid, list.all, sizeof *multigrid->members);
    if (!dlp__cell_level_reserve(multigrid, &multigrid->level[0], list.all)) {
        return false;
    }
    for (int64_t cell = 0; cell < list.all; cell++) {
        items[cell] = (dlp__KeyedIndex){list.key[cell], (uint32_t)cell};
    }
    dlp__radix_sort(items, sorted, list.all);
    for (int64_t row = 0; row < list.all; row++) {
        const int64_t own = (int64_t)items[row].item - list.first;
        multigrid->level[0].key[row] = items[row].key;
        multigrid->members[row] = own >= 0 && own < list.own ? list.members[own] : (dlp__CellMembers){0, 0, 0};
    }
    return true;
}

static void number_particles(void *context, int64_t begin, int64_t end)
{
    const dlp__CellMultigrid *multigrid = context;
    for (int64_t row = begin; row < end; row++) {
        const dlp__CellMembers *cell = &multigrid->members[row];
        const dlp__Particles *p = &multigrid->domains->part[cell->part].particles;
        for (int32_t i = cell->begin; i < cell->end; i++) {
            const float mobility = p->mobility[0][i];
            const bool takes_part = mobility > 0.0f && p->poisson_loss[0][i] * mobility < LOSS_MOST;
            multigrid->cell_of[cell->part][i] = takes_part ? (int32_t)row : -1;
        }
    }
}

/* Ghosts are in the cell of their source. The number travels in the last float of a halo row, whose bits do not change in periodic images. */
static void number_ghosts(dlp__CellMultigrid *multigrid)
{
    enum { ROW = 4, LAST = ROW - 1 };
    static const dlp__HaloRow row = {.number = 0, .size = ROW};
    dlp__Domains *domains = multigrid->domains;
    for (int d = 0; d < domains->count; d++) {
        dlp__Domain *part = &domains->part[d];
        part->rows[0] = dlp__cell_scratch(multigrid, part->particles.count + part->particles.ghosts,
                                          ROW * sizeof(float));
        if (part->rows[0] == NULL) {
            return;
        }
        memset(part->rows[0], 0, (size_t)part->particles.count * ROW * sizeof(float));
        for (int64_t i = 0; i < part->particles.count; i++) {
            memcpy(part->rows[0] + ROW * i + LAST, multigrid->cell_of[d] + i, sizeof(int32_t));
        }
    }
    if (!dlp__halo_send_rows(domains, &row, 1)) {
        dlp__require_memory(domains, false, "the ghosts of the pressure equation");
        return;
    }
    dlp__halo_receive_rows(domains, &row, 1);
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        for (int64_t i = p->count; i < p->count + p->ghosts; i++) {
            memcpy(multigrid->cell_of[d] + i, domains->part[d].rows[0] + ROW * i + LAST, sizeof(int32_t));
        }
    }
}

/* The row of each particle and ghost. */
static bool number_members(dlp__CellMultigrid *multigrid)
{
    const dlp__Domains *domains = multigrid->domains;
    for (int d = 0; d < domains->count; d++) {
        const dlp__Particles *p = &domains->part[d].particles;
        multigrid->cell_of[d] = dlp__cell_scratch(multigrid, p->count + p->ghosts, sizeof(int32_t));
    }
    if (dlp__step_is_ok(domains)) {
        dlp__parallel_for(domains->parallel, multigrid->level[0].rows, GRAIN, number_particles, multigrid);
        number_ghosts(multigrid);
    }
    return dlp__step_is_ok(domains);
}

bool dlp__cell_rows_find(dlp__CellMultigrid *multigrid)
{
    return sort_cells(multigrid) && number_members(multigrid);
}
