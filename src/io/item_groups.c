#include "io/item_groups.h"

#include <stdio.h>

dlp_Result dlp__group_write(hid_t parent, const char *name, const dlp__Record *records, int count, dlp_Error *error)
{
    hid_t group = dlp__hdf5_make_group(parent, name);
    if (group < 0) {
        return dlp__hdf5_fail(error, "make", name);
    }
    dlp_Result result = dlp__hdf5_write_records(group, records, count, error);
    H5Gclose(group);
    return result;
}

dlp_Result dlp__group_read(hid_t parent, const char *name, const dlp__Record *records, int count, dlp_Error *error)
{
    hid_t group = dlp__hdf5_open_group(parent, name, error);
    if (group < 0) {
        return DLP_ERROR_FORMAT;
    }
    dlp_Result result = dlp__hdf5_read_records(group, records, count, error);
    H5Gclose(group);
    if (result != DLP_OK) {
        dlp__error_prefix(error, "%s: ", name);
    }
    return result;
}

dlp_Result dlp__items_write(hid_t file, const dlp__ItemList *list, const dlp_World *world, dlp_Error *error)
{
    hid_t group = dlp__hdf5_make_group(file, list->name);
    if (group < 0) {
        return dlp__hdf5_fail(error, "make", list->name);
    }
    dlp_Result result = DLP_OK;
    for (int i = 0; i < list->count(world) && result == DLP_OK; i++) {
        char name[16];
        dlp__Item item;
        dlp__Record records[2];
        snprintf(name, sizeof name, "%d", i);
        list->get(world, i, &item);
        result = dlp__group_write(group, name, records, list->records(&item, records), error);
    }
    H5Gclose(group);
    return result;
}

dlp_Result dlp__items_read(hid_t file, const dlp__ItemList *list, dlp__TakeItem take, void *context, dlp_Error *error)
{
    hid_t group = dlp__hdf5_open_group(file, list->name, error);
    if (group < 0) {
        return DLP_ERROR_FORMAT;
    }
    int64_t count = dlp__hdf5_group_size(group);
    dlp_Result result = count >= 0 ? DLP_OK : dlp__hdf5_fail(error, "count", list->name);
    for (int i = 0; i < count && result == DLP_OK; i++) {
        char name[16];
        dlp__Item item;
        dlp__Record records[2];
        snprintf(name, sizeof name, "%d", i);
        result = dlp__group_read(group, name, records, list->records(&item, records), error);
        if (result != DLP_OK) {
            dlp__error_prefix(error, "%s/", list->name);
            break;
        }
        result = take(context, list, i, &item);
    }
    H5Gclose(group);
    return result;
}
