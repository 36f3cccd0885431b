/* Frames: everything that VTK's reader needs exists, and the particles are exact. */
#include "support/io_fixture.h"
#include "support/scale.h"

#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void read_array(hid_t file, const char *name, hid_t type, int64_t rows, int64_t columns, void *target)
{
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    hid_t space = H5Dget_space(dataset);
    hsize_t shape[2] = {0, 1};
    assert_int_equal(H5Sget_simple_extent_dims(space, shape, NULL), columns > 1 ? 2 : 1);
    assert_int_equal(shape[0], rows);
    assert_int_equal(shape[1], columns);
    assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, target) >= 0);
    H5Sclose(space);
    H5Dclose(dataset);
}

/* Read with HDF5's default driver, like any other program. */
static void compare_with_world(const char *path, dlp_World *world)
{
    dlp_ParticleView view;
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    size_t count = (size_t)view.count;
    float *triples = malloc((count + 1) * 3 * sizeof *triples);
    int64_t *numbers = malloc((count + 1) * sizeof *numbers);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    read_array(file, "VTKHDF/Points", H5T_NATIVE_FLOAT, view.count, 3, triples);
    for (size_t i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            assert_true(triples[3 * i + (size_t)c] == view.position[c][i]);
        }
    }
    read_array(file, "VTKHDF/PointData/velocity", H5T_NATIVE_FLOAT, view.count, 3, triples);
    for (size_t i = 0; i < count; i++) {
        assert_true(triples[3 * i + 1] == view.velocity[1][i]);
    }
    read_array(file, "VTKHDF/PointData/id", H5T_NATIVE_INT64, view.count, 1, numbers);
    for (size_t i = 0; i < count; i++) {
        assert_true((uint64_t)numbers[i] == view.id[i]);
    }
    read_array(file, "VTKHDF/PointData/density", H5T_NATIVE_FLOAT, view.count, 1, triples);
    assert_memory_equal(triples, view.density, count * sizeof *triples);
    read_array(file, "VTKHDF/PointData/material", H5T_NATIVE_INT64, view.count, 1, numbers);
    for (size_t i = 0; i < count; i++) {
        assert_true(numbers[i] == view.material[i]);
    }
    read_array(file, "VTKHDF/Offsets", H5T_NATIVE_INT64, view.count + 1, 1, numbers);
    assert_int_equal(numbers[count], view.count);
    read_array(file, "VTKHDF/Connectivity", H5T_NATIVE_INT64, view.count, 1, numbers);
    for (size_t i = 0; i < count; i++) {
        assert_true(numbers[i] == (int64_t)i);
    }
    read_array(file, "VTKHDF/NumberOfPoints", H5T_NATIVE_INT64, 1, 1, numbers);
    assert_int_equal(numbers[0], view.count);
    H5Fclose(file);
    free(numbers);
    free(triples);
}

static void a_frame_contains_the_exact_particles(void **state)
{
    (void)state;
    static const int edges[] = {3, 17, 42}; /* contiguous, one chunk, several chunks */
    for (int i = 0; i < (small_scale() ? 2 : 3); i++) {
        dlp_World *world = io_block_world(edges[i], 2);
        assert_int_equal(dlp_world_write_frame(world, "frame.vtkhdf"), DLP_OK);
        compare_with_world("frame.vtkhdf", world);
        dlp_world_destroy(world);
    }
}

static void a_frame_has_a_summary(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(4);
    assert_int_equal(dlp_world_write_frame(world, "info.vtkhdf"), DLP_OK);
    dlp_FileInfo info;
    dlp_Error error;
    assert_int_equal(dlp_file_info("info.vtkhdf", &info, &error), DLP_OK);
    assert_int_equal(info.kind, DLP_FILE_FRAME);
    assert_int_equal(info.particles, dlp_world_particle_count(world));
    assert_int_equal(info.step, 4);
    assert_true(info.time == dlp_world_time(world));
    static const char *const fields[] = {"position", "density", "id", "material", "pressure", "velocity"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        assert_non_null(strstr(info.fields, fields[i]));
    }
    dlp_world_destroy(world);
}

static void an_empty_frame_can_be_written(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    dlp_World *world = NULL;
    dlp_FileInfo info;
    assert_int_equal(dlp_world_create(&def, &world, NULL), DLP_OK);
    assert_int_equal(dlp_world_write_frame(world, "empty.vtkhdf"), DLP_OK);
    assert_int_equal(dlp_file_info("empty.vtkhdf", &info, NULL), DLP_OK);
    assert_int_equal(info.particles, 0);
    dlp_world_destroy(world);
}

/* A world that diverged must be writable, to be inspected. */
static void a_diverged_world_can_be_written_as_a_frame(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(1);
    dlp_ParticleView view;
    dlp_FileInfo info;
    assert_int_equal(dlp_world_set_frame_fields(world, DLP_DERIVED_SHEAR_RATE), DLP_OK); /* cannot be computed then */
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    ((float *)(uintptr_t)view.position[2])[5] = INFINITY;
    ((float *)(uintptr_t)view.position[0])[0] = NAN;
    assert_int_equal(dlp_world_write_frame(world, "wrong.vtkhdf"), DLP_OK);
    assert_int_equal(dlp_file_info("wrong.vtkhdf", &info, NULL), DLP_OK);
    assert_int_equal(info.particles, view.count);
    assert_null(strstr(info.fields, "shear_rate"));
    dlp_world_destroy(world);
}

static const char vtk_script[] = "import sys\n"
                                 "try:\n"
                                 "    from vtkmodules.vtkIOHDF import vtkHDFReader\n"
                                 "except ImportError:\n"
                                 "    sys.exit(77)\n"
                                 "path, points, edge = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])\n"
                                 "reader = vtkHDFReader()\n"
                                 "assert reader.CanReadFile(path)\n"
                                 "reader.SetFileName(path)\n"
                                 "reader.Update()\n"
                                 "grid = reader.GetOutput()\n"
                                 "assert grid.GetNumberOfPoints() == grid.GetNumberOfCells() == points\n"
                                 "if points:\n"
                                 "    data, fields = grid.GetPointData(), grid.GetFieldData()\n"
                                 "    names = {data.GetArray(i).GetName() for i in range(data.GetNumberOfArrays())}\n"
                                 "    assert names >= {'id', 'material', 'velocity', 'density', 'pressure'}, names\n"
                                 "    assert data.GetArray('velocity').GetNumberOfComponents() == 3\n"
                                 "    assert data.GetArray('id').GetRange()[0] == 0\n"
                                 "    assert fields.GetArray('step').GetTuple(0)[0] == 2\n"
                                 "    assert grid.GetCellType(points - 1) == 1\n"
                                 "    assert grid.GetCell(points - 1).GetPointId(0) == points - 1\n"
                                 "    assert abs(grid.GetBounds()[5] - edge) < 1e-6, grid.GetBounds()\n";

/* Exit status of the script on a frame: 0 if VTK agrees, 77 if there is no VTK. */
static int ask_vtk(const char *path, dlp_World *world)
{
    dlp_WorldStats stats;
    char command[256];
    dlp_world_stats(world, &stats);
    io_write_file("read_frame.py", vtk_script, sizeof vtk_script - 1);
    snprintf(command, sizeof command, "LD_PRELOAD= /usr/bin/python3 read_frame.py %s %lld %.9g", path,
             (long long)stats.particles, stats.upper.z);
    int status = system(command); /* NOLINT: the words are our own */
    return status == -1 ? 77 : (status >> 8 & 0xff);
}

static void vtk_reads_a_frame(void **state)
{
    (void)state;
    static const int edges[] = {3, 17, 42};
    for (int i = 0; i < (small_scale() ? 2 : 3); i++) {
        dlp_World *world = io_block_world(edges[i], 2);
        assert_int_equal(dlp_world_write_frame(world, "vtk.vtkhdf"), DLP_OK);
        int answer = ask_vtk("vtk.vtkhdf", world);
        dlp_world_destroy(world);
        if (answer == 77 || answer == 127) {
            skip();
        }
        assert_int_equal(answer, 0);
    }
}

static void a_frame_reads_back(void **state)
{
    (void)state;
    dlp_World *world = io_block_world(17, 2);
    dlp_ParticleView view;
    dlp_Frame *frame = NULL;
    dlp_Error error = {0};
    assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
    assert_int_equal(dlp_world_write_frame(world, "back.vtkhdf"), DLP_OK);
    if (dlp_frame_read("back.vtkhdf", NULL, &frame, &error) != DLP_OK) {
        fail_msg("%s", error.text);
    }
    dlp_Points points = dlp_frame_points(frame);
    const size_t bytes = (size_t)view.count * sizeof(float);
    assert_int_equal(points.count, view.count);
    assert_memory_equal(points.position[2], view.position[2], bytes);
    assert_memory_equal(points.material, view.material, (size_t)view.count * sizeof *view.material);
    int velocity = 0;
    while (velocity < points.field_count && strcmp(points.fields[velocity].name, "velocity") != 0) {
        velocity++;
    }
    assert_in_range(velocity, 0, points.field_count - 1);
    assert_string_equal(points.fields[velocity].unit, "m/s");
    assert_memory_equal(points.fields[velocity].component[1], view.velocity[1], bytes);
    assert_true(dlp_frame_info(frame).spacing == dlp_world_def(world).spacing);
    dlp_frame_destroy(frame);
    dlp_world_destroy(world);
}

/* A quarter turn about z after a half turn about x is a half turn about x + y, for any reference of the angle. */
static const dlp_PointField *find_field(const dlp_Points *points, const char *name)
{
    for (int i = 0; i < points->field_count; i++) {
        if (strcmp(points->fields[i].name, name) == 0) {
            return &points->fields[i];
        }
    }
    return NULL;
}

static void a_frame_contains_the_derived_fields_that_were_asked_for(void **state)
{
    (void)state;
    dlp_World *world = io_block_world(5, 2);
    dlp_ParticleView view;
    dlp_Frame *frame = NULL;
    for (int fields = 0; fields < 2; fields++) {
        assert_int_equal(dlp_world_derive(world, DLP_DERIVED_SHEAR_RATE), DLP_OK); /* not a request for frames */
        assert_int_equal(dlp_world_set_frame_fields(world, fields), DLP_OK);
        assert_int_equal(dlp_world_write_frame(world, "derived.vtkhdf"), DLP_OK);
        assert_int_equal(dlp_frame_read("derived.vtkhdf", NULL, &frame, NULL), DLP_OK);
        const dlp_Points points = dlp_frame_points(frame);
        const dlp_PointField *found = find_field(&points, "shear_rate");
        assert_int_equal(dlp_world_view(world, 0, &view), DLP_OK);
        assert_true((found != NULL) == (fields != 0));
        if (found != NULL) {
            assert_string_equal(found->unit, "1/s");
            assert_memory_equal(found->component[0], view.shear_rate, (size_t)view.count * sizeof(float));
        }
        dlp_frame_destroy(frame);
    }
    dlp_world_destroy(world);
}

static void a_frame_contains_solids_and_cameras(void **state)
{
    (void)state;
    const double pi = 3.14159265358979323846;
    dlp_World *world = io_small_world(0);
    dlp_SolidDef solid = dlp_default_solid_def();
    solid.friction = 0.0;
    solid.shape.kind = DLP_SHAPE_BOX;
    solid.shape.rotation = (dlp_Vec3){pi, 0, 0};
    solid.shape.position = (dlp_Vec3){9, 9, 9};
    solid.velocity = (dlp_Vec3){0, 2, 0};
    solid.spin = (dlp_Vec3){0, 0, 0.5 * pi / 0.01};
    solid.visible = false;
    dlp_CameraDef camera = dlp_default_camera_def();
    snprintf(camera.name, sizeof camera.name, "above");
    camera.angle = 0.25;
    assert_int_equal(dlp_world_add_solid(world, &solid, NULL), DLP_OK);
    assert_int_equal(dlp_world_add_camera(world, &camera, NULL), DLP_OK);
    camera.target = camera.position;
    assert_int_equal(dlp_world_add_camera(world, &camera, NULL), DLP_ERROR_ARGUMENT);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(dlp_world_step(world, 1e-3), DLP_OK);
    }
    assert_int_equal(dlp_world_write_frame(world, "among.vtkhdf"), DLP_OK);
    dlp_Frame *frame = NULL;
    assert_int_equal(dlp_frame_read("among.vtkhdf", NULL, &frame, NULL), DLP_OK);
    const dlp_FrameScene scene = dlp_frame_scene(frame);
    assert_int_equal(scene.material_count, 2);
    assert_string_equal(scene.materials[0].name, "honey");
    assert_int_equal(scene.solid_count, 2);
    assert_int_equal(scene.camera_count, 1);
    assert_string_equal(scene.cameras[0].name, "above");
    assert_true(scene.cameras[0].angle == 0.25);
    const dlp_ShapeDef *shape = &scene.solids[1].shape;
    assert_false(scene.solids[1].visible);
    assert_true(fabs(shape->position.y - 9.02) < 1e-12);
    assert_true(fabs(fabs(shape->rotation.x) - pi * sqrt(0.5)) < 1e-6);
    assert_true(fabs(shape->rotation.x - shape->rotation.y) < 1e-6);
    assert_true(fabs(shape->rotation.z - 0.0) < 1e-6);
    dlp_frame_destroy(frame);
    dlp_world_destroy(world);
}

static void a_frame_shows_how_a_solid_moves_along_its_keys(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(0);
    const dlp_PoseKey steady[] = {{0.0, {0, 0, 0}, {0, 0, 0}}, {1.0, {2, 0, 0}, {0, 0, 3}}};
    const dlp_PoseKey wild[] = {{0.0, {-1e9, 0, 0}, {0, 0, 0}}, {0.0020000000001, {1e9, 0, 0}, {0, 0, 3}}};
    dlp_SolidDef solid;
    assert_int_equal(dlp_world_get_solid(world, 0, &solid), DLP_OK);
    solid.frequency = 0;
    solid.path = DLP_PATH_LINEAR;
    assert_int_equal(dlp_world_set_solid(world, 0, &solid), DLP_OK);
    for (int n = 0; n < 2; n++) {
        assert_int_equal(dlp_world_set_solid_keys(world, 0, n == 0 ? steady : wild, 2), DLP_OK);
        if (n == 0) {
            assert_int_equal(dlp_world_step(world, 0.001), DLP_OK);
        }
        assert_int_equal(dlp_world_write_frame(world, "keyed.vtkhdf"), DLP_OK);
        dlp_Frame *frame = NULL;
        dlp_Error error = {0};
        if (dlp_frame_read("keyed.vtkhdf", NULL, &frame, &error) != DLP_OK) {
            fail_msg("%s", error.text);
        }
        const dlp_SolidDef shown = dlp_frame_scene(frame).solids[0];
        assert_true(n == 1 || (fabs(shown.shape.position.x - 0.002) < 1e-12 && fabs(shown.velocity.x - 2) < 1e-12));
        assert_true(n == 1 || (fabs(shown.shape.rotation.z - 0.003) < 1e-12 && fabs(shown.spin.z - 3) < 1e-9));
        assert_true(n == 0 || shown.velocity.x == 1e9); /* clamped to the range */
        dlp_frame_destroy(frame);
    }
    dlp_world_destroy(world);
}

/* Files with a new header after they were changed, and files that are not frames. */
static void invalid_frames_are_rejected_with_a_message(void **state)
{
    (void)state;
    dlp_World *world = io_small_world(1);
    dlp_Frame *frame = NULL;
    dlp_Error error = {0};
    const int64_t ids = io_open_ids();
    assert_int_equal(dlp_world_save(world, "save.h5"), DLP_OK);
    assert_int_equal(dlp_frame_read("save.h5", NULL, &frame, &error), DLP_ERROR_FORMAT);
    assert_non_null(strstr(error.text, "not a frame"));
    assert_int_equal(dlp_frame_read("missing.vtkhdf", NULL, &frame, &error), DLP_ERROR_FILE);
    assert_int_equal(dlp_world_write_frame(world, "changed.vtkhdf"), DLP_OK);
    hid_t file = H5Fopen("changed.vtkhdf", H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0 && H5Ldelete(file, "VTKHDF/Points", H5P_DEFAULT) >= 0);
    assert_true(H5Lcreate_soft("/VTKHDF/PointData/density", file, "VTKHDF/Points", H5P_DEFAULT, H5P_DEFAULT) >= 0);
    H5Fclose(file);
    io_write_header("changed.vtkhdf", DLP_FILE_FRAME);
    assert_int_equal(dlp_frame_read("changed.vtkhdf", NULL, &frame, &error), DLP_ERROR_FORMAT);
    assert_null(frame);
    assert_int_equal(io_open_ids(), ids);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_frame_shows_how_a_solid_moves_along_its_keys),
        cmocka_unit_test(a_frame_contains_the_derived_fields_that_were_asked_for),
        cmocka_unit_test(a_frame_reads_back),
        cmocka_unit_test(a_frame_contains_solids_and_cameras),
        cmocka_unit_test(invalid_frames_are_rejected_with_a_message),
        cmocka_unit_test(a_frame_contains_the_exact_particles),
        cmocka_unit_test(a_frame_has_a_summary),
        cmocka_unit_test(an_empty_frame_can_be_written),
        cmocka_unit_test(a_diverged_world_can_be_written_as_a_frame),
        cmocka_unit_test(vtk_reads_a_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
