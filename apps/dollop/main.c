/* dollop, the command: finds the subcommand, reads its options and runs it. */
#include "help_pages.h"
#include "messages.h"
#include "options.h"
#include "suggest.h"
#include "subcommands.h"

#include <stdio.h>
#include <string.h>

const Command *const commands[] = {
    &run_command,     &check_command, &info_command,  &surface_command, &render_command,
    &methods_command, &bench_command, &study_command, &help_command,    NULL,
};

const Command *command_find(const char *name)
{
    for (int i = 0; commands[i]; i++) {
        if (strcmp(commands[i]->name, name) == 0) {
            return commands[i];
        }
    }
    return NULL;
}

static ExitCode unknown_command(const char *word)
{
    Suggestion suggestion = suggest_begin(word + strspn(word, "-"));
    for (int i = 0; commands[i]; i++) {
        suggest_consider(&suggestion, commands[i]->name);
    }
    suggest_consider(&suggestion, "version");
    const char *best = suggest_end(&suggestion);
    if (best) {
        message_error("dollop has no command '%s'; did you mean '%s%s'?", word,
                      strcmp(best, "version") == 0 ? "--" : "", best);
    } else {
        message_error("dollop has no command '%s'", word);
    }
    message_note("'dollop help' lists the commands");
    return EXIT_USAGE;
}

static ExitCode run_words(const Command *command, int count, char **words)
{
    Parsed parsed;
    ExitCode code = options_parse(command, count, words, &parsed);
    if (code == EXIT_MEMORY) {
        message_error("out of memory");
    }
    if (code == EXIT_DONE && parsed.help) {
        help_print_command(stdout, command);
    } else if (code == EXIT_DONE) {
        code = command->run(parsed.operands, parsed.operand_count, parsed.options);
    }
    options_release(command, &parsed);
    return code;
}

int main(int argc, char **argv)
{
    ExitCode code = EXIT_DONE;
    if (argc < 2) {
        help_print_overview(stderr);
        return EXIT_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("dollop %s\n", dlp_version());
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        help_print_overview(stdout);
    } else if (command_find(word)) {
        code = run_words(command_find(word), argc - 2, argv + 2);
    } else {
        code = unknown_command(word);
    }
    if (fflush(stdout) != 0 && code == EXIT_DONE) {
        message_error("standard output could not be written in full");
        code = EXIT_FILE;
    }
    return (int)code;
}
