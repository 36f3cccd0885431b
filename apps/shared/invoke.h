/* Runs a command with the words of a command line; the last step of main() in each program. */
#ifndef DOLLOP_INVOKE_H
#define DOLLOP_INVOKE_H

#include "options.h"

/* Parse the words after the name of the command, then print its help page or call its `run`. */
ExitCode command_invoke(const Command *command, int count, char **words);

/* Flush standard output. Returns the exit code: `code`, or EXIT_FILE or EXIT_RESOURCE if a successful command could
 * not write all its output. */
ExitCode finish_output(ExitCode code);

#endif
