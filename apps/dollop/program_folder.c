/* Locates this executable. */
#include "program_folder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *program_name = "dollop";

void program_folder_init(const char *argv0)
{
    program_name = argv0;
}

bool program_folder(ProgramPath *folder)
{
    const ssize_t length = readlink("/proc/self/exe", folder->text, sizeof folder->text - 1);
    if (length > 0) {
        folder->text[length] = 0;
    } else if (!strchr(program_name, '/') || !realpath(program_name, folder->text)) {
        return false;
    }
    char *slash = strrchr(folder->text, '/');
    if (folder->text[0] != '/' || !slash) {
        return false;
    }
    *slash = 0;
    return true;
}

bool program_path(const ProgramPath *folder, const char *name, ProgramPath *path)
{
    const bool absolute = name[0] == '/';
    return snprintf(path->text, sizeof path->text, "%s%s%s", absolute ? "" : folder->text, absolute ? "" : "/", name) <
           (int)sizeof path->text;
}
