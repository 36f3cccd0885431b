/* How to continue a run. */
#include "run_hints.h"

#include "apps/shared/messages.h"
#include "apps/shared/signals.h"
#include "json_report.h"

#include <inttypes.h>
#include <string.h>

/* Print a word quoted for the shell. */
static void print_word(FILE *file, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=,:+@%-";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, file);
        return;
    }
    fputc('\'', file);
    for (; *word; word++) {
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, 0}, file);
    }
    fputc('\'', file);
}

static void print_pair(FILE *file, const char *option, const char *value)
{
    fprintf(file, " %s ", option);
    print_word(file, value);
}

/* The command line that resumes this run. */
void format_resume_command(const Run *run, char *line, size_t size)
{
    const RunOptions *options = run->options;
    FILE *file = fmemopen(line, size, "w");
    line[0] = 0;
    if (!file) {
        return;
    }
    fputs("dollop run ", file);
    print_word(file, run->scene_path);
    print_pair(file, "-o", run->folder.path.text);
    for (int i = 0; i < options->scene.settings.count; i++) {
        print_pair(file, "--set", options->scene.settings.items[i]);
    }
    for (int i = 0; i < options->scene.include_folders.count; i++) {
        print_pair(file, "--allow-include", options->scene.include_folders.items[i]);
    }
    if (options->scene.method) {
        print_pair(file, "--method", options->scene.method);
    }
    if (options->scene.draft) {
        fprintf(file, " --draft=");
        print_word(file, options->scene.draft);
    }
    if (options->frames) {
        print_pair(file, "--frames", options->frames);
    }
    for (int i = 0; i < options->exports.count; i++) {
        print_pair(file, "--export", options->exports.items[i]);
    }
    if (options->scene.fields) {
        print_pair(file, "--fields", options->scene.fields);
    }
    if (options->checkpoint_seconds > 0) {
        fprintf(file, " --checkpoint-seconds %" PRId64, options->checkpoint_seconds);
    }
    fputs(" --resume", file);
    fclose(file);
    line[size - 1] = 0;
}

/* The location of a checkpoint and how to resume from it. */
static void format_resume_hint(const Run *run, const Checkpoint *checkpoint, char *text, size_t size)
{
    char line[8192];
    format_resume_command(run, line, sizeof line);
    if (checkpoint->step < 0) {
        snprintf(text, size, "no checkpoint was saved; start again with: %s", line);
    } else {
        snprintf(text, size, "the last checkpoint is %s/%s (frame %" PRId64 ", step %" PRId64 "); continue with: %s",
                 run->folder.path.text, CHECKPOINT_FILE, checkpoint->frame, checkpoint->step, line);
    }
}

void print_resume_hint(const Run *run)
{
    char hint[16384];
    format_resume_hint(run, &run->checkpoint, hint, sizeof hint);
    message_note("%s", hint);
}

/* What is printed if a signal has to end the process in the middle of a step, or before the first (no `checkpoint`). */
void make_report(const Run *run, const Checkpoint *checkpoint, SignalReport *report)
{
    char hint[16384] = "start again with the same command";
    if (checkpoint) {
        format_resume_hint(run, checkpoint, hint, sizeof hint);
    }
    snprintf(report->note, sizeof report->note, "note: interrupted %s; %s\n",
             checkpoint ? "in the middle of a step" : "while the scene was being built", hint);
    report->line[0] = 0;
    FILE *file = run->options->json ? fmemopen(report->line, sizeof report->line, "w") : NULL;
    if (file) {
        json_report_print(file, EXIT_INTERRUPTED);
        fclose(file);
    }
}

void set_report(const Run *run, const SignalReport *report)
{
    signals_set_report(run->options->quiet ? NULL : report->note, report->line);
}

void prepare_report(const Run *run, const Checkpoint *checkpoint)
{
    SignalReport report;
    make_report(run, checkpoint, &report);
    set_report(run, &report);
}
