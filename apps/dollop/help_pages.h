/* Help pages, as plain text and as a manual page; the page of a command is in apps/shared/command_help.h. */
#ifndef DOLLOP_HELP_PAGES_H
#define DOLLOP_HELP_PAGES_H

#include <stdio.h>

/* A help page that does not belong to a command. */
typedef struct Topic {
    const char *name;
    const char *summary;
    const char *text; /* paragraphs; lines that begin with two spaces are not wrapped; null: generated */
} Topic;

extern const Topic topics[]; /* ends with a null name */

void help_print_overview(FILE *file);
void help_print_topic(FILE *file, const Topic *topic);
void help_print_exit_codes(FILE *file);

/* The manual page in troff format with man macros. */
void help_print_manual(FILE *file);

#endif
