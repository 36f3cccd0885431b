/* Fuzzing of scenes. The input is the text of a scene, then, after a zero byte, settings that each end with a zero
 * byte. A valid scene is hashed, and built if it has few particles. */
#include "scene/scene_internal.h"

#include <dollop/scene.h>

#include <stdlib.h>
#include <string.h>

enum { SETTINGS = 8, PARTICLES = 20000 };

/* An upper bound of the number of particles: from the bounding boxes of the fluids. */
static double estimate(const dlp_Scene *scene)
{
    const dlp__SceneList *list = &scene->lists[DLP_SECTION_FLUIDS];
    double spacing = scene->world.spacing;
    double particles = 0.0;
    for (int i = 0; i < list->count; i++) {
        const dlp_ShapeDef *shape = &((const dlp_FluidDef *)(const void *)list->items)[i].shape;
        dlp_Vec3 size = shape->size;
        if (shape->kind != DLP_SHAPE_BOX && shape->kind != DLP_SHAPE_CONTAINER) {
            size = (dlp_Vec3){2 * shape->radius, 2 * shape->radius, 2 * shape->radius + shape->length};
        }
        double box = (size.x / spacing + 2) * (size.y / spacing + 2) * (size.z / spacing + 2);
        particles += scene->points[i].count > 0 ? (double)scene->points[i].count : box;
    }
    return particles;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (text == NULL) {
        return 0;
    }
    memcpy(text, data, size);
    text[size] = 0;
    size_t length = strlen(text);
    const char *settings[SETTINGS];
    int count = 0;
    for (size_t i = length + 1; i < size && count < SETTINGS; i += strlen(text + i) + 1) {
        settings[count++] = text + i;
    }
    dlp_Scene *scene = NULL;
    dlp_Error error;
    if (dlp_scene_parse("fuzz.yaml", text, length, settings, count, &scene, &error) == DLP_OK) {
        (void)dlp_scene_hash(scene);
        dlp_World *world = NULL;
        if (estimate(scene) < PARTICLES) {
            dlp_scene_world(scene)->threads = 1;
            (void)dlp_scene_build(scene, &world, &error);
            dlp_world_destroy(world);
        }
        dlp_scene_destroy(scene);
    } else {
        const char *problem = NULL; /* for any input, the message is printable */
        if (error.code == DLP_OK ||
            dlp__scene_utf8_check(error.text, strlen(error.text), &problem) < strlen(error.text)) {
            abort();
        }
    }
    free(text);
    return 0;
}
