/* Starting a command's separate program. It is looked for where this executable lies, never in the current folder and
 * never along PATH: beside it (the build tree), and in the libexec folder of its prefix (an installed tree, which can be
 * moved). An environment variable, DOLLOP_STUDY_PROGRAM for `dollop study`, names another one. */
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

/* The folder of this executable, absolute and without links; false if the system does not tell. */
static bool own_folder(const char *argv0, ProgramPath *folder)
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

/* Become the program at that path. Returns true if there is none, and false, after saying why, if it cannot start. */
static bool try_program(char *path, char **argv)
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
        message_error("%s must be an absolute path, not '%s'", variable, path);
        return EXIT_USAGE;
    }
    if (try_program(path, argv)) {
        message_error("there is no program %s, which %s names", path, variable);
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

    ProgramPath folder, beside, libexec;
    if (!own_folder(argv[0], &folder)) {
        message_error("cannot find %s, because the place of dollop itself is unknown", command->program);
        message_note("set %s to its absolute path", variable);
        return EXIT_UNSUPPORTED;
    }
    const bool absolute = DLP_LIBEXEC_DIR[0] == '/';
    const int lengths[] = {
        snprintf(beside.text, sizeof beside.text, "%s/%s", folder.text, command->program),
        snprintf(libexec.text, sizeof libexec.text, "%s%s%s/%s", absolute ? "" : folder.text, absolute ? "" : "/",
                 DLP_LIBEXEC_DIR, command->program),
    };
    if (lengths[0] >= PATH_MAX || lengths[1] >= PATH_MAX) {
        message_error("cannot find %s: the path of dollop is too long", command->program);
        return EXIT_FILE;
    }
    if (!try_program(beside.text, argv) || !try_program(libexec.text, argv)) {
        return EXIT_FILE;
    }
    message_error("the program %s, which does 'dollop %s', is not installed: it is neither %s nor %s", command->program,
                  command->name, beside.text, libexec.text);
    message_note(
        "it is built by the target dollop_%s of the source and installed with the component 'studies'; %s names "
        "another place",
        command->name, variable);
    return EXIT_UNSUPPORTED;
}
