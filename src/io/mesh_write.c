/* Writing a mesh: which format, and the checks that all of them share. */
#include "io/mesh_formats.h"

#include <dollop/files.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *ending;
    dlp__MeshWriter write;
} formats[] = {
    {".ply", dlp__mesh_write_ply},
    {".obj", dlp__mesh_write_obj},
    {".glb", dlp__mesh_write_gltf},
};

void dlp__safe_print(dlp__SafeFile *file, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0) {
        dlp__safe_append(file, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
    }
}

dlp_Result dlp_mesh_write(const dlp_Mesh *mesh, const char *path, dlp_Error *error)
{
    const size_t length = strlen(path);
    dlp__MeshWriter write = NULL;
    for (size_t n = 0; n < sizeof formats / sizeof formats[0]; n++) {
        size_t ending = strlen(formats[n].ending);
        if (length > ending && strcmp(path + length - ending, formats[n].ending) == 0) {
            write = formats[n].write;
        }
    }
    if (write == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "'%.512s': a mesh is written to a file that ends in .ply, .obj or .glb", path);
    }
    dlp__SafeFile file;
    dlp_Result result = dlp__safe_create(&file, path, error);
    if (result != DLP_OK) {
        return result;
    }
    write(&file, mesh);
    return dlp__safe_commit(&file, error);
}
