/* dollop-study, the program that `dollop study` starts: runs a claim of a paper (studies/), shows its progress, and says
 * whether the claim holds. */
#include "apps/shared/folder_files.h"
#include "apps/shared/human.h"
#include "apps/shared/invoke.h"
#include "apps/shared/messages.h"
#include "apps/shared/run_folder.h"
#include "apps/shared/signals.h"
#include "apps/shared/status_line.h"
#include "apps/shared/study_options.h"
#include "apps/shared/suggest.h"
#include "apps/shared/wall_clock.h"
#include "studies/study_host.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RECORD_FILE  "study.txt"
#define LINE_SECONDS 10.0 /* between two lines about the same case, where there is no bar */

/* A study at work. */
typedef struct Work {
    const Study *study;
    const StudyOptions *options;
    RunFolder folder;
    bool bar, bar_shown, colors;
    double begun, shown; /* s, on the clock */
    char case_name[96];  /* last shown      */
    char written[1024];  /* file names      */
} Work;

static ExitCode list_studies(void)
{
    enum { INDENT = 6 };
    for (int i = 0; studies[i]; i++) {
        printf("  %s  (%s)\n%*s", studies[i]->name, studies[i]->paper, INDENT, "");
        human_wrap(stdout, studies[i]->claim, INDENT, INDENT, human_columns(STDOUT_FILENO));
        if (studies[i]->automatic) {
            printf("%*s--time-step auto: also with automatic time steps\n", INDENT, "");
        }
        if (studies[i]->large) {
            const int used = printf("%*s--large: ", INDENT, "");
            human_wrap(stdout, studies[i]->large, used, INDENT, human_columns(STDOUT_FILENO));
        }
    }
    printf("\n'dollop study NAME' runs one.\n");
    return EXIT_DONE;
}

static ExitCode unknown_study(const char *name)
{
    Suggestion suggestion = suggest_begin(name);
    for (int i = 0; studies[i]; i++) {
        suggest_consider(&suggestion, studies[i]->name);
    }
    const char *best = suggest_end(&suggestion);
    message_error("there is no study '%s'%s%s%s", name, best ? "; did you mean '" : "", best ? best : "",
                  best ? "'?" : "");
    message_note("'dollop study --list' shows them");
    return EXIT_USAGE;
}

static void show_bar(Work *work, double part, const char *what, const char *left)
{
    StatusPiece pieces[3] = {{.rank = 0}, {.rank = 1}, {.rank = 2}};
    snprintf(pieces[0].text, sizeof pieces[0].text, "%.0f %%", 100 * part);
    snprintf(pieces[1].text, sizeof pieces[1].text, "%s", left);
    snprintf(pieces[2].text, sizeof pieces[2].text, "%s", what);
    status_draw(pieces, 3, part, work->colors);
    work->bar_shown = true;
}

static void on_progress(void *user, double part, const char *what)
{
    Work *work = user;
    const double now = clock_seconds();
    const bool new_case = strcmp(what, work->case_name) != 0;
    if (work->options->quiet || (now - work->shown < (work->bar ? STATUS_REDRAW_SECONDS : LINE_SECONDS) && !new_case)) {
        return;
    }
    char left[64] = "";
    if (part > 0) {
        snprintf(left, sizeof left, "%s left", human_duration((now - work->begun) * (1 - part) / part).text);
    }
    if (work->bar) {
        show_bar(work, part, what, left);
    } else {
        fprintf(stderr, "%3.0f %%  %s%s%s\n", 100 * part, what, *left ? "  " : "", left);
    }
    snprintf(work->case_name, sizeof work->case_name, "%s", what);
    work->shown = now;
}

static bool on_stop_asked(void *user)
{
    (void)user;
    return signals_stop_requested();
}

/* A study names files; it does not choose where they go. */
static dlp_Result on_save(void *user, const char *name, const char *text, dlp_Error *error)
{
    Work *work = user;
    if (name[0] == '.' || strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-.") != strlen(name)) {
        snprintf(error->text, sizeof error->text, "'%s' is not the name of a file of a study", name);
        return DLP_ERROR_ARGUMENT;
    }
    const dlp_Result result = dlp_file_write(folder_file(&work->folder, name).text, text, strlen(text), error);
    if (result == DLP_OK) {
        const size_t used = strlen(work->written);
        snprintf(work->written + used, sizeof work->written - used, "%s%s", used ? " " : "", name);
    }
    return result;
}

/* A folder that holds something else is left as it is. */
static ExitCode check_folder(const Work *work)
{
    char head[128];
    snprintf(head, sizeof head, "study %s\n", work->study->name);
    const FolderPath path = folder_file(&work->folder, RECORD_FILE);
    char *record = file_read_text(path.text, FILE_READ);
    if (!record && errno != ENOENT) {
        return file_fail("read", path.text, errno);
    }
    const bool other_study = record && strncmp(record, head, strlen(head)) != 0;
    const bool other_run = folder_has(&work->folder, "run.json");
    free(record);
    if (other_study || other_run) {
        message_error("%s holds %s; choose another folder with -o", work->folder.path.text,
                      other_run ? "a run" : "another study");
        return EXIT_REFUSED;
    }
    return EXIT_DONE;
}

/* What was printed, for later. */
static dlp_Result save_record(Work *work, const StudyOutcome *outcome, const char *verdict, dlp_Error *error)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        snprintf(error->text, sizeof error->text, "out of memory");
        return DLP_ERROR_MEMORY;
    }
    fprintf(file, "study %s\n%s; dollop %s%s%s\n\n%s%s: %s\n", work->study->name, work->study->paper, dlp_version(),
            work->options->quick   ? ", --quick"
            : work->options->large ? ", --large"
                                   : "",
            work->options->time_step ? ", --time-step auto" : "", outcome->tables ? outcome->tables : "", verdict,
            outcome->text);
    fclose(file);
    const dlp_Result result = on_save(work, RECORD_FILE, text, error);
    free(text);
    return result;
}

#define INTERRUPTED_TEXT "interrupted; no results were written"

static ExitCode tell_outcome(Work *work, const StudyOutcome *outcome)
{
    if (work->bar_shown) {
        status_clear();
    }
    if (outcome->result != DLP_OK) {
        message_error("%s", outcome->text);
        return outcome->result == DLP_ERROR_NOT_FINITE ? EXIT_UNFINISHED : exit_code_of(outcome->result);
    }
    if (outcome->interrupted) {
        message_note(INTERRUPTED_TEXT);
        return EXIT_INTERRUPTED;
    }
    const char *verdict = outcome->holds ? "holds" : "does not hold";
    dlp_Error error = {0};
    const dlp_Result saved = save_record(work, outcome, verdict, &error);
    if (saved != DLP_OK) {
        message_error("%s", error.text);
        return exit_code_of(saved);
    }
    fputs(outcome->tables ? outcome->tables : "", stdout);
    if (!work->options->quiet) {
        printf("written into %s in %s: ", work->folder.path.text, human_duration(clock_seconds() - work->begun).text);
        human_wrap(stdout, work->written, 0, 4, human_columns(STDOUT_FILENO));
        fputc('\n', stdout);
    }
    printf("%s: %s\n", verdict, outcome->text);
    return outcome->holds ? EXIT_DONE : EXIT_NOT_HELD;
}

static ExitCode perform(Work *work)
{
    StudyOutcome outcome;
    const StudyOptions *options = work->options;
    const StudyWish wish = {.quick = options->quick,
                            .large = options->large,
                            .threads = options->threads,
                            .automatic = options->time_step != NULL};
    const StudyHost host = {.user = work, .progress = on_progress, .stop_asked = on_stop_asked, .save = on_save};
    const ExitCode code = check_folder(work);
    if (code != EXIT_DONE) {
        return code;
    }
    signals_install(options->quiet ? NULL : "\nstopping after this step; once more to quit at once\n");
    signals_set_report("note: " INTERRUPTED_TEXT "\n", NULL);
    work->bar = status_possible();
    work->colors = message_colors(STDERR_FILENO);
    work->begun = clock_seconds();
    study_perform(work->study, &host, wish, &outcome);
    const ExitCode told = tell_outcome(work, &outcome);
    free(outcome.tables);
    return told;
}

static ExitCode run_study(const char *const *operands, int count, const void *options)
{
    Work work = {.options = options};
    FolderPath path;
    if (work.options->list) {
        return list_studies();
    }
    if (count == 0) {
        message_error("dollop study: NAME is missing");
        message_note("'dollop study --list' shows the studies");
        return EXIT_USAGE;
    }
    work.study = study_find(operands[0]);
    if (!work.study) {
        return unknown_study(operands[0]);
    }
    if (work.options->large && !work.study->large) {
        message_error("the study '%s' has nothing for --large", work.study->name);
        return EXIT_USAGE;
    }
    if (work.options->time_step && !work.study->automatic) {
        message_error("the study '%s' has its own time steps, which --time-step cannot replace", work.study->name);
        return EXIT_USAGE;
    }
    if (work.options->large && work.options->quick) {
        message_error("--quick and --large exclude each other");
        return EXIT_USAGE;
    }
    snprintf(path.text, sizeof path.text, "study-%s", work.study->name);
    ExitCode code = folder_open(&work.folder, work.options->output ? work.options->output : path.text);
    if (code == EXIT_DONE) {
        code = perform(&work);
        folder_close(&work.folder);
    }
    return code;
}

int main(int argc, char **argv)
{
    Command command = study_command;
    command.run = run_study;
    return (int)finish_output(command_invoke(&command, argc - 1, argv + 1));
}
