/* The option table and help text of `dollop study`. */
#include "study_options.h"

static const char *const time_steps[] = {"auto", NULL};

static const Option study_options[] = {
    {.name = "list",
     .letter = 'l',
     .kind = OPTION_FLAG,
     .offset = offsetof(StudyOptions, list),
     .group = "Study",
     .help = "list all studies and their claims"},
    {.name = "quick",
     .kind = OPTION_FLAG,
     .offset = offsetof(StudyOptions, quick),
     .group = "Study",
     .help = "fewer particles and cases, less than a minute; some studies use coarser bounds for the verdict"},
    {.name = "large",
     .kind = OPTION_FLAG,
     .offset = offsetof(StudyOptions, large),
     .group = "Study",
     .help = "include cases that need a lot of memory and many minutes; --list shows which studies have them"},
    {.name = "time-step",
     .argument = "auto",
     .kind = OPTION_TEXT,
     .offset = offsetof(StudyOptions, time_step),
     .choices = time_steps,
     .group = "Study",
     .help = "auto: the library chooses the time steps; only for studies that --list marks with it"},
    {.name = "output",
     .letter = 'o',
     .argument = "DIR",
     .kind = OPTION_TEXT,
     .offset = offsetof(StudyOptions, output),
     .group = "Study",
     .help = "output folder (default: study-NAME)"},
    {.name = "threads",
     .letter = 'j',
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(StudyOptions, threads),
     .least = 1,
     .most = 1024,
     .group = "Study",
     .help = "number of threads; does not affect results other than measured times"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(StudyOptions, quiet),
     .group = "Messages",
     .help = "print only tables, the verdict and errors"},
};

static const Example study_examples[] = {
    {"dollop study --list", "list all claims that can be tested"},
    {"dollop study barreiro-fig6 --quick", "a small version; output goes to study-barreiro-fig6"},
    {"dollop study barreiro-fig6 -o /data/fig6", "the full study, with the figures of its README"},
    {NULL, NULL},
};

const Command study_command = {
    .name = "study",
    .operands = "NAME | --list",
    .summary = "test a claim of a paper and report whether it holds",
    .description =
        "Prints tables, writes them as CSV with plots and pictures (SVG) to an output folder, and ends with a line 'holds: ...' "
        "(exit code 0) or 'does not hold: ...' (exit code 1). A study that could not be completed returns another code and "
        "writes nothing; Ctrl-C stops it after the current step. The results of all studies are documented in studies/ in the "
        "source tree. This command starts a separate program, dollop-study.",
    .examples = study_examples,
    .options = study_options,
    .option_count = OPTION_COUNT(study_options),
    .least_operands = 0,
    .most_operands = 1,
    .options_size = sizeof(StudyOptions),
    .program = "dollop-study",
};
