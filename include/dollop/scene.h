/* Scenes: a YAML (or JSON) file that describes a world and how to run it. */
#ifndef DOLLOP_SCENE_H
#define DOLLOP_SCENE_H

#include <dollop/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dlp_Scene dlp_Scene;

/* The `run` section of a scene. */
typedef struct dlp_RunDef {
    size_t size;
    double time_step;         /* s, maximum; a frame is split into equal steps; 0: automatic, see dlp_world_advance() */
    double frame_rate;        /* 1/s                                                        */
    int64_t frames;           /* number of the last frame; frame 0 is the initial state      */
    int64_t checkpoint_every; /* frames; 0: never                                            */
    int32_t fields;           /* dlp_DerivedField, an or of those that frames contain        */
} dlp_RunDef;

DLP_API const dlp_ParamTable *dlp_run_params(void);
DLP_API dlp_RunDef dlp_default_run_def(void);

/* How a scene is read. */
typedef struct dlp_SceneOptions {
    size_t size;
    const char *const *settings; /* `setting_count` strings "key.path=value", see dlp_scene_load() */
    int32_t setting_count;
    int32_t include_folder_count;
    const char *const
        *include_folders; /* folders whose files may be included, besides those in the folder of the scene */
} dlp_SceneOptions;
DLP_API dlp_SceneOptions dlp_default_scene_options(void);

/* Read a scene. `settings`: `count` strings "key.path=value" that override the file ("run.frames=10",
 * "world.spacing=2 mm", "materials.honey.density=1400"). On failure `error` gives file:line:column, the offending text
 * and the most similar valid name. An include outside the folder of the scene is refused, and nothing of it is quoted. */
DLP_API dlp_Result dlp_scene_load(const char *path, const char *const *settings, int count, dlp_Scene **scene,
                                  dlp_Error *error);
DLP_API dlp_Result dlp_scene_load_with(const char *path, const dlp_SceneOptions *options, dlp_Scene **scene,
                                       dlp_Error *error);
/* The same from memory; `name` is used as file name in messages, and includes are not allowed. */
DLP_API dlp_Result dlp_scene_parse(const char *name, const char *text, size_t length, const char *const *settings,
                                   int count, dlp_Scene **scene, dlp_Error *error);
DLP_API void dlp_scene_destroy(dlp_Scene *scene);
/* Remarks on the scene, one per line, such as older spellings that it uses; "" if there are none. */
DLP_API const char *dlp_scene_notes(const dlp_Scene *scene);

DLP_API const dlp_RunDef *dlp_scene_run(const dlp_Scene *scene);
/* The definition of the world; may be changed before building. If `method` is changed, its parameters have their defaults, and
 * keys that it does not use are ignored; for materials in use, dlp_scene_build() logs a warning. */
DLP_API dlp_WorldDef *dlp_scene_world(dlp_Scene *scene);
/* Hash of everything in the scene that affects the result (not threads, simd, subdomains or the number of frames). It does not cover
 * the contents of mesh files. */
DLP_API uint64_t dlp_scene_hash(const dlp_Scene *scene);

/* The meshes of the scene. `hash` (may be null) is that of the contents of its files, see dlp_mesh_hash_files(). */
DLP_API int dlp_scene_mesh_count(const dlp_Scene *scene);
DLP_API dlp_Result dlp_scene_mesh(const dlp_Scene *scene, int index, dlp_MeshDef *def, uint64_t *hash,
                                  dlp_Error *error);

/* Create the world that the scene describes. Materials that the scene file defines come first, by name; then those of includes and of
 * the built-in library that something uses, by first use in the order contacts, fluids, companions, emitters. Values that the world
 * refuses and mesh files that cannot be read are DLP_ERROR_SCENE, with the location in the scene. */
DLP_API dlp_Result dlp_scene_build(const dlp_Scene *scene, dlp_World **world, dlp_Error *error);

/* The smallest extent of anything that particles fill: fluids, companions and the openings of emitters. A mesh counts with its
 * bounding box. Spacings above a third of it lose that item, or distort it. */
typedef struct dlp_SceneFeature {
    double extent;                 /* m; infinite if the scene has no such item */
    char name[DLP_NAME_SIZE + 32]; /* of the item, such as "emitters.nozzle" or "fluids[0]" */
} dlp_SceneFeature;
DLP_API dlp_SceneFeature dlp_scene_thinnest(const dlp_Scene *scene);
/* The first fluid that is given as points, which only suit one spacing; an empty name if there is none. */
DLP_API dlp_SceneFeature dlp_scene_first_points(const dlp_Scene *scene);

/* Complete scenes to start from, embedded in the library. */
typedef struct dlp_SceneTemplate {
    const char *name;     /* such as "pour" */
    const char *material; /* the name in every "material: NAME" of the text */
    const char *summary;  /* one line */
    const char *text;     /* YAML with comments, terminated by zero */
} dlp_SceneTemplate;
DLP_API int dlp_scene_template_count(void);
DLP_API dlp_SceneTemplate dlp_scene_template(int index);

/* The reference of all keys, generated from the parameter tables: as plain text, Markdown or JSON Schema. The caller releases the
 * text with dlp_text_free(). `section` selects one section, such as "world" (null: all). Returns null if there is no such section
 * or no memory. */
typedef enum dlp_ReferenceForm { DLP_REFERENCE_TEXT, DLP_REFERENCE_MARKDOWN, DLP_REFERENCE_SCHEMA } dlp_ReferenceForm;
DLP_API char *dlp_scene_reference(dlp_ReferenceForm form, const char *section);
DLP_API void dlp_text_free(char *text);

#ifdef __cplusplus
}
#endif
#endif
