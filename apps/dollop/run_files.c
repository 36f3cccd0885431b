/* Lists the files of a moment, hands them to the writer, and reports them when they are complete. */
#include "run_files.h"

#include "apps/shared/signals.h"
#include "apps/shared/wall_clock.h"
#include "run_hints.h"

#include <string.h>

Checkpoint checkpoint_of(const Run *run, bool *at_frame)
{
    return (Checkpoint){dlp_world_step_count(run->world), schedule_frame(&run->schedule, run->world, at_frame)};
}

/* On the writer's thread; the other one does not touch the checkpoint while files are in work. */
void files_written(void *user, dlp_Result result)
{
    Run *run = user;
    if (run->files.has_checkpoint && result == DLP_OK) {
        run->checkpoint = run->files.checkpoint;
        set_report(run, &run->files.report);
    }
    signals_delay_deadline(false);
}

/* Wait until the files in work are complete, and report their frame. */
dlp_Result files_finish(Run *run)
{
    RunFiles *files = &run->files;
    if (!files->in_work) {
        return DLP_OK;
    }
    files->in_work = false;
    const dlp_Result result = dlp_writer_finish(run->writer, &run->error);
    if (result == DLP_OK && files->has_frame) {
        progress_frame(&run->progress, run->world, &files->output);
    }
    return result;
}

enum { FILES_MOST = 4 }; /* a frame, two exports, a checkpoint */

static int list_frame(const Run *run, int64_t frame, FolderPath paths[FILES_MOST], dlp_OutputFile files[FILES_MOST])
{
    static const dlp_OutputFormat formats[] = {DLP_OUTPUT_PLY, DLP_OUTPUT_CSV};
    static const char *const extensions[] = {"ply", "csv"};
    const OptionList *exports = &run->options->exports;
    int count = 0;
    paths[count] = folder_frame(&run->folder, frame, "vtkhdf");
    files[count++].format = DLP_OUTPUT_FRAME;
    for (int format = 0; format < 2; format++) {
        bool wanted = false;
        for (int i = 0; i < exports->count; i++) {
            wanted = wanted || strcmp(exports->items[i], extensions[format]) == 0;
        }
        if (wanted) {
            paths[count] = folder_frame(&run->folder, frame, extensions[format]);
            files[count++].format = formats[format];
        }
    }
    return count;
}

/* Begin to write the files of a frame, unless it is negative, then a checkpoint, so that all frames before a checkpoint exist. A signal
 * does not end the process before the checkpoint is complete. */
static dlp_Result start_files(Run *run, int64_t frame, bool checkpoint)
{
    RunFiles *files = &run->files;
    FolderPath paths[FILES_MOST];
    dlp_OutputFile list[FILES_MOST];
    int count = frame >= 0 ? list_frame(run, frame, paths, list) : 0;
    files->has_checkpoint = checkpoint;
    if (checkpoint) {
        files->checkpoint = checkpoint_of(run, NULL);
        make_report(run, &files->checkpoint, &files->report);
        signals_delay_deadline(true);
        paths[count] = folder_rotate(&run->folder);
        list[count++].format = DLP_OUTPUT_CHECKPOINT;
        run->checkpoint_clock = clock_seconds();
    }
    for (int n = 0; n < count; n++) {
        list[n].path = paths[n].text;
    }
    if (frame >= 0) {
        files->file = paths[0];
    }
    const dlp_Result result = count > 0 ? dlp_writer_start(run->writer, run->world, list, count, &run->error) : DLP_OK;
    files->in_work = result == DLP_OK;
    if (result != DLP_OK) {
        signals_delay_deadline(false);
    }
    return result;
}

dlp_Result files_start_checkpoint(Run *run)
{
    const dlp_Result result = files_finish(run);
    run->files.has_frame = false;
    return result == DLP_OK ? start_files(run, -1, true) : result;
}

dlp_Result files_start_frame(Run *run, int64_t frame, bool overdue)
{
    const Schedule *schedule = &run->schedule;
    RunFiles *files = &run->files;
    const bool selected = frame >= schedule->write_from && frame <= schedule->write_to;
    const bool due = frame > 0 && schedule->checkpoint_every > 0 &&
                     (frame % schedule->checkpoint_every == 0 || frame == schedule->last_frame || overdue);
    const double start = clock_seconds();
    dlp_Result result = files_finish(run);
    files->output = (FrameOutput){.frame = frame, .file = selected ? files->file.text : NULL};
    if (result == DLP_OK) {
        result = start_files(run, selected ? frame : -1, due);
    }
    files->has_frame = dlp_world_stats(run->world, &files->output.stats) == DLP_OK;
    files->output.clock = clock_seconds();
    files->output.seconds = files->output.clock - start;
    return result;
}
