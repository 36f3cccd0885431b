#include "study_options.h"

static const Option study_options[] = {
    {.name = "list",
     .letter = 'l',
     .kind = OPTION_FLAG,
     .offset = offsetof(StudyOptions, list),
     .group = "Study",
     .help = "show the studies and their claims"},
    {.name = "quick",
     .kind = OPTION_FLAG,
     .offset = offsetof(StudyOptions, quick),
     .group = "Study",
     .help = "smaller blocks and fewer cases, within a minute; judged by coarser bounds where a study has them"},
    {.name = "large",
     .kind = OPTION_FLAG,
     .offset = offsetof(StudyOptions, large),
     .group = "Study",
     .help = "also what takes most of a machine's memory and many minutes; --list tells which studies have it"},
    {.name = "output",
     .letter = 'o',
     .argument = "DIR",
     .kind = OPTION_TEXT,
     .offset = offsetof(StudyOptions, output),
     .group = "Study",
     .help = "the folder to write into; study- and the study's name unless said"},
    {.name = "threads",
     .letter = 'j',
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(StudyOptions, threads),
     .least = 1,
     .most = 1024,
     .group = "Study",
     .help = "compute on N threads; the figures do not depend on it, unless they are times"},
    {.name = "quiet",
     .letter = 'q',
     .kind = OPTION_FLAG,
     .offset = offsetof(StudyOptions, quiet),
     .group = "Messages",
     .help = "no progress: only tables, verdict and errors"},
};

static const Example study_examples[] = {
    {"dollop study --list", "which claims can be tried?"},
    {"dollop study barreiro-fig6 --quick", "a small version, into study-barreiro-fig6"},
    {"dollop study barreiro-fig6 -o /data/fig6", "the figures that the study's README shows"},
    {NULL, NULL},
};

const Command study_command = {
    .name = "study",
    .operands = "NAME | --list",
    .summary = "try a claim of a paper and say whether it holds",
    .description =
        "Prints a table, writes it as CSV beside plots and pictures (SVG) into a folder of its own, and ends with a line "
        "'holds: ...' (exit code 0) or 'does not hold: ...' (exit code 1). A study that could not be finished returns "
        "another code and writes nothing; Ctrl-C ends it after the current step. The folders of studies/ in the source "
        "hold what was found. The studies are in a separate program, dollop-study, which this command starts.",
    .examples = study_examples,
    .options = study_options,
    .option_count = OPTION_COUNT(study_options),
    .least_operands = 0,
    .most_operands = 1,
    .options_size = sizeof(StudyOptions),
    .program = "dollop-study",
};
