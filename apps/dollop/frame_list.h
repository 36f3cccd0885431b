/* The frames that a command processes: files as given, or all frames of a folder in order. */
#ifndef DOLLOP_FRAME_LIST_H
#define DOLLOP_FRAME_LIST_H

#include "apps/shared/run_folder.h"

typedef struct FrameList {
    FolderPath *frames;
    int64_t count;
} FrameList;

/* List all frames. If `output` is not null, it is an error if two frames have the same name, because their products would overwrite
 * each other. Errors are printed to standard error. Release `list` in any case. */
ExitCode frames_list(FrameList *list, const char *const *operands, int count, const char *output);
void frames_release(FrameList *list);

/* Read a frame; the caller destroys it. On failure it is null, and an error is printed to standard error. */
ExitCode frame_open(const FolderPath *path, dlp_Frame **frame);

/* The path of a file derived from a frame: NAME_000012.EXTENSION for frame_000012.vtkhdf, in `folder` or, if that is null, in the
 * folder of the frame. */
FolderPath frame_product(const FolderPath *frame, const char *folder, const char *name, const char *extension);
/* Prepare all folders of derived files, whose names match `patterns`, see folder_clean(). */
ExitCode frames_clean_products(const FrameList *list, const char *output, const char *const *patterns);

#endif
