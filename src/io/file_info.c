/* The summary of a frame or checkpoint, without loading it. */
#include "io/file_summary.h"
#include "io/verified_file.h"

#include <stdio.h>
#include <string.h>

static herr_t append_name(hid_t group, const char *name, const H5L_info_t *link, void *context)
{
    (void)group;
    (void)link;
    dlp_FileInfo *info = context;
    size_t length = strlen(info->fields);
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != strlen(name) ||
        strlen(name) + 2 > sizeof info->fields - length) {
        return -1;
    }
    snprintf(info->fields + length, sizeof info->fields - length, "%s%s", length > 0 ? " " : "", name);
    return 0;
}

static dlp_Result list_fields(hid_t group, dlp_FileInfo *info, dlp_Error *error)
{
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, append_name, info) < 0) {
        return dlp__hdf5_fail(error, "read", "list of fields");
    }
    return DLP_OK;
}

static dlp_Result read_fields(hid_t file, dlp_FileInfo *info, dlp_Error *error)
{
    bool frame = info->kind == DLP_FILE_FRAME;
    hid_t group = dlp__hdf5_open_group(file, frame ? "VTKHDF" : "particles", error);
    if (group < 0) {
        return DLP_ERROR_FORMAT;
    }
    dlp_Result result = DLP_ERROR_FORMAT;
    if (frame) {
        snprintf(info->fields, sizeof info->fields, "position");
        hid_t data = dlp__hdf5_open_group(group, "PointData", error);
        if (data >= 0) {
            result = list_fields(data, info, error);
            H5Gclose(data);
        }
    } else {
        result = list_fields(group, info, error);
    }
    H5Gclose(group);
    return result;
}

dlp_Result dlp__file_info_read(const dlp__VerifiedFile *file, dlp_FileInfo *info, dlp_Error *error)
{
    dlp__Summary summary;
    memset(info, 0, sizeof *info);
    info->kind = file->kind;
    info->bytes = file->bytes;
    dlp_Result result = dlp__summary_read(file->hdf5.file, &summary, error);
    if (result != DLP_OK) {
        return result;
    }
    snprintf(info->version, sizeof info->version, "%.31s", summary.version);
    memcpy(info->method, summary.method, sizeof info->method);
    info->time = summary.time;
    info->step = summary.step;
    info->particles = summary.particles;
    info->spacing = summary.spacing;
    info->lower = summary.lower;
    info->upper = summary.upper;
    return read_fields(file->hdf5.file, info, error);
}

dlp_Result dlp_file_info(const char *path, dlp_FileInfo *info, dlp_Error *error)
{
    dlp_Error ignored;
    error = error != NULL ? error : &ignored;
    if (info == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "`info` is null, but must receive the summary");
    }
    memset(info, 0, sizeof *info);
    dlp__VerifiedFile file;
    dlp_Result result = dlp__verified_file_open(&file, path, NULL, error);
    if (result != DLP_OK) {
        return result;
    }
    return dlp__verified_file_close(&file, dlp__file_info_read(&file, info, error), error);
}
