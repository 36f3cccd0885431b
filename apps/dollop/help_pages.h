/* The pages that help is made of; the page of a command is in apps/shared/command_help.h. */
#ifndef DOLLOP_HELP_PAGES_H
#define DOLLOP_HELP_PAGES_H

#include <stdio.h>

/* A page that is not about one command. */
typedef struct Topic {
    const char *name;
    const char *summary;
    const char *text; /* paragraphs; a line that begins with two spaces is printed as it stands */
} Topic;

extern const Topic topics[]; /* closed by one without a name */

void help_print_overview(FILE *file);
void help_print_topic(FILE *file, const Topic *topic);
void help_print_exit_codes(FILE *file);

/* The manual page in the man macros of troff. */
void help_print_manual(FILE *file);

#endif
