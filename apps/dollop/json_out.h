/* Writes JSON objects, one per line, member by member:
 *
 *     Json json = json_begin(stdout);
 *     json_integer(&json, "frame", 3);
 *     json_end(&json);
 *
 * NaN and infinity are written as null. */
#ifndef DOLLOP_JSON_OUT_H
#define DOLLOP_JSON_OUT_H

#include <dollop/params.h>
#include <stdio.h>

typedef struct Json {
    FILE *file;
    bool filled; /* the open object has a member */
} Json;

Json json_begin(FILE *file);
void json_end(Json *json); /* closes the object, ends the line and flushes */

void json_key(Json *json, const char *key); /* before a value that is written by other means */
void json_real(Json *json, const char *key, double value);
void json_integer(Json *json, const char *key, int64_t value);
void json_bool(Json *json, const char *key, bool value);
void json_text(Json *json, const char *key, const char *value); /* a null pointer is written as null */
void json_hash(Json *json, const char *key, uint64_t value);    /* as 16 hex digits in quotes */
void json_vec3(Json *json, const char *key, dlp_Vec3 value);

/* `text` in quotes, escaped. */
void json_write_string(FILE *file, const char *text);
void json_write_real(FILE *file, double value);
/* The rows of a DLP_PARAM_ROWS as a list of lists. */
void json_write_rows(FILE *file, const dlp_Param *param, const void *def,
                     void (*write_number)(FILE *file, double value));
/* A def as an object with the names of its parameter table. */
void json_write_params(FILE *file, const dlp_ParamTable *table, const void *def);

#endif
