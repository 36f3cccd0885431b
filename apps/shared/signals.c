/* Signal handlers. They count, start a timer, write prepared texts, remove files, kill the child and call _exit: system calls only, which
 * are safe at any point of the program and in any of its threads. */
#include "signals.h"

#include "exit_codes.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/* Half a second leaves the other half to the system, which takes that long to release the memory of the largest worlds. */
enum { DEADLINE_MICROSECONDS = 500000, RETRY_MICROSECONDS = 50000 };
enum { TEXT_BYTES = 4096, PATH_BYTES = 4096 }; /* a pipe that is ready takes that much text at once */

/* A text in two copies: the handler reads one while the other is replaced. */
typedef struct SafeText {
    char copies[2][TEXT_BYTES];
    atomic_int current;
} SafeText;

/* A path that the handler removes. */
typedef struct RemovedFile {
    char path[PATH_BYTES];
    atomic_bool wanted;
} RemovedFile;

static atomic_int signal_count;
static atomic_bool deadline_delayed, has_no_deadline;
static const char *first_notice;
static SafeText report_message, report_output;
static RemovedFile lock_file, child_file;
static atomic_long child_process;

/* Nothing is written to a pipe that is full: the handler would wait for the reader. */
static void write_text(int descriptor, const char *text)
{
    struct pollfd ready = {.fd = descriptor, .events = POLLOUT};
    const size_t length = text ? strlen(text) : 0;
    if (length > 0 && poll(&ready, 1, 0) == 1 && write(descriptor, text, length) < 0) {
        /* cannot be reported */
    }
}

static void remove_file(RemovedFile *file)
{
    if (atomic_load(&file->wanted)) {
        unlink(file->path);
    }
}

static void end_process(int code)
{
    const pid_t child = (pid_t)atomic_load(&child_process);
    if (child > 0) {
        kill(child, SIGKILL);
    }
    remove_file(&child_file);
    remove_file(&lock_file);
    _exit(code);
}

static const char *safe_text(SafeText *text)
{
    return text->copies[atomic_load(&text->current)];
}

static void on_deadline(int number)
{
    (void)number;
    if (!atomic_load(&deadline_delayed)) {
        write_text(STDERR_FILENO, safe_text(&report_message));
        write_text(STDOUT_FILENO, safe_text(&report_output));
        end_process(EXIT_INTERRUPTED);
    }
}

static void on_stop(int number)
{
    static const struct itimerval deadline = {.it_value = {.tv_usec = DEADLINE_MICROSECONDS},
                                              .it_interval = {.tv_usec = RETRY_MICROSECONDS}};
    const int saved_errno = errno;
    if (atomic_fetch_add(&signal_count, 1) > 0) {
        write_text(STDERR_FILENO, first_notice ? "\n" : NULL);
        end_process(128 + number);
    }
    if (!atomic_load(&has_no_deadline)) {
        setitimer(ITIMER_REAL, &deadline, NULL);
    }
    write_text(STDERR_FILENO, first_notice);
    errno = saved_errno;
}

void signals_end_deadlines(void)
{
    atomic_store(&has_no_deadline, true);
}

void signals_install(const char *notice)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};
    struct sigaction action;
    first_notice = notice;
    memset(&action, 0, sizeof action);
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
    action.sa_handler = on_deadline;
    sigaction(SIGALRM, &action, NULL);
    action.sa_handler = on_stop;
    for (size_t i = 0; i < sizeof stops / sizeof stops[0]; i++) {
        struct sigaction before;
        if (sigaction(stops[i], NULL, &before) == 0 && before.sa_handler == SIG_IGN) {
            continue; /* keep ignoring it: nohup or a background job */
        }
        sigaction(stops[i], &action, NULL);
    }
    /* A file size limit or a closed pipe is reported as an error of write(). */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

static void set_text(SafeText *text, const char *value)
{
    const int next = 1 - atomic_load(&text->current);
    char *copy = text->copies[next];
    const size_t length = value ? strnlen(value, TEXT_BYTES - 1) : 0;
    if (length > 0) {
        memcpy(copy, value, length);
    }
    copy[length] = 0;
    atomic_store(&text->current, next);
}

void signals_set_report(const char *message, const char *output)
{
    set_text(&report_message, message);
    set_text(&report_output, output);
}

void signals_delay_deadline(bool delayed)
{
    atomic_store(&deadline_delayed, delayed);
}

static void set_file(RemovedFile *file, const char *path)
{
    atomic_store(&file->wanted, false);
    if (path && strlen(path) < sizeof file->path) {
        memcpy(file->path, path, strlen(path) + 1);
        atomic_store(&file->wanted, true);
    }
}

void signals_remove_file(const char *path)
{
    set_file(&lock_file, path);
}

void signals_kill_child(long process, const char *path)
{
    atomic_store(&child_process, process);
    set_file(&child_file, process > 0 ? path : NULL);
}

bool signals_stop_requested(void)
{
    return atomic_load(&signal_count) > 0;
}
