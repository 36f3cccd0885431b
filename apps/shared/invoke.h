/* Running a command on the words of a command line: the last step of each program's main. */
#ifndef DOLLOP_INVOKE_H
#define DOLLOP_INVOKE_H

#include "options.h"

/* Parse the words after the command's name, then print its help page or call its `run`. */
ExitCode command_invoke(const Command *command, int count, char **words);

/* Flush standard output. The code to exit with: `code`, or EXIT_FILE when a successful command could not print all. */
ExitCode finish_output(ExitCode code);

#endif
