/* Files, groups and links. Files use the format of HDF5 1.8, which all readers support and which has checksums on its
 * metadata. They contain no dates, so that equal worlds give equal bytes. */
#include "io/hdf5_tools.h"

#include "distributed/rank_files.h"
#include "io/file_header.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Up to this many attributes are stored in the header of their object: dense storage costs kilobytes per group. */
#define MAX_COMPACT_ATTRIBUTES 200
#define HDF5_MEMORY            (16 << 20) /* bytes; several times its caches, 2 MiB for metadata and 1 MiB for chunks */

dlp_Result dlp__hdf5_fail(dlp_Error *error, const char *what, const char *name)
{
    if (errno == ENOMEM) { /* functions that iterate do not call the error handler */
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory: HDF5 could not %s '%s'", what, name);
    }
    return dlp__fail(error, DLP_ERROR_FORMAT, "HDF5 could not %s '%s'", what, name);
}

/* Whether an entry of HDF5's error stack says that memory ran out. */
static herr_t find_memory_failure(unsigned number, const H5E_error2_t *entry, void *found)
{
    (void)number;
    *(bool *)found |= entry->maj_num == H5E_RESOURCE || entry->min_num == H5E_NOSPACE ||
                      entry->min_num == H5E_CANTALLOC;
    return 0;
}

/* HDF5 calls it for each of its functions that fails. Filters report all failures alike, but then errno is still the one of the
 * allocation: start_file() resets it. */
static herr_t note_failure(hid_t stack, void *data)
{
    dlp__Hdf5File *file = data;
    file->out_of_memory |= errno == ENOMEM;
    H5Ewalk2(stack, H5E_WALK_UPWARD, find_memory_failure, &file->out_of_memory);
    return 0;
}

static void replace_error_handler(dlp__Hdf5File *file)
{
    dlp__Hdf5ErrorHandler *errors = &file->errors;
    memset(errors, 0, sizeof *errors);
    errors->is_v2 = 1;
#ifndef H5_NO_DEPRECATED_SYMBOLS
    H5Eauto_is_v2(H5E_DEFAULT, &errors->is_v2);
    if (!errors->is_v2) {
        H5Eget_auto1(&errors->report_v1, &errors->data);
    }
#endif
    if (errors->is_v2) {
        H5Eget_auto2(H5E_DEFAULT, &errors->report, &errors->data);
    }
    H5Eset_auto2(H5E_DEFAULT, note_failure, file);
}

static void restore_errors(const dlp__Hdf5ErrorHandler *errors)
{
#ifndef H5_NO_DEPRECATED_SYMBOLS
    if (!errors->is_v2) {
        H5Eset_auto1(errors->report_v1, errors->data);
        return;
    }
#endif
    H5Eset_auto2(H5E_DEFAULT, errors->report, errors->data);
}

static dlp_Result fail_for_memory(const dlp__Hdf5File *file, dlp_Error *error)
{
    return dlp__fail(error, DLP_ERROR_MEMORY, "'%.512s': out of memory in the HDF5 library", file->path);
}

static hid_t create_file(const dlp__Hdf5File *file)
{
    hid_t creation = H5Pcreate(H5P_FILE_CREATE);
    hid_t created = -1;
    if (creation >= 0 && H5Pset_userblock(creation, DLP_FILE_HEADER_SIZE) >= 0 &&
        H5Pset_attr_phase_change(creation, MAX_COMPACT_ATTRIBUTES, 0) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0 &&
        H5Pset_libver_bounds(file->access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0) {
        created = H5Fcreate(file->path, H5F_ACC_TRUNC, creation, file->access);
    }
    H5Pclose(creation);
    return created;
}

/* Release everything except the file itself. */
static void release_file(dlp__Hdf5File *file)
{
    H5Pclose(file->access);
    if (file->driver >= 0) {
        H5FDunregister(file->driver);
    }
    restore_errors(&file->errors);
}

/* HDF5 ends the process, by a crash or exit(), in some places where it runs out of memory. So that this does not happen, more than it
 * needs must be available to malloc() when a file is opened. */
static bool has_memory_for_hdf5(void)
{
    void *block = malloc(HDF5_MEMORY);
    free(block);
    return block != NULL;
}

/* Everything before the file itself is opened. */
static dlp_Result prepare_file(dlp__Hdf5File *file, const char *path, dlp_Error *error)
{
    dlp__background_wait(NULL); /* HDF5 serves one thread at a time */
    snprintf(file->path, sizeof file->path, "%s", path);
    if (!has_memory_for_hdf5()) {
        return fail_for_memory(file, error);
    }
    errno = 0;
    file->out_of_memory = false;
    replace_error_handler(file);
    file->file = -1;
    file->driver = -1;
    file->access = H5Pcreate(H5P_FILE_ACCESS);
    return DLP_OK;
}

static dlp_Result start_file(dlp__Hdf5File *file, int descriptor, int64_t length, bool create, const char *path,
                             dlp_Error *error)
{
    const dlp_Result prepared = prepare_file(file, path, error);
    if (prepared != DLP_OK) {
        return prepared;
    }
    file->driver = dlp__hdf5_driver(file->access, &file->disk, descriptor, length);
    if (file->driver >= 0) {
        H5Pset_fclose_degree(file->access, H5F_CLOSE_STRONG);
        file->file = create ? create_file(file) : H5Fopen(file->path, H5F_ACC_RDONLY, file->access);
    }
    if (file->file >= 0) {
        return DLP_OK;
    }
    file->out_of_memory |= file->driver < 0; /* nothing else can fail before the file is opened */
    release_file(file);
    if (file->disk.failure != 0) {
        return dlp__file_fail(error, create ? "write" : "read", file->path, file->disk.failure);
    }
    return file->out_of_memory ? fail_for_memory(file, error)
                               : dlp__hdf5_fail(error, create ? "begin" : "open", file->path);
}

dlp_Result dlp__hdf5_open_shared(dlp__Hdf5File *file, dlp_Ranks *ranks, const char *path, dlp_Error *error)
{
    char name[DLP_PATH_SIZE + 8];
    const dlp_Result prepared = prepare_file(file, path, error);
    if (prepared != DLP_OK) {
        return prepared;
    }
    memset(&file->disk, 0, sizeof file->disk);
    if (dlp__rank_file_name(path, name, sizeof name) && dlp__hdf5_share_files(file->access, ranks)) {
        H5Pset_fclose_degree(file->access, H5F_CLOSE_STRONG);
        file->file = H5Fopen(name, H5F_ACC_RDWR, file->access);
    }
    if (file->file >= 0) {
        return DLP_OK;
    }
    release_file(file);
    return file->out_of_memory ? fail_for_memory(file, error) : dlp__hdf5_fail(error, "open", file->path);
}

dlp_Result dlp__hdf5_create(dlp__Hdf5File *file, int descriptor, const char *path, dlp_Error *error)
{
    return start_file(file, descriptor, 0, true, path, error);
}

dlp_Result dlp__hdf5_open(dlp__Hdf5File *file, int descriptor, int64_t length, const char *path, dlp_Error *error)
{
    return start_file(file, descriptor, length, false, path, error);
}

void dlp__hdf5_pause(dlp__Hdf5File *file)
{
    restore_errors(&file->errors);
}

dlp_Result dlp__hdf5_continue(dlp__Hdf5File *file, dlp_Error *error)
{
    errno = 0;
    replace_error_handler(file);
    return has_memory_for_hdf5() ? DLP_OK : fail_for_memory(file, error);
}

dlp_Result dlp__hdf5_close(dlp__Hdf5File *file, const char *action, dlp_Error *error)
{
    bool closed = H5Fclose(file->file) >= 0;
    release_file(file);
    if (file->disk.failure != 0) {
        return dlp__file_fail(error, action, file->path, file->disk.failure);
    }
    if (file->out_of_memory) {
        return fail_for_memory(file, error);
    }
    return closed ? DLP_OK : dlp__hdf5_fail(error, "close", file->path);
}

hid_t dlp__hdf5_make_group(hid_t parent, const char *name)
{
    hid_t creation = H5Pcreate(H5P_GROUP_CREATE);
    hid_t group = -1;
    if (creation >= 0 && H5Pset_attr_phase_change(creation, MAX_COMPACT_ATTRIBUTES, 0) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0) {
        group = H5Gcreate2(parent, name, H5P_DEFAULT, creation, H5P_DEFAULT);
    }
    H5Pclose(creation);
    return group;
}

bool dlp__hdf5_has(hid_t group, const char *name)
{
    return H5Lexists(group, name, H5P_DEFAULT) > 0;
}

/* A link to elsewhere (soft, or into another file) could make us read data that was not verified. */
static bool is_plain_link(hid_t parent, const char *name, dlp_Error *error)
{
    H5L_info_t link;
    if (!dlp__hdf5_has(parent, name) || H5Lget_info(parent, name, &link, H5P_DEFAULT) < 0) {
        dlp__fail(error, DLP_ERROR_FORMAT, "'%s' is missing", name);
        return false;
    }
    if (link.type != H5L_TYPE_HARD) {
        dlp__fail(error, DLP_ERROR_FORMAT, "'%s' is a link to elsewhere, which is never followed", name);
        return false;
    }
    return true;
}

hid_t dlp__hdf5_open_group(hid_t parent, const char *name, dlp_Error *error)
{
    if (!is_plain_link(parent, name, error)) {
        return -1;
    }
    hid_t group = H5Gopen2(parent, name, H5P_DEFAULT);
    if (group < 0) {
        dlp__fail(error, DLP_ERROR_FORMAT, "'%s' is not a group", name);
    }
    return group;
}

hid_t dlp__hdf5_open_dataset(hid_t parent, const char *name, dlp_Error *error)
{
    if (!is_plain_link(parent, name, error)) {
        return -1;
    }
    hid_t dataset = H5Dopen2(parent, name, H5P_DEFAULT);
    if (dataset < 0) {
        dlp__fail(error, DLP_ERROR_FORMAT, "'%s' is not an array", name);
    }
    return dataset;
}

int64_t dlp__hdf5_group_size(hid_t group)
{
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0 || info.nlinks > INT32_MAX) {
        return -1;
    }
    return (int64_t)info.nlinks;
}
