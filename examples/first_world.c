/* A cube of honey falls into a box. Shows: a whole program, which makes a world, fills it, steps it, reads it and saves it. */
#include <dollop/dollop.h>

#include <stdio.h>
#include <stdlib.h>

/* Every call returns a result; the world keeps the message of the last failure. */
static void must(dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        fprintf(stderr, "%s\n", dlp_world_error(world));
        exit(EXIT_FAILURE);
    }
}

int main(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    def.spacing = 0.02; /* m: each particle stands for a cube of this size */
    dlp_World *world = NULL;
    dlp_Error error;
    if (dlp_world_create(&def, &world, &error) != DLP_OK) {
        fprintf(stderr, "%s\n", error.text);
        return EXIT_FAILURE;
    }

    dlp_MaterialDef honey = dlp_default_material_def();
    honey.density = 1420; /* kg/m3 */
    honey.viscosity = 19; /* Pa.s, at 20 degC */
    dlp_MaterialId honey_id = 0;
    must(world, dlp_world_add_material(world, &honey, &honey_id));

    dlp_SolidDef box = dlp_default_solid_def();
    box.shape.kind = DLP_SHAPE_CONTAINER;
    box.shape.size = (dlp_Vec3){0.8, 0.4, 1.0};
    box.shape.position = (dlp_Vec3){0.4, 0.2, 0.5};
    must(world, dlp_world_add_solid(world, &box, NULL));

    dlp_FluidDef cube = dlp_default_fluid_def();
    cube.material = honey_id;
    cube.shape.size = (dlp_Vec3){0.3, 0.3, 0.3};
    cube.shape.position = (dlp_Vec3){0.4, 0.2, 0.4};
    must(world, dlp_world_add_fluid(world, &cube, NULL));

    for (int step = 1; step <= 200; step++) {
        must(world, dlp_world_step(world, 1.0 / 400.0));
        if (step % 40 == 0) {
            dlp_WorldStats stats;
            must(world, dlp_world_stats(world, &stats));
            printf("%.2f s: %lld particles, centre at %.3f m, fastest %.2f m/s, compressed by %.2f %%\n", stats.time,
                   (long long)stats.particles, stats.center.z, stats.speed_max, 100.0 * stats.density_error);
        }
    }

    /* Particles can be read in place: no copies, valid until the next step. */
    dlp_ParticleView view;
    must(world, dlp_world_view(world, 0, &view));
    printf("particle %llu is at %.3f %.3f %.3f m\n", (unsigned long long)view.id[0], (double)view.position[0][0],
           (double)view.position[1][0], (double)view.position[2][0]);

    must(world, dlp_world_write_ply(world, "first_world.ply"));

    dlp_WorldStats end;
    must(world, dlp_world_stats(world, &end));
    const int good = end.particles == 3375 && end.lower.z >= 0 && end.center.z < 0.2 && end.density_error < 0.01;
    printf("%s\n", good ? "all of it is in the box, and hardly compressed" : "FAILED");
    dlp_world_destroy(world);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
