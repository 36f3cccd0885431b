/* Completion scripts for shells, generated from the tables of commands and options. */
#ifndef DOLLOP_COMPLETION_H
#define DOLLOP_COMPLETION_H

#include "subcommands.h"

#include <stdio.h>

/* What may stand in the place of an operand or of the value of an option. */
typedef struct Completion {
    bool folders, files;         /* any folder, any file         */
    const char *const *suffixes; /* files that end in one of these, null-terminated; null: none */
    const char *const *choices;  /* words, null-terminated; null: none */
    NameList names;              /* words by index; null: none   */
} Completion;

/* `placeholder` is the name shown in the help, such as "DIR|FRAME...". */
Completion completion_of_option(const Option *option);
Completion completion_of_operand(const Command *command);
bool completion_is_empty(const Completion *completion);

/* Print the words, each followed by a space. */
void completion_print_words(FILE *file, const Completion *completion);

void completion_print_bash(FILE *file);
void completion_print_zsh(FILE *file);
void completion_print_fish(FILE *file);

#endif
