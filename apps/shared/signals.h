/* SIGINT (Ctrl-C), SIGTERM and SIGHUP, and SIGUSR1, which mpirun passes on to its processes. The first signal requests a stop, and the command ends at its next step or frame. If that takes
 * longer than half a second, the process ends where it is, with EXIT_INTERRUPTED: so every computation, also one inside another
 * library, is stopped within a second. Files are written under temporary names, so none is left half-written. A second signal ends the
 * process immediately. */
#ifndef DOLLOP_SIGNALS_H
#define DOLLOP_SIGNALS_H

#include <stdbool.h>

/* `notice` is written to standard error on the first signal; may be null. It must remain valid. */
void signals_install(const char *notice);
bool signals_stop_requested(void);

/* Texts that are written to standard error and to standard output if the process ends at the deadline; null: none. They are copied,
 * and cut after 4 KiB. */
void signals_set_report(const char *message, const char *output);

/* From now on there is no deadline: a process that others wait for stops where they agree to. */
void signals_end_deadlines(void);

/* While delayed, the deadline does not end the process: for saving the state that a signal must not lose. */
void signals_delay_deadline(bool delayed);

/* A file that is removed if a signal ends the process; null: none. The path is copied; one that is too long is ignored. */
void signals_remove_file(const char *path);

/* A child process that is killed if a signal ends this one, and the file that it writes, which is removed then. 0: none. */
void signals_kill_child(long process, const char *path);

#endif
