/* Writing a mesh: selects the format, and does the checks that all formats share. */
#include "io/mesh_writers.h"

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
    {".vdb", dlp__mesh_write_vdb},
};

#ifndef DLP_OPENVDB
dlp_Result dlp__mesh_write_vdb(dlp__AtomicFile *file, const dlp_Mesh *mesh, dlp_Error *error)
{
    (void)file;
    (void)mesh;
    return dlp__fail(error, DLP_ERROR_UNSUPPORTED,
                     "this dollop was built without OpenVDB: install a C++ compiler, OpenVDB and Boost (Debian: g++ "
                     "libopenvdb-dev libboost-dev) and build it with -DDOLLOP_OPENVDB=ON");
}
#endif

void dlp__atomic_file_print(dlp__AtomicFile *file, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (length > 0) {
        dlp__atomic_file_append(file, line, (size_t)length < sizeof line ? (size_t)length : sizeof line - 1);
    }
}

dlp_Result dlp_mesh_write(const dlp_Mesh *mesh, const char *path, dlp_Error *error)
{
    if (mesh == NULL || path == NULL) {
        return dlp__fail_null(error);
    }
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
                         "'%.512s': a mesh is written to a file that ends in .ply, .obj, .glb or .vdb", path);
    }
    dlp__AtomicFile file;
    dlp_Result result = dlp__atomic_file_create(&file, path, error);
    if (result != DLP_OK) {
        return result;
    }
    result = write(&file, mesh, error);
    if (result != DLP_OK) {
        dlp__atomic_file_discard(&file);
        return result;
    }
    return dlp__atomic_file_commit(&file, error);
}
