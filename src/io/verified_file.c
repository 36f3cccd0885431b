/* Combines atomic file, HDF5 and file header. */
#include "io/verified_file.h"

#include "io/file_header.h"
#include "world/world_state.h"

#include <unistd.h>

static dlp_Result write_contents(dlp__AtomicFile *atomic, const dlp_World *world, dlp__ContentFunction content,
                                 dlp_Error *error)
{
    dlp__Hdf5File hdf5;
    dlp_Result result = dlp__hdf5_create(&hdf5, atomic->descriptor, atomic->path, error);
    if (result == DLP_OK) {
        result = content(hdf5.file, world, error);
        dlp_Error closing;
        dlp_Result closed = dlp__hdf5_close(&hdf5, &closing);
        if (closed != DLP_OK && (result == DLP_OK || closed == DLP_ERROR_FILE ||
                                 closed == DLP_ERROR_RESOURCE)) { /* the error of the disk is more specific */
            result = dlp__fail(error, closed, "%s", closing.text);
        }
    }
    return result;
}

dlp_Result dlp__verified_file_write(dlp_World *world, const char *path, dlp_FileKind kind, dlp__ContentFunction content)
{
    dlp__AtomicFile atomic;
    dlp_Error *error = &world->error;
    dlp_Result result = dlp__atomic_file_create(&atomic, path, error);
    if (result != DLP_OK) {
        return result;
    }
    result = write_contents(&atomic, world, content, error);
    if (result != DLP_OK) {
        dlp__atomic_file_discard(&atomic);
        return result;
    }
    atomic.failure = dlp__file_header_write(atomic.descriptor, kind);
    return dlp__atomic_file_commit(&atomic, error);
}

dlp_Result dlp__verified_file_open(dlp__VerifiedFile *file, const char *path, dlp_Error *error)
{
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
    dlp__hdf5_close(&file->hdf5, NULL);
    close(file->descriptor);
    if (file->hdf5.disk.failure != 0) {
        return dlp__file_fail(error, "read", file->hdf5.path, file->hdf5.disk.failure);
    }
    if (result != DLP_OK) {
        dlp__error_prefix(error, "'%.512s': ", file->hdf5.path);
    }
    return result;
}
