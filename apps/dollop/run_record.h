/* run.json: which scene and settings a folder is the run of. It is JSON with one member per line, so that two records
 * are compared line by line and the differences can be named. */
#ifndef DOLLOP_RUN_RECORD_H
#define DOLLOP_RUN_RECORD_H

#include "open_scene.h"
#include "schedule.h"

#define RECORD_FILE       "run.json"
#define RECORD_SCENE_FILE "run_scene.yaml"

typedef struct RecordSource {
    const char *scene_path;
    const SceneOptions *options;
    dlp_Scene *scene;
    int64_t last_frame;
    bool finished; /* reached its last frame */
} RecordSource;

/* The record's text, to be freed; null when out of memory. */
char *record_make(const RecordSource *source);

/* Copy the value of `key` without its quotes; false if the record has no such line. */
bool record_value(const char *record, const char *key, char *value, size_t size);
int64_t record_integer(const char *record, const char *key, int64_t otherwise);

/* Say on standard error in what `now` differs from `before`; `scene_before` is the text of the old scene file (may be
 * null) and `scene_path` the file as it is now. */
void record_tell_differences(const char *before, const char *now, const char *scene_before, const char *scene_path);

#endif
