/* A block of gelatine stands on a cold plate; the plate is heated, and the block melts from below. Shows: materials with
 * heat, solids with a temperature, the heat of a world, and temperatures of particles. Heat capacities are a thousandth of real
 * ones, so that heat goes a thousand times faster and the example is short. */
#include <dollop/dollop.h>

#include <stdio.h>
#include <stdlib.h>

#define CELSIUS 273.15 /* K, of 0 degrees */
#define SIDE    0.06   /* m, of the block */

static void must(dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        fprintf(stderr, "%s\n", dlp_world_error(world));
        exit(EXIT_FAILURE);
    }
}

static dlp_MaterialDef gelatine(void)
{
    dlp_MaterialDef def = dlp_default_material_def();
    def.viscosity = 2;         /* Pa.s, molten */
    def.frozen_modulus = 3000; /* Pa: an elastic solid below the melting point */
    def.temperature = CELSIUS + 15;
    def.melting_point = CELSIUS + 30;
    def.liquidus = CELSIUS + 34; /* all of it is molten */
    def.conductivity = 0.6;      /* W/m/K */
    def.heat_capacity = 4;       /* J/kg/K, really 4000 */
    def.latent_heat = 20;        /* J/kg, really 20000 */
    return def;
}

/* A second with the plate at that temperature; how high the block stands then (m). */
static double stand_on_plate(dlp_World *world, dlp_SolidId plate, double temperature)
{
    dlp_SolidDef def;
    dlp_WorldStats stats;
    must(world, dlp_world_get_solid(world, plate, &def));
    def.temperature = temperature;
    must(world, dlp_world_set_solid(world, plate, &def));
    for (int step = 0; step < 250; step++) {
        must(world, dlp_world_step(world, 0.004));
    }
    must(world, dlp_world_stats(world, &stats));
    printf("%.0f s, plate of %.0f degrees: %.1f mm high, %.0f to %.0f degrees, %.1f J in it\n", stats.time,
           temperature - CELSIUS, 1000 * stats.upper.z, stats.temperature_min - CELSIUS,
           stats.temperature_max - CELSIUS, stats.heat);
    return stats.upper.z;
}

int main(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    def.spacing = 0.006;
    dlp_World *world = NULL;
    dlp_Error error;
    if (dlp_world_create(&def, &world, &error) != DLP_OK) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }
    const dlp_MaterialDef material = gelatine();
    dlp_FluidDef block = dlp_default_fluid_def();
    must(world, dlp_world_add_material(world, &material, &block.material));
    dlp_SolidDef plate = dlp_default_solid_def();
    dlp_SolidId plate_id = 0;
    must(world, dlp_world_add_solid(world, &plate, &plate_id));
    block.shape.size = (dlp_Vec3){SIDE, SIDE, SIDE};
    block.shape.position.z = SIDE / 2;
    must(world, dlp_world_add_fluid(world, &block, NULL));

    const double cold = stand_on_plate(world, plate_id, CELSIUS + 15);
    stand_on_plate(world, plate_id, CELSIUS + 80);
    const double molten = stand_on_plate(world, plate_id, CELSIUS + 80);
    dlp_world_destroy(world);

    const int good = cold > 0.8 * SIDE && molten < 0.6 * cold;
    printf("%s\n", good ? "it stood while it was cold, and ran when it melted" : "FAILED");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
