/* The folder of this executable, from which an installed tree that was moved finds its programs and data. */
#ifndef DOLLOP_PROGRAM_FOLDER_H
#define DOLLOP_PROGRAM_FOLDER_H

#include <limits.h>
#include <stdbool.h>

typedef struct ProgramPath {
    char text[PATH_MAX];
} ProgramPath;

/* Remember argv[0], which locates the executable on systems without /proc. */
void program_folder_init(const char *argv0);

/* The absolute folder of this executable with links resolved; false if it cannot be determined. */
bool program_folder(ProgramPath *folder);

/* `folder`/`name`, or `name` if it is absolute; false if it is too long. */
bool program_path(const ProgramPath *folder, const char *name, ProgramPath *path);

#endif
