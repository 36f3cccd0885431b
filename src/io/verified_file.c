/* Combines atomic file, HDF5 and file header. */
#include "io/verified_file.h"

#include "io/file_header.h"
#include "world/world_state.h"

#include <unistd.h>

/* Close HDF5's side of a file after `result`. A failure of disk or memory is the more specific error. */
static dlp_Result close_hdf5(dlp__Hdf5File *hdf5, const char *action, dlp_Result result, dlp_Error *error)
{
    dlp_Error closing;
    const dlp_Result closed = dlp__hdf5_close(hdf5, action, &closing);
    if (closed != DLP_OK && (result == DLP_OK || closed != DLP_ERROR_FORMAT)) {
        return dlp__fail(error, closed, "%s", closing.text);
    }
    return result;
}

dlp_Result dlp__verified_file_begin(dlp__FileInWork *file, const dlp_World *world, const char *path,
                                    dlp__ContentFunction content, dlp_Error *error)
{
    file->pending.count = 0;
    dlp_Result result = dlp__atomic_file_create(&file->atomic, path, error);
    if (result != DLP_OK) {
        return result;
    }
    result = dlp__hdf5_create(&file->hdf5, file->atomic.descriptor, file->atomic.path, error);
    if (result == DLP_OK) {
        result = content(file->hdf5.file, &file->pending, world, error);
        if (result == DLP_OK) {
            dlp__hdf5_pause(&file->hdf5);
            return DLP_OK;
        }
        dlp__hdf5_drop(&file->pending);
        result = close_hdf5(&file->hdf5, "finish", result, error);
    }
    dlp__atomic_file_discard(&file->atomic);
    return result;
}

dlp_Result dlp__verified_file_finish(dlp__FileInWork *file, dlp_FileKind kind, const dlp__ParticleParts *parts,
                                     const dlp__Parallel *parallel, dlp__Memory *memory, dlp_Error *error)
{
    dlp_Result result = dlp__hdf5_continue(&file->hdf5, error);
    if (result == DLP_OK) {
        result = dlp__hdf5_fill(&file->pending, parts, parallel, memory, error);
    }
    dlp__hdf5_drop(&file->pending);
    result = close_hdf5(&file->hdf5, "finish", result, error);
    if (result != DLP_OK) {
        dlp__atomic_file_discard(&file->atomic);
        return result;
    }
    file->atomic.failure = dlp__file_header_write(file->atomic.descriptor, kind);
    return dlp__atomic_file_commit(&file->atomic, error);
}

void dlp__verified_file_discard(dlp__FileInWork *file)
{
    dlp_Error ignored;
    dlp__hdf5_continue(&file->hdf5, &ignored);
    dlp__hdf5_drop(&file->pending);
    dlp__hdf5_close(&file->hdf5, "finish", &ignored);
    dlp__atomic_file_discard(&file->atomic);
}

dlp_Result dlp__verified_file_open(dlp__VerifiedFile *file, const char *path, dlp_Error *error)
{
    dlp__background_wait(NULL); /* for a writer, perhaps of this file */
    dlp_Result result = dlp__open_verified(path, &file->descriptor, &file->kind, &file->bytes, error);
    if (result != DLP_OK) {
        return result;
    }
    result = dlp__hdf5_open(&file->hdf5, file->descriptor, file->bytes, path, error);
    if (result != DLP_OK) {
        close(file->descriptor);
    }
    return result;
}

dlp_Result dlp__verified_file_close(dlp__VerifiedFile *file, dlp_Result result, dlp_Error *error)
{
    if (result != DLP_OK) {
        dlp__error_prefix(error, "'%.512s': ", file->hdf5.path);
    }
    result = close_hdf5(&file->hdf5, "read", result, error);
    close(file->descriptor);
    return result;
}
