/* Starts the separate program of a command. It is searched relative to this executable, never in the current folder or in PATH: in
 * the same folder (build tree), then in the libexec folder of the prefix (installed tree, which is relocatable). An environment
 * variable, DOLLOP_STUDY_PROGRAM for `dollop study`, overrides the path. */
#include "separate_program.h"

#include "apps/shared/messages.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The libexec folder, absolute or relative to the folder of the command; set by CMakeLists.txt. */
#ifndef DLP_LIBEXEC_DIR
#define DLP_LIBEXEC_DIR "../libexec/dollop"
#endif

typedef struct ProgramPath {
    char text[PATH_MAX];
} ProgramPath;

/* The absolute folder of this executable with links resolved; false if it cannot be determined. */
static bool find_executable_folder(const char *argv0, ProgramPath *folder)
{
    const ssize_t length = readlink("/proc/self/exe", folder->text, sizeof folder->text - 1);
    if (length > 0) {
        folder->text[length] = 0;
    } else if (!strchr(argv0, '/') || !realpath(argv0, folder->text)) {
        return false;
    }
    char *slash = strrchr(folder->text, '/');
    if (folder->text[0] != '/' || !slash) {
        return false;
    }
    *slash = 0;
    return true;
}

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
    if (!find_executable_folder(argv[0], &folder)) {
        message_error("cannot find %s, because the path of dollop is unknown", command->program);
        message_note("set %s to its absolute path", variable);
        return EXIT_UNSUPPORTED;
    }
    const bool absolute = DLP_LIBEXEC_DIR[0] == '/';
    const int lengths[] = {
        snprintf(sibling.text, sizeof sibling.text, "%s/%s", folder.text, command->program),
        snprintf(libexec.text, sizeof libexec.text, "%s%s%s/%s", absolute ? "" : folder.text, absolute ? "" : "/",
                 DLP_LIBEXEC_DIR, command->program),
    };
    if (lengths[0] >= PATH_MAX || lengths[1] >= PATH_MAX) {
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
