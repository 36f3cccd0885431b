/* Commands and options are tables that the parser, --help and the manual page use.
 *
 * The value of an option is stored in a struct of the command at `offset`: a flag as bool, an integer as int64_t, a text as
 * const char *, a list as OptionList. */
#ifndef DOLLOP_OPTIONS_H
#define DOLLOP_OPTIONS_H

#include "exit_codes.h"

typedef enum OptionKind { OPTION_FLAG, OPTION_INTEGER, OPTION_TEXT, OPTION_LIST } OptionKind;

/* A list of names by index, null after the last. */
typedef const char *(*NameList)(int index);

typedef struct OptionList {
    const char **items;
    int count;
} OptionList;

typedef struct Option {
    const char *name;     /* without its dashes            */
    char letter;          /* short form, or 0              */
    char former;          /* earlier short form, still accepted but not listed, or 0 */
    const char *argument; /* name of the value in help; null for a flag */
    OptionKind kind;
    size_t offset;
    const char *const *choices; /* valid values, null-terminated; null: anything   */
    int64_t least, most;        /* range of an integer                             */
    const char *group;          /* heading in --help                               */
    const char *help;
    const char
        *implied; /* value of --NAME without =VALUE, which then never takes the next word; null: a value is required */
    NameList names; /* valid values that are not in a table, for completion; null: none */
} Option;

/* Whether a value must follow the option. */
static inline bool option_takes_value(const Option *option)
{
    return option->kind != OPTION_FLAG && !option->implied;
}

typedef struct Example {
    const char *line;
    const char *meaning;
} Example;

typedef struct Command {
    const char *name;
    const char *operands; /* as shown in usage: "SCENE"   */
    const char *summary;  /* one line                     */
    const char *description;
    const Example *examples; /* ends with a null line */
    const Option *options;
    int option_count;
    int least_operands, most_operands;
    size_t options_size; /* of the struct passed to `run` */
    ExitCode (*run)(const char *const *operands, int count, const void *options);
    const char *program; /* separate program that runs the command, such as "dollop-study"; null: `run` */
    NameList names;      /* valid operands, for completion; null: those of the placeholder (SCENE, DIR ...) */
} Command;

#define OPTION_COUNT(table) ((int)(sizeof(table) / sizeof((table)[0])))

typedef struct Parsed {
    const char **operands;
    int operand_count;
    void *options; /* struct of the command */
    bool help;     /* --help was given; the rest was not checked */
} Parsed;

/* Parse the words after the name of the command. Errors are printed to standard error. Release `parsed` in any case. */
ExitCode options_parse(const Command *command, int count, char **words, Parsed *parsed);
void options_release(const Command *command, Parsed *parsed);

#endif
