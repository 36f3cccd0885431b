/* The subcommands, each defined in the file of its name. */
#ifndef DOLLOP_SUBCOMMANDS_H
#define DOLLOP_SUBCOMMANDS_H

#include "options.h"

extern const Command run_command, check_command, info_command, surface_command, render_command, methods_command,
    bench_command, study_command, help_command;

#endif
