/* A loop over frames with a progress bar and the remaining time, or one line per frame where no bar can be drawn, and a clean stop
 * on Ctrl-C. */
#ifndef DOLLOP_FRAME_WORK_H
#define DOLLOP_FRAME_WORK_H

#include "frame_list.h"

typedef struct FrameJob {
    ExitCode (*process)(void *context, const FolderPath *frame, char *summary,
                        size_t size); /* `summary`: line to print */
    void *context;
    const char *done; /* past participle for messages, such as "meshed" */
    bool quiet;
} FrameJob;

/* At the beginning of a command that processes frames: Ctrl-C stops it after the current frame, or within a second. */
void frames_install_signals(void);

/* Process all frames, even if some fail, except after EXIT_UNSUPPORTED. Returns the last exit code other than EXIT_DONE, if any. */
ExitCode frames_process(const FrameJob *job, const FrameList *list);

#endif
