/* Exit codes of the process, with their meanings for the help pages, and the mapping from results of the library. */
#ifndef DOLLOP_EXIT_CODES_H
#define DOLLOP_EXIT_CODES_H

#include <dollop/types.h>

typedef enum ExitCode {
    EXIT_DONE = 0,
    EXIT_DIVERGED = 1,
    EXIT_NOT_HELD = 1, /* only `dollop study`, which never returns EXIT_DIVERGED */
    EXIT_USAGE = 2,
    EXIT_SCENE = 3,
    EXIT_FILE = 4,
    EXIT_INTERRUPTED = 5,
    EXIT_BROKEN_FILE = 6,
    EXIT_RESOURCE = 7,
    EXIT_MEMORY = 7, /* the most frequent resource error */
    EXIT_UNSUPPORTED = 8,
    EXIT_REFUSED = 9,
    EXIT_UNFINISHED = 10,
} ExitCode;

typedef struct ExitMeaning {
    ExitCode code;
    const char *meaning;
} ExitMeaning;

/* 128 plus the number of the signal, by convention of the shell. */
#define EXIT_SIGNAL_CODES "129, 130, 143"
#define EXIT_SIGNAL_MEANING \
    "terminated immediately by SIGHUP, SIGINT (Ctrl-C) or SIGTERM: by the first one in a command that writes no files, by the " \
    "second one in any"

extern const ExitMeaning exit_meanings[];
extern const int exit_meaning_count;

ExitCode exit_code_of(dlp_Result result);

/* For an error of the system, by its errno: EXIT_RESOURCE or EXIT_FILE. */
ExitCode exit_code_of_errno(int number);

#endif
