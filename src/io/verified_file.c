/* Combines atomic file, HDF5 and file header. */
#include "io/verified_file.h"

#include "distributed/rank_files.h"
#include "io/file_header.h"
#include "io/rank_rows.h"
#include "io/system_files.h"
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

static void close_memory(dlp__FileInWork *file)
{
    if (file->in_memory >= 0) {
        close(file->in_memory);
        file->in_memory = -1;
    }
}

/* Create the HDF5 file and its contents, in memory except on the first rank. */
static dlp_Result create_contents(dlp__FileInWork *file, const dlp_World *world, dlp__ContentFunction content,
                                  dlp_Error *error)
{
    const bool is_first = dlp_ranks_number(world->parallel.ranks) == 0;
    file->in_memory = is_first ? -1 : dlp__open_memory_file();
    if (!is_first && file->in_memory < 0) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "no memory for the contents of '%.512s'", file->atomic.path);
    }
    dlp_Result result = dlp__hdf5_create(&file->hdf5, is_first ? file->atomic.descriptor : file->in_memory,
                                         file->atomic.path, error);
    if (result == DLP_OK) {
        result = content(file, world, error);
        if (result == DLP_OK) {
            dlp__hdf5_pause(&file->hdf5);
            return DLP_OK;
        }
        dlp__hdf5_drop(&file->pending);
        result = close_hdf5(&file->hdf5, "finish", result, error);
    }
    close_memory(file);
    return result;
}

dlp_Result dlp__verified_file_begin(dlp__FileInWork *file, dlp_World *world, const char *path,
                                    dlp__ContentFunction content, dlp_Error *error)
{
    dlp_Ranks *ranks = dlp__ranks_count(world->parallel.ranks) > 1 ? world->parallel.ranks : NULL;
    file->pending.ranks = ranks;
    file->pending.memory = &world->memory;
    file->pending.count = 0;
    dlp_Result result = ranks != NULL ? dlp__ranks_agree(ranks, dlp__ranks_check_files(error), error) : DLP_OK;
    if (result == DLP_OK) {
        result = dlp__summary_make(world, &file->summary, error);
    }
    if (result == DLP_OK) {
        result = dlp__atomic_file_create_shared(&file->atomic, ranks, path, error);
    }
    if (result != DLP_OK) {
        return result;
    }
    const dlp_Result own = create_contents(file, world, content, error);
    result = dlp__ranks_agree(ranks, own, error);
    if (result != DLP_OK && own == DLP_OK) {
        dlp__verified_file_discard(file);
    } else if (result != DLP_OK) {
        dlp__atomic_file_discard(&file->atomic);
    }
    return result;
}

/* The rows of all ranks. */
static dlp_Result fill_shared(dlp__FileInWork *file, const dlp__ParticleParts *parts, const dlp__Parallel *parallel,
                              dlp__Memory *memory, dlp_Error *error)
{
    dlp_Ranks *ranks = file->pending.ranks;
    dlp_Result result = dlp__hdf5_continue(&file->hdf5, error);
    const dlp_Result detached = dlp__hdf5_detach(&file->pending, result == DLP_OK ? error : NULL);
    result = close_hdf5(&file->hdf5, "finish", result == DLP_OK ? detached : result, error);
    close_memory(file);
    result = dlp__ranks_agree(ranks, result, error);
    if (result == DLP_OK) {
        result = dlp__ranks_agree(ranks, dlp__atomic_file_reserve(&file->atomic, error), error);
    }
    if (result == DLP_OK) {
        result = dlp__rank_rows_write(&file->pending, file->atomic.temporary, parts, parallel, memory, error);
    }
    dlp__hdf5_drop(&file->pending);
    return result;
}

static dlp_Result fill(dlp__FileInWork *file, const dlp__ParticleParts *parts, const dlp__Parallel *parallel,
                       dlp__Memory *memory, dlp_Error *error)
{
    dlp_Result result = dlp__hdf5_continue(&file->hdf5, error);
    if (result == DLP_OK) {
        result = dlp__hdf5_fill(&file->pending, parts, parallel, memory, error);
    }
    dlp__hdf5_drop(&file->pending);
    return close_hdf5(&file->hdf5, "finish", result, error);
}

dlp_Result dlp__verified_file_finish(dlp__FileInWork *file, dlp_FileKind kind, const dlp__ParticleParts *parts,
                                     const dlp__Parallel *parallel, dlp__Memory *memory, dlp_Error *error)
{
    dlp_Result result = (file->pending.ranks != NULL ? fill_shared : fill)(file, parts, parallel, memory, error);
    if (result == DLP_OK) {
        result = dlp__atomic_file_settle(&file->atomic, error);
    }
    if (result != DLP_OK) {
        dlp__atomic_file_discard(&file->atomic);
        return result;
    }
    file->atomic.failure = dlp__file_header_write(file->atomic.descriptor, kind, file->pending.ranks);
    return dlp__atomic_file_commit(&file->atomic, error);
}

void dlp__verified_file_discard(dlp__FileInWork *file)
{
    dlp_Error ignored;
    dlp__hdf5_continue(&file->hdf5, &ignored);
    dlp__hdf5_drop(&file->pending);
    dlp__hdf5_close(&file->hdf5, "finish", &ignored);
    close_memory(file);
    dlp__atomic_file_discard(&file->atomic);
}

dlp_Result dlp__verified_file_open(dlp__VerifiedFile *file, const char *path, dlp_Ranks *ranks, dlp_Error *error)
{
    dlp__background_wait(NULL); /* for a writer, perhaps of this file */
    dlp_Result result = dlp__open_verified(path, ranks, &file->descriptor, &file->kind, &file->bytes, error);
    if (result != DLP_OK) {
        return result;
    }
    const dlp_Result own = dlp__hdf5_open(&file->hdf5, file->descriptor, file->bytes, path, error);
    result = dlp__ranks_agree(ranks, own, error);
    if (result != DLP_OK) {
        if (own == DLP_OK) {
            dlp__hdf5_close(&file->hdf5, "read", NULL);
        }
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
