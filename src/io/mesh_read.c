/* Creating a model from a file, whose extension selects the reader, or with a mesh generator. */
#include "io/mesh_scanner.h"

#include "base/paths.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t MAX_BYTES = (int64_t)1 << 30;

static const struct {
    const char *extension;
    dlp__MeshReader read;
} formats[] = {
    {".ply", dlp__mesh_read_ply},
    {".obj", dlp__mesh_read_obj},
    {".stl", dlp__mesh_read_stl},
};

static dlp__MeshReader find_reader(const char *path)
{
    const size_t length = strlen(path);
    for (size_t n = 0; n < sizeof formats / sizeof formats[0]; n++) {
        const size_t extension = strlen(formats[n].extension);
        if (length > extension &&
            dlp__word_is_any_case((dlp__Word){path + length - extension, extension}, formats[n].extension)) {
            return formats[n].read;
        }
    }
    return NULL;
}

/* Decimal points, independent of the host's locale. */
static dlp_Result read_in_c_locale(dlp__MeshReader read, dlp__MeshScanner *scanner, dlp_Model *model, dlp_Error *error)
{
    locale_t c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to read numbers");
    }
    locale_t previous = uselocale(c_locale);
    dlp_Result result = read(scanner, model, error);
    uselocale(previous);
    freelocale(c_locale);
    return result;
}

/* `quotable`: whether messages may quote the file. */
static dlp_Result read_open_file(const dlp__MeshFile *opened, dlp__MeshReader read, double scale, bool quotable,
                                 dlp_Model *model, dlp_Error *error)
{
    const char *path = opened->path;
    const int64_t size = opened->size;
    if (size == 0 || size > MAX_BYTES) {
        return dlp__fail(error, DLP_ERROR_FORMAT,
                         "'%.512s': it has %lld bytes; a model file has between 1 byte and "
                         "1 GiB",
                         path, (long long)size);
    }
    char *bytes = dlp__memory_get(&model->memory, size, 1);
    if (bytes == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the %lld bytes of '%.512s'", (long long)size,
                         path);
    }
    const int failure = dlp__read_at(opened->descriptor, bytes, (size_t)size, 0);
    dlp_Result result = DLP_OK;
    if (failure != 0) {
        result = dlp__file_fail(error, "read", path, failure);
    } else {
        dlp__MeshScanner scanner = dlp__mesh_scanner(bytes, size, scale);
        scanner.quotable = quotable;
        result = read_in_c_locale(read, &scanner, model, error);
        if (result != DLP_OK) {
            dlp__error_prefix(error, "'%.512s': ", path);
        }
    }
    dlp__memory_release(&model->memory, bytes, size, 1);
    return result;
}

dlp_Result dlp__mesh_open_file(dlp__MeshFile *file, const char *folder, const char *name, dlp_Error *error)
{
    const bool is_complete_path = folder == NULL || folder[0] == 0 || name[0] == '/';
    const int length = snprintf(file->path, sizeof file->path, "%s%s%s", is_complete_path ? "" : folder,
                                is_complete_path ? "" : "/", name);
    if (length < 0 || (size_t)length >= sizeof file->path) {
        return dlp__file_fail(error, "read", name, ENAMETOOLONG);
    }
    /* Without O_NONBLOCK, opening a pipe without a writer would never return. */
    file->descriptor = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    struct stat status;
    if (file->descriptor < 0 || fstat(file->descriptor, &status) != 0) {
        const int failure = errno;
        if (file->descriptor >= 0) {
            close(file->descriptor);
        }
        return dlp__file_fail(error, "read", file->path, failure);
    }
    file->size = status.st_size;
    if (!S_ISREG(status.st_mode)) {
        close(file->descriptor);
        return dlp__fail(error, DLP_ERROR_FILE, "cannot read '%.512s': it is not a regular file", file->path);
    }
    return DLP_OK;
}

dlp_Result dlp__mesh_read_file(dlp_Model *model, const char *folder, const char *name, double scale, dlp_Error *error)
{
    dlp__MeshReader read = find_reader(name);
    if (read == NULL) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "'%.512s': a model file must end in .ply, .obj or .stl: convert it to one of these", name);
    }
    dlp__MeshFile file;
    dlp_Result result = dlp__mesh_open_file(&file, folder, name, error);
    if (result == DLP_OK) {
        /* A scene from elsewhere may name any file of the user; only those in its own folder are quoted. */
        const bool quotable = folder == NULL || folder[0] == 0 || dlp__path_is_inside(file.path, folder);
        result = read_open_file(&file, read, scale, quotable, model, error);
        close(file.descriptor);
    }
    return result;
}

static dlp_Result create_model(const dlp_MeshDef *def, const char *folder, const dlp_Hooks *hooks, dlp_Model *model,
                               dlp_Error *error)
{
    if (def->form != DLP_FORM_FILE) {
        if (def->frames > 1) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "only a mesh read from files can have %lld frames: leave them out, or give 'file'",
                             (long long)def->frames);
        }
        dlp_Result result = dlp__model_generate(model, def, error);
        return result == DLP_OK ? dlp__model_finish(model, error) : result;
    }
    if (def->file[0] == 0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "mesh.file is empty: give the name of a .ply, .obj or .stl file, or choose another form");
    }
    if (def->frames > 1) {
        return dlp__mesh_read_sequence(model, def, folder, hooks, error);
    }
    dlp_Result result = dlp__mesh_read_file(model, folder, def->file, def->scale, error);
    if (result != DLP_OK) {
        return result;
    }
    result = dlp__model_finish(model, error);
    if (result != DLP_OK) {
        dlp__error_prefix(error, "'%.512s': ", def->file);
    }
    return result;
}

dlp_Result dlp_model_create(const dlp_MeshDef *def, const char *folder, const dlp_Hooks *hooks, dlp_Model **model,
                            dlp_Error *error)
{
    if (def == NULL || model == NULL) {
        return dlp__fail_null(error);
    }
    *model = NULL;
    dlp_Result result = dlp_params_check(dlp_mesh_params(), def, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp_Model *created = dlp__model_new(hooks);
    if (created == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a model");
    }
    result = create_model(def, folder, hooks, created, error);
    if (result != DLP_OK) {
        dlp_model_destroy(created);
        return result;
    }
    *model = created;
    return DLP_OK;
}
