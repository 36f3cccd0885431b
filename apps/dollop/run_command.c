/* dollop run: simulates a scene frame by frame, writes frames and checkpoints, and resumes interrupted runs. */
#include "apps/shared/folder_files.h"
#include "apps/shared/human.h"
#include "apps/shared/messages.h"
#include "apps/shared/signals.h"
#include "apps/shared/wall_clock.h"
#include "installed_scenes.h"
#include "json_report.h"
#include "run_files.h"
#include "run_folder_check.h"
#include "run_hints.h"
#include "command_ranks.h"
#include "safe_step.h"
#include "subcommands.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_FILE "run.log"

enum { CHECKPOINT_SECONDS = 300 }; /* a signal, a crash or a power failure costs no more computing than that */

static RecordSource record_source(const Run *run, bool finished)
{
    return (RecordSource){.scene_path = run->scene_path,
                          .options = &run->options->scene,
                          .scene = run->scene,
                          .draft = &run->draft,
                          .meshes = run->meshes,
                          .last_frame = run->schedule.last_frame,
                          .finished = finished};
}

static ExitCode load_checkpoint(Run *run)
{
    char version[32] = "";
    const ExitCode code = folder_load(&run->folder, dlp_scene_world(run->scene), &run->world);
    if (code == EXIT_BROKEN_FILE) {
        message_note("there is no intact checkpoint to resume from; use --overwrite to start from the beginning");
    }
    if (code != EXIT_DONE || !run->world) {
        return code;
    }
    if (record_value(run->folder_record, "dollop", version, sizeof version) && strcmp(version, dlp_version()) != 0) {
        message_warning("this run was started with dollop %s; from here on its result may differ from that version",
                        version);
    }
    bool at_frame;
    dlp_world_set_frame_fields(run->world, dlp_scene_run(run->scene)->fields); /* checkpoints do not contain them */
    run->resumed = true;
    run->checkpoint = checkpoint_of(run, &at_frame);
    prepare_report(run, &run->checkpoint);
    if (run->checkpoint.frame > run->schedule.last_frame ||
        (run->checkpoint.frame == run->schedule.last_frame && !at_frame)) {
        message_error("%s is already at frame %" PRId64 ", past frame %" PRId64 "; give a later frame with --frames",
                      run->folder.path.text, run->checkpoint.frame, run->schedule.last_frame);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static ExitCode write_record(Run *run, bool finished)
{
    if (!run->leads) {
        return ranks_agree(run->ranks, EXIT_DONE);
    }
    const RecordSource source = record_source(run, finished);
    const FolderPath path = folder_file(&run->folder, RECORD_FILE);
    char *record = record_make(&source);
    const ExitCode code = record ? file_write_text(path.text, record) : file_fail("write", path.text, ENOMEM);
    free(record);
    return ranks_agree(run->ranks, code);
}

/* A new run: without the files of an earlier one, and with a copy of the scene. */
static ExitCode begin_folder(Run *run)
{
    if (!run->leads) {
        return EXIT_DONE;
    }
    folder_clear(&run->folder, run->options->overwrite);
    const FolderPath copy = folder_file(&run->folder, RECORD_SCENE_FILE);
    char *scene_text = file_read_text(run->scene_path, FILE_GIVEN);
    const ExitCode copied = scene_text ? file_write_text(copy.text, scene_text)
                                       : file_fail("read", run->scene_path, errno);
    free(scene_text);
    return copied;
}

static ExitCode start_from_scratch(Run *run)
{
    const ExitCode code = ranks_agree(run->ranks, scene_build(run->scene, &run->world));
    return code == EXIT_DONE ? ranks_agree(run->ranks, begin_folder(run)) : code;
}

static ExitCode prepare_schedule(Run *run)
{
    run->schedule = schedule_of(dlp_scene_run(run->scene));
    if (run->options->frames && !schedule_select(&run->schedule, run->options->frames)) {
        message_error("--frames '%s' is not a range: use N, A..B, A.. or ..B, where B is not less than A",
                      run->options->frames);
        return EXIT_USAGE;
    }
    return EXIT_DONE;
}

static ExitCode prepare_folder(Run *run)
{
    char name[256], path[sizeof name + 16];
    scene_short_name(run->scene_path, name, sizeof name);
    snprintf(path, sizeof path, "out/%s%s", name, run->draft.factor > 0 ? "_draft" : "");
    run->folder.follows = !run->leads;
    ExitCode code = folder_open(&run->folder, run->options->output ? run->options->output : path);
    if (code != EXIT_DONE || !run->leads) {
        return code;
    }
    code = folder_clean_run(&run->folder);
    if (code != EXIT_DONE) {
        return code;
    }
    run->meshes = record_meshes(run->scene);
    if (!run->meshes) {
        message_error("out of memory");
        return EXIT_MEMORY;
    }
    const FolderPath record = folder_file(&run->folder, RECORD_FILE);
    run->folder_record = file_read_text(record.text, FILE_READ);
    if (!run->folder_record && errno != ENOENT) {
        return file_fail("read", record.text, errno);
    }
    return folder_check(&(FolderCheck){.run = record_source(run, false),
                                       .folder = &run->folder,
                                       .record = run->folder_record,
                                       .resume = run->options->resume,
                                       .overwrite = run->options->overwrite});
}

/* As `check` does, from the speeds of the initial state. */
static void warn(Run *run)
{
    dlp_WorldStats stats;
    if (run->resumed || run->options->quiet || dlp_world_stats(run->world, &stats) != DLP_OK) {
        return;
    }
    const double duration = schedule_frame_time(&run->schedule, run->schedule.last_frame);
    const ExpectedSpeed speed = expected_speed(run->world, stats.speed_max, duration);
    run->progress.warnings += warn_of_long_step(run->world, &speed, run->schedule.time_step);
}

/* Everything up to the first step: scene, folder, world. */
static ExitCode prepare(Run *run)
{
    const RunOptions *options = run->options;
    if (options->resume && options->overwrite) {
        message_error("--resume continues a run and --overwrite deletes it: give only one of them");
        return EXIT_USAGE;
    }
    const dlp_Hooks hooks = {.log = progress_log, .log_user = &run->progress, .ranks = run->ranks};
    ExitCode code = scene_open(run->scene_path, &options->scene, &hooks, &run->scene);
    if (code == EXIT_DONE) {
        code = draft_apply(options->scene.draft, run->scene, &run->draft);
    }
    if (code == EXIT_DONE) {
        code = prepare_schedule(run);
    }
    if (code == EXIT_DONE) {
        code = prepare_folder(run);
    }
    code = ranks_agree(run->ranks, code);
    if (code == EXIT_DONE && options->resume) {
        code = ranks_agree(run->ranks, load_checkpoint(run));
    }
    if (code == EXIT_DONE && !run->world) {
        code = start_from_scratch(run);
    }
    if (code == EXIT_DONE) {
        warn(run);
        code = write_record(run, false);
    }
    return code;
}

/* After divergence: resuming would diverge again, so print the location of the last good state without a command. */
static void print_last_good_state(const Run *run)
{
    if (run->schedule.automatic) {
        message_note("shorter steps may help: lower the Courant number with --set world.cfl=0.2");
    } else {
        message_note("automatic steps may help: --set run.time_step=auto");
    }
    if (run->checkpoint.step < 0) {
        message_note("no checkpoint was saved");
    } else {
        message_note("the last good state is %s/%s (frame %" PRId64 ", step %" PRId64 ")", run->folder.path.text,
                     CHECKPOINT_FILE, run->checkpoint.frame, run->checkpoint.step);
    }
}

static ExitCode report_failure(Run *run, dlp_Result result, const char *text)
{
    progress_clear(&run->progress);
    message_error("%s", text);
    if (files_finish(run) != DLP_OK) {
        message_error("%s", run->error.text);
    }
    if (result == DLP_ERROR_NOT_FINITE) {
        print_last_good_state(run);
    } else {
        print_resume_hint(run);
    }
    return scene_step_exit_code(result);
}

/* Whether enough has been computed since the latest checkpoint to save another one between the regular ones. */
static bool checkpoint_overdue(const Run *run)
{
    const int64_t seconds = run->options->checkpoint_seconds;
    return run->schedule.checkpoint_every > 0 &&
           clock_seconds() - run->checkpoint_clock > (double)(seconds > 0 ? seconds : CHECKPOINT_SECONDS);
}

static dlp_Result save_last_checkpoint(Run *run)
{
    dlp_Result result = files_finish(run);
    if (result == DLP_OK && run->checkpoint.step != dlp_world_step_count(run->world)) {
        result = files_start_checkpoint(run);
        result = result == DLP_OK ? files_finish(run) : result;
    }
    return result;
}

static ExitCode save_and_stop(Run *run)
{
    char line[8192];
    progress_clear(&run->progress);
    const ExitCode written = ranks_agree(run->ranks, probe_files_flush(&run->probes));
    if (written != EXIT_DONE) {
        return written;
    }
    const dlp_Result result = save_last_checkpoint(run);
    if (result != DLP_OK) {
        return report_failure(run, result, run->error.text);
    }
    signals_delay_deadline(true); /* all is saved: what follows is short, and it reports more */
    format_resume_command(run, line, sizeof line);
    if (!run->options->quiet) {
        message_note("interrupted at frame %" PRId64 ", step %" PRId64 "; continue with: %s", run->checkpoint.frame,
                     run->checkpoint.step, line);
    }
    return EXIT_INTERRUPTED;
}

/* What depends on clocks and signals; all ranks decide the same. */
typedef struct Decisions {
    bool stop;    /* save and end */
    bool overdue; /* save a checkpoint */
} Decisions;

static Decisions decide(const Run *run)
{
    enum { STOP = 1, OVERDUE = 2 };
    const int64_t own = (signals_stop_requested() ? STOP : 0) | (checkpoint_overdue(run) ? OVERDUE : 0);
    const int64_t all = dlp_ranks_agree(run->ranks, own);
    return (Decisions){(all & STOP) != 0, (all & OVERDUE) != 0};
}

/* After a step: its files, and those of earlier steps that are complete. */
static ExitCode process_files(Run *run, bool overdue)
{
    bool at_frame;
    const int64_t frame = schedule_frame(&run->schedule, run->world, &at_frame);
    const ExitCode written = at_frame || overdue ? ranks_agree(run->ranks, probe_files_flush(&run->probes)) : EXIT_DONE;
    if (written != EXIT_DONE) {
        progress_clear(&run->progress);
        return written;
    }
    dlp_Result result = DLP_OK;
    if (at_frame) { /* rows of probes before a checkpoint exist, as frames do */
        result = files_start_frame(run, frame, overdue);
    } else if (overdue) {
        result = files_start_checkpoint(run);
    } else if (!dlp_writer_is_busy(run->writer)) {
        result = files_finish(run);
    }
    return result == DLP_OK ? EXIT_DONE : report_failure(run, result, run->error.text);
}

static ExitCode run_steps(Run *run)
{
    const Schedule *schedule = &run->schedule;
    dlp_Result result = run->resumed ? DLP_OK : files_start_frame(run, 0, false);
    Decisions decided = decide(run);
    ranks_note_step(run->ranks, dlp_world_step_count(run->world));
    while (result == DLP_OK && !schedule_is_done(schedule, run->world)) {
        if (decided.stop) {
            return save_and_stop(run);
        }
        const double start = clock_seconds();
        const dlp_Result stepped = schedule_step(schedule, run->world);
        if (stepped != DLP_OK) {
            return report_failure(run, stepped, dlp_world_error(run->world));
        }
        progress_step(&run->progress, run->world, clock_seconds() - start);
        ranks_note_step(run->ranks, dlp_world_step_count(run->world));
        decided = decide(run);
        const ExitCode code = process_files(run, decided.overdue);
        if (code != EXIT_DONE) {
            return code;
        }
    }
    result = result == DLP_OK ? files_finish(run) : result;
    return result == DLP_OK ? EXIT_DONE : report_failure(run, result, run->error.text);
}

/* The length of automatic steps and what limited them. */
static void print_steps(const Run *run, FILE *file)
{
    if (run->schedule.automatic && run->progress.steps.count > 0) {
        step_record_print(&run->progress.steps, file);
        fputc('\n', file);
    }
}

static void print_summary(Run *run, ExitCode code, double seconds)
{
    const int64_t particles = dlp_world_particle_count(run->world);
    const uint64_t hash = run->options->json || run->options->hash ? dlp_world_hash(run->world) : 0;
    const dlp_RankTraffic traffic = dlp_ranks_traffic(run->ranks);
    progress_clear(&run->progress);
    if (run->options->json) {
        Json json = json_begin(stdout);
        json_bool(&json, "done", code == EXIT_DONE);
        json_report_members(&json, code);
        json_integer(&json, "frames", run->schedule.last_frame);
        json_integer(&json, "step", dlp_world_step_count(run->world));
        step_record_json(&run->progress.steps, &json);
        json_real(&json, "time", dlp_world_time(run->world));
        json_integer(&json, "particles", particles);
        json_real(&json, "seconds", seconds);
        json_integer(&json, "warning_count", run->progress.warnings);
        json_text(&json, "folder", run->folder.path.text);
        json_hash(&json, "hash", hash);
        json_integer(&json, "ranks", dlp_ranks_count(run->ranks));
        json_integer(&json, "messages", traffic.messages);
        json_integer(&json, "message_bytes", traffic.bytes);
        json_integer(&json, "reductions", traffic.reductions);
        json_real(&json, "seconds_waited", traffic.waited);
        json_end(&json);
    }
    if (code == EXIT_DONE && !run->options->quiet && !run->options->json) {
        fprintf(stderr, "done: frame %" PRId64 ", %s particles, %s; output in %s\n", run->schedule.last_frame,
                human_count(particles).text, human_duration(seconds).text, printable(run->folder.path.text).text);
        print_steps(run, stderr);
    }
    if (code == EXIT_DONE && run->log) {
        print_steps(run, run->log);
    }
    if (code == EXIT_DONE && run->options->hash) {
        printf("hash %016" PRIx64 "\n", hash);
    }
}

static ExitCode open_log(Run *run)
{
    if (!run->leads) {
        return EXIT_DONE;
    }
    const FolderPath path = folder_file(&run->folder, LOG_FILE);
    run->log = file_open(path.text, run->resumed ? FILE_CONTINUE : FILE_CREATE);
    if (!run->log) {
        return file_fail("write", path.text, errno);
    }
    setvbuf(run->log, NULL, _IOLBF, BUFSIZ); /* a killed run has its lines */
    run->progress.log = run->log;
    return EXIT_DONE;
}

static ExitCode simulate(Run *run)
{
    const double start = clock_seconds();
    run->checkpoint_clock = start;
    prepare_report(run, &run->checkpoint);
    ExitCode code = ranks_agree(run->ranks, open_log(run));
    if (code != EXIT_DONE) {
        return code;
    }
    progress_begin(&run->progress, &run->schedule, run->world, run->ranks ? NULL : run->scene);
    if (!run->options->quiet) {
        draft_print(&run->draft);
    }
    if (run->resumed && !run->options->quiet) {
        message_note("resuming %s at frame %" PRId64 ", step %" PRId64, run->folder.path.text, run->checkpoint.frame,
                     run->checkpoint.step);
    }
    if (dlp_writer_create(NULL, files_written, run, &run->writer, &run->error) != DLP_OK) {
        message_error("%s", run->error.text);
        return EXIT_MEMORY;
    }
    code = run->leads ? probe_files_open(&run->probes, &run->folder, run->world, run->resumed) : EXIT_DONE;
    code = ranks_agree(run->ranks, code);
    if (code == EXIT_DONE) {
        code = run_steps(run);
    }
    if (code == EXIT_DONE) {
        code = write_record(run, true);
    }
    print_summary(run, code, clock_seconds() - start);
    return code;
}

static void release(Run *run)
{
    if (run->log && (ferror(run->log) | fclose(run->log)) != 0) {
        message_warning("%s is incomplete: it could not be written", folder_file(&run->folder, LOG_FILE).text);
    }
    dlp_writer_destroy(run->writer);
    probe_files_close(&run->probes);
    dlp_world_destroy(run->world);
    free(run->folder_record);
    free(run->meshes);
    folder_close(&run->folder);
    dlp_scene_destroy(run->scene);
}

static ExitCode run_scene(const char *const *operands, int count, const void *options)
{
    Run run = {
        .options = options, .scene_path = installed_scene_find(operands[0]), .folder.lock = -1, .checkpoint.step = -1};
    (void)count;
    ExitCode code = ranks_join(&run.ranks);
    if (code != EXIT_DONE) {
        return code;
    }
    run.leads = dlp_ranks_number(run.ranks) == 0;
    progress_init(&run.progress, run.options->json, run.options->quiet, !run.ranks);
    signals_install(run.options->quiet || run.ranks /* of which the process that started them tells */
                        ? NULL
                        : "\nfinishing this step and saving a checkpoint; press Ctrl-C again to quit immediately\n");
    if (run.options->ranks > 0 && !run.ranks) {
        return ranks_start_mpirun(run.options->ranks, "continue with the same command and --resume");
    }
    prepare_report(&run, NULL);
    code = prepare(&run);
    if (code == EXIT_DONE) {
        code = simulate(&run);
    }
    release(&run);
    return ranks_leave(run.ranks, code);
}

static const char *const export_choices[] = {"ply", "csv", NULL};

static const Option run_options[] = {
    {.name = "output",
     .letter = 'o',
     .argument = "DIR",
     .kind = OPTION_TEXT,
     .offset = offsetof(RunOptions, output),
     .group = "Output",
     .help = "output folder (default: out/NAME for the scene NAME.yaml, out/NAME_draft with --draft)"},
    {.name = "frames",
     .argument = "A..B",
     .kind = OPTION_TEXT,
     .offset = offsetof(RunOptions, frames),
     .group = "Output",
     .help = "simulate up to frame B, but write only frames A to B; also A.., ..B or N"},
    {.name = "export",
     .argument = "FORMAT",
     .kind = OPTION_LIST,
     .offset = offsetof(RunOptions, exports),
     .choices = export_choices,
     .group = "Output",
     .help = "also write each frame as ply or csv; may be repeated"},
    {.name = "fields",
     .argument = "LIST",
     .kind = OPTION_TEXT,
     .offset = offsetof(RunOptions, scene.fields),
     .group = "Output",
     .help =
         "derived fields that frames contain, such as shear_rate,stress,viscosity (default: run.fields of the scene)"},
    {.name = "resume",
     .kind = OPTION_FLAG,
     .offset = offsetof(RunOptions, resume),
     .group = "Output",
     .help = "continue from the checkpoint in the output folder; without one, start from the beginning"},
    {.name = "checkpoint-seconds",
     .argument = "SECONDS",
     .kind = OPTION_INTEGER,
     .offset = offsetof(RunOptions, checkpoint_seconds),
     .least = 1,
     .most = 1000000,
     .group = "Output",
     .help =
         "save a checkpoint also between frames, whenever so many seconds have passed since the last one (default: 300)"},
    {.name = "overwrite",
     .kind = OPTION_FLAG,
     .offset = offsetof(RunOptions, overwrite),
     .group = "Output",
     .help = "delete frames and checkpoints of an earlier run in the output folder"},
    SCENE_OPTIONS(RunOptions),
    {.name = "ranks",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(RunOptions, ranks),
     .least = 1,
     .most = 65536,
     .group = "Performance",
     .help =
         "number of processes of this machine, which share the particles, with MPI; does not affect the result; the same as "
         "'mpirun -n N dollop run ...', which also runs on several machines"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(RunOptions, json),
     .group = "Messages",
     .help = "print one JSON object per frame, and one at the end, to standard output"},
    {.name = "hash",
     .kind = OPTION_FLAG,
     .offset = offsetof(RunOptions, hash),
     .group = "Messages",
     .help = "at the end, print 'hash' and 16 hexadecimal digits, a hash of the complete final state"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(RunOptions, quiet),
     .group = "Messages",
     .help = "print only errors"},
};

static const Example run_examples[] = {
    {"dollop run scenes/dam_break.yaml", "simulate all frames; output goes to out/dam_break"},
    {"dollop run honey.yaml -o /data/honey --resume", "continue after Ctrl-C, a crash or a full disk"},
    {"dollop run honey.yaml --draft", "a quick look at a coarser spacing; output goes to out/honey_draft"},
    {"dollop run honey.yaml --set solids.plate.friction=0.3 --frames ..48", "the first 48 frames with another value"},
    {"dollop run honey.yaml --json | jq .remaining_seconds", "monitor a run from a script"},
    {NULL, NULL},
};

const Command run_command = {
    .name = "run",
    .operands = "SCENE",
    .summary = "simulate a scene and write its frames",
    .description =
        "Frames are VTKHDF files that ParaView can open. Checkpoints are saved every few frames (run.checkpoint_every in the "
        "scene), and every few minutes of computing (--checkpoint-seconds). Ctrl-C finishes the current step, saves a checkpoint "
        "and stops; a step or a scene being built that takes longer than half a second is given up, and the last checkpoint is "
        "the one to continue from; a second Ctrl-C quits immediately. The final state of a resumed run is bitwise identical to "
        "that of an uninterrupted run.",
    .examples = run_examples,
    .options = run_options,
    .option_count = OPTION_COUNT(run_options),
    .least_operands = 1,
    .most_operands = 1,
    .options_size = sizeof(RunOptions),
    .run = run_scene,
};
