/* Parses a command line by the option table of a command. Accepts --name value, --name=value, --name with an implied value, -n value, -nvalue, and -- before
 * operands that begin with a dash. */
#include "options.h"

#include "messages.h"
#include "suggest.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Reader {
    const Command *command;
    char **words;
    int count;
    int at;
    Parsed *parsed;
} Reader;

static ExitCode print_usage_hint(const Reader *reader)
{
    message_note("'dollop %s --help' lists all options", reader->command->name);
    return EXIT_USAGE;
}

static const Option *find_long(const Command *command, const char *name, size_t length)
{
    for (int i = 0; i < command->option_count; i++) {
        if (strlen(command->options[i].name) == length && strncmp(command->options[i].name, name, length) == 0) {
            return &command->options[i];
        }
    }
    return NULL;
}

static const Option *find_letter(const Command *command, char letter)
{
    for (int i = 0; i < command->option_count; i++) {
        const Option *option = &command->options[i];
        if (letter && (option->letter == letter || option->former == letter)) {
            return option;
        }
    }
    return NULL;
}

static ExitCode report_unknown_option(const Reader *reader, const char *word)
{
    char name[64];
    const char *start = word + strspn(word, "-");
    const size_t length = strcspn(start, "=");
    snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), start);
    Suggestion suggestion = suggest_begin(name);
    suggest_consider(&suggestion, "help");
    for (int i = 0; i < reader->command->option_count; i++) {
        suggest_consider(&suggestion, reader->command->options[i].name);
    }
    const char *best = suggest_end(&suggestion);
    message_error("dollop %s: unknown option '%s'%s%s%s", reader->command->name, word, best ? "; did you mean --" : "",
                  best ? best : "", best ? "?" : "");
    return print_usage_hint(reader);
}

static bool is_choice(const Option *option, const char *value)
{
    for (int i = 0; option->choices[i]; i++) {
        if (strcmp(option->choices[i], value) == 0) {
            return true;
        }
    }
    return false;
}

static ExitCode report_invalid_choice(const Reader *reader, const Option *option, const char *value)
{
    char list[256] = "";
    for (int i = 0; option->choices[i]; i++) {
        const size_t used = strlen(list);
        snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", option->choices[i]);
    }
    message_error("--%s cannot be '%s'; valid values: %s", option->name, value, list);
    return print_usage_hint(reader);
}

static ExitCode store_integer(const Reader *reader, const Option *option, const char *value, int64_t *target)
{
    char *end = NULL;
    errno = 0;
    const intmax_t number = strtoimax(value, &end, 10);
    if (end == value || *end || errno || number < option->least || number > option->most) {
        message_error("--%s must be an integer from %" PRId64 " to %" PRId64 ", but is '%s'", option->name,
                      option->least, option->most, value);
        return print_usage_hint(reader);
    }
    *target = number;
    return EXIT_DONE;
}

static ExitCode store(const Reader *reader, const Option *option, const char *value)
{
    void *target = (char *)reader->parsed->options + option->offset;
    if (value && option->choices && !is_choice(option, value)) {
        return report_invalid_choice(reader, option, value);
    }
    switch (option->kind) {
    case OPTION_FLAG: *(bool *)target = true; break;
    case OPTION_INTEGER: return store_integer(reader, option, value, target);
    case OPTION_TEXT: *(const char **)target = value; break;
    case OPTION_LIST: {
        OptionList *list = target;
        if (!list->items) {
            list->items = calloc((size_t)reader->count, sizeof *list->items);
        }
        if (!list->items) {
            return EXIT_MEMORY;
        }
        list->items[list->count++] = value;
        break;
    }
    }
    return EXIT_DONE;
}

/* One option; its value is in the same word (`attached`) or in the next. */
static ExitCode read_option(Reader *reader, const Option *option, const char *attached)
{
    if (option->kind == OPTION_FLAG) {
        if (attached) {
            message_error("--%s takes no value", option->name);
            return print_usage_hint(reader);
        }
        return store(reader, option, NULL);
    }
    if (!attached && option->implied) {
        attached = option->implied;
    }
    if (!attached) {
        if (reader->at >= reader->count) {
            message_error("--%s needs a value: --%s %s", option->name, option->name, option->argument);
            return print_usage_hint(reader);
        }
        attached = reader->words[reader->at++];
    }
    return store(reader, option, attached);
}

static ExitCode read_long(Reader *reader, const char *word)
{
    const size_t length = strcspn(word + 2, "=");
    const char *attached = word[2 + length] == '=' ? word + 3 + length : NULL;
    const Option *option = find_long(reader->command, word + 2, length);
    return option ? read_option(reader, option, attached) : report_unknown_option(reader, word);
}

static ExitCode read_short(Reader *reader, const char *word)
{
    const Option *option = find_letter(reader->command, word[1]);
    if (option && option->former == word[1]) {
        message_note("-%c is now -%c, as in all commands; -%c still works", word[1], option->letter, word[1]);
    }
    return option ? read_option(reader, option, word[2] ? word + 2 : NULL) : report_unknown_option(reader, word);
}

static ExitCode check_operands(const Reader *reader)
{
    const Command *command = reader->command;
    const Parsed *parsed = reader->parsed;
    if (parsed->operand_count < command->least_operands) {
        message_error("dollop %s: %s is missing", command->name, command->operands);
        return print_usage_hint(reader);
    }
    if (parsed->operand_count > command->most_operands) {
        message_error("dollop %s: unexpected argument '%s'", command->name, parsed->operands[command->most_operands]);
        return print_usage_hint(reader);
    }
    return EXIT_DONE;
}

ExitCode options_parse(const Command *command, int count, char **words, Parsed *parsed)
{
    Reader reader = {.command = command, .words = words, .count = count, .parsed = parsed};
    *parsed = (Parsed){0};
    parsed->operands = calloc((size_t)count + 1, sizeof *parsed->operands);
    parsed->options = calloc(1, command->options_size);
    if (!parsed->operands || !parsed->options) {
        return EXIT_MEMORY;
    }
    bool only_operands = false;
    while (reader.at < count) {
        const char *word = words[reader.at++];
        ExitCode code = EXIT_DONE;
        if (only_operands || word[0] != '-' || !word[1]) {
            parsed->operands[parsed->operand_count++] = word;
        } else if (strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            return parsed->help = true, EXIT_DONE;
        } else {
            code = word[1] == '-' ? read_long(&reader, word) : read_short(&reader, word);
        }
        if (code != EXIT_DONE) {
            return code;
        }
    }
    return check_operands(&reader);
}

void options_release(const Command *command, Parsed *parsed)
{
    for (int i = 0; parsed->options && i < command->option_count; i++) {
        if (command->options[i].kind == OPTION_LIST) {
            free(((OptionList *)((char *)parsed->options + command->options[i].offset))->items);
        }
    }
    free(parsed->options);
    free(parsed->operands);
}
