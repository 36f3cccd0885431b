/* Running a study: progress, the first failure, the verdict, and the output that is written when all went well. */
#include "studies/study_host.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct StudyState {
    const StudyHost *host;
    StudyOutcome *outcome;
    bool judged;
    char quick_bounds[256];       /* "0.06 instead of 0.03": those of a quick run that differ from a full one's */
    double work, done, step_work; /* in the study's own unit */
    char case_name[96];
    StudyOutput *first, **last;
};

const Study *study_find(const char *name)
{
    for (int i = 0; studies[i]; i++) {
        if (strcmp(studies[i]->name, name) == 0) {
            return studies[i];
        }
    }
    return NULL;
}

double study_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double study_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_size);
    return count > 0 ? values[count / 2] : NAN;
}

static void show_progress(StudyRun *run)
{
    struct StudyState *state = run->state;
    if (!study_going(run)) {
        return;
    }
    const double part = state->work > 0 ? state->done / state->work : 0;
    state->host->progress(state->host->user, part < 1 ? part : 1, state->case_name);
    if (state->host->stop_asked(state->host->user)) {
        state->outcome->interrupted = true;
    }
}

void study_plan(StudyRun *run, double work)
{
    run->state->work = work;
}

void study_case(StudyRun *run, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(run->state->case_name, sizeof run->state->case_name, format, arguments);
    va_end(arguments);
    run->state->step_work = 1;
    show_progress(run);
}

void study_weigh(StudyRun *run, double work_of_a_step)
{
    run->state->step_work = work_of_a_step;
}

void study_advance(StudyRun *run, double steps)
{
    run->state->done += steps * run->state->step_work;
    show_progress(run);
}

bool study_going(const StudyRun *run)
{
    return run->state->outcome->result == DLP_OK && !run->state->outcome->interrupted;
}

void study_fail(StudyRun *run, dlp_Result result, const char *format, ...)
{
    StudyOutcome *outcome = run->state->outcome;
    if (!study_going(run)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outcome->text, sizeof outcome->text, format, arguments);
    va_end(arguments);
    outcome->result = result;
}

double study_bound(StudyRun *run, double full, double quick)
{
    if (!run->quick || quick == full) {
        return full;
    }
    char *text = run->state->quick_bounds;
    const size_t used = strlen(text);
    snprintf(text + used, sizeof run->state->quick_bounds - used, "%s%g instead of %g", used ? ", " : "", quick, full);
    return quick;
}

/* A quick verdict says that it is one, and by which bounds of its own it was judged. */
static void mark_quick(const StudyRun *run)
{
    StudyOutcome *outcome = run->state->outcome;
    const char *bounds = run->state->quick_bounds;
    const size_t used = strlen(outcome->text);
    snprintf(outcome->text + used, sizeof outcome->text - used, " (quick run%s%s)",
             *bounds ? ", judged by coarser bounds: " : "", bounds);
}

void study_verdict(StudyRun *run, bool holds, const char *format, ...)
{
    StudyOutcome *outcome = run->state->outcome;
    if (!study_going(run)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outcome->text, sizeof outcome->text, format, arguments);
    va_end(arguments);
    outcome->holds = holds;
    run->state->judged = true;
}

void *study_grown(StudyRun *run, void *items, int64_t *capacity, int64_t count, size_t item_size)
{
    if (count < *capacity) {
        return items;
    }
    const int64_t room = count < 8 ? 16 : 2 * count;
    void *grown = study_going(run) ? realloc(items, (size_t)room * item_size) : NULL;
    if (!grown) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    *capacity = room;
    return grown;
}

void *study_output_new(StudyRun *run, size_t size, const char *name, const char *extension, const char *title,
                       void (*release)(StudyOutput *output))
{
    StudyOutput *output = study_going(run) ? calloc(1, size) : NULL;
    if (!output) {
        study_fail(run, DLP_ERROR_MEMORY, "out of memory");
        return NULL;
    }
    output->run = run;
    output->release = release;
    snprintf(output->file_name, sizeof output->file_name, "%s.%s", name, extension);
    snprintf(output->title, sizeof output->title, "%s", title);
    *run->state->last = output;
    run->state->last = &output->next;
    return output;
}

/* What `make` puts into a file, as text to be freed; null when memory ran out. */
static char *text_of(const StudyOutput *output, void (*make)(const StudyOutput *output, FILE *file))
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return NULL;
    }
    make(output, file);
    const bool broken = ferror(file) != 0;
    if (fclose(file) != 0 || broken) {
        free(text);
        return NULL;
    }
    return text;
}

static void save_outputs(StudyRun *run)
{
    const StudyHost *host = run->state->host;
    for (const StudyOutput *output = run->state->first; output && study_going(run); output = output->next) {
        char *text = text_of(output, output->write);
        dlp_Error error = {DLP_ERROR_MEMORY, "out of memory"};
        const dlp_Result result = text ? host->save(host->user, output->file_name, text, &error) : DLP_ERROR_MEMORY;
        if (result != DLP_OK) {
            study_fail(run, result, "%s", error.text);
        }
        free(text);
    }
}

static void print_outputs(const StudyOutput *first, FILE *file)
{
    for (const StudyOutput *output = first; output; output = output->next) {
        if (output->print) {
            output->print(output, file);
            fputc('\n', file);
        }
    }
}

void study_perform(const Study *study, const StudyHost *host, StudyWish wish, StudyOutcome *outcome)
{
    struct StudyState state = {.host = host, .outcome = outcome, .step_work = 1};
    StudyRun run = {.quick = wish.quick,
                    .large = wish.large,
                    .threads = wish.threads,
                    .automatic = wish.automatic,
                    .state = &state};
    *outcome = (StudyOutcome){.result = DLP_OK};
    state.last = &state.first;
    study->run(&run);
    if (study_going(&run) && !state.judged) {
        study_fail(&run, DLP_ERROR_UNSUPPORTED, "the study '%s' ended without a verdict", study->name);
    }
    if (study_going(&run) && run.quick) {
        mark_quick(&run);
    }
    save_outputs(&run);
    if (study_going(&run)) {
        outcome->tables = state.first ? text_of(state.first, print_outputs) : NULL;
    }
    while (state.first) {
        StudyOutput *output = state.first;
        state.first = output->next;
        output->release(output);
    }
}
