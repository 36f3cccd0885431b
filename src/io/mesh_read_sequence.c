/* A model that deforms: numbered files with the same vertices and triangles. The cleanup of the first file is applied
 * to all, so that vertices which coincide in one frame only are not merged. */
#include "base/error.h"
#include "io/mesh_scanner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t MAX_BYTES = (int64_t)1 << 32; /* of all frames: the limit of a world */

enum { MAX_DIGITS = 15 };

/* A file name with a number in it: the parts before and after its last number, and that number. */
typedef struct NumberedName {
    const char *name, *after;
    int before, digits;
    long long number;
} NumberedName;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool find_number(const char *name, NumberedName *result_name)
{
    const char *slash = strrchr(name, '/'), *base = slash != NULL ? slash + 1 : name, *dot = strrchr(base, '.');
    const char *end = dot != NULL ? dot : base + strlen(base);
    while (end > base && !is_digit(end[-1])) {
        end--;
    }
    const char *begin = end;
    while (begin > base && is_digit(begin[-1])) {
        begin--;
    }
    *result_name = (NumberedName){name, end, (int)(begin - name), (int)(end - begin), strtoll(begin, NULL, 10)};
    return begin < end && end - begin <= MAX_DIGITS;
}

bool dlp__mesh_frame_name(const char *first, int k, char name[DLP_MESH_NAME_SIZE])
{
    NumberedName parts;
    if (!find_number(first, &parts)) {
        return false;
    }
    snprintf(name, DLP_MESH_NAME_SIZE, "%.*s%0*lld%s", parts.before, parts.name, parts.digits, parts.number + k,
             parts.after);
    return true;
}

/* The content of the first file before cleanup. */
typedef struct FirstFile {
    int64_t vertex_count, triangle_count;
    uint32_t *triangle;
} FirstFile;

static dlp_Result check_same(const dlp_Model *other, const FirstFile *first_file, const char *first, dlp_Error *error)
{
    if (other->vertex_count != first_file->vertex_count || other->triangle_count != first_file->triangle_count) {
        return dlp__fail(
            error, DLP_ERROR_FORMAT,
            "it has %lld vertices and %lld triangles, but '%.64s' has %lld and %lld: all frames must have the same "
            "mesh",
            (long long)other->vertex_count, (long long)other->triangle_count, first,
            (long long)first_file->vertex_count, (long long)first_file->triangle_count);
    }
    const uint32_t *triangle = other->triangle.data;
    for (int64_t n = 0; n < 3 * first_file->triangle_count; n++) {
        if (triangle[n] != first_file->triangle[n]) {
            return dlp__fail(error, DLP_ERROR_FORMAT,
                             "its triangle %lld has different vertices than in '%.64s': all frames must have the "
                             "same triangles, and vertices in the same order",
                             (long long)n / 3, first);
        }
    }
    return DLP_OK;
}

/* Read one file, and copy the positions of the vertices that the model has kept. */
static dlp_Result read_frame(const dlp_Model *model, const FirstFile *first_file, const dlp_MeshDef *def,
                             const char *folder, const char *name, const dlp_Hooks *hooks, float *target,
                             dlp_Error *error)
{
    dlp_Model *other = dlp__model_new(hooks);
    if (other == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a model");
    }
    dlp_Result result = dlp__mesh_read_file(other, folder, name, def->scale, error);
    if (result == DLP_OK) {
        result = dlp__model_check(other, error);
        result = result == DLP_OK ? check_same(other, first_file, def->file, error) : result;
        if (result != DLP_OK) {
            dlp__error_prefix(error, "'%.64s': ", name);
        }
    }
    const uint32_t *origin = model->origin.data;
    const float *position = other->position.data;
    for (int64_t v = 0; v < model->vertex_count && result == DLP_OK; v++) {
        memcpy(target + 3 * v, position + 3 * (int64_t)origin[v], 3 * sizeof *target);
    }
    dlp_model_destroy(other);
    return result;
}

static dlp_Result read_remaining(dlp_Model *model, const FirstFile *first_file, const dlp_MeshDef *def,
                                 const char *folder, const dlp_Hooks *hooks, dlp_Error *error)
{
    const int64_t component_count = 3 * model->vertex_count, frame_bytes = component_count * (int64_t)sizeof(float);
    if (frame_bytes > MAX_BYTES / def->frames) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "%lld frames of %lld vertices are more than 4 GiB: use fewer frames, or a coarser mesh",
                         (long long)def->frames, (long long)model->vertex_count);
    }
    if (!dlp__buffer_reserve(&model->memory, &model->frames, def->frames, (size_t)frame_bytes) ||
        !dlp__buffer_reserve(&model->memory, &model->times, def->frames, sizeof(double))) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld frames of %lld vertices",
                         (long long)def->frames, (long long)model->vertex_count);
    }
    float *frames = model->frames.data;
    double *times = model->times.data;
    dlp_Result result = DLP_OK;
    memcpy(frames, model->position.data, (size_t)frame_bytes);
    for (int k = 0; k < def->frames && result == DLP_OK; k++) {
        char name[DLP_MESH_NAME_SIZE];
        times[k] = def->frame_start + k / def->frame_rate;
        dlp__mesh_frame_name(def->file, k, name);
        result = k == 0 ? DLP_OK
                        : read_frame(model, first_file, def, folder, name, hooks, frames + k * component_count, error);
    }
    model->frame_count = result == DLP_OK ? (int)def->frames : 0;
    return result;
}

dlp_Result dlp__mesh_read_sequence(dlp_Model *model, const dlp_MeshDef *def, const char *folder, const dlp_Hooks *hooks,
                                   dlp_Error *error)
{
    NumberedName first;
    if (!find_number(def->file, &first)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "'%s' has no number in its name: %lld frames are read from as many files, as in wave_0001.ply, "
            "wave_0002.ply and so on",
            def->file, (long long)def->frames);
    }
    dlp_Result result = dlp__mesh_read_file(model, folder, def->file, def->scale, error);
    if (result != DLP_OK) {
        return result;
    }
    FirstFile first_file = {model->vertex_count, model->triangle_count, NULL};
    const int64_t corners = 3 * first_file.triangle_count;
    first_file.triangle = dlp__memory_get(&model->memory, corners, sizeof *first_file.triangle);
    if (first_file.triangle != NULL && !model->out_of_memory) {
        memcpy(first_file.triangle, model->triangle.data, (size_t)corners * sizeof *first_file.triangle);
    }
    result = dlp__model_finish(model, error); /* also reports files without triangles */
    if (result != DLP_OK) {
        dlp__error_prefix(error, "'%.64s': ", def->file);
    } else if (first_file.triangle == NULL) {
        result = dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld triangles",
                           (long long)first_file.triangle_count);
    } else {
        result = read_remaining(model, &first_file, def, folder, hooks, error);
    }
    dlp__memory_release(&model->memory, first_file.triangle, corners, sizeof *first_file.triangle);
    return result;
}
