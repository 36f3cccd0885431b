/* Writing and reading keys: poses of solids and emitters, flow curves, viscosities over temperature. */
#include "io/hdf5_keys.h"

#include "io/checkpoint.h"

#include <stdio.h>

_Static_assert(sizeof(dlp_PoseKey) == 7 * sizeof(double), "a key is a row of seven doubles");
_Static_assert(sizeof(dlp_FlowKey) == 2 * sizeof(double), "a key of a flow is a row of two doubles");
_Static_assert(sizeof(dlp_ViscosityKey) == 2 * sizeof(double), "a viscosity at a temperature is a row of two doubles");

/* The kinds of keys that an item may have. */
typedef struct KeyedList {
    int items; /* index in dlp__item_lists */
    const char *name;
    dlp__RowType type;
    const void *(*get)(const dlp_World *world, int32_t id, int *count);
    dlp_Result (*set)(dlp_World *world, int32_t id, const void *keys, int count);
} KeyedList;

static const void *get_solid_keys(const dlp_World *world, int32_t id, int *count)
{
    *count = world->solids.solid[id].path.count;
    return world->solids.solid[id].path.keys;
}

static dlp_Result set_solid_keys(dlp_World *world, int32_t id, const void *keys, int count)
{
    return dlp_world_set_solid_keys(world, id, keys, count);
}

static const void *get_emitter_keys(const dlp_World *world, int32_t id, int *count)
{
    *count = world->emitters[id].path.count;
    return world->emitters[id].path.keys;
}

static dlp_Result set_emitter_keys(dlp_World *world, int32_t id, const void *keys, int count)
{
    return dlp_world_set_emitter_keys(world, id, keys, count);
}

static const void *get_emitter_flow(const dlp_World *world, int32_t id, int *count)
{
    *count = world->emitters[id].flow.count;
    return world->emitters[id].flow.keys;
}

/* Not with the public call, which would restart the count of layers. */
static dlp_Result set_emitter_flow(dlp_World *world, int32_t id, const void *keys, int count)
{
    return dlp__flow_curve_set(&world->emitters[id].flow, &world->memory, keys, count, &world->error);
}

static const void *get_viscosities(const dlp_World *world, int32_t id, int *count)
{
    const dlp_ViscosityKey *keys = NULL;
    dlp_world_get_material_viscosities(world, id, &keys, count);
    return keys;
}

static dlp_Result set_viscosities(dlp_World *world, int32_t id, const void *keys, int count)
{
    return dlp_world_set_material_viscosities(world, id, keys, count);
}

static const KeyedList keyed_lists[] = {
    {DLP_ITEMS_MATERIALS, "viscosity_at", DLP_ROWS_DOUBLE_2, get_viscosities, set_viscosities},
    {DLP_ITEMS_SOLIDS, "keys", DLP_ROWS_DOUBLE_7, get_solid_keys, set_solid_keys},
    {DLP_ITEMS_EMITTERS, "keys", DLP_ROWS_DOUBLE_7, get_emitter_keys, set_emitter_keys},
    {DLP_ITEMS_EMITTERS, "flow", DLP_ROWS_DOUBLE_2, get_emitter_flow, set_emitter_flow},
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
    int count = 0;
    const void *keys = list->get(world, index, &count);
    if (count == 0) {
        return DLP_OK;
    }
    hid_t group = open_item(file, list, index, error);
    if (group < 0) {
        return DLP_ERROR_FORMAT;
    }
    dlp_Result result = dlp__hdf5_write_rows(group, list->name, list->type, count, keys, error);
    H5Gclose(group);
    return result;
}

dlp_Result dlp__hdf5_write_keys(hid_t file, const dlp_World *world, dlp_Error *error)
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
    dlp_Result result = dlp__hdf5_read_rows(group, list->name, list->type, file_bytes, &world->memory, &count, &rows,
                                            error);
    if (result == DLP_OK) {
        result = list->set(world, index, rows, (int)count);
        if (result != DLP_OK) { /* a broken file, not a bad argument of the caller */
            result = dlp__fail(error, result == DLP_ERROR_MEMORY ? result : DLP_ERROR_FORMAT, "%s",
                               dlp_world_error(world));
        }
    }
    dlp__memory_release(&world->memory, rows, count, dlp__hdf5_row_size(list->type));
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
    if (dlp__hdf5_has(group, list->name)) {
        result = read_rows(group, file_bytes, list, world, index, error);
    }
    H5Gclose(group);
    if (result != DLP_OK) {
        dlp__error_prefix(error, "%s/%d: ", dlp__item_lists[list->items].name, index);
    }
    return result;
}

dlp_Result dlp__hdf5_read_keys(hid_t file, int64_t file_bytes, dlp_World *world, dlp_Error *error)
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
