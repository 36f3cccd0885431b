/* The writer: a copy of the particle fields that the files contain, and the files in work. `start` fills them between two steps; the
 * background thread uses them until it has finished, and nobody else in between. */
#include "io/output.h"

#include "particles/particles.h"

#include <dollop/writer.h>
#include <string.h>

struct dlp_Writer {
    dlp__Memory memory;
    dlp_WrittenFunction written;
    void *user;
    dlp__Particles copy; /* without a memory: there is none yet */
    dlp__Parallel parallel;
    int count; /* files in work */
    const dlp__OutputKind *kind[DLP_WRITER_FILES_MOST];
    dlp__Output output[DLP_WRITER_FILES_MOST];
    dlp_Result result; /* of the background thread */
    dlp_Error error;
};

dlp_Result dlp_writer_create(const dlp_Hooks *hooks, dlp_WrittenFunction written, void *user, dlp_Writer **writer,
                             dlp_Error *error)
{
    if (writer == NULL) {
        return dlp__fail_null(error);
    }
    dlp__Memory memory;
    dlp__memory_init(&memory, hooks != NULL ? &hooks->allocator : NULL);
    *writer = dlp__memory_get(&memory, 1, sizeof **writer);
    if (*writer == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a writer");
    }
    memset(*writer, 0, sizeof **writer);
    (*writer)->memory = memory;
    (*writer)->written = written;
    (*writer)->user = user;
    return DLP_OK;
}

static const dlp__OutputKind *kind_of(dlp_OutputFormat format)
{
    switch (format) {
    case DLP_OUTPUT_FRAME: return &dlp__frame_output;
    case DLP_OUTPUT_PLY: return &dlp__ply_output;
    case DLP_OUTPUT_CSV: return &dlp__csv_output;
    case DLP_OUTPUT_CHECKPOINT: return &dlp__checkpoint_output;
    }
    return NULL;
}

static dlp_Result fail_for_format(dlp_OutputFormat format, dlp_Error *error)
{
    return dlp__fail(error, DLP_ERROR_ARGUMENT, "there is no format %d of files", (int)format);
}

/* The fields that one of the files contains. */
static dlp__FieldList list_fields(const dlp_Writer *writer, const dlp_World *world)
{
    const dlp__Particles *particles = &world->domains.part[0].particles;
    dlp__FieldList list = {.count = 0};
    for (int field = 1; field < dlp__fields_end(particles); field++) {
        bool is_needed = false;
        for (int n = 0; n < writer->count; n++) {
            is_needed |= writer->kind[n]->contains(world, field, dlp__field_info(particles, field)->flags);
        }
        if (is_needed && dlp__particles_have(particles, field)) {
            dlp__fields_add(&list, (const dlp__FieldId[]){(dlp__FieldId)field, DLP_FIELD_NONE});
        }
    }
    return list;
}

/* Memory for the copy, which is kept for the next one. */
static bool reserve_copy(dlp_Writer *writer, const dlp_World *world, const dlp__FieldList *list)
{
    dlp__Particles *copy = &writer->copy;
    const dlp__FieldTable *own = world->domains.part[0].particles.own_table;
    if (copy->memory != NULL && copy->own_table != own) { /* the last world had another method */
        dlp__particles_release(copy);
        copy->memory = NULL;
    }
    if (copy->memory == NULL) {
        dlp__particles_init(copy, &writer->memory, own, list->field);
    }
    copy->count = 0;
    return dlp__particles_add_fields(copy, list->field) &&
           dlp__particles_reserve(copy, dlp__domains_particles(&world->domains));
}

typedef struct CopyTask {
    dlp__Particles *copy;
    const dlp__Domains *domains;
    const dlp__FieldList *list;
} CopyTask;

static void copy_fields(void *context, int64_t begin, int64_t end)
{
    const CopyTask *task = context;
    for (int64_t n = begin; n < end; n++) {
        const int field = task->list->field[n];
        const dlp__FieldInfo *info = dlp__field_info(task->copy, field);
        for (int c = 0; c < info->components; c++) {
            char *to = dlp__field_array(task->copy, field, c);
            for (int p = 0; p < task->domains->count; p++) {
                const dlp__Particles *from = &task->domains->part[p].particles;
                const size_t bytes = (size_t)from->count * info->size;
                if (bytes > 0) {
                    memcpy(to, dlp__field_array(from, field, c), bytes);
                }
                to += bytes;
            }
        }
    }
}

static dlp_Result copy_particles(dlp_Writer *writer, const dlp_World *world, dlp_Error *error)
{
    const dlp__FieldList list = list_fields(writer, world);
    const int64_t count = dlp__domains_particles(&world->domains);
    if (!reserve_copy(writer, world, &list)) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to write %lld particles", (long long)count);
    }
    dlp__parallel_for(&world->parallel, list.count, 1, copy_fields, &(CopyTask){&writer->copy, &world->domains, &list});
    writer->copy.count = count;
    return DLP_OK;
}

/* Files from number `first` are discarded. */
static void discard_from(dlp_Writer *writer, int first)
{
    for (int n = first; n < writer->count; n++) {
        writer->kind[n]->discard(&writer->output[n]);
    }
    writer->count = 0;
}

/* On the background thread. A file is complete before the next is begun; after a failure the rest is discarded. */
static void write_files(void *context)
{
    dlp_Writer *writer = context;
    const dlp__ParticleParts parts = {1, {&writer->copy}};
    const dlp__OutputSource source = {&parts, &writer->parallel, &writer->memory};
    int finished = 0;
    while (finished < writer->count && writer->result == DLP_OK) {
        writer->result = writer->kind[finished]->finish(&writer->output[finished], &source, &writer->error);
        finished++;
    }
    discard_from(writer, finished);
    if (writer->written != NULL) {
        writer->written(writer->user, writer->result);
    }
}

/* All ranks write together, at once: only the thread that steps may call MPI. */
static dlp_Result write_with_ranks(dlp_Writer *writer, dlp_World *world, const dlp_OutputFile *files, int count,
                                   dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int n = 0; n < count && result == DLP_OK; n++) {
        const dlp__OutputKind *kind = kind_of(files[n].format);
        if (kind == NULL) {
            return fail_for_format(files[n].format, error);
        }
        result = dlp__output_write(kind, world, files[n].path);
    }
    if (writer->written != NULL) {
        writer->written(writer->user, result);
    }
    return result == DLP_OK ? DLP_OK : dlp__fail(error, result, "%s", world->error.text);
}

static dlp_Result begin_files(dlp_Writer *writer, dlp_World *world, const dlp_OutputFile *files, int count,
                              dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    for (int n = 0; n < count && result == DLP_OK; n++) {
        const dlp__OutputKind *kind = kind_of(files[n].format);
        if (kind == NULL) {
            return fail_for_format(files[n].format, error);
        }
        result = kind->begin(&writer->output[n], world, files[n].path);
        if (result == DLP_OK) {
            writer->kind[writer->count++] = kind;
        } else {
            dlp__fail(error, result, "%s", world->error.text);
        }
    }
    return result == DLP_OK ? copy_particles(writer, world, error) : result;
}

dlp_Result dlp_writer_start(dlp_Writer *writer, dlp_World *world, const dlp_OutputFile *files, int count,
                            dlp_Error *error)
{
    if (writer == NULL || world == NULL || files == NULL) {
        return dlp__fail_null(error);
    }
    if (count < 0 || count > DLP_WRITER_FILES_MOST) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT, "a writer writes up to %d files at a time, not %d",
                         DLP_WRITER_FILES_MOST, count);
    }
    dlp_Result result = dlp_writer_finish(writer, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp__background_wait(NULL); /* for another writer */
    if (dlp__ranks_count(world->parallel.ranks) > 1) {
        return write_with_ranks(writer, world, files, count, error);
    }
    result = begin_files(writer, world, files, count, error);
    if (result != DLP_OK) {
        discard_from(writer, 0);
        return result;
    }
    /* The host's threads are for calls of the host. */
    writer->parallel = (dlp__Parallel){.threads = world->parallel.host == NULL ? world->parallel.threads : 1};
    dlp__background_start(write_files, writer);
    return DLP_OK;
}

bool dlp_writer_is_busy(const dlp_Writer *writer)
{
    return writer != NULL && dlp__background_is_busy(writer);
}

dlp_Result dlp_writer_finish(dlp_Writer *writer, dlp_Error *error)
{
    if (writer == NULL) {
        return dlp__fail_null(error);
    }
    dlp__background_wait(writer);
    const dlp_Result result = writer->result;
    writer->result = DLP_OK;
    return result == DLP_OK ? DLP_OK : dlp__fail(error, result, "%s", writer->error.text);
}

void dlp_writer_destroy(dlp_Writer *writer)
{
    if (writer == NULL) {
        return;
    }
    dlp__background_wait(writer);
    if (writer->copy.memory != NULL) {
        dlp__particles_release(&writer->copy);
    }
    dlp__Memory memory = writer->memory;
    dlp__memory_release(&memory, writer, 1, sizeof *writer);
}
