/* A ball of cork and one of steel are dropped into thin syrup. Shows: a solid with a density is a free rigid body, which falls,
 * floats and is moved by the fluid; and what to do when a build lacks a part. */
#include <dollop/dollop.h>

#include <stdio.h>
#include <stdlib.h>

#define RADIUS 0.05 /* m, of both balls    */
#define DEPTH  0.2  /* m, of the syrup     */

static void must(dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        fprintf(stderr, "%s\n", dlp_world_error(world));
        exit(result == DLP_ERROR_UNSUPPORTED ? 77 : EXIT_FAILURE); /* 77: built without ODE, test skipped */
    }
}

static dlp_SolidId add_ball(dlp_World *world, double x, double density)
{
    dlp_SolidDef ball = dlp_default_solid_def();
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = RADIUS;
    ball.shape.position = (dlp_Vec3){x, 0, DEPTH + RADIUS};
    ball.density = density; /* kg/m3; 0 would make it kinematic */
    dlp_SolidId id = 0;
    must(world, dlp_world_add_solid(world, &ball, &id));
    return id;
}

static double height_of(const dlp_World *world, dlp_SolidId id)
{
    dlp_SolidState state = {0};
    dlp_world_solid_state(world, id, &state);
    return state.position.z;
}

int main(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    /* solves bodies and fluid together; the default, pbf, takes longer for steel */
    def.spacing = 0.05 / 3; /* three across the radius of a ball */
    dlp_World *world = NULL;
    dlp_Error error;
    if (dlp_world_create(&def, &world, &error) != DLP_OK) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    dlp_MaterialDef syrup = dlp_default_material_def();
    syrup.viscosity = 2;
    dlp_MaterialId syrup_id = 0;
    must(world, dlp_world_add_material(world, &syrup, &syrup_id));

    dlp_SolidDef tank = dlp_default_solid_def();
    tank.shape.kind = DLP_SHAPE_CONTAINER;
    tank.shape.size = (dlp_Vec3){0.3, 0.15, 1};
    tank.shape.position.z = 0.5;
    must(world, dlp_world_add_solid(world, &tank, NULL));
    const dlp_SolidId cork = add_ball(world, -0.075, 200), steel = add_ball(world, 0.075, 7800);

    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.material = syrup_id;
    fluid.shape.size = (dlp_Vec3){0.3, 0.15, DEPTH};
    fluid.shape.position.z = DEPTH / 2;
    must(world, dlp_world_add_fluid(world, &fluid, NULL));

    for (int step = 1; step <= 180; step++) {
        must(world, dlp_world_step(world, 1.0 / 150));
        if (step % 45 == 0) {
            printf("%.1f s: cork at %.3f m, steel at %.3f m\n", dlp_world_time(world), height_of(world, cork),
                   height_of(world, steel));
        }
    }

    const int floats = height_of(world, cork) > DEPTH - RADIUS;
    const int sinks = height_of(world, steel) < RADIUS + def.spacing;
    printf("%s\n", floats && sinks ? "cork floats, steel lies on the floor" : "FAILED");
    dlp_world_destroy(world);
    return floats && sinks ? EXIT_SUCCESS : EXIT_FAILURE;
}
