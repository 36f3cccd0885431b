/* SIGINT (Ctrl-C), SIGTERM and SIGHUP: the first signal requests a stop, the second ends the process immediately. */
#ifndef DOLLOP_SIGNALS_H
#define DOLLOP_SIGNALS_H

#include <stdbool.h>

/* `notice` is written to standard error on the first signal; may be null. It must remain valid. */
void signals_install(const char *notice);
bool signals_stop_requested(void);

/* A file that is removed if a second signal ends the process; null: none. The path is copied; one that is too long is ignored. */
void signals_remove_file(const char *path);

#endif
