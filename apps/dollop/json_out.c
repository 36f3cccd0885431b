/* Writes JSON objects. */
#include "json_out.h"

#include <inttypes.h>
#include <math.h>

void json_write_string(FILE *file, const char *text)
{
    char piece[256];
    fputc('"', file);
    while (*text) {
        text += dlp_text_escape(DLP_TEXT_JSON, text, piece, sizeof piece);
        fputs(piece, file);
    }
    fputc('"', file);
}

void json_write_real(FILE *file, double value)
{
    if (isfinite(value)) {
        fprintf(file, "%.12g", value);
    } else {
        fputs("null", file);
    }
}

Json json_begin(FILE *file)
{
    fputc('{', file);
    return (Json){.file = file, .filled = false};
}

void json_end(Json *json)
{
    fputs("}\n", json->file);
    fflush(json->file);
}

void json_key(Json *json, const char *key)
{
    if (json->filled) {
        fputs(", ", json->file);
    }
    json->filled = true;
    json_write_string(json->file, key);
    fputs(": ", json->file);
}

void json_real(Json *json, const char *key, double value)
{
    json_key(json, key);
    json_write_real(json->file, value);
}

void json_integer(Json *json, const char *key, int64_t value)
{
    json_key(json, key);
    fprintf(json->file, "%" PRId64, value);
}

void json_bool(Json *json, const char *key, bool value)
{
    json_key(json, key);
    fputs(value ? "true" : "false", json->file);
}

void json_text(Json *json, const char *key, const char *value)
{
    json_key(json, key);
    if (value) {
        json_write_string(json->file, value);
    } else {
        fputs("null", json->file);
    }
}

void json_hash(Json *json, const char *key, uint64_t value)
{
    json_key(json, key);
    fprintf(json->file, "\"%016" PRIx64 "\"", value);
}

void json_vec3(Json *json, const char *key, dlp_Vec3 value)
{
    json_key(json, key);
    fputc('[', json->file);
    json_write_real(json->file, value.x);
    fputs(", ", json->file);
    json_write_real(json->file, value.y);
    fputs(", ", json->file);
    json_write_real(json->file, value.z);
    fputc(']', json->file);
}

void json_write_rows(FILE *file, const dlp_Param *param, const void *def,
                     void (*write_number)(FILE *file, double value))
{
    int64_t count = 0;
    const double *number = dlp_params_rows(param, def, &count);
    fputc('[', file);
    for (int64_t row = 0; row < count; row++) {
        fputs(row > 0 ? ", [" : "[", file);
        for (int c = 0; c < param->rows->columns; c++) {
            fputs(c > 0 ? ", " : "", file);
            write_number(file, *number++);
        }
        fputc(']', file);
    }
    fputc(']', file);
}

void json_write_params(FILE *file, const dlp_ParamTable *table, const void *def)
{
    Json json = json_begin(file);
    for (int i = 0; i < table->count; i++) {
        const dlp_Param *param = &table->params[i];
        const void *value = (const char *)def + param->offset;
        switch (param->type) {
        case DLP_PARAM_REAL: json_real(&json, param->name, *(const double *)value); break;
        case DLP_PARAM_INT: json_integer(&json, param->name, *(const int64_t *)value); break;
        case DLP_PARAM_BOOL: json_bool(&json, param->name, *(const bool *)value); break;
        case DLP_PARAM_VEC3: json_vec3(&json, param->name, *(const dlp_Vec3 *)value); break;
        case DLP_PARAM_CHOICE: json_text(&json, param->name, param->choices[*(const int32_t *)value]); break;
        case DLP_PARAM_ROWS:
            json_key(&json, param->name);
            json_write_rows(file, param, def, json_write_real);
            break;
        case DLP_PARAM_NAME: json_text(&json, param->name, value); break;
        case DLP_PARAM_MESH:
        case DLP_PARAM_SOLID:
        case DLP_PARAM_FLAGS:
        case DLP_PARAM_MATERIAL: json_integer(&json, param->name, *(const int32_t *)value); break;
        }
    }
    fputc('}', file);
}
