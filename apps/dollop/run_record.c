/* Writes and compares run records. */
#include "run_record.h"

#include "apps/shared/folder_files.h"
#include "apps/shared/messages.h"
#include "json_out.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* With the fewest digits that preserve the value. */
static void write_exact(FILE *file, double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) {
        snprintf(text, sizeof text, "%.17g", value);
    }
    fputs(text, file);
}

static void write_vector(FILE *file, const dlp_Vec3 *vector)
{
    fputc('[', file);
    write_exact(file, vector->x);
    fputs(", ", file);
    write_exact(file, vector->y);
    fputs(", ", file);
    write_exact(file, vector->z);
    fputc(']', file);
}

static void write_param(FILE *file, const dlp_Param *param, const void *def)
{
    const void *member = (const char *)def + param->offset;
    switch (param->type) {
    case DLP_PARAM_REAL:
        if (*(const double *)member == 0 && dlp_param_zero_word(param)) {
            json_write_string(file, dlp_param_zero_word(param));
            break;
        }
        write_exact(file, *(const double *)member);
        break;
    case DLP_PARAM_INT: fprintf(file, "%" PRId64, *(const int64_t *)member); break;
    case DLP_PARAM_BOOL: fputs(*(const bool *)member ? "true" : "false", file); break;
    case DLP_PARAM_VEC3: write_vector(file, member); break;
    case DLP_PARAM_CHOICE: json_write_string(file, param->choices[*(const int32_t *)member]); break;
    case DLP_PARAM_ROWS: json_write_rows(file, param, def, write_exact); break;
    case DLP_PARAM_NAME: json_write_string(file, member); break;
    case DLP_PARAM_MESH:
    case DLP_PARAM_SOLID:
    case DLP_PARAM_FLAGS:
    case DLP_PARAM_MATERIAL: fprintf(file, "%d", (int)*(const int32_t *)member); break;
    }
}

/* Some members only control how a run is computed or how long it is. */
static bool affects_result(const char *name)
{
    static const char *const excluded[] = {"threads", "simd", "subdomains", "frames", "checkpoint_every", "fields"};
    for (size_t i = 0; i < sizeof excluded / sizeof excluded[0]; i++) {
        if (strcmp(name, excluded[i]) == 0) {
            return false;
        }
    }
    return true;
}

static void write_table(FILE *file, const char *prefix, const dlp_ParamTable *table, const void *def)
{
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        if (!affects_result(param->name)) {
            continue;
        }
        fprintf(file, "  \"%s.%s\": ", prefix, param->name);
        write_param(file, param, def);
        fputs(",\n", file);
    }
}

/* "ball.obj 0123456789abcdef", or why it cannot be read. */
static void write_mesh(FILE *file, const dlp_Scene *scene, int index)
{
    dlp_MeshDef def;
    dlp_Error error = {0};
    uint64_t hash = 0;
    char key[DLP_NAME_SIZE + 16], value[DLP_NAME_SIZE + sizeof error.text];
    const dlp_Result result = dlp_scene_mesh(scene, index, &def, &hash, &error);
    if (result == DLP_OK && hash == 0) {
        return; /* not read from a file */
    }
    snprintf(key, sizeof key, "meshes.%s", def.name);
    if (result == DLP_OK) {
        snprintf(value, sizeof value, "%s %016" PRIx64, def.file, hash);
    } else {
        snprintf(value, sizeof value, "%s", error.text);
    }
    fputs("  ", file);
    json_write_string(file, key);
    fputs(": ", file);
    json_write_string(file, value);
    fputs(",\n", file);
}

char *record_meshes(const dlp_Scene *scene)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return NULL;
    }
    for (int i = 0; i < dlp_scene_mesh_count(scene); i++) {
        write_mesh(file, scene, i);
    }
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

char *record_make(const RecordSource *source)
{
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file) {
        return NULL;
    }
    fputs("{\n  \"dollop\": ", file);
    json_write_string(file, dlp_version());
    fputs(",\n  \"scene\": ", file);
    json_write_string(file, source->scene_path);
    fprintf(file, ",\n  \"scene_hash\": \"%016" PRIx64 "\",\n  \"settings\": [", dlp_scene_hash(source->scene));
    for (int i = 0; i < source->options->settings.count; i++) {
        fputs(i ? ", " : "", file);
        json_write_string(file, source->options->settings.items[i]);
    }
    fputs("],\n", file);
    if (source->draft->factor > 0) {
        fputs("  \"draft\": ", file);
        write_exact(file, source->draft->factor);
        fputs(",\n", file);
    }
    fputs(source->meshes, file);
    write_table(file, "world", dlp_world_params(), dlp_scene_world(source->scene));
    write_table(file, "run", dlp_run_params(), dlp_scene_run(source->scene));
    fprintf(file, "  \"last_frame\": %" PRId64 ",\n", source->last_frame);
    fprintf(file, "  \"state\": \"%s\"\n}\n", source->finished ? "finished" : "running");
    if (fclose(file) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* A line `  "key": value,` of a record. */
typedef struct RecordLine {
    const char *key, *value;
    int key_length, value_length;
} RecordLine;

static bool split_line(const char *line, RecordLine *out)
{
    const char *end = line + strcspn(line, "\n");
    if (strncmp(line, "  \"", 3) != 0) {
        return false;
    }
    out->key = line + 3;
    const char *close = strstr(out->key, "\": ");
    if (!close || close > end) {
        return false;
    }
    out->key_length = (int)(close - out->key);
    out->value = close + 3;
    if (end > out->value && end[-1] == ',') {
        --end;
    }
    out->value_length = (int)(end - out->value);
    return true;
}

static bool find_line(const char *record, const char *key, int key_length, RecordLine *out)
{
    for (const char *line = record; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (split_line(line, out) && out->key_length == key_length && strncmp(out->key, key, (size_t)key_length) == 0) {
            return true;
        }
    }
    return false;
}

bool record_value(const char *record, const char *key, char *value, size_t size)
{
    RecordLine line;
    if (!find_line(record, key, (int)strlen(key), &line)) {
        return false;
    }
    if (line.value_length >= 2 && line.value[0] == '"') {
        ++line.value;
        line.value_length -= 2;
    }
    snprintf(value, size, "%.*s", line.value_length, line.value);
    return true;
}

int64_t record_integer(const char *record, const char *key, int64_t fallback)
{
    char value[32], *end = NULL;
    if (!record_value(record, key, value, sizeof value)) {
        return fallback;
    }
    const int64_t number = strtoll(value, &end, 10);
    return end == value || *end ? fallback : number;
}

static bool same_value(const RecordLine *a, const RecordLine *b)
{
    return a->value_length == b->value_length && strncmp(a->value, b->value, (size_t)a->value_length) == 0;
}

bool record_has_meshes(const char *record, const char *meshes)
{
    for (const char *at = meshes; at; at = strchr(at, '\n')) {
        RecordLine now, before;
        at += *at == '\n';
        if (split_line(at, &now) && find_line(record, now.key, now.key_length, &before) && !same_value(&now, &before)) {
            return false;
        }
    }
    return true;
}

static bool is_compared(const RecordLine *line)
{
    static const char *const keys[] = {"world.", "run.", "settings", "meshes."};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strncmp(line->key, keys[i], strlen(keys[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Print the first line in which two scene files differ; false if they are equal. */
static bool print_text_difference(const char *before, const char *now, const char *scene_path)
{
    for (int number = 1;; number++) {
        const int length_before = (int)strcspn(before, "\n"), length_now = (int)strcspn(now, "\n");
        if (length_before != length_now || strncmp(before, now, (size_t)length_now) != 0) {
            message_note("%s:%d: '%.*s' before, '%.*s' now", scene_path, number, length_before, before, length_now,
                         now);
            return true;
        }
        if (!before[length_before] || !now[length_now]) {
            return before[length_before] != now[length_now];
        }
        before += length_before + 1;
        now += length_now + 1;
    }
}

void record_print_differences(const char *before, const char *now, const char *scene_before, const char *scene_path)
{
    bool found = false;
    for (const char *at = before; at; at = strchr(at, '\n')) {
        RecordLine old_line, new_line;
        at += *at == '\n';
        if (!split_line(at, &old_line) || !is_compared(&old_line) ||
            !find_line(now, old_line.key, old_line.key_length, &new_line)) {
            continue;
        }
        if (same_value(&old_line, &new_line)) {
            continue;
        }
        message_note("%.*s: %.*s before, %.*s now", old_line.key_length, old_line.key, old_line.value_length,
                     old_line.value, new_line.value_length, new_line.value);
        found = true;
    }
    char *scene_now = file_read_text(scene_path, FILE_GIVEN);
    if (scene_now && scene_before) {
        found = print_text_difference(scene_before, scene_now, scene_path) || found;
    }
    free(scene_now);
    if (!found) {
        message_note("the scene file is unchanged: an included file, or dollop itself, has changed");
    }
}
