/* JSON objects, one per line, written member by member:
 *
 *     json_begin(stdout);
 *     json_integer(stdout, "frame", 3);
 *     json_end(stdout);
 *
 * Numbers that JSON cannot say (NaN, infinity) become null. */
#ifndef DOLLOP_JSON_OUT_H
#define DOLLOP_JSON_OUT_H

#include <dollop/params.h>
#include <stdio.h>

typedef struct Json {
    FILE *file;
    bool filled; /* a member stands in the open object already */
} Json;

Json json_begin(FILE *file);
void json_end(Json *json); /* closes the object, ends the line and flushes */

void json_key(Json *json, const char *key); /* for values that the functions below do not cover */
void json_real(Json *json, const char *key, double value);
void json_integer(Json *json, const char *key, int64_t value);
void json_bool(Json *json, const char *key, bool value);
void json_text(Json *json, const char *key, const char *value); /* null becomes null */
void json_hash(Json *json, const char *key, uint64_t value);    /* as 16 hex digits in quotes */
void json_vec3(Json *json, const char *key, dlp_Vec3 value);

/* `text` in quotes, escaped. */
void json_write_string(FILE *file, const char *text);
void json_write_real(FILE *file, double value);
/* A def as an object: every member under the name that its table gives it. */
void json_write_params(FILE *file, const dlp_ParamTable *table, const void *def);

#endif
