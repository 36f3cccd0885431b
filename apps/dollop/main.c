/* The dollop command: finds the subcommand, parses its options, and runs it or starts the separate program that does. */
#include "apps/shared/invoke.h"
#include "apps/shared/messages.h"
#include "apps/shared/study_options.h"
#include "apps/shared/suggest.h"
#include "help_pages.h"
#include "json_report.h"
#include "program_folder.h"
#include "separate_program.h"
#include "subcommands.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

const Command *const commands[] = {
    &new_command,     &materials_command,  &fit_command,     &rheometer_command,
    &check_command,   &run_command,        &info_command,    &render_command,
    &surface_command, &plot_command,       &methods_command, &bench_command,
    &study_command,   &completion_command, &help_command,    NULL,
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

static ExitCode report_unknown_command(const char *word)
{
    Suggestion suggestion = suggest_begin(word + strspn(word, "-"));
    for (int i = 0; commands[i]; i++) {
        suggest_consider(&suggestion, commands[i]->name);
    }
    suggest_consider(&suggestion, "version");
    const char *best = suggest_end(&suggestion);
    if (best) {
        message_error("unknown command '%s'; did you mean '%s%s'?", word, strcmp(best, "version") == 0 ? "--" : "",
                      best);
    } else {
        message_error("unknown command '%s'", word);
    }
    message_note("'dollop help' lists all commands");
    return EXIT_USAGE;
}

static ExitCode run_command_line(const Command *command, int argc, char **argv)
{
    if (command->program) {
        return separate_program_run(command, argv);
    }
    json_report_begin(command, argc - 2, argv + 2);
    const ExitCode code = command_invoke(command, argc - 2, argv + 2);
    json_report_end(code);
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
    program_folder_init(argv[0]);
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("dollop %s\n", dlp_version());
    } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
        help_print_overview(stdout);
    } else if (command_find(word)) {
        code = run_command_line(command_find(word), argc, argv);
    } else {
        code = report_unknown_command(word);
    }
    code = finish_output(code);
    if (code == EXIT_MEMORY) {
        _exit((int)code); /* exit handlers of libraries may crash without memory; that of HDF5 does */
    }
    return (int)code;
}
