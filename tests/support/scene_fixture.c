#include "support/scene_fixture.h"

#include "scene/scene_internal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

const char tank_scene[] =
    "world: {spacing: 5 cm, gravity: [0, 0, -9.81 m/s2], kernel: wendland_c2}\n"
    "method: {name: pbf, iterations: 7}\n"
    "run: {time_step: 4 ms, frame_rate: 24 fps, frames: 12, checkpoint_every: 3}\n"
    "materials:\n"
    "  water: {density: 1 g/cm3}\n"
    "  honey: {density: 1420, smoothing: 0.2}\n"
    "solids:\n"
    "  - {shape: container, position: [0, 0, 0.5], size: [1, 1, 1], friction: 0.25}\n"
    "  - {shape: box, size: [10 cm, 10 cm, 10 cm], rotation: [0, 0, 90 deg], spin: [0, 0, 60 rpm]}\n"
    "fluids:\n"
    "  - {material: water, shape: box, position: [0, 0, 0.25], size: [0.2, 0.2, 0.2]}\n"
    "  - {material: honey, points: [[0.3, 0, 0.5], [30 cm, 10 cm, 0.5]], velocity: [0, 1, 0]}\n"
    "emitters: [{material: honey, nozzle: rectangle, speed: 2, stop: 1.5}]\n"
    "sinks: [{shape: sphere, position: [9, 9, 9], radius: 1 cm}]\n";

const char icing_scene[] =
    "materials: {cream: {}}\n"
    "solids:\n"
    "- shape: box\n"
    "  position: [0, 0, 5 cm]\n"
    "  rotation: [0, 0, 1]\n"
    "  path: linear\n"
    "  keys: [{time: 0}, {time: 1 s, position: [10 cm, 0, 0]}, {time: 1.5, rotation: [0, 0, 90 deg]}]\n"
    "- {shape: sphere}\n"
    "emitters:\n"
    "- material: cream\n"
    "  position: [1, 2, 3]\n"
    "  rate: 250 ml/s\n"
    "  flow: [[0, 0], [500 ms, 100 %], [1, 0.5]]\n"
    "  keys:\n"
    "  - time: 100 ms\n"
    "  - {time: 0.2, position: [0, 0, 1 mm], rotation: [0, 180 deg, 0]}\n";

dlp_Scene *parse_scene(const char *text, const char *const *settings, int count)
{
    dlp_Scene *scene = NULL;
    dlp_Error error = {.text = ""};
    if (dlp_scene_parse("s.yaml", text, strlen(text), settings, count, &scene, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    return scene;
}

uint64_t hash_scene(const char *text, const char *const *settings, int count)
{
    dlp_Scene *scene = parse_scene(text, settings, count);
    uint64_t hash = dlp_scene_hash(scene);
    dlp_scene_destroy(scene);
    return hash;
}

double smoothing_of(const dlp_Scene *scene, int material)
{
    const dlp_ParamTable *own = dlp_method_material_params(scene->method_name);
    const char *params = scene->material_params + (size_t)material * own->size;
    return *(const double *)(const void *)(params + dlp_params_find(own, "smoothing")->offset);
}
