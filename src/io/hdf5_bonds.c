/* Writing and reading bonds, of companions and of the method, as HDF5 datasets. */
#include "io/hdf5_bonds.h"

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
    if (columns->pairs == NULL || columns->lengths == NULL) {
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

static dlp_Result write_group(hid_t file, const char *name, const dlp__Bonds *bonds, dlp_Error *error)
{
    if (dlp__bonds_count(bonds) == 0) {
        return DLP_OK;
    }
    hid_t group = dlp__hdf5_make_group(file, name);
    if (group < 0) {
        return dlp__hdf5_fail(error, "make", name);
    }
    Columns columns = {0};
    dlp__Memory *memory = bonds->memory;
    dlp_Result result = fill_columns(memory, bonds, &columns)
                            ? DLP_OK
                            : dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to write %lld bonds",
                                        (long long)columns.count);
    if (result == DLP_OK) {
        result = dlp__hdf5_write_rows(group, "pairs", DLP_ROWS_UINT64_2, columns.count, columns.pairs, error);
    }
    if (result == DLP_OK) {
        result = dlp__hdf5_write_rows(group, "lengths", DLP_ROWS_FLOAT_1, columns.count, columns.lengths, error);
    }
    release_columns(memory, &columns);
    H5Gclose(group);
    return result;
}

dlp_Result dlp__hdf5_write_bonds(hid_t file, const dlp_World *world, dlp_Error *error)
{
    dlp_Result result = write_group(file, COMPANION_BONDS, &world->companions.bonds, error);
    return result == DLP_OK ? write_group(file, METHOD_BONDS, &world->bonds, error) : result;
}

static dlp_Result add_bonds(const dlp_World *world, dlp__Bonds *bonds, const Columns *columns, dlp_Error *error)
{
    for (int64_t k = 0; k < columns->count; k++) {
        const dlp__Bond bond = {columns->pairs[2 * k], columns->pairs[2 * k + 1], columns->lengths[k], 0.0f};
        if (!dlp__bonds_add(bonds, 0, &bond, 1)) {
            return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld bonds", (long long)columns->count);
        }
    }
    return dlp__bonds_check(bonds, 0, world->next_id, error);
}

static dlp_Result read_columns(hid_t group, int64_t file_bytes, dlp_World *world, dlp__Bonds *bonds, dlp_Error *error)
{
    dlp__Memory *memory = &world->memory;
    void *pairs = NULL, *lengths = NULL;
    int64_t pair_count = 0, count = 0;
    dlp_Result result = dlp__hdf5_read_rows(group, "pairs", DLP_ROWS_UINT64_2, file_bytes, memory, &pair_count, &pairs,
                                            error);
    if (result == DLP_OK) {
        result = dlp__hdf5_read_rows(group, "lengths", DLP_ROWS_FLOAT_1, file_bytes, memory, &count, &lengths, error);
    }
    if (result == DLP_OK && count != pair_count) {
        result = dlp__fail(error, DLP_ERROR_FORMAT, "there are %lld pairs, but %lld lengths", (long long)pair_count,
                           (long long)count);
    }
    if (result == DLP_OK) {
        result = add_bonds(world, bonds, &(Columns){count, pairs, lengths}, error);
    }
    dlp__memory_release(memory, lengths, count, dlp__hdf5_row_size(DLP_ROWS_FLOAT_1));
    dlp__memory_release(memory, pairs, pair_count, dlp__hdf5_row_size(DLP_ROWS_UINT64_2));
    return result;
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
