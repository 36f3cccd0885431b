/* What the process returns, in one table that the help pages print and that maps the library's results. */
#ifndef DOLLOP_EXIT_CODES_H
#define DOLLOP_EXIT_CODES_H

#include <dollop/types.h>

typedef enum ExitCode {
    EXIT_DONE = 0,
    EXIT_DIVERGED = 1,
    EXIT_NOT_HELD = 1, /* of `dollop study` only, which never returns EXIT_DIVERGED */
    EXIT_USAGE = 2,
    EXIT_SCENE = 3,
    EXIT_FILE = 4,
    EXIT_INTERRUPTED = 5,
    EXIT_BROKEN_FILE = 6,
    EXIT_MEMORY = 7,
    EXIT_UNSUPPORTED = 8,
    EXIT_REFUSED = 9,
    EXIT_UNFINISHED = 10,
} ExitCode;

typedef struct ExitMeaning {
    ExitCode code;
    const char *meaning;
} ExitMeaning;

/* 128 and the signal's number: a process that ends inside a signal handler has no other code to give. */
#define EXIT_SIGNAL_CODES   "129, 130, 143"
#define EXIT_SIGNAL_MEANING "stopped at once by a second SIGHUP, SIGINT (Ctrl-C) or SIGTERM"

extern const ExitMeaning exit_meanings[];
extern const int exit_meaning_count;

ExitCode exit_code_of(dlp_Result result);

#endif
