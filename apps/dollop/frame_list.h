/* The frames that a command is to work on: files as given, or all frames of a folder in their order. */
#ifndef DOLLOP_FRAME_LIST_H
#define DOLLOP_FRAME_LIST_H

#include "apps/shared/run_folder.h"

typedef struct FrameList {
    FolderPath *frames;
    int64_t count;
} FrameList;

/* Mistakes are told on standard error, and so is that two frames of one name would go into one folder, if `output` is not null.
 * Release in any case. */
ExitCode frames_list(FrameList *list, const char *const *operands, int count, const char *output);
void frames_release(FrameList *list);

/* Read a frame, to be destroyed; null where that fails, which is told on standard error. */
ExitCode frame_open(const FolderPath *path, dlp_Frame **frame);

/* Where a file that is made from a frame goes: frame_000012.vtkhdf becomes NAME_000012.EXTENSION, in `folder` or, if that is
 * null, beside the frame. */
FolderPath frame_product(const FolderPath *frame, const char *folder, const char *name, const char *extension);

#endif
