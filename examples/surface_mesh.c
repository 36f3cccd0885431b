/* A ball of water falls on a floor; its surface is made into a triangle mesh and written to a file, which is read back.
 * Shows: from particles to a closed mesh that carries their velocities along, mesh files, models. */
#include <dollop/dollop.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FILE_NAME "surface_mesh.ply" /* .obj and .glb work as well */

static void stop(const char *text)
{
    fprintf(stderr, "%s\n", text);
    exit(EXIT_FAILURE);
}

static void must(dlp_World *world, dlp_Result result)
{
    if (result != DLP_OK) {
        stop(dlp_world_error(world));
    }
}

static dlp_World *falling_ball(double spacing)
{
    dlp_WorldDef def = dlp_default_world_def();
    def.spacing = spacing;
    dlp_World *world = NULL;
    dlp_Error error;
    if (dlp_world_create(&def, &world, &error) != DLP_OK) {
        stop(error.text);
    }
    const dlp_MaterialDef water = dlp_default_material_def();
    const dlp_SolidDef floor = dlp_default_solid_def();
    dlp_FluidDef ball = dlp_default_fluid_def();
    must(world, dlp_world_add_material(world, &water, &ball.material));
    must(world, dlp_world_add_solid(world, &floor, NULL));
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = 0.1;
    ball.shape.position.z = 0.15;
    must(world, dlp_world_add_fluid(world, &ball, NULL));
    for (int step = 0; step < 60; step++) {
        must(world, dlp_world_step(world, 1.0 / 400));
    }
    return world;
}

int main(void)
{
    const double spacing = 0.01;
    dlp_World *world = falling_ball(spacing);
    dlp_ParticleView view;
    must(world, dlp_world_view(world, 0, &view)); /* one subdomain: part 0 is all of it */

    /* Points are pointers into the world: nothing is copied. */
    const dlp_PointField velocity = {.name = "velocity",
                                     .unit = "m/s",
                                     .components = 3,
                                     .component = {view.velocity[0], view.velocity[1], view.velocity[2]}};
    const dlp_Points points = {.count = view.count,
                               .position = {view.position[0], view.position[1], view.position[2]},
                               .field_count = 1,
                               .fields = &velocity};

    dlp_SurfaceDef def = dlp_default_surface_def();
    def.spacing = spacing;
    dlp_Surface *surface = NULL;
    dlp_Mesh mesh; /* belongs to the surface */
    dlp_Error error;
    if (dlp_surface_create(&def, &surface, &error) != DLP_OK ||
        dlp_surface_build(surface, &points, &mesh, &error) != DLP_OK ||
        dlp_mesh_write(&mesh, FILE_NAME, &error) != DLP_OK) {
        stop(error.text);
    }
    const double inside = dlp_mesh_volume(&mesh), fluid = (double)view.count * pow(spacing, 3);
    printf("%lld particles: %lld vertices, %lld triangles, %.3f litres inside of %.3f litres of water\n",
           (long long)view.count, (long long)mesh.vertex_count, (long long)mesh.triangle_count, 1000 * inside,
           1000 * fluid);

    dlp_MeshDef from_file = dlp_default_mesh_def();
    snprintf(from_file.file, sizeof from_file.file, FILE_NAME);
    dlp_Model *model = NULL;
    if (dlp_model_create(&from_file, NULL, NULL, &model, &error) != DLP_OK) {
        stop(error.text);
    }
    const double read_back = dlp_mesh_volume(dlp_model_mesh(model));
    printf("%s, read back: %.3f litres\n", FILE_NAME, 1000 * read_back);

    const int good = fabs(inside / fluid - 1) < 0.15 && fabs(read_back / inside - 1) < 1e-3;
    printf("%s\n", good ? "the mesh holds the water" : "FAILED");
    dlp_model_destroy(model);
    dlp_surface_destroy(surface);
    dlp_world_destroy(world);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
