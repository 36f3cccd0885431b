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

static dlp_Result write_contents(dlp__AtomicFile *atomic, const dlp_World *world, dlp__ContentFunction content,
                                 dlp_Error *error)
{
    dlp__Hdf5File hdf5;
    const dlp_Result result = dlp__hdf5_create(&hdf5, atomic->descriptor, atomic->path, error);
    return result == DLP_OK ? close_hdf5(&hdf5, "finish", content(hdf5.file, world, error), error) : result;
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
    if (result != DLP_OK) {
        dlp__error_prefix(error, "'%.512s': ", file->hdf5.path);
    }
    result = close_hdf5(&file->hdf5, "read", result, error);
    close(file->descriptor);
    return result;
}
