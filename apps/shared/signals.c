/* Signal handlers of a run. They only count, write a fixed text and _exit, which is all a handler may safely do. */
#include "signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t signal_count;
static const char *first_notice;

static void write_text(const char *text)
{
    const int kept = errno;
    if (text && write(STDERR_FILENO, text, strlen(text)) < 0) {
        /* nowhere left to say it */
    }
    errno = kept;
}

static void on_stop(int number)
{
    if (++signal_count > 1) {
        write_text(first_notice ? "\n" : NULL);
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
            continue; /* nohup, or a shell's background job: stay deaf to it */
        }
        sigaction(stops[i], &action, NULL);
    }
    /* A file that hits a size limit, or a reader of our output that goes away, shows as an error of the write. */
    signal(SIGXFSZ, SIG_IGN);
    signal(SIGPIPE, SIG_IGN);
}

bool signals_stop_asked(void)
{
    return signal_count > 0;
}
