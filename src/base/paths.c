/* Compares canonical paths. */
#include "base/paths.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

bool dlp__path_is_inside(const char *path, const char *folder)
{
    char file_path[PATH_MAX], folder_path[PATH_MAX];
    if (realpath(path, file_path) == NULL || realpath(folder[0] != 0 ? folder : ".", folder_path) == NULL) {
        return false;
    }
    const size_t length = strcmp(folder_path, "/") == 0 ? 0 : strlen(folder_path);
    return strncmp(file_path, folder_path, length) == 0 && file_path[length] == '/';
}
