#include "command_ranks.h"

#include "apps/shared/folder_files.h"
#include "apps/shared/messages.h"
#include "apps/shared/signals.h"
#include "rank_report.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ARGUMENTS_MOST = 256 };

/* The arguments of this process, one after the other, or null. The caller frees them and the text that they point into. */
static int read_arguments(char **text, char *arguments[ARGUMENTS_MOST])
{
    static const char path[] = "/proc/self/cmdline";
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    int count = 0;
    *text = malloc((size_t)1 << 17);
    if (file && *text) {
        size = fread(*text, 1, ((size_t)1 << 17) - 1, file);
        (*text)[size] = 0;
    }
    if (file) {
        fclose(file);
    }
    for (size_t at = 0; at < size && count < ARGUMENTS_MOST; at += strlen(*text + at) + 1) {
        arguments[count++] = *text + at;
    }
    return count;
}

/* Leaves out --ranks N. */
static void copy_without_ranks(char **to, char *const *from, int count)
{
    for (int n = 0; n < count; n++) {
        if (strcmp(from[n], "--ranks") == 0) {
            n++;
        } else if (strncmp(from[n], "--ranks=", strlen("--ranks=")) != 0) {
            *to++ = from[n];
        }
    }
    *to = NULL;
}

/* In a process group of its own, because Ctrl-C goes to this process, which passes it on as a signal that mpirun hands to the ranks. */
static pid_t start(char **line)
{
    const pid_t child = fork();
    if (child == 0) {
        const int nothing = open("/dev/null", O_RDONLY);
        setpgid(0, 0);
        if (nothing >= 0) {
            dup2(nothing, STDIN_FILENO);
        }
        execvp(line[0], line);
        fprintf(stderr, "cannot start %s: %s; install OpenMPI (Debian: openmpi-bin)\n", line[0], strerror(errno));
        _exit(EXIT_FILE);
    }
    return child;
}

/* Returns the status of the process. */
static int wait_for(pid_t child)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    bool passed_on = false;
    int status = 0;
    signals_delay_deadline(true);
    signals_kill_child(child, NULL);
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (signals_stop_requested() && !passed_on) {
            passed_on = kill(child, SIGUSR1) == 0;
        }
        nanosleep(&pause, NULL);
    }
    signals_kill_child(0, NULL);
    return status;
}

/* The exit code of the ranks. mpirun has named a rank that was killed. */
static ExitCode judge(int status, const RankReport *report, const char *advice)
{
    enum { SIGNALED = 128 }; /* mpirun returns this plus the signal that killed a rank */
    char step[48] = "";
    if (report && report->code >= 0) {
        return (ExitCode)report->code;
    }
    if (!WIFEXITED(status) || WEXITSTATUS(status) >= SIGNALED) {
        if (report && report->step >= 0) {
            snprintf(step, sizeof step, " after step %" PRId64, report->step);
        }
        message_error("%s was killed%s, which ended the others; %s", WIFEXITED(status) ? "a rank" : "mpirun", step,
                      advice);
    }
    return WIFEXITED(status) ? (ExitCode)WEXITSTATUS(status) : EXIT_FILE;
}

static ExitCode report_unsupported(void)
{
    dlp_Ranks *ranks;
    dlp_Error error;
    dlp_ranks_start(&ranks, &error);
    message_error("--ranks: %s", error.text);
    return EXIT_UNSUPPORTED;
}

ExitCode ranks_start_mpirun(int64_t count, const char *advice)
{
    char number[24], program[4096], *text, *arguments[ARGUMENTS_MOST];
    /* More ranks than cores take turns. Not bound to cores, which several runs on one machine would not share. */
    char *line[ARGUMENTS_MOST + 8] = {"mpirun", "-n", number, "--oversubscribe", "--bind-to", "none", program};
    enum { OPTIONS = 7 };
    if (!dlp_ranks_supported()) {
        return report_unsupported();
    }
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    const int given = read_arguments(&text, arguments);
    ExitCode code = EXIT_FILE;
    if (length < 0 || given < 2 || given == ARGUMENTS_MOST) {
        message_error(
            "cannot start the ranks: the command line of this process cannot be read; use mpirun -n %lld dollop ...",
            (long long)count);
    } else {
        program[length] = 0;
        snprintf(number, sizeof number, "%lld", (long long)count);
        copy_without_ranks(line + OPTIONS, arguments + 1, given - 1);
        if (geteuid() == 0) { /* OpenMPI asks root to confirm twice */
            setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 0);
            setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 0);
        }
        const RankReport *report = rank_report_create();
        const pid_t child = start(line);
        code = child > 0 ? judge(wait_for(child), report, advice) : file_fail("start", line[0], errno);
        rank_report_remove();
    }
    free(text);
    return code;
}

/* Standard error of this process before it was silenced. */
static int own_errors = STDERR_FILENO;

void ranks_print_errors(void)
{
    dup2(own_errors, STDERR_FILENO);
}

/* An error on one rank only. */
static void print_failure(void *user, int rank, const char *text)
{
    (void)user;
    ranks_print_errors();
    message_error("rank %d: %s", rank, text);
}

/* All ranks print the same; that of the first is enough. */
static void silence(void)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    own_errors = dup(STDERR_FILENO);
    if (nowhere >= 0) {
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        close(nowhere);
    }
}

ExitCode ranks_join(dlp_Ranks **ranks)
{
    const char *size = getenv("OMPI_COMM_WORLD_SIZE");
    dlp_Error error;
    *ranks = NULL;
    if (!size || atoi(size) < 2) {
        return EXIT_DONE;
    }
    const dlp_Result result = dlp_ranks_start(ranks, &error);
    if (result != DLP_OK) {
        message_error("mpirun started %s processes: %s", size, error.text);
        return exit_code_of(result);
    }
    dlp_ranks_on_failure(*ranks, print_failure, NULL);
    signals_end_deadlines();
    if (dlp_ranks_number(*ranks) > 0) {
        silence();
    }
    return EXIT_DONE;
}

ExitCode ranks_agree(dlp_Ranks *ranks, ExitCode code)
{
    const int64_t all = dlp_ranks_agree(ranks, (int64_t)1 << code);
    ExitCode worst = EXIT_DONE;
    for (int n = 1; n < 63 && worst == EXIT_DONE; n++) {
        worst = (all >> n & 1) != 0 ? (ExitCode)n : EXIT_DONE;
    }
    return code != EXIT_DONE ? code : worst;
}

void ranks_note_step(dlp_Ranks *ranks, int64_t step)
{
    if (ranks && dlp_ranks_number(ranks) == 0) {
        rank_report_step(step);
    }
}

ExitCode ranks_leave(dlp_Ranks *ranks, ExitCode code)
{
    const ExitCode own = ranks ? rank_report_end(dlp_ranks_number(ranks) == 0, code) : code;
    dlp_ranks_end(ranks);
    return own;
}
