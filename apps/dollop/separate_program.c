/* Starts the separate program of a command. It is searched relative to this executable, never in the current folder or in PATH: in
 * the same folder (build tree), then in the libexec folder of the prefix (installed tree, which is relocatable). An environment
 * variable, DOLLOP_STUDY_PROGRAM for `dollop study`, overrides the path. */
#include "separate_program.h"

#include "apps/shared/messages.h"
#include "program_folder.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The libexec folder, absolute or relative to the folder of the command; set by CMakeLists.txt. */
#ifndef DLP_LIBEXEC_DIR
#define DLP_LIBEXEC_DIR "../libexec/dollop"
#endif

/* Replace this process by the program at `path`. Returns true if the file does not exist; false, after printing an error, if it cannot
 * be started. */
static bool exec_if_exists(char *path, char **argv)
{
    argv[1] = path; /* argv[0] of the program */
    execv(path, argv + 1);
    if (errno == ENOENT || errno == ENOTDIR) {
        return true;
    }
    message_error("cannot start %s: %s", path, strerror(errno));
    return false;
}

static ExitCode run_override(const char *variable, char *path, char **argv)
{
    if (path[0] != '/') {
        message_error("%s must be an absolute path, but is '%s'", variable, path);
        return EXIT_USAGE;
    }
    if (exec_if_exists(path, argv)) {
        message_error("there is no program %s; check the environment variable %s", path, variable);
    }
    return EXIT_FILE;
}

ExitCode separate_program_run(const Command *command, char **argv)
{
    char variable[64];
    snprintf(variable, sizeof variable, "DOLLOP_%s_PROGRAM", command->name);
    for (char *letter = variable; *letter; letter++) {
        *letter = (char)toupper((unsigned char)*letter);
    }
    char *override = getenv(variable);
    if (override && *override) {
        return run_override(variable, override, argv);
    }

    ProgramPath folder, sibling, libexec;
    if (!program_folder(&folder)) {
        message_error("cannot find %s, because the path of dollop is unknown", command->program);
        message_note("set %s to its absolute path", variable);
        return EXIT_UNSUPPORTED;
    }
    char name[sizeof DLP_LIBEXEC_DIR + 64];
    snprintf(name, sizeof name, DLP_LIBEXEC_DIR "/%s", command->program);
    if (!program_path(&folder, command->program, &sibling) || !program_path(&folder, name, &libexec)) {
        message_error("cannot find %s: the path of dollop is too long", command->program);
        return EXIT_FILE;
    }
    if (!exec_if_exists(sibling.text, argv) || !exec_if_exists(libexec.text, argv)) {
        return EXIT_FILE;
    }
    message_error("%s, the program of 'dollop %s', is not installed; searched %s and %s", command->program,
                  command->name, sibling.text, libexec.text);
    message_note(
        "build the CMake target dollop_%s, or install the component 'studies'; if it is in another folder, set %s to its "
        "absolute path",
        command->name, variable);
    return EXIT_UNSUPPORTED;
}
