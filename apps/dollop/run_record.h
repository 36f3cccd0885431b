/* run.json: the scene and settings of a run. It is JSON with one member per line, so that two records can be compared line by line
 * and the differences printed. */
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
    const Draft *draft;
    const char *meshes; /* of record_meshes(), at the start of the run */
    int64_t last_frame;
    bool finished; /* the last frame was reached */
} RecordSource;

/* The lines of the record with the contents of all mesh files, as hashes; to be freed, null if out of memory. */
char *record_meshes(const dlp_Scene *scene);
/* Whether the mesh files are those of an earlier record. A record without them is accepted. */
bool record_has_meshes(const char *record, const char *meshes);

/* The text of the record, to be freed; null if out of memory. */
char *record_make(const RecordSource *source);

/* Copy the value of `key` without quotes; false if the record does not have the key. */
bool record_value(const char *record, const char *key, char *value, size_t size);
int64_t record_integer(const char *record, const char *key, int64_t fallback);

/* Print the differences between the records `before` and `now` to standard error. `scene_before` is the text of the old scene file
 * (may be null), `scene_path` the current file. */
void record_print_differences(const char *before, const char *now, const char *scene_before, const char *scene_path);

#endif
