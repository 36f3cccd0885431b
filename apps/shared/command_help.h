/* The help page of one command, generated from its table. */
#ifndef DOLLOP_COMMAND_HELP_H
#define DOLLOP_COMMAND_HELP_H

#include "options.h"

#include <stdio.h>

void help_print_command(FILE *file, const Command *command);

/* A name and its explanation, which starts at `column` and is wrapped to the page width. */
void help_print_entry(FILE *file, const char *name, const char *text, int column);

/* Maximum number of columns of a line of help in that file. */
int help_page_width(FILE *file);

#endif
