/* A scene is read from text, changed, run and written frame by frame, as `dollop run` does it with a file. Shows: scenes from
 * C, settings that override them, and how a mistake is reported. */
#include <dollop/dollop.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] =
    "world: {spacing: 2 cm}\n"
    "materials:\n"
    "  water: {density: 1000 kg/m3}\n"
    "fluids:\n"
    "  - {material: water, shape: box, position: [15 cm, 10 cm, 15 cm], size: [30 cm, 20 cm, 30 cm]}\n"
    "solids:\n"
    "  - {shape: container, position: [40 cm, 10 cm, 50 cm], size: [80 cm, 20 cm, 1 m]}\n"
    "run: {frame_rate: 40, frames: 100}\n";

static void stop(const char *why)
{
    fprintf(stderr, "%s\n", why);
    exit(EXIT_FAILURE);
}

/* A wrong key is answered with its place and the nearest right one. */
static bool refuses_mistakes(void)
{
    static const char wrong[] = "world: {spaceing: 2 cm}\n";
    dlp_Scene *scene = NULL;
    dlp_Error error = {0};
    const dlp_Result result = dlp_scene_parse("wrong.yaml", wrong, strlen(wrong), NULL, 0, &scene, &error);
    printf("%s\n", error.text);
    dlp_scene_destroy(scene);
    return result == DLP_ERROR_SCENE;
}

int main(void)
{
    const char *const settings[] = {"run.frames=20",
                                    "materials.water.density=1030 kg/m3"}; /* as --set of the command */
    dlp_Scene *scene = NULL;
    dlp_World *world = NULL;
    dlp_Error error;
    if (dlp_scene_parse("dam.yaml", text, strlen(text), settings, 2, &scene, &error) != DLP_OK ||
        dlp_scene_build(scene, &world, &error) != DLP_OK) {
        stop(error.text);
    }
    const dlp_RunDef *run = dlp_scene_run(scene);
    for (int64_t frame = 0; frame <= run->frames; frame++) {
        char name[64];
        snprintf(name, sizeof name, "scene_from_string_%06lld.vtkhdf",
                 (long long)frame); /* ParaView opens the sequence */
        const double time = (double)frame / run->frame_rate;
        while (dlp_world_time(world) < time) {
            if (dlp_world_advance(world, time) != DLP_OK) {
                stop(dlp_world_error(world));
            }
        }
        if (frame % 10 == 0 && dlp_world_write_frame(world, name) != DLP_OK) {
            stop(dlp_world_error(world));
        }
    }
    dlp_MaterialDef water;
    dlp_WorldStats stats;
    if (dlp_world_get_material(world, 0, &water) != DLP_OK || dlp_world_stats(world, &stats) != DLP_OK) {
        stop(dlp_world_error(world));
    }
    printf("%s of %g kg/m3: %lld particles reach %.2f m along the tank after %.2f s\n", water.name, water.density,
           (long long)stats.particles, stats.upper.x, stats.time);
    const bool good = water.density == 1030 && stats.upper.x > 0.7 && refuses_mistakes();
    printf("%s\n", good ? "the scene ran as it was written and changed" : "FAILED");
    dlp_world_destroy(world);
    dlp_scene_destroy(scene);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
