#include "probe_files.h"

#include "apps/shared/folder_files.h"
#include "apps/shared/messages.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static FolderPath path_of(const ProbeFiles *files, int probe)
{
    dlp_ProbeDef def;
    char name[DLP_NAME_SIZE + 16] = "";
    if (dlp_world_get_probe(files->world, probe, &def) == DLP_OK) {
        snprintf(name, sizeof name, "probe_%s.csv", def.name);
    }
    return folder_file(files->folder, name);
}

/* The header, to be freed; null without memory. */
static char *make_header(const dlp_World *world, int probe)
{
    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    if (!memory) {
        return NULL;
    }
    for (int c = 0; c < dlp_world_probe_columns(world, probe); c++) {
        dlp_ProbeColumn column;
        dlp_world_probe_column(world, probe, c, &column);
        fprintf(memory, column.unit[0] ? "%s%s [%s]" : "%s%s", c > 0 ? "," : "", column.name, column.unit);
    }
    fputc('\n', memory);
    return fclose(memory) == 0 ? text : NULL;
}

/* Bytes of the header and of the first `rows` rows; -1 if the file does not have them. */
static long kept_bytes(FILE *file, const char *header, int64_t rows)
{
    for (const char *c = header; *c; c++) {
        if (fgetc(file) != (unsigned char)*c) {
            return -1;
        }
    }
    for (int c = 0; rows > 0 && c != EOF;) {
        c = fgetc(file);
        rows -= c == '\n';
    }
    return rows == 0 ? ftell(file) : -1;
}

static void note_failure(ProbeFiles *files, int probe)
{
    if (files->failed < 0) {
        files->failed = probe;
        files->failure = errno;
    }
}

/* Drop the rows after the checkpoint. False if there is nothing to continue, or after a failure. */
static bool continue_file(ProbeFiles *files, int probe, const char *path, const char *header)
{
    FILE *file = file_open(path, FILE_CONTINUE);
    if (!file) {
        note_failure(files, probe);
        return false;
    }
    const long bytes = kept_bytes(file, header, dlp_world_probe_samples(files->world, probe));
    if (bytes < 0) {
        fclose(file);
        return false;
    }
    if (ftruncate(fileno(file), bytes) != 0 || fseek(file, 0, SEEK_END) != 0) {
        note_failure(files, probe);
    }
    files->files[probe].stream = file;
    return true;
}

static ExitCode report(const ProbeFiles *files)
{
    if (files->failed < 0) {
        return EXIT_DONE;
    }
    return file_fail("write", path_of(files, files->failed).text, files->failure);
}

static void open_file(ProbeFiles *files, int probe, bool resumed)
{
    const FolderPath path = path_of(files, probe);
    char *header = make_header(files->world, probe);
    if (header && resumed && continue_file(files, probe, path.text, header)) {
        free(header);
        return;
    }
    if (files->failed >= 0) {
        free(header);
        return;
    }
    if (resumed && dlp_world_probe_samples(files->world, probe) > 0) {
        message_warning("%s does not have the samples before the checkpoint; it starts again here", path.text);
    }
    files->files[probe].stream = header ? file_open(path.text, FILE_CREATE) : NULL;
    if (!files->files[probe].stream || fputs(header, files->files[probe].stream) < 0) {
        note_failure(files, probe);
    }
    free(header);
}

static void write_row(void *user, dlp_ProbeId id, const double *values, int count)
{
    ProbeFiles *files = user;
    FILE *file = files->files[id].stream;
    for (int c = 0; c < count && file; c++) {
        if (c > 0) {
            fputc(',', file);
        }
        if (!isnan(values[c])) {
            fprintf(file, "%.10g", values[c]);
        }
    }
    if (file && fputc('\n', file) == EOF) {
        note_failure(files, id);
    }
}

ExitCode probe_files_open(ProbeFiles *files, const RunFolder *folder, dlp_World *world, bool resumed)
{
    const int count = dlp_world_probe_count(world);
    *files = (ProbeFiles){.folder = folder, .world = world, .failed = -1};
    if (count == 0) {
        return EXIT_DONE;
    }
    files->files = calloc((size_t)count, sizeof *files->files);
    if (!files->files) {
        message_error("out of memory for the files of %d probes", count);
        return exit_code_of(DLP_ERROR_MEMORY);
    }
    files->count = count;
    for (int k = 0; k < count && files->failed < 0; k++) {
        open_file(files, k, resumed);
    }
    dlp_world_on_probe(world, write_row, files);
    return report(files);
}

ExitCode probe_files_flush(ProbeFiles *files)
{
    for (int k = 0; k < files->count && files->failed < 0; k++) {
        if (fflush(files->files[k].stream) != 0 || ferror(files->files[k].stream) ||
            fsync(fileno(files->files[k].stream)) != 0) {
            note_failure(files, k);
        }
    }
    return files->count > 0 ? report(files) : EXIT_DONE;
}

void probe_files_close(ProbeFiles *files)
{
    for (int k = 0; k < files->count; k++) {
        if (files->files[k].stream) {
            fclose(files->files[k].stream);
        }
    }
    free(files->files);
    *files = (ProbeFiles){.failed = -1};
}
