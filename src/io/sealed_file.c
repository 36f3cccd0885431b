/* Safe file, HDF5 and seal put together. */
#include "io/sealed_file.h"

#include "io/seal.h"
#include "world/world_state.h"

#include <unistd.h>

static dlp_Result write_contents(dlp__SafeFile *safe, const dlp_World *world, dlp__ContentFunction content,
                                 dlp_Error *error)
{
    dlp__Hdf5File hdf5;
    dlp_Result result = dlp__hdf5_create(&hdf5, safe->descriptor, safe->path, error);
    if (result == DLP_OK) {
        result = content(hdf5.file, world, error);
        dlp_Error closing;
        dlp_Result closed = dlp__hdf5_close(&hdf5, &closing);
        if (closed != DLP_OK &&
            (result == DLP_OK || closed == DLP_ERROR_FILE)) { /* the disk's reason is the better one */
            result = dlp__fail(error, closed, "%s", closing.text);
        }
    }
    return result;
}

dlp_Result dlp__sealed_write(dlp_World *world, const char *path, dlp_FileKind kind, dlp__ContentFunction content)
{
    dlp__SafeFile safe;
    dlp_Error *error = &world->error;
    dlp_Result result = dlp__safe_create(&safe, path, error);
    if (result != DLP_OK) {
        return result;
    }
    result = write_contents(&safe, world, content, error);
    if (result != DLP_OK) {
        dlp__safe_discard(&safe);
        return result;
    }
    safe.failure = dlp__seal_write(safe.descriptor, kind);
    return dlp__safe_commit(&safe, error);
}

dlp_Result dlp__sealed_open(dlp__SealedFile *file, const char *path, dlp_Error *error)
{
    dlp_Result result = dlp__seal_open(path, &file->descriptor, &file->kind, &file->bytes, error);
    if (result != DLP_OK) {
        return result;
    }
    result = dlp__hdf5_open(&file->hdf5, file->descriptor, file->bytes, path, error);
    if (result != DLP_OK) {
        close(file->descriptor);
    }
    return result;
}

void dlp__sealed_close(dlp__SealedFile *file)
{
    dlp__hdf5_close(&file->hdf5, NULL);
    close(file->descriptor);
}
