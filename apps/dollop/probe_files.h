/* Files of probes: probe_NAME.csv in the output folder, with a header of names and units, `time [s],force_x [N],...`, and one row
 * for each sample. A value that does not exist is an empty cell. A resumed run continues a file after the samples that its
 * checkpoint has counted, so that the file is the same as without the interruption. */
#ifndef DOLLOP_PROBE_FILES_H
#define DOLLOP_PROBE_FILES_H

#include "apps/shared/run_folder.h"

#include <dollop/probe.h>
#include <stdio.h>

typedef struct ProbeFiles {
    struct ProbeStream {
        FILE *stream;
    } * files; /* one for each probe */
    int count;
    const RunFolder *folder;
    const dlp_World *world;
    int failed;  /* probe whose file could not be written; -1: none */
    int failure; /* errno of that */
} ProbeFiles;

/* Open the files of all probes of a world, which must outlive them, and write its samples to them from now on. */
ExitCode probe_files_open(ProbeFiles *files, const RunFolder *folder, dlp_World *world, bool resumed);

/* Bring all rows to the disk. Errors, also those of rows written before, are printed. */
ExitCode probe_files_flush(ProbeFiles *files);
void probe_files_close(ProbeFiles *files);

#endif
