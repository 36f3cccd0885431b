/* A model that deforms: files with the same vertices and triangles, numbered one after the other. What is cleaned away in the first is
 * left out of all, so that vertices which meet in one of them stay apart. */
#include "base/error.h"
#include "io/model_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t BYTES_MOST = (int64_t)1 << 32; /* of all frames: what a world takes */

enum { DIGITS_MOST = 15 };

/* A name with a number in it: what stands before and after the last one, and that number. */
typedef struct Numbered {
    const char *name, *after;
    int before, digits;
    long long number;
} Numbered;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool find_number(const char *name, Numbered *numbered)
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
    *numbered = (Numbered){name, end, (int)(begin - name), (int)(end - begin), strtoll(begin, NULL, 10)};
    return begin < end && end - begin <= DIGITS_MOST;
}

static void name_of(const Numbered *first, int k, char *name, size_t size)
{
    snprintf(name, size, "%.*s%0*lld%s", first->before, first->name, first->digits, first->number + k, first->after);
}

/* What the first file has, before it was cleaned. */
typedef struct Raw {
    int64_t vertex_count, triangle_count;
    uint32_t *triangle;
} Raw;

static dlp_Result check_same(const dlp_Model *other, const Raw *raw, const char *first, dlp_Error *error)
{
    if (other->vertex_count != raw->vertex_count || other->triangle_count != raw->triangle_count) {
        return dlp__fail(
            error, DLP_ERROR_FORMAT,
            "it has %lld vertices and %lld triangles, but '%.64s' has %lld and %lld: frames are one mesh whose "
            "vertices move",
            (long long)other->vertex_count, (long long)other->triangle_count, first, (long long)raw->vertex_count,
            (long long)raw->triangle_count);
    }
    const uint32_t *triangle = other->triangle.data;
    for (int64_t n = 0; n < 3 * raw->triangle_count; n++) {
        if (triangle[n] != raw->triangle[n]) {
            return dlp__fail(error, DLP_ERROR_FORMAT,
                             "its triangle %lld has other vertices than in '%.64s': frames are one mesh whose vertices "
                             "move, in the same order in every file",
                             (long long)n / 3, first);
        }
    }
    return DLP_OK;
}

/* Read one file, and write the places of the vertices that the model has kept. */
static dlp_Result read_frame(const dlp_Model *model, const Raw *raw, const dlp_MeshDef *def, const char *folder,
                             const char *name, const dlp_Hooks *hooks, float *place, dlp_Error *error)
{
    dlp_Model *other = dlp__model_new(hooks);
    if (other == NULL) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for a model");
    }
    dlp_Result result = dlp__model_read_file(other, folder, name, def->scale, error);
    if (result == DLP_OK) {
        result = dlp__model_check(other, error);
        result = result == DLP_OK ? check_same(other, raw, def->file, error) : result;
        if (result != DLP_OK) {
            dlp__error_prefix(error, "'%.64s': ", name);
        }
    }
    const uint32_t *origin = model->origin.data;
    const float *position = other->position.data;
    for (int64_t v = 0; v < model->vertex_count && result == DLP_OK; v++) {
        memcpy(place + 3 * v, position + 3 * (int64_t)origin[v], 3 * sizeof *place);
    }
    dlp_model_destroy(other);
    return result;
}

static dlp_Result read_others(dlp_Model *model, const Raw *raw, const dlp_MeshDef *def, const char *folder,
                              const dlp_Hooks *hooks, dlp_Error *error)
{
    const int64_t each = 3 * model->vertex_count, row = each * (int64_t)sizeof(float);
    if (row > BYTES_MOST / def->frames) {
        return dlp__fail(error, DLP_ERROR_ARGUMENT,
                         "%lld frames of %lld vertices are more than 4 GiB: take fewer, or a coarser mesh",
                         (long long)def->frames, (long long)model->vertex_count);
    }
    if (!dlp__buffer_reserve(&model->memory, &model->frames, def->frames, (size_t)row) ||
        !dlp__buffer_reserve(&model->memory, &model->times, def->frames, sizeof(double))) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld frames of %lld vertices",
                         (long long)def->frames, (long long)model->vertex_count);
    }
    float *frames = model->frames.data;
    double *times = model->times.data;
    dlp_Result result = DLP_OK;
    memcpy(frames, model->position.data, (size_t)row);
    Numbered first;
    find_number(def->file, &first);
    for (int k = 0; k < def->frames && result == DLP_OK; k++) {
        char name[DLP_NAME_SIZE + DIGITS_MOST];
        times[k] = def->frame_start + k / def->frame_rate;
        name_of(&first, k, name, sizeof name);
        result = k == 0 ? DLP_OK : read_frame(model, raw, def, folder, name, hooks, frames + k * each, error);
    }
    model->frame_count = result == DLP_OK ? (int)def->frames : 0;
    return result;
}

dlp_Result dlp__model_read_frames(dlp_Model *model, const dlp_MeshDef *def, const char *folder, const dlp_Hooks *hooks,
                                  dlp_Error *error)
{
    Numbered first;
    if (!find_number(def->file, &first)) {
        return dlp__fail(
            error, DLP_ERROR_ARGUMENT,
            "'%s' has no number in its name: %lld frames are read from as many files, as in wave_0001.ply, "
            "wave_0002.ply and so on",
            def->file, (long long)def->frames);
    }
    dlp_Result result = dlp__model_read_file(model, folder, def->file, def->scale, error);
    if (result != DLP_OK) {
        return result;
    }
    Raw raw = {model->vertex_count, model->triangle_count, NULL};
    const int64_t corners = 3 * raw.triangle_count;
    raw.triangle = dlp__memory_get(&model->memory, corners, sizeof *raw.triangle);
    if (raw.triangle != NULL && !model->memory_out) {
        memcpy(raw.triangle, model->triangle.data, (size_t)corners * sizeof *raw.triangle);
    }
    result = dlp__model_finish(model, error); /* which also tells of files without a triangle */
    if (result != DLP_OK) {
        dlp__error_prefix(error, "'%.64s': ", def->file);
    } else if (raw.triangle == NULL) {
        result = dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld triangles", (long long)raw.triangle_count);
    } else {
        result = read_others(model, &raw, def, folder, hooks, error);
    }
    dlp__memory_release(&model->memory, raw.triangle, corners, sizeof *raw.triangle);
    return result;
}
