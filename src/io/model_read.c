/* Making a model: from a file, whose ending says how it is read, or from sizes. */
#include "io/model_text.h"
#include "io/safe_file.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const int64_t BYTES_MOST = (int64_t)1 << 30;

static const struct {
    const char *ending;
    dlp__ModelReader read;
} formats[] = {
    {".ply", dlp__model_read_ply},
    {".obj", dlp__model_read_obj},
    {".stl", dlp__model_read_stl},
};

static dlp__ModelReader find_reader(const char *path)
{
    const size_t length = strlen(path);
    for (size_t n = 0; n < sizeof formats / sizeof formats[0]; n++) {
        const size_t ending = strlen(formats[n].ending);
        if (length > ending && dlp__word_is_loosely((dlp__Word){path + length - ending, ending}, formats[n].ending)) {
            return formats[n].read;
        }
    }
    return NULL;
}

/* Numbers in files have a point, whatever the host program's locale says. */
static dlp_Result read_in_plain_locale(dlp__ModelReader read, dlp__ModelText *text, dlp_Model *model, dlp_Error *error)
{
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to read numbers");
    }
    locale_t before = uselocale(plain);
    dlp_Result result = read(text, model, error);
    uselocale(before);
    freelocale(plain);
    return result;
}

static dlp_Result read_open_file(int file, const char *path, dlp__ModelReader read, double scale, dlp_Model *model,
                                 dlp_Error *error)
{
    struct stat status;
    if (fstat(file, &status) != 0) {
        return dlp__file_fail(error, "read", path, errno);
    }
    if (!S_ISREG(status.st_mode)) {
        return dlp__fail(error, DLP_ERROR_FILE, "cannot read '%.512s': it is not a regular file", path);
    }
    const int64_t size = status.st_size;
    if (size == 0 || size > BYTES_MOST) {
        return dlp__fail(error, DLP_ERROR_FORMAT, "'%.512s': it has %lld bytes; a model file has up to 1 GiB, and some",
                         path, (long long)size);
    }
    char *bytes = dlp__memory_get(&model->memory, size, 1);
    if (bytes == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for the %lld bytes of '%.512s'", (long long)size,
                         path);
    }
    const int failure = dlp__read_at(file, bytes, (size_t)size, 0);
    dlp_Result result = DLP_OK;
    if (failure != 0) {
        result = dlp__file_fail(error, "read", path, failure);
    } else {
        dlp__ModelText text = dlp__model_text(bytes, size, scale);
        result = read_in_plain_locale(read, &text, model, error);
        if (result != DLP_OK) {
            dlp__error_prefix(error, "'%.512s': ", path);
        }
    }
    dlp__memory_release(&model->memory, bytes, size, 1);
    return result;
}

dlp_Result dlp__model_read_file(dlp_Model *model, const char *folder, const char *name, double scale, dlp_Error *error)
{
    char path[DLP_PATH_SIZE];
    const bool here = folder == NULL || folder[0] == 0 || name[0] == '/';
    const int length = snprintf(path, sizeof path, "%s%s%s", here ? "" : folder, here ? "" : "/", name);
    if (length < 0 || (size_t)length >= sizeof path) {
        return dlp__file_fail(error, "read", name, ENAMETOOLONG);
    }
    dlp__ModelReader read = find_reader(path);
    if (read == NULL) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "'%.512s': a model is read from a file that ends in .ply, .obj or .stl: convert it to one of these", path);
    }
    /* Without O_NONBLOCK, opening a pipe that nobody writes to would never return. */
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (file < 0) {
        return dlp__file_fail(error, "read", path, errno);
    }
    dlp_Result result = read_open_file(file, path, read, scale, model, error);
    close(file);
    return result;
}

static dlp_Result make_model(const dlp_MeshDef *def, const char *folder, const dlp_Hooks *hooks, dlp_Model *model,
                             dlp_Error *error)
{
    if (def->form != DLP_FORM_FILE) {
        if (def->frames > 1) {
            return dlp__fail(error, DLP_ERROR_ARGUMENT,
                             "only a mesh that is read from files can have %lld frames: leave them out, or give 'file'",
                             (long long)def->frames);
        }
        dlp_Result result = dlp__model_make(model, def, error);
        return result == DLP_OK ? dlp__model_finish(model, error) : result;
    }
    if (def->file[0] == 0) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "mesh.file is empty: give the name of a .ply, .obj or .stl file, or choose another form");
    }
    if (def->frames > 1) {
        return dlp__model_read_frames(model, def, folder, hooks, error);
    }
    dlp_Result result = dlp__model_read_file(model, folder, def->file, def->scale, error);
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
    *model = NULL;
    dlp_Result result = dlp_params_check(dlp_mesh_params(), def, error);
    if (result != DLP_OK) {
        return result;
    }
    dlp_Model *made = dlp__model_new(hooks);
    if (made == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a model");
    }
    result = make_model(def, folder, hooks, made, error);
    if (result != DLP_OK) {
        dlp_model_destroy(made);
        return result;
    }
    *model = made;
    return DLP_OK;
}
