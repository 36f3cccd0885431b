/* The options and the help page of `dollop study`: dollop prints the page, dollop-study parses the options. */
#ifndef DOLLOP_STUDY_OPTIONS_H
#define DOLLOP_STUDY_OPTIONS_H

#include "options.h"

typedef struct StudyOptions {
    const char *output;
    int64_t threads;
    const char *time_step; /* "auto"; null: the steps of the study */
    bool list, quick, large, quiet;
} StudyOptions;

extern const Command study_command; /* without `run`, which dollop-study adds */

#endif
