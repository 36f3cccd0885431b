/* Parses a command line and runs a command. */
#include "invoke.h"

#include "command_help.h"
#include "messages.h"

#include <errno.h>
#include <stdio.h>

ExitCode command_invoke(const Command *command, int count, char **words)
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

ExitCode finish_output(ExitCode code)
{
    if (fflush(stdout) != 0 && code == EXIT_DONE) {
        code = exit_code_of_errno(errno);
        message_error("cannot write to standard output");
    }
    return code;
}
