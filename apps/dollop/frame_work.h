/* A loop over frames as people want to see it: a bar with the time left, a line for each frame, Ctrl-C between two of them. */
#ifndef DOLLOP_FRAME_WORK_H
#define DOLLOP_FRAME_WORK_H

#include "frame_list.h"

typedef struct FrameWork {
    ExitCode (*one)(void *context, const FolderPath *frame, char *summary,
                    size_t size); /* `summary`: the line to be shown */
    void *context;
    const char *done; /* what has been done to a frame, such as "meshed" */
    bool quiet;
} FrameWork;

/* The worst of what the frames returned: one that fails does not keep the others from their turn, unless it fails for want of a
 * part that this build does not have. */
ExitCode frames_work(const FrameWork *work, const FrameList *list);

#endif
