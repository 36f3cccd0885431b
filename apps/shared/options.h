/* Commands and their options are tables; parsing, --help and the manual page all read them.
 *
 * An option's value goes into the command's own struct at `offset`: a flag into a bool, an integer into an int64_t, a
 * text into a const char *, a list into an OptionList. */
#ifndef DOLLOP_OPTIONS_H
#define DOLLOP_OPTIONS_H

#include "exit_codes.h"

typedef enum OptionKind { OPTION_FLAG, OPTION_INTEGER, OPTION_TEXT, OPTION_LIST } OptionKind;

typedef struct OptionList {
    const char **items;
    int count;
} OptionList;

typedef struct Option {
    const char *name;     /* without its dashes            */
    char letter;          /* short form, or 0              */
    const char *argument; /* what help calls its value; null for a flag */
    OptionKind kind;
    size_t offset;
    const char *const *choices; /* null-terminated words it may be; null: anything */
    int64_t least, most;        /* of an integer                                   */
    const char *group;          /* heading it stands under in --help               */
    const char *help;
} Option;

typedef struct Example {
    const char *line;
    const char *meaning;
} Example;

typedef struct Command {
    const char *name;
    const char *operands; /* as usage shows them: "SCENE" */
    const char *summary;  /* one line                     */
    const char *description;
    const Example *examples; /* closed by a null line */
    const Option *options;
    int option_count;
    int least_operands, most_operands;
    size_t options_size; /* of the struct that `run` gets */
    ExitCode (*run)(const char *const *operands, int count, const void *options);
    const char *program; /* a separate program that does the work: "dollop-study"; null: `run` does it */
} Command;

#define OPTION_COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

typedef struct Parsed {
    const char **operands;
    int operand_count;
    void *options; /* the command's struct */
    bool help;     /* --help was there: nothing else was checked after it */
} Parsed;

/* Read the words after the command's name. Mistakes are told on standard error. Release in any case. */
ExitCode options_parse(const Command *command, int count, char **words, Parsed *parsed);
void options_release(const Command *command, Parsed *parsed);

#endif
