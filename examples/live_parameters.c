/* Viscosity and gravity change while a world runs. A cylinder of thick fluid hardly sinks, is thinned and slumps, is
 * thickened and stands still again. Shows: materials are read, changed and written back between steps. */
#include <dollop/dollop.h>

#include <stdio.h>
#include <stdlib.h>

static void must(dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        fprintf(stderr, "%s\n", dlp_world_error(world));
        exit(EXIT_FAILURE);
    }
}

/* Half of a second with this viscosity (Pa.s). How far the centre of mass sank (mm). */
static double sink_with_viscosity(dlp_World *world, dlp_MaterialId id, double viscosity)
{
    dlp_MaterialDef material;
    must(world, dlp_world_get_material(world, id, &material));
    material.viscosity = viscosity;
    must(world, dlp_world_set_material(world, id, &material)); /* counts from the next step on */

    dlp_WorldStats before, after;
    must(world, dlp_world_stats(world, &before));
    for (int step = 0; step < 100; step++) {
        must(world, dlp_world_step(world, 0.005));
    }
    must(world, dlp_world_stats(world, &after));
    const double sunk = 1000 * (before.center.z - after.center.z);
    printf("%.1f s, %6g Pa.s: sank by %6.2f mm\n", after.time, viscosity, sunk);
    return sunk;
}

int main(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    def.spacing = 0.01;
    dlp_World *world = NULL;
    dlp_Error error;
    if (dlp_world_create(&def, &world, &error) != DLP_OK) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }

    dlp_MaterialDef syrup = dlp_default_material_def();
    syrup.density = 1400;
    dlp_MaterialId syrup_id = 0;
    must(world, dlp_world_add_material(world, &syrup, &syrup_id));

    dlp_SolidDef floor = dlp_default_solid_def(); /* by default the plane z = 0 */
    must(world, dlp_world_add_solid(world, &floor, NULL));

    dlp_FluidDef column = dlp_default_fluid_def();
    column.material = syrup_id;
    column.shape.kind = DLP_SHAPE_CYLINDER;
    column.shape.radius = 0.05;
    column.shape.length = 0.1;
    column.shape.position.z = 0.05;
    must(world, dlp_world_add_fluid(world, &column, NULL));

    const double thick = sink_with_viscosity(world, syrup_id, 5000);
    const double thin = sink_with_viscosity(world, syrup_id, 20);
    const double thick_again = sink_with_viscosity(world, syrup_id, 5000);
    must(world, dlp_world_set_gravity(world, (dlp_Vec3){0, 0, 0}));
    const double weightless = sink_with_viscosity(world, syrup_id, 20);
    dlp_world_destroy(world);

    const int good = thin > 10 * thick && thin > 10 * thick_again && weightless < 0.1 * thin;
    printf("%s\n", good ? "the flow follows the viscosity and gravity of each moment" : "FAILED");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
