/* Scenes to start from: the files of src/scene/templates, embedded in the library. DLP_TEMPLATE_DIR comes from the build. */
#include "base/embed.h"

#include <dollop/scene.h>

/* All templates: name of the file, default material, summary. */
#define TEMPLATES(_) \
    _(pour, "honey", "a thread falls from a nozzle and coils on a plate") \
    _(drop, "jelly", "a cube falls into a tray") \
    _(squeeze, "toothpaste", "a strand is squeezed from a tube") \
    _(stretch, "golden_syrup", "a sticky ball is pulled out of a pool with a thread") \
    _(stir, "milk_chocolate", "a spoon stirs a bowl") \
    _(melt, "gelatine", "a block melts on a hot plate") \
    _(fill, "olive_oil", "a glass fills from a spout") \
    _(dam, "water", "a column collapses in a tank and hits a post")

#define EMBED_TEMPLATE(name, material, summary) DLP__EMBED(dlp__template_##name, DLP_TEMPLATE_DIR "/" #name ".yaml");
TEMPLATES(EMBED_TEMPLATE)

#define ENTRY(name, material, summary) {#name, material, summary, dlp__template_##name##_begin},
static const dlp_SceneTemplate templates[] = {TEMPLATES(ENTRY)};

int dlp_scene_template_count(void)
{
    return (int)(sizeof templates / sizeof templates[0]);
}

dlp_SceneTemplate dlp_scene_template(int index)
{
    return index >= 0 && index < dlp_scene_template_count() ? templates[index] : (dlp_SceneTemplate){0};
}
