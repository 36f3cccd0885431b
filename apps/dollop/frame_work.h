/* A loop over frames with a progress bar and the remaining time, or one line per frame where no bar can be drawn, and a clean stop
 * on Ctrl-C. Several ranks process one frame each at a time. */
#ifndef DOLLOP_FRAME_WORK_H
#define DOLLOP_FRAME_WORK_H

#include "frame_list.h"

#include <dollop/ranks.h>

/* What is left of a frame. */
typedef struct FrameProduct {
    char summary[4400]; /* line to print */
    void *data;         /* for collect(), allocated; may be null */
    size_t size;
} FrameProduct;

typedef struct FrameJob {
    ExitCode (*process)(void *context, const FolderPath *frame, FrameProduct *product);
    ExitCode (*collect)(void *context, const void *data); /* of each frame in turn, on the first rank; may be null */
    void *context;
    const char *done; /* past participle for messages, such as "meshed" */
    bool quiet;
    dlp_Ranks *ranks; /* null: only this process */
} FrameJob;

/* At the beginning of a command that processes frames: Ctrl-C stops it after the current frame, or within a second. */
void frames_install_signals(void);

/* Process all frames, even if some fail, except after EXIT_UNSUPPORTED. Returns the last exit code other than EXIT_DONE, if any, the same
 * on all ranks. */
ExitCode frames_process(const FrameJob *job, const FrameList *list);

#endif
