/* Signal handlers. They only count, write a fixed text, remove a file and call _exit, which are async-signal-safe. */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t signal_count;
static const char *first_notice;
static char remove_path[4096];
static volatile sig_atomic_t remove_wanted;

static void write_text(const char *text)
{
    const int saved_errno = errno;
    if (text && write(STDERR_FILENO, text, strlen(text)) < 0) {
        /* cannot be reported */
    }
    errno = saved_errno;
}

static void on_stop(int number)
{
    if (++signal_count > 1) {
        write_text(first_notice ? "\n" : NULL);
        if (remove_wanted) {
            unlink(remove_path);
        }
        _exit(128 + number);
    }
    write_text(first_notice);
}

void signals_install(const char *notice)
{
    static const int stops[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action;
    first_notice = notice;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_stop;
    action.sa_flags = SA_RESTART;
    sigemptyset(&action.sa_mask);
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

void signals_remove_file(const char *path)
{
    remove_wanted = 0;
    if (path && strlen(path) < sizeof remove_path) {
        memcpy(remove_path, path, strlen(path) + 1);
        remove_wanted = 1;
    }
}

bool signals_stop_requested(void)
{
    return signal_count > 0;
}
