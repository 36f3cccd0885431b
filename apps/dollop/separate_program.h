/* Commands that are separate programs, as in git. */
#ifndef DOLLOP_SEPARATE_PROGRAM_H
#define DOLLOP_SEPARATE_PROGRAM_H

#include "apps/shared/options.h"

/* Replace this process by the program of the command, with the words of `argv` after the name of the command. Returns only if the
 * program cannot be started, after printing an error to standard error. */
ExitCode separate_program_run(const Command *command, char **argv);

#endif
