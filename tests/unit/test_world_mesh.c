/* Meshes in a world: fluid filled into them, sinks, files, and rejected meshes. */
#include "support/io_fixture.h"
#include "support/world_fixture.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static dlp_World *make_mesh_world(void)
{
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "physical");
    def.spacing = 0.01;
    def.threads = 2;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef honey = dlp_default_material_def();
    honey.viscosity = 10.0;
    assert_int_equal(dlp_world_add_material(world, &honey, NULL), DLP_OK);
    return world;
}

static dlp_MeshId add_form(dlp_World *world, dlp_MeshForm form)
{
    dlp_MeshDef def = dlp_default_mesh_def();
    dlp_Model *model = NULL;
    dlp_Error error;
    dlp_MeshId id = -1;
    def.form = (int32_t)form;
    snprintf(def.name, sizeof def.name, "form %d", (int)form);
    assert_int_equal(dlp_model_create(&def, NULL, NULL, &model, &error), DLP_OK);
    if (dlp_world_add_mesh(world, &def, dlp_model_mesh(model), &id) != DLP_OK) {
        fail_msg("form %d: %s", (int)form, dlp_world_error(world));
    }
    dlp_model_destroy(model);
    return id;
}

static void every_form_can_be_filled(void **state)
{
    (void)state;
    dlp_World *world = make_mesh_world();
    for (int form = DLP_FORM_BOWL; form <= DLP_FORM_MOULD; form++) {
        dlp_FluidDef fluid = dlp_default_fluid_def();
        dlp_Mesh mesh;
        dlp_MeshDef def;
        int64_t added = 0;
        fluid.shape.kind = DLP_SHAPE_MESH;
        fluid.shape.mesh = add_form(world, (dlp_MeshForm)form);
        fluid.shape.position = (dlp_Vec3){1.0 * form, 0, 0};
        fluid.shape.rotation = (dlp_Vec3){0.3, 0.2, 0.1};
        assert_int_equal(dlp_world_get_mesh(world, fluid.shape.mesh, &def, &mesh), DLP_OK);
        assert_int_equal(def.form, form);
        assert_int_equal(dlp_world_add_fluid(world, &fluid, &added), DLP_OK);
        const double filled = (double)added * 1e-6, volume = dlp_mesh_volume(&mesh);
        print_message("%s: %.2f of its volume of %.3g litres\n", def.name, filled / volume, 1e3 * volume);
        assert_true(fabs(filled - volume) < 0.1 * volume + 2e-5); /* walls are as thick as a particle */
    }
    assert_int_equal(dlp_world_mesh_count(world), DLP_FORM_MOULD);
    dlp_world_destroy(world);
}

/* A cup with fluid in it, saved and loaded: the future is the same, and the frame contains the cup. */
static void meshes_are_saved_in_checkpoints_and_frames(void **state)
{
    (void)state;
    dlp_World *world = make_mesh_world(), *loaded = NULL;
    dlp_SolidDef cup = dlp_default_solid_def();
    cup.shape.kind = DLP_SHAPE_MESH;
    cup.shape.mesh = add_form(world, DLP_FORM_CUP);
    cup.spin = (dlp_Vec3){0, 0, 2};
    cup.friction = 1.0;
    assert_int_equal(dlp_world_add_solid(world, &cup, NULL), DLP_OK);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.kind = DLP_SHAPE_CYLINDER;
    fluid.shape.radius = 0.08;
    fluid.shape.length = 0.06;
    fluid.shape.position = (dlp_Vec3){0, 0, 0.045};
    assert_int_equal(dlp_world_add_fluid(world, &fluid, NULL), DLP_OK);
    for (int step = 0; step < 10; step++) {
        step_or_fail(world, 0.002);
    }
    dlp_Error error;
    assert_int_equal(dlp_world_save(world, "cup.dollop"), DLP_OK);
    assert_int_equal(dlp_world_write_frame(world, "cup.vtkhdf"), DLP_OK);
    assert_int_equal(dlp_world_load("cup.dollop", NULL, &loaded, &error), DLP_OK);
    for (int step = 0; step < 10; step++) {
        step_or_fail(world, 0.002);
        step_or_fail(loaded, 0.002);
        assert_true(dlp_world_hash(world) == dlp_world_hash(loaded));
    }
    dlp_WorldStats stats;
    assert_int_equal(dlp_world_stats(world, &stats), DLP_OK);
    assert_true(stats.lower.z > 0.01 && stats.angular.z > 0.0); /* it is in the cup, and rotates with it */
    dlp_Frame *frame = NULL;
    assert_int_equal(dlp_frame_read("cup.vtkhdf", NULL, &frame, &error), DLP_OK);
    const dlp_FrameScene scene = dlp_frame_scene(frame);
    dlp_Mesh mesh;
    dlp_MeshDef def;
    assert_int_equal(dlp_world_get_mesh(loaded, 0, &def, &mesh), DLP_OK);
    assert_int_equal(scene.mesh_count, 1);
    assert_int_equal(scene.solids[0].shape.mesh, 0);
    assert_int_equal(scene.meshes[0].triangle_count, mesh.triangle_count);
    assert_memory_equal(scene.meshes[0].position, mesh.position, (size_t)mesh.vertex_count * 3 * sizeof(float));
    assert_memory_equal(scene.meshes[0].triangle, mesh.triangle, (size_t)mesh.triangle_count * 3 * sizeof(uint32_t));
    dlp_frame_destroy(frame);
    dlp_world_destroy(loaded);
    dlp_world_destroy(world);
}

/* A ball in a box: the box is filled around it, but not inside it. */
static void fluid_is_filled_around_solids(void **state)
{
    (void)state;
    dlp_World *world = make_mesh_world();
    dlp_SolidDef ball = dlp_default_solid_def();
    ball.friction = 0.0;
    ball.shape.kind = DLP_SHAPE_SPHERE;
    ball.shape.radius = 0.06;
    assert_int_equal(dlp_world_add_solid(world, &ball, NULL), DLP_OK);
    dlp_FluidDef fluid = dlp_default_fluid_def();
    fluid.shape.size = (dlp_Vec3){0.2, 0.2, 0.2};
    int64_t added = 0, count = 0;
    assert_int_equal(dlp_world_add_fluid(world, &fluid, &added), DLP_OK);
    for (int n = 0; n < 8000; n++) {
        const int row = n / 20 % 20, layer = n / 400;
        const double x = 0.01 * (n % 20) - 0.095, y = 0.01 * row - 0.095, z = 0.01 * layer - 0.095;
        count += sqrt(x * x + y * y + z * z) > 0.0625;
    }
    assert_int_equal(added, count);
    assert_int_equal(dlp_world_particle_count(world), count);
    fluid.shape.size = (dlp_Vec3){0.02, 0.02, 0.02};
    assert_int_equal(dlp_world_add_fluid(world, &fluid, &added), DLP_OK);
    assert_int_equal(added, 0);
    step_or_fail(world, 0.001);
    dlp_world_destroy(world);
}

static void a_sink_may_be_a_mesh(void **state)
{
    (void)state;
    dlp_World *world = make_mesh_world();
    dlp_SinkDef sink = dlp_default_sink_def();
    sink.shape.kind = DLP_SHAPE_MESH;
    sink.shape.mesh = add_box_mesh(world, (dlp_Vec3){0.2, 0.2, 0.1});
    assert_int_equal(dlp_world_add_sink(world, &sink, NULL), DLP_OK);
    const float points[6] = {0.0f, 0.0f, 0.0f, 0.0f, 0.0f, 0.3f};
    assert_int_equal(dlp_world_add_points(world, 0, points, 2, (dlp_Vec3){0, 0, 0}), DLP_OK);
    step_or_fail(world, 0.001);
    assert_int_equal(dlp_world_particle_count(world), 1);
    dlp_world_destroy(world);
}

static void bad_meshes_are_refused(void **state)
{
    (void)state;
    dlp_World *world = make_mesh_world();
    const dlp_MeshDef def = dlp_default_mesh_def();
    dlp_Mesh mesh = box_mesh((dlp_Vec3){1, 1, 1});
    dlp_SolidDef solid = dlp_default_solid_def();
    solid.friction = 0.0;
    solid.shape.kind = DLP_SHAPE_MESH;
    assert_int_equal(dlp_world_add_solid(world, &solid, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "does not say which"));
    solid.shape.mesh = 3;
    assert_int_equal(dlp_world_add_solid(world, &solid, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "there is no mesh 3"));
    mesh.triangle_count = 11;
    assert_int_equal(dlp_world_add_mesh(world, &def, &mesh, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "not closed (3 of its edges"));
    mesh.triangle_count = 0;
    assert_int_equal(dlp_world_add_mesh(world, &def, &mesh, NULL), DLP_ERROR_ARGUMENT);
    mesh.triangle_count = 12;
    mesh.vertex_count = 7;
    assert_int_equal(dlp_world_add_mesh(world, &def, &mesh, NULL), DLP_ERROR_ARGUMENT);
    assert_non_null(strstr(dlp_world_error(world), "refers to vertex 7"));
    mesh = box_mesh((dlp_Vec3){1, NAN, 1});
    assert_int_equal(dlp_world_add_mesh(world, &def, &mesh, NULL), DLP_ERROR_ARGUMENT);
    assert_int_equal(dlp_world_mesh_count(world), 0);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_form_can_be_filled), cmocka_unit_test(meshes_are_saved_in_checkpoints_and_frames),
        cmocka_unit_test(a_sink_may_be_a_mesh), cmocka_unit_test(fluid_is_filled_around_solids),
        cmocka_unit_test(bad_meshes_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
