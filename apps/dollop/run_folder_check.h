/* Decides whether a run may be written to an output folder that may contain another run, an unfinished run or a finished one. */
#ifndef DOLLOP_RUN_FOLDER_CHECK_H
#define DOLLOP_RUN_FOLDER_CHECK_H

#include "apps/shared/run_folder.h"
#include "run_record.h"

typedef struct FolderCheck {
    RecordSource run; /* the run to be started */
    const RunFolder *folder;
    const char *record; /* run.json of the folder, or null */
    bool resume, overwrite;
} FolderCheck;

/* EXIT_REFUSED, after an error that says how to continue, if the run would delete, repeat or shorten another one. */
ExitCode folder_check(const FolderCheck *check);

#endif
