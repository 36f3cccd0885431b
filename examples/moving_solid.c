/* A paddle follows a path through a tank of water. Shows: a kinematic solid, which follows its keys whatever the fluid
 * does, and reading the pose and velocity of a solid. */
#include <dollop/dollop.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LENGTH 0.6  /* m, of the tank   */
#define WIDTH  0.2  /* m                */
#define PADDLE 0.06 /* m, its thickness */

static void must(dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        fprintf(stderr, "%s\n", dlp_world_error(world));
        exit(EXIT_FAILURE);
    }
}

static dlp_SolidId add_paddle(dlp_World *world)
{
    /* From the left end of its path to the right one and back: one second each way, starting and stopping gently. */
    const dlp_PoseKey keys[] = {
        {.time = 0, .position = {-0.2, 0, 0.12}},
        {.time = 1, .position = {0.2, 0, 0.12}},
        {.time = 2, .position = {-0.2, 0, 0.12}},
    };
    dlp_SolidDef paddle = dlp_default_solid_def();
    paddle.shape.kind = DLP_SHAPE_BOX;
    paddle.shape.size = (dlp_Vec3){PADDLE, 0.12, 0.2};
    paddle.shape.position = keys[0].position;
    dlp_SolidId id = 0;
    must(world, dlp_world_add_solid(world, &paddle, &id));
    must(world, dlp_world_set_solid_keys(world, id, keys, sizeof keys / sizeof keys[0]));
    return id;
}

int main(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    def.spacing = 0.025;
    dlp_World *world = NULL;
    dlp_Error error;
    if (dlp_world_create(&def, &world, &error) != DLP_OK) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    dlp_MaterialDef water = dlp_default_material_def();
    dlp_MaterialId water_id = 0;
    must(world, dlp_world_add_material(world, &water, &water_id));

    dlp_SolidDef tank = dlp_default_solid_def();
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.size = (dlp_Vec3){LENGTH, WIDTH, 1};
    tank.shape.position.z = 0.5;
    must(world, dlp_world_add_solid(world, &tank, NULL));
    const dlp_SolidId paddle = add_paddle(world);

    dlp_FluidDef fluid = dlp_default_fluid_def(); /* fills the box around the solids that are there by now */
    fluid.material = water_id;
    fluid.shape.size = (dlp_Vec3){LENGTH, WIDTH, 0.12};
    fluid.shape.position.z = 0.06;
    must(world, dlp_world_add_fluid(world, &fluid, NULL));

    double fastest = 0, furthest = -1;
    for (int frame = 1; frame <= 60; frame++) {
        dlp_SolidState state;
        dlp_WorldStats stats;
        while (dlp_world_time(world) < frame / 40.0) {
            must(world, dlp_world_advance(world, frame / 40.0));
        }
        must(world, dlp_world_solid_state(world, paddle, &state));
        must(world, dlp_world_stats(world, &stats));
        fastest = fmax(fastest, stats.speed_max);
        furthest = fmax(furthest, state.position.x);
        if (frame % 10 == 0) {
            printf("%.2f s: paddle at %6.3f m moving at %6.3f m/s, water reaches %.3f m, at most %.2f m/s\n",
                   stats.time, state.position.x, state.velocity.x, stats.upper.z, stats.speed_max);
        }
    }

    dlp_WorldStats end;
    must(world, dlp_world_stats(world, &end));
    const int inside = end.lower.x >= -LENGTH / 2 && end.upper.x <= LENGTH / 2 && end.lower.z >= 0;
    const int good = fabs(furthest - 0.2) < 1e-6 && fastest > 0.4 && inside;
    printf("%s\n", good ? "the paddle kept to its path, and the water to its tank" : "FAILED");
    dlp_world_destroy(world);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
