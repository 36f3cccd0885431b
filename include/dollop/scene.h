/* Scenes: a YAML (or JSON) file that says what a world holds and how it is run. */
#ifndef DOLLOP_SCENE_H
#define DOLLOP_SCENE_H

#include <dollop/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_Scene dlp_Scene;

/* How to run it: the scene's `run` section. */
typedef struct dlp_RunDef {
    size_t size;
    double time_step;         /* s, largest; a frame is cut into equal steps of at most this */
    double frame_rate;        /* 1/s                                                        */
    int64_t frames;           /* frames 0 .. frames, frame 0 being the start                 */
    int64_t checkpoint_every; /* frames                                                      */
} dlp_RunDef;

DLP_API const dlp_ParamTable *dlp_run_params(void);
DLP_API dlp_RunDef dlp_default_run_def(void);

/* Read a scene. `settings`: `count` strings "key.path=value" that override what the file says ("run.frames=10",
 * "world.spacing=2 mm", "materials.honey.density=1400"). On failure `error` says file:line:column, the offending text
 * and the nearest right name. */
DLP_API dlp_Result dlp_scene_load(const char *path, const char *const *settings, int count, dlp_Scene **scene,
                                  dlp_Error *error);
/* The same from memory; `name` stands in for the file's name in messages, and includes are refused. */
DLP_API dlp_Result dlp_scene_parse(const char *name, const char *text, size_t length, const char *const *settings,
                                   int count, dlp_Scene **scene, dlp_Error *error);
DLP_API void dlp_scene_destroy(dlp_Scene *scene);

DLP_API const dlp_RunDef *dlp_scene_run(const dlp_Scene *scene);
/* What the world is built from; may be changed before building. Another `method` starts from its own defaults. */
DLP_API dlp_WorldDef *dlp_scene_world(dlp_Scene *scene);
/* 64 bits of all that shapes the result (not threads, simd, subdomains or the number of frames). */
DLP_API uint64_t dlp_scene_hash(const dlp_Scene *scene);

/* Make the world that the scene describes. Materials get their ids in the order of their names. */
DLP_API dlp_Result dlp_scene_build(const dlp_Scene *scene, dlp_World **world, dlp_Error *error);

/* The reference of all keys, made from the parameter tables: for a terminal, as Markdown, and as a JSON Schema. The
 * text is malloc'd by the library and released with dlp_text_free. `section` (may be null: all) picks one, such as
 * "world"; null comes back when there is no such section. */
typedef enum dlp_ReferenceForm { DLP_REFERENCE_TEXT, DLP_REFERENCE_MARKDOWN, DLP_REFERENCE_SCHEMA } dlp_ReferenceForm;
DLP_API char *dlp_scene_reference(dlp_ReferenceForm form, const char *section);
DLP_API void dlp_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
