/* Small scenes in which every key of the scene reference can matter, for the test that no key is silent. */
#ifndef DLP_TESTS_SUPPORT_KEY_SCENES_H
#define DLP_TESTS_SUPPORT_KEY_SCENES_H

#include "scene/scene_internal.h"

/* The scene of a section, without its method; "%s" stands for further keys of the material `goo`. */
const char *key_scene(const char *section);

/* Its section `meshes`, with the meshes block and block2, for trials that need them. */
const char *key_meshes(const char *section);

/* How a key is tested, where the scene and the automatic value (another one than the default) do not suffice. */
typedef struct KeyTrial {
    const char *section, *key;
    const char *value; /* null: automatic */
    /* Settings separated by "; " for the scene without and with the key: such as the sibling that the key belongs to. A leading
     * '?' marks a setting that methods without rheology do not get. */
    const char *settings;
    const char *method; /* null: for all methods */
    const char *scene;  /* the section whose scene is used; null: its own */
} KeyTrial;

/* The last one for the section, key and method, or null. */
const KeyTrial *key_trial(const char *section, const char *key, const char *method);

/* Settings that a value of a choice needs, such as a mesh for `shape: mesh`; "" if none. */
const char *choice_settings(const char *section, const char *choice, const char *value);

enum { SETTINGS_MOST = 12, SCENE_TEXT_BYTES = 4096, SETTING_BYTES = 512 };

typedef struct Settings {
    char text[SETTINGS_MOST][SETTING_BYTES];
    int count;
} Settings;

/* Add a setting of `length` bytes, or settings separated by "; ". Those marked '?' are for methods with rheology. */
void add_setting(Settings *settings, const char *text, size_t length);
void add_settings(Settings *settings, const char *text, bool rheology);

/* Whether a method uses the rheology of materials. */
bool has_rheology(const char *method);

/* Parts of a scene. */
typedef enum Contents { PLAIN = 0, VISCOUS = 1, MESHES = 2 } Contents;

/* The scene of a section with its method; `special` may be null. Meshes take time, so only where they are used. */
void make_scene(const dlp__SceneSection *section, const KeyTrial *special, const char *method, Contents contents,
                char scene[SCENE_TEXT_BYTES]);

/* The choice parameter of a condition, or null; `clause` is the start of its clause. */
const dlp_Param *find_choice(const dlp_ParamTable *table, const char *when, const char **clause);

/* Write the mesh files that the scenes refer to into the working directory. */
void write_key_meshes(void);

#endif
