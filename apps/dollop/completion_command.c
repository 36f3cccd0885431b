/* dollop completion: prints the completion script of a shell. */
#include "apps/shared/messages.h"
#include "completion.h"

#include <string.h>

static const char *const scene_suffixes[] = {".yaml", ".yml", ".json", NULL};
static const char *const frame_suffixes[] = {".vtkhdf", NULL};
static const char *const table_suffixes[] = {".csv", NULL};

static bool has_word(const char *text, const char *word)
{
    return text && strstr(text, word);
}

/* By the placeholder in the help text, such as "DIR|FRAME...". */
static Completion completion_of(const char *placeholder, const char *const *choices, NameList names)
{
    Completion completion = {.choices = choices, .names = names};
    completion.folders = has_word(placeholder, "DIR");
    completion.files = has_word(placeholder, "FILE");
    if (has_word(placeholder, "SCENE")) {
        completion.suffixes = scene_suffixes;
    } else if (has_word(placeholder, "FRAME")) {
        completion.suffixes = frame_suffixes;
    } else if (has_word(placeholder, "CSV")) {
        completion.suffixes = table_suffixes;
    }
    return completion;
}

Completion completion_of_option(const Option *option)
{
    return completion_of(option->argument, option->choices, option->names);
}

Completion completion_of_operand(const Command *command)
{
    return completion_of(command->operands, NULL, command->names);
}

bool completion_is_empty(const Completion *completion)
{
    return !completion->folders && !completion->files && !completion->suffixes && !completion->choices &&
           !completion->names;
}

void completion_print_words(FILE *file, const Completion *completion)
{
    for (int i = 0; completion->choices && completion->choices[i]; i++) {
        fprintf(file, "%s ", completion->choices[i]);
    }
    for (int i = 0; completion->names && completion->names(i); i++) {
        fprintf(file, "%s ", completion->names(i));
    }
}

static const struct {
    const char *name;
    void (*print)(FILE *file);
} shells[] = {{"bash", completion_print_bash}, {"zsh", completion_print_zsh}, {"fish", completion_print_fish}};

enum { SHELL_COUNT = sizeof shells / sizeof shells[0] };

static const char *shell_name(int index)
{
    return index < SHELL_COUNT ? shells[index].name : NULL;
}

static ExitCode print_completion(const char *const *operands, int count, const void *options)
{
    (void)count;
    (void)options;
    for (int i = 0; i < SHELL_COUNT; i++) {
        if (strcmp(operands[0], shells[i].name) == 0) {
            shells[i].print(stdout);
            return EXIT_DONE;
        }
    }
    message_error("there is no completion for '%s'; valid shells: bash, zsh, fish", operands[0]);
    return EXIT_USAGE;
}

static const Example completion_examples[] = {
    {"source <(dollop completion bash)", "complete in this bash"},
    {"dollop completion zsh > ~/.zfunc/_dollop", "for zsh, in a folder of $fpath"},
    {"dollop completion fish > ~/.config/fish/completions/dollop.fish", "for fish"},
    {NULL, NULL},
};

const Command completion_command = {
    .name = "completion",
    .operands = "bash|zsh|fish",
    .summary = "print the completion script of a shell",
    .description =
        "Completes commands, options and their values, scene files and output folders. 'cmake --install' installs the three "
        "scripts in the folders in which the shells look for them.",
    .examples = completion_examples,
    .least_operands = 1,
    .most_operands = 1,
    .options_size = 1,
    .run = print_completion,
    .names = shell_name,
};
