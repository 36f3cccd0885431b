/* Hash of the bytes of model files, to detect that they changed. */
#include "base/error.h"
#include "base/hash.h"
#include "io/mesh_scanner.h"

#include <dollop/mesh.h>
#include <unistd.h>

enum { BLOCK = 32768 }; /* bytes hashed at once; a multiple of the hash's 8 bytes */

static dlp_Result add_file(uint64_t *hash, const char *folder, const char *name, dlp_Error *error)
{
    dlp__MeshFile file;
    unsigned char block[BLOCK];
    dlp_Result result = dlp__mesh_open_file(&file, folder, name, error);
    if (result != DLP_OK) {
        return result;
    }
    *hash = dlp__hash_word(*hash, (uint64_t)file.size);
    for (int64_t at = 0; at < file.size && result == DLP_OK; at += BLOCK) {
        const size_t size = file.size - at < BLOCK ? (size_t)(file.size - at) : BLOCK;
        const int failure = dlp__read_at(file.descriptor, block, size, at);
        result = failure == 0 ? DLP_OK : dlp__file_fail(error, "read", file.path, failure);
        *hash = dlp__hash_bytes(*hash, block, size);
    }
    close(file.descriptor);
    return result;
}

dlp_Result dlp_mesh_hash_files(const dlp_MeshDef *def, const char *folder, uint64_t *hash, dlp_Error *error)
{
    uint64_t state = DLP_HASH_SEED;
    dlp_Result result = DLP_OK;
    if (def == NULL || hash == NULL) {
        return dlp__fail_null(error);
    }
    *hash = 0;
    if (def->form != DLP_FORM_FILE) {
        return DLP_OK;
    }
    if (def->frames <= 1) {
        result = add_file(&state, folder, def->file, error);
    }
    for (int k = 0; def->frames > 1 && k < def->frames && result == DLP_OK; k++) {
        char name[DLP_MESH_NAME_SIZE];
        result = dlp__mesh_frame_name(def->file, k, name)
                     ? add_file(&state, folder, name, error)
                     : dlp__fail(error, DLP_ERROR_ARGUMENT, "'%s' has no number in its name", def->file);
    }
    *hash = result == DLP_OK ? dlp__hash_finish(state) : 0;
    return result;
}
