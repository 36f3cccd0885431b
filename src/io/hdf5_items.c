/* Writing and reading groups of attributes, and lists of such groups. */
#include "io/hdf5_items.h"

#include <stdio.h>

dlp_Result dlp__hdf5_write_group(hid_t parent, const char *name, const dlp__Record *records, int count,
                                 dlp_Error *error)
{
    hid_t group = dlp__hdf5_make_group(parent, name);
    if (group < 0) {
        return dlp__hdf5_fail(error, "make", name);
    }
    dlp_Result result = dlp__hdf5_write_records(group, records, count, error);
    H5Gclose(group);
    return result;
}

dlp_Result dlp__hdf5_read_group(hid_t parent, const char *name, const dlp__Record *records, int count, dlp_Error *error)
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

dlp_Result dlp__hdf5_write_items(hid_t file, const dlp__ItemList *list, const dlp_World *world, dlp_Error *error)
{
    hid_t group = dlp__hdf5_make_group(file, list->name);
    if (group < 0) {
        return dlp__hdf5_fail(error, "make", list->name);
    }
    dlp_Result result = DLP_OK;
    for (int i = 0; i < list->count(world) && result == DLP_OK; i++) {
        char name[16];
        dlp__Item item;
        dlp__Record records[DLP_RECORDS_MOST];
        snprintf(name, sizeof name, "%d", i);
        list->get(world, i, &item);
        result = dlp__hdf5_write_group(group, name, records, list->records(world, &item, records), error);
    }
    H5Gclose(group);
    return result;
}

dlp_Result dlp__hdf5_read_items(hid_t file, const dlp__ItemList *list, const dlp_World *world,
                                dlp__ItemCallback callback, void *context, dlp_Error *error)
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
        dlp__Record records[DLP_RECORDS_MOST];
        snprintf(name, sizeof name, "%d", i);
        result = dlp__hdf5_read_group(group, name, records, list->records(world, &item, records), error);
        if (result != DLP_OK) {
            dlp__error_prefix(error, "%s/", list->name);
            break;
        }
        result = callback(context, list, i, &item);
    }
    H5Gclose(group);
    return result;
}
