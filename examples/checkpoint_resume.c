/* A run is saved, goes on, and is then repeated from the file on another number of threads: both end in the same state, bit
 * for bit. Shows: checkpoints, hashes, and what a file says of itself. */
#include <dollop/dollop.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECKPOINT "checkpoint_resume.h5"

static void must(dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        fprintf(stderr, "%s\n", dlp_world_error(world));
        exit(EXIT_FAILURE);
    }
}

static void must_without_world(dlp_Result result, const dlp_Error *error)
{
    if (result != DLP_OK) {
        fprintf(stderr, "%s\n", error->text);
        exit(EXIT_FAILURE);
    }
}

/* A tenth of a second; the hash of the state at its end. */
static uint64_t go_on(dlp_World *world)
{
    const double end = dlp_world_time(world) + 0.1;
    while (dlp_world_time(world) < end) {
        must(world, dlp_world_advance(world, end));
    }
    const uint64_t hash = dlp_world_hash(world);
    printf("step %3lld, %.2f s: %016" PRIx64 "\n", (long long)dlp_world_step_count(world), dlp_world_time(world), hash);
    return hash;
}

int main(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    def.spacing = 0.02;
    def.threads = 1;
    dlp_World *world = NULL;
    dlp_Error error;
    must_without_world(dlp_world_create(&def, &world, &error), &error);

    const dlp_MaterialDef water = dlp_default_material_def();
    dlp_SolidDef tank = dlp_default_solid_def();
    dlp_FluidDef column = dlp_default_fluid_def();
    must(world, dlp_world_add_material(world, &water, &column.material));
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.size = (dlp_Vec3){0.8, 0.2, 1};
    tank.shape.position = (dlp_Vec3){0.4, 0, 0.5};
    must(world, dlp_world_add_solid(world, &tank, NULL));
    column.shape.size = (dlp_Vec3){0.3, 0.2, 0.4};
    column.shape.position = (dlp_Vec3){0.15, 0, 0.2};
    must(world, dlp_world_add_fluid(world, &column, NULL));

    const uint64_t saved = go_on(world);
    must(world, dlp_world_save(world, CHECKPOINT)); /* materials, solids and parameters are in the file, too */
    const uint64_t uninterrupted = go_on(world);
    dlp_world_destroy(world);

    dlp_FileInfo info;
    must_without_world(dlp_file_info(CHECKPOINT, &info, &error), &error);
    printf("%s: %lld particles at %.2f s by method %s\n", CHECKPOINT, (long long)info.particles, info.time,
           info.method);

    /* Threads, lanes and subdomains are the machine's, not the file's: any may change. */
    def.threads = 2;
    def.subdomains = 4;
    must_without_world(dlp_world_load(CHECKPOINT, &def, &world, &error), &error);
    const uint64_t loaded = dlp_world_hash(world), resumed = go_on(world);
    dlp_world_destroy(world);

    const int good = loaded == saved && resumed == uninterrupted;
    printf("%s\n", good ? "the resumed run ends in the same state" : "FAILED: the states differ");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
