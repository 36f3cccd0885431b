#include "io/key_groups.h"

#include "io/checkpoint.h"

#include <stdio.h>

_Static_assert(sizeof(dlp_PoseKey) == 7 * sizeof(double), "a key is a row of seven doubles");

/* The kinds of things that may have keys. */
typedef struct KeyedList {
    int items; /* which of dlp__item_lists */
    dlp_Result (*get)(const dlp_World *world, int32_t id, const dlp_PoseKey **keys, int *count);
    dlp_Result (*set)(dlp_World *world, int32_t id, const dlp_PoseKey *keys, int count);
} KeyedList;

static const KeyedList keyed_lists[] = {
    {DLP_ITEMS_SOLIDS, dlp_world_get_solid_keys, dlp_world_set_solid_keys},
    {DLP_ITEMS_EMITTERS, dlp_world_get_emitter_keys, dlp_world_set_emitter_keys},
};
enum { KEYED_LISTS = sizeof keyed_lists / sizeof keyed_lists[0] };

static hid_t open_item(hid_t file, const KeyedList *list, int index, dlp_Error *error)
{
    char name[32];
    hid_t all = dlp__hdf5_open_group(file, dlp__item_lists[list->items].name, error);
    if (all < 0) {
        return -1;
    }
    snprintf(name, sizeof name, "%d", index);
    hid_t group = dlp__hdf5_open_group(all, name, error);
    H5Gclose(all);
    return group;
}

static dlp_Result write_keys(hid_t file, const KeyedList *list, const dlp_World *world, int index, dlp_Error *error)
{
    const dlp_PoseKey *keys = NULL;
    int count = 0;
    dlp_Result result = list->get(world, index, &keys, &count);
    if (result != DLP_OK || count == 0) {
        return result;
    }
    hid_t group = open_item(file, list, index, error);
    if (group < 0) {
        return DLP_ERROR_FORMAT;
    }
    result = dlp__hdf5_write_rows(group, "keys", DLP_ROWS_POSE, count, keys, error);
    H5Gclose(group);
    return result;
}

dlp_Result dlp__key_groups_write(hid_t file, const dlp_World *world, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int n = 0; n < KEYED_LISTS; n++) {
        const int count = dlp__item_lists[keyed_lists[n].items].count(world);
        for (int i = 0; i < count && result == DLP_OK; i++) {
            result = write_keys(file, &keyed_lists[n], world, i, error);
        }
    }
    return result;
}

static dlp_Result read_rows(hid_t group, int64_t file_bytes, const KeyedList *list, dlp_World *world, int index,
                            dlp_Error *error)
{
    void *rows = NULL;
    int64_t count = 0;
    dlp_Result result = dlp__hdf5_read_rows(group, "keys", DLP_ROWS_POSE, file_bytes, &world->memory, &count, &rows,
                                            error);
    if (result == DLP_OK) {
        result = list->set(world, index, rows, (int)count);
        if (result != DLP_OK) { /* a broken file, not a bad argument of the caller's */
            result = dlp__fail(error, result == DLP_ERROR_MEMORY ? result : DLP_ERROR_FORMAT, "%s",
                               dlp_world_error(world));
        }
    }
    dlp__memory_release(&world->memory, rows, count, dlp__hdf5_row_size(DLP_ROWS_POSE));
    return result;
}

static dlp_Result read_keys(hid_t file, int64_t file_bytes, const KeyedList *list, dlp_World *world, int index,
                            dlp_Error *error)
{
    hid_t group = open_item(file, list, index, error);
    if (group < 0) {
        return DLP_ERROR_FORMAT;
    }
    dlp_Result result = DLP_OK;
    if (dlp__hdf5_has(group, "keys")) {
        result = read_rows(group, file_bytes, list, world, index, error);
    }
    H5Gclose(group);
    if (result != DLP_OK) {
        dlp__error_prefix(error, "%s/%d: ", dlp__item_lists[list->items].name, index);
    }
    return result;
}

dlp_Result dlp__key_groups_read(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int n = 0; n < KEYED_LISTS; n++) {
        const int count = dlp__item_lists[keyed_lists[n].items].count(world);
        for (int i = 0; i < count && result == DLP_OK; i++) {
            result = read_keys(file, file_bytes, &keyed_lists[n], world, i, error);
        }
    }
    return result;
}
