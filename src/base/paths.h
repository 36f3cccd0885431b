/* Where a file really is, with all symbolic links followed. */
#ifndef DLP_BASE_PATHS_H
#define DLP_BASE_PATHS_H

#include <stdbool.h>

/* Whether the file at `path` exists and is in `folder` or below it; "" is the working directory. */
bool dlp__path_is_inside(const char *path, const char *folder);

#endif
