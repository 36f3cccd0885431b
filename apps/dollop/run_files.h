/* Frames, exports and checkpoints of a run, written while the next steps run. Only one moment is in work: the next one waits for it. */
#ifndef DOLLOP_RUN_FILES_H
#define DOLLOP_RUN_FILES_H

#include "run_state.h"

/* The checkpoint that would be saved now; `at_frame` may be null. */
Checkpoint checkpoint_of(const Run *run, bool *at_frame);

/* Begin to write the files of a frame, or a checkpoint. Failures, also of the files before, are described in `run->error`. */
dlp_Result files_start_frame(Run *run, int64_t frame, bool overdue);
dlp_Result files_start_checkpoint(Run *run);

/* Wait until the files in work are complete, and report their frame. */
dlp_Result files_finish(Run *run);

/* For the writer, which calls it on its own thread; `user` is the run. */
void files_written(void *user, dlp_Result result);

#endif
