/* Parses a command line and runs a command. */
#include "invoke.h"

#include "command_help.h"
#include "messages.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

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
    bool failed = fflush(stdout) != 0;
    if (!failed && ferror(stdout)) { /* an earlier write failed, and its errno is lost: write once more to learn it */
        errno = EIO;
        failed = putchar('\n') == EOF || fflush(stdout) != 0 || ferror(stdout);
    }
    if (failed && code == EXIT_DONE) {
        code = exit_code_of_errno(errno);
        message_error("cannot write to standard output: %s", strerror(errno));
    }
    return code;
}
