/* Writing a file at once, and the parts that kinds of files share. */
#include "io/output.h"

dlp_Result dlp__output_write(const dlp__OutputKind *kind, dlp_World *world, const char *path)
{
    if (world == NULL) {
        return dlp__world_fail_null(world);
    }
    dlp__Output output;
    const dlp_Result result = kind->begin(&output, world, path);
    if (result != DLP_OK) {
        return result;
    }
    const dlp__ParticleParts parts = dlp__particle_parts(&world->domains);
    return kind->finish(&output, &(dlp__OutputSource){&parts, &world->parallel, &world->memory}, &world->error);
}

dlp_Result dlp__output_begin_export(dlp__Output *output, dlp_World *world, const char *path)
{
    dlp_Ranks *ranks = world->parallel.ranks;
    dlp_Result result = dlp__ranks_agree(ranks, dlp__derive_for_files(world), &world->error);
    if (result == DLP_OK) {
        result = dlp__atomic_file_create_shared(&output->file.atomic, ranks, path, &world->error);
    }
    if (result == DLP_OK) {
        output->column_count = dlp__export_columns(world, output->columns);
    }
    return result;
}

dlp_Result dlp__output_finish_export(dlp__Output *output, const dlp__OutputSource *source, dlp__RowsFunction write_rows,
                                     dlp_Error *error)
{
    dlp__AtomicFile *file = &output->file.atomic;
    for (int rank = 0; rank < dlp__ranks_count(file->ranks); rank++) {
        if (rank == dlp_ranks_number(file->ranks)) {
            for (int p = 0; p < source->parts->count; p++) {
                write_rows(file, source->parts->part[p], output->columns, output->column_count);
            }
            dlp__atomic_file_flush(file);
        }
        dlp_ranks_broadcast(file->ranks, rank, &file->length, sizeof file->length);
    }
    return dlp__atomic_file_commit(file, error);
}

void dlp__output_discard_export(dlp__Output *output)
{
    dlp__atomic_file_discard(&output->file.atomic);
}

void dlp__output_discard_verified(dlp__Output *output)
{
    dlp__verified_file_discard(&output->file);
}
