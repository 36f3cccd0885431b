/* Conditions under which the keys of an item have an effect. */
#ifndef DLP_SCENE_WHEN_H
#define DLP_SCENE_WHEN_H

#include "scene/scene_internal.h"

/* A map of the scene and the structs that it was read to: a section such as `world`, or one item of a list. */
typedef struct dlp__SceneItem {
    const dlp_Scene *scene;
    const dlp__SceneSection *section;
    dlp__SectionId id;
    int index;
    const dlp__SceneNode *node; /* the map; null if only values matter */
    /* a material has parameters of its method too; the second may be null */
    const dlp_ParamTable *tables[2];
    const void *defs[2];
} dlp__SceneItem;

dlp__SceneItem dlp__scene_item(const dlp_Scene *scene, dlp__SectionId id, int index, const dlp__SceneNode *node);

/* The parameter of that name and the struct that holds it, or null. */
const dlp_Param *dlp__scene_item_param(const dlp__SceneItem *item, const char *name, const void **def);

/* Whether an item of a section consists of the material. */
bool dlp__scene_refers_to(const dlp_Scene *scene, dlp__SectionId id, int material);

/* Whether a condition (dlp_Param.when; may be null) holds. If not, `text` completes "has no effect" with the reason and the
 * remedy: "with shape: box; remove it, or use shape: sphere or capsule". */
bool dlp__scene_when_holds(const dlp__SceneItem *item, const char *when, char *text, size_t size);

/* "only with shape: sphere or capsule"; empty without a condition. */
void dlp__scene_describe_when(const char *when, char *text, size_t size);

/* scene_uses.c: refuse keys without effect, and note what the method ignores in materials from included files. All sections must
 * have been read. */
dlp_Result dlp__scene_check_uses(dlp__SceneReader *reader, const dlp__SceneNode *root, const dlp__SceneNode *settings);

/* Log what the method of the world ignores of the materials in use, if the host has chosen another method than the scene. */
void dlp__scene_log_ignored(const dlp_Scene *scene);

/* "physical", or "pbf or links" if the default method does not use the parameter. */
void dlp__scene_list_methods(const dlp_Param *param, char *list, size_t size);

#endif
