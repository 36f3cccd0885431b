/* Small scenes in which every key of the scene reference can matter, for the test that no key is silent. */
#ifndef DLP_TESTS_SUPPORT_KEY_SCENES_H
#define DLP_TESTS_SUPPORT_KEY_SCENES_H

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

/* Write the mesh files that the scenes refer to into the working directory. */
void write_key_meshes(void);

#endif
