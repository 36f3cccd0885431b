/* Commands that are programs of their own, as git has them. */
#ifndef DOLLOP_SEPARATE_PROGRAM_H
#define DOLLOP_SEPARATE_PROGRAM_H

#include "apps/shared/options.h"

/* Become the command's program, with the words of `argv` (this process's own) after the command's name. Signals, terminal
 * and exit code are then the program's. Returns only if it cannot be started, after saying so on standard error. */
ExitCode separate_program_run(const Command *command, char **argv);

#endif
