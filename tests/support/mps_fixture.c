#include "support/mps_fixture.h"

#include <dollop/surface.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static const double PI = 3.14159265358979323846;

dlp_WorldDef mps_def(double spacing)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "mps");
    def.spacing = spacing;
    def.gravity = (dlp_Vec3){0, 0, 0};
    def.threads = 1;
    return def;
}

dlp_World *make_mps(const dlp_WorldDef *def, const dlp_MaterialDef *material)
{
    dlp_World *world = make_world(def);
    if (dlp_world_add_material(world, material, NULL) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
    return world;
}

void run_mps(dlp_World *world, int steps, double dt)
{
    for (int n = 0; n < steps; n++) {
        step_or_fail(world, dt);
    }
}

dlp_WorldStats stats_of(const dlp_World *world)
{
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    return stats;
}

dlp_MaterialDef simple_material(double viscosity, double relaxation_time, double modulus)
{
    dlp_MaterialDef material = dlp_default_material_def();
    material.density = 1000.0;
    material.viscosity = viscosity;
    material.relaxation_time = relaxation_time;
    material.modulus = modulus;
    return material;
}

dlp_SolidId add_plate(dlp_World *world, double z, bool down, double friction, double stickiness)
{
    dlp_SolidId id = -1;
    dlp_SolidDef plate = dlp_default_solid_def();
    plate.shape.kind = DLP_SHAPE_PLANE;
    plate.shape.position.z = z;
    plate.shape.rotation.x = down ? PI : 0.0;
    plate.friction = friction;
    plate.stickiness = stickiness;
    if (dlp_world_add_solid(world, &plate, &id) != DLP_OK) {
        fail_msg("%s", dlp_world_error(world));
    }
    return id;
}

static double mesh_volume(const dlp_Mesh *mesh)
{
    double volume = 0.0;
    for (int64_t t = 0; t < mesh->triangle_count; t++) {
        const float *a = mesh->position + 3 * (int64_t)mesh->triangle[3 * t],
                    *b = mesh->position + 3 * (int64_t)mesh->triangle[3 * t + 1],
                    *c = mesh->position + 3 * (int64_t)mesh->triangle[3 * t + 2];
        const dlp_Vec3 x = {(double)a[0], (double)a[1], (double)a[2]}, y = {(double)b[0], (double)b[1], (double)b[2]},
                       z = {(double)c[0], (double)c[1], (double)c[2]};
        volume += dlp__dot(x, dlp__cross(y, z)) / 6.0;
    }
    return volume;
}

double surface_volume(const dlp_World *world)
{
    dlp_ParticleView view;
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    dlp_SurfaceDef def = dlp_default_surface_def();
    def.spacing = dlp_world_def(world).spacing;
    def.threads = 1;
    dlp_SolidDef solids[8];
    dlp_Points points = {.count = view.count,
                         .position = {view.position[0], view.position[1], view.position[2]},
                         .solid_count = dlp_world_solid_count(world),
                         .solids = solids};
    assert_true(points.solid_count <= 8);
    for (int n = 0; n < points.solid_count; n++) {
        dlp_SolidState now;
        assert_int_equal(dlp_world_get_solid(world, n, &solids[n]), DLP_OK);
        assert_int_equal(dlp_world_solid_state(world, n, &now), DLP_OK);
        solids[n].shape.position = now.position;
    }
    dlp_Surface *surface = NULL;
    dlp_Mesh mesh;
    assert_int_equal(dlp_surface_create(&def, &surface, NULL), DLP_OK);
    assert_int_equal(dlp_surface_build(surface, &points, &mesh, NULL), DLP_OK);
    const double volume = mesh_volume(&mesh);
    dlp_surface_destroy(surface);
    return volume;
}
