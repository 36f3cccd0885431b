/* Writing and reading bonds, of companions and of the method, as HDF5 datasets. */
#include "io/hdf5_bonds.h"

#include <stdlib.h>
#include <string.h>

static const char *const COMPANION_BONDS = "bonds", *const METHOD_BONDS = "method_bonds";

/* The bonds of all subdomains as two arrays. The caller releases them even on failure. */
typedef struct Columns {
    int64_t count;
    uint64_t *pairs;
    float *lengths;
} Columns;

static void release_columns(dlp__Memory *memory, Columns *columns)
{
    dlp__memory_release(memory, columns->lengths, columns->count, sizeof *columns->lengths);
    dlp__memory_release(memory, columns->pairs, 2 * columns->count, sizeof *columns->pairs);
}

static bool fill_columns(dlp__Memory *memory, const dlp__Bonds *bonds, Columns *columns)
{
    columns->count = dlp__bonds_count(bonds);
    columns->pairs = dlp__memory_get(memory, 2 * columns->count, sizeof *columns->pairs);
    columns->lengths = dlp__memory_get(memory, columns->count, sizeof *columns->lengths);
    if (columns->count > 0 && (columns->pairs == NULL || columns->lengths == NULL)) {
        return false;
    }
    int64_t row = 0;
    for (int d = 0; d < DLP_DOMAINS_MOST; d++) {
        for (int64_t k = 0; k < bonds->part[d].count; k++) {
            const dlp__Bond *bond = &bonds->part[d].bond[k];
            if (bond->length >= 0.0f) {
                columns->pairs[2 * row] = bond->own;
                columns->pairs[2 * row + 1] = bond->other;
                columns->lengths[row++] = bond->length;
            }
        }
    }
    return true;
}

/* `all`: the bonds of all ranks. */
static dlp_Result write_columns(hid_t group, dlp__Hdf5Pending *pending, int64_t all, const Columns *columns,
                                dlp_Error *error)
{
    if (pending->ranks == NULL) {
        const dlp_Result result = dlp__hdf5_write_rows(group, "pairs", DLP_ROWS_UINT64_2, columns->count,
                                                       columns->pairs, error);
        return result == DLP_OK
                   ? dlp__hdf5_write_rows(group, "lengths", DLP_ROWS_FLOAT_1, columns->count, columns->lengths, error)
                   : result;
    }
    const dlp_Result pairs = dlp__hdf5_write_own_rows(pending, group, "pairs", DLP_ROWS_UINT64_2, all, columns->count,
                                                      columns->pairs, error);
    const dlp_Result lengths = dlp__hdf5_write_own_rows(pending, group, "lengths", DLP_ROWS_FLOAT_1, all,
                                                        columns->count, columns->lengths, error);
    return pairs == DLP_OK ? lengths : pairs;
}

static dlp_Result write_group(hid_t file, dlp__Hdf5Pending *pending, const char *name, const dlp__Bonds *bonds,
                              int64_t all, dlp_Error *error)
{
    if (all == 0) {
        return DLP_OK;
    }
    hid_t group = dlp__hdf5_make_group(file, name);
    if (group < 0) {
        return dlp__hdf5_fail(error, "make", name);
    }
    Columns columns = {0};
    dlp__Memory *memory = bonds->memory;
    const bool filled = fill_columns(memory, bonds, &columns);
    dlp_Result result = filled ? write_columns(group, pending, all, &columns, error)
                               : dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to write %lld bonds",
                                           (long long)columns.count);
    if (!filled || pending->ranks == NULL) {
        release_columns(memory, &columns);
    }
    H5Gclose(group);
    return result;
}

void dlp__hdf5_count_bonds(const dlp_World *world, int64_t counts[2])
{
    counts[0] = dlp__bonds_count(&world->companions.bonds);
    counts[1] = dlp__bonds_count(&world->bonds);
    dlp__ranks_reduce(world->parallel.ranks, DLP_REDUCE_SUM, counts, 2);
}

dlp_Result dlp__hdf5_write_bonds(hid_t file, dlp__Hdf5Pending *pending, const dlp_World *world, const int64_t counts[2],
                                 dlp_Error *error)
{
    dlp_Result result = write_group(file, pending, COMPANION_BONDS, &world->companions.bonds, counts[0], error);
    return result == DLP_OK ? write_group(file, pending, METHOD_BONDS, &world->bonds, counts[1], error) : result;
}

/* The sorted ids of the particles of this rank; null without ranks: all bonds are its own. */
typedef struct OwnIds {
    int64_t count;
    uint64_t *id;
} OwnIds;

static int compare_ids(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static bool list_own_ids(dlp_World *world, OwnIds *ids)
{
    const dlp__Particles *particles = &world->domains.part[0].particles;
    *ids = (OwnIds){0};
    if (dlp__ranks_count(world->parallel.ranks) == 1) {
        return true;
    }
    ids->id = dlp__memory_get(&world->memory, particles->count + 1, sizeof *ids->id);
    if (ids->id == NULL) {
        return false;
    }
    ids->count = particles->count;
    if (ids->count > 0) {
        memcpy(ids->id, particles->id[0], (size_t)ids->count * sizeof *ids->id);
        qsort(ids->id, (size_t)ids->count, sizeof *ids->id, compare_ids);
    }
    return true;
}

static bool is_own(const OwnIds *ids, uint64_t id)
{
    return ids->id == NULL ||
           (ids->count > 0 && bsearch(&id, ids->id, (size_t)ids->count, sizeof id, compare_ids) != NULL);
}

/* Keep those of own particles; bonds of a particle follow each other. */
static bool add_bonds(dlp__Bonds *bonds, const Columns *columns, const OwnIds *ids)
{
    bool own = false, ok = true;
    for (int64_t k = 0; k < columns->count && ok; k++) {
        const dlp__Bond bond = {columns->pairs[2 * k], columns->pairs[2 * k + 1], columns->lengths[k], 0.0f};
        own = k > 0 && columns->pairs[2 * k - 2] == bond.own ? own : is_own(ids, bond.own);
        ok = !own || dlp__bonds_add(bonds, 0, &bond, 1);
    }
    return ok;
}

/* Read `count` bonds block by block. */
static dlp_Result read_blocks(hid_t group, int64_t file_bytes, int64_t count, dlp__Bonds *bonds, const OwnIds *ids,
                              dlp_Error *error)
{
    dlp__Memory *memory = bonds->memory;
    const int64_t most = count < DLP_CHUNK_ROWS ? count : DLP_CHUNK_ROWS;
    Columns columns = {.pairs = dlp__memory_get(memory, 2 * most, sizeof *columns.pairs),
                       .lengths = dlp__memory_get(memory, most, sizeof *columns.lengths)};
    dlp_Result result = columns.pairs != NULL && columns.lengths != NULL ? DLP_OK : DLP_ERROR_MEMORY;
    for (int64_t first = 0; first < count && result == DLP_OK; first += most) {
        columns.count = count - first < most ? count - first : most;
        result = dlp__hdf5_read_some_rows(group, "pairs", DLP_ROWS_UINT64_2, file_bytes, first, columns.count,
                                          columns.pairs, error);
        if (result == DLP_OK) {
            result = dlp__hdf5_read_some_rows(group, "lengths", DLP_ROWS_FLOAT_1, file_bytes, first, columns.count,
                                              columns.lengths, error);
        }
        if (result == DLP_OK && !add_bonds(bonds, &columns, ids)) {
            result = DLP_ERROR_MEMORY;
        }
    }
    columns.count = most;
    release_columns(memory, &columns);
    return result != DLP_ERROR_MEMORY
               ? result
               : dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld bonds", (long long)count);
}

static dlp_Result read_columns(hid_t group, int64_t file_bytes, dlp_World *world, dlp__Bonds *bonds, dlp_Error *error)
{
    OwnIds ids;
    int64_t pairs = 0, count = 0;
    dlp_Result result = dlp__hdf5_count_rows(group, "pairs", DLP_ROWS_UINT64_2, file_bytes, &pairs, error);
    if (result == DLP_OK) {
        result = dlp__hdf5_count_rows(group, "lengths", DLP_ROWS_FLOAT_1, file_bytes, &count, error);
    }
    if (result == DLP_OK && count != pairs) {
        result = dlp__fail(error, DLP_ERROR_FORMAT, "there are %lld pairs, but %lld lengths", (long long)pairs,
                           (long long)count);
    }
    if (result == DLP_OK && count == 0) {
        result = dlp__fail(error, DLP_ERROR_FORMAT, "'pairs' is empty");
    }
    if (result != DLP_OK) {
        return result;
    }
    result = list_own_ids(world, &ids)
                 ? read_blocks(group, file_bytes, count, bonds, &ids, error)
                 : dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the ids of %lld bonds", (long long)count);
    dlp__memory_release(&world->memory, ids.id, ids.count + 1, sizeof *ids.id);
    return result == DLP_OK ? dlp__bonds_check(bonds, 0, world->next_id, error) : result;
}

/* `why_none`: why this world cannot have bonds; null if it can. */
static dlp_Result read_group(hid_t file, const char *name, int64_t file_bytes, dlp_World *world, dlp__Bonds *bonds,
                             const char *why_none, dlp_Error *error)
{
    if (!dlp__hdf5_has(file, name)) {
        return DLP_OK;
    }
    hid_t group = dlp__hdf5_open_group(file, name, error);
    if (group < 0) {
        return DLP_ERROR_FORMAT;
    }
    dlp_Result result = why_none == NULL ? read_columns(group, file_bytes, world, bonds, error)
                                         : dlp__fail(error, DLP_ERROR_FORMAT, "%s, so there should be none", why_none);
    H5Gclose(group);
    if (result != DLP_OK) {
        dlp__error_prefix(error, "%s: ", name);
    }
    return result;
}

dlp_Result dlp__hdf5_read_bonds(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error)
{
    const char *no_companion_bonds = world->companions.count > world->companions.rigid ? NULL : "no companion is soft";
    const char *no_method_bonds = world->method->keeps_bonds ? NULL : "the method keeps none";
    dlp_Result result = read_group(file, COMPANION_BONDS, file_bytes, world, &world->companions.bonds,
                                   no_companion_bonds, error);
    return result == DLP_OK ? read_group(file, METHOD_BONDS, file_bytes, world, &world->bonds, no_method_bonds, error)
                            : result;
}
