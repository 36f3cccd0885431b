/* The options and the help page of `dollop study`: the command prints the page, dollop-study reads the options. */
#ifndef DOLLOP_STUDY_OPTIONS_H
#define DOLLOP_STUDY_OPTIONS_H

#include "options.h"

typedef struct StudyOptions {
    const char *output;
    int64_t threads;
    bool list, quick, large, quiet;
} StudyOptions;

extern const Command study_command; /* without `run`, which is dollop-study's own */

#endif
