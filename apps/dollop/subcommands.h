/* The subcommands, each defined in NAME_command.c, except study_command (apps/shared/study_options.c). */
#ifndef DOLLOP_SUBCOMMANDS_H
#define DOLLOP_SUBCOMMANDS_H

#include "apps/shared/options.h"

extern const Command new_command, run_command, check_command, info_command, surface_command, render_command,
    plot_command, materials_command, fit_command, rheometer_command, methods_command, bench_command, completion_command,
    help_command;

/* All commands in the order of the overview, null-terminated; defined in main.c. */
extern const Command *const commands[];
const Command *command_find(const char *name); /* null if there is none */
const char *library_material_name(int index);  /* a built-in material, for completion; null after the last */

#endif
