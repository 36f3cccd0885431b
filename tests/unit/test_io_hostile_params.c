/* Malicious files: the header is valid, but a parameter of a checkpoint or the summary of a frame is not. Each is
 * rejected with a message that names the fault. */
#include "support/io_forge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Parameters. */

static void spacing_is_negative(hid_t file)
{
    io_put_real(file, "world", "spacing", -1.0);
}
static void spacing_is_nan(hid_t file)
{
    io_put_real(file, "world", "spacing", NAN);
}
static void spacing_is_an_integer(hid_t file)
{
    io_put_integer(file, "world", "spacing", 1);
}
static void spacing_is_a_list(hid_t file)
{
    double values[3] = {0.01, 0.01, 0.01};
    io_put_attribute(file, "world", "spacing", H5T_IEEE_F64LE, 3, values);
}
static void gravity_has_two_components(hid_t file)
{
    double values[2] = {0, -9.81};
    io_put_attribute(file, "world", "gravity", H5T_IEEE_F64LE, 2, values);
}
static void gravity_is_infinite(hid_t file)
{
    double values[3] = {0, INFINITY, 0};
    io_put_attribute(file, "world", "gravity", H5T_IEEE_F64LE, 3, values);
}
static void the_method_is_unknown(hid_t file)
{
    io_put_text(file, "world", "method", "alchemy");
}
static void the_method_is_a_pointer(hid_t file)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    const char *text = "pbf";
    H5Tset_size(type, H5T_VARIABLE);
    io_put_attribute(file, "world", "method", type, 0, &text);
    H5Tclose(type);
}
static void the_method_is_too_long(hid_t file)
{
    char text[3000];
    memset(text, 'm', sizeof text);
    text[sizeof text - 1] = 0;
    io_put_text(file, "world", "method", text);
}
static void the_method_has_no_terminating_zero(hid_t file)
{
    char text[DLP_NAME_SIZE + 1];
    memset(text, 'm', sizeof text);
    text[DLP_NAME_SIZE] = 0;
    io_put_text(file, "world", "method", text);
}
static void the_kernel_is_unknown(hid_t file)
{
    io_put_text(file, "world", "kernel", "triangle");
}
static void the_kernel_is_a_number(hid_t file)
{
    io_put_integer(file, "world", "kernel", 1);
}
static void the_world_has_an_unknown_parameter(hid_t file)
{
    io_put_real(file, "world", "colour", 1.0);
}
static void the_period_is_too_large(hid_t file)
{
    double values[3] = {1e9, 1e9, 1e9};
    io_put_attribute(file, "world", "periodic_size", H5T_IEEE_F64LE, 3, values);
}
static void a_method_parameter_is_nan(hid_t file)
{
    io_put_real(file, "method", "tolerance", NAN);
}
static void a_material_has_no_density(hid_t file)
{
    io_put_real(file, "materials/1", "density", 0.0);
}
static void a_material_has_an_unknown_parameter(hid_t file)
{
    io_put_real(file, "materials/1", "colour", 1.0);
}
static void put_modes(hid_t file, hid_t type, hsize_t rows, hsize_t columns, const double *numbers)
{
    const hsize_t shape[2] = {rows, columns};
    hid_t group = H5Gopen2(file, "materials/1", H5P_DEFAULT), space = H5Screate_simple(2, shape, NULL);
    hid_t attribute = H5Acreate2(group, "modes", type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_DOUBLE, numbers) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Gclose(group);
}
static const double increasing[18] = {1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1, 7, 1, 8, 1, 9, 1};
static void there_are_too_many_modes(hid_t file)
{
    put_modes(file, H5T_IEEE_F64LE, 9, 2, increasing);
}
static void modes_have_three_columns(hid_t file)
{
    put_modes(file, H5T_IEEE_F64LE, 2, 3, increasing);
}
static void modes_are_a_flat_list(hid_t file)
{
    io_put_attribute(file, "materials/1", "modes", H5T_IEEE_F64LE, 4, increasing);
}
static void modes_are_single_precision(hid_t file)
{
    put_modes(file, H5T_IEEE_F32LE, 2, 2, increasing);
}
static void a_mode_is_nan(hid_t file)
{
    put_modes(file, H5T_IEEE_F64LE, 2, 2, (const double[]){1, 1, 2, NAN});
}
static void modes_do_not_increase(hid_t file)
{
    put_modes(file, H5T_IEEE_F64LE, 2, 2, (const double[]){2, 1, 1, 1});
}
static void a_material_is_missing(hid_t file)
{
    assert_true(H5Lmove(file, "materials/1", file, "materials/2", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void a_solid_has_no_radius(hid_t file)
{
    io_put_real(file, "solids/0", "radius", -3.0);
}
static void a_solid_is_a_soft_link(hid_t file)
{
    assert_true(H5Lcreate_soft("/solids/0", file, "solids/1", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void an_emitter_has_an_unknown_material(hid_t file)
{
    io_put_attribute(file, "emitters/0", "material", H5T_STD_I32LE, 0, &(int32_t){9});
}
static void an_emitter_has_negative_layers(hid_t file)
{
    io_put_integer(file, "emitters/0", "layers", -5);
}
static void a_contact_has_an_unknown_solid(hid_t file)
{
    io_put_attribute(file, "contacts/0", "solid", H5T_STD_I32LE, 0, &(int32_t){4});
}
static void a_contact_has_an_unknown_material(hid_t file)
{
    io_put_attribute(file, "contacts/0", "material", H5T_STD_I32LE, 0, &(int32_t){2});
}
static void a_contact_is_infinitely_sticky(hid_t file)
{
    io_put_real(file, "contacts/0", "stickiness", INFINITY);
}
static void solids_are_missing(hid_t file)
{
    io_erase(file, "solids");
}
static void sinks_are_an_array(hid_t file)
{
    io_erase(file, "sinks");
    io_put_array(file, "sinks", H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT);
}
static void state_is_missing(hid_t file)
{
    io_erase(file, "state");
}
static void time_is_nan(hid_t file)
{
    io_put_real(file, "/", "time", NAN);
}
static void step_is_negative(hid_t file)
{
    io_put_integer(file, "/", "step", INT64_MIN);
}
static void the_version_has_control_characters(hid_t file)
{
    io_put_text(file, "/", "version", "\x1b[2J\a");
}

static void invalid_parameters_are_rejected(void **state)
{
    (void)state;
    io_assert_load_refused(spacing_is_negative, "world.spacing");
    io_assert_load_refused(spacing_is_nan, "world.spacing");
    io_assert_load_refused(spacing_is_an_integer, "'spacing' has the wrong type");
    io_assert_load_refused(spacing_is_a_list, "'spacing' has the wrong number of values");
    io_assert_load_refused(gravity_has_two_components, "'gravity' has the wrong number of values");
    io_assert_load_refused(gravity_is_infinite, "world.gravity");
    io_assert_load_refused(the_method_is_unknown, "alchemy");
    io_assert_load_refused(the_method_is_a_pointer, "'method' has the wrong type");
    io_assert_load_refused(the_method_is_too_long, "'method' is too long");
    io_assert_load_refused(the_method_has_no_terminating_zero, "'method' is too long");
    io_assert_load_refused(the_kernel_is_unknown, "'kernel' is not a choice of this version");
    io_assert_load_refused(the_kernel_is_a_number, "'kernel' has the wrong type");
    io_assert_load_refused(the_world_has_an_unknown_parameter, "'colour' is not a parameter of this version");
    io_assert_load_refused(the_period_is_too_large, "periodic");
    io_assert_load_refused(a_method_parameter_is_nan, "tolerance");
    io_assert_load_refused(a_material_has_no_density, "materials/1: material.density");
    io_assert_load_refused(a_material_has_an_unknown_parameter,
                           "materials/1: 'colour' is not a parameter of this version");
    io_assert_load_refused(there_are_too_many_modes, "'modes' has the wrong number of values");
    io_assert_load_refused(modes_have_three_columns, "'modes' has the wrong number of values");
    io_assert_load_refused(modes_are_a_flat_list, "'modes' has the wrong number of values");
    io_assert_load_refused(modes_are_single_precision, "'modes' has the wrong type");
    io_assert_load_refused(a_mode_is_nan, "materials/1: material.modes[1].modulus is nan Pa");
    io_assert_load_refused(modes_do_not_increase, "material.modes[1].relaxation_time is 1 s, after 2 s");
    io_assert_load_refused(a_material_is_missing, "'1' is missing");
    io_assert_load_refused(a_solid_has_no_radius, "solid.radius");
    io_assert_load_refused(a_solid_is_a_soft_link, "'1' is a link");
    io_assert_load_refused(an_emitter_has_an_unknown_material, "material 9");
    io_assert_load_refused(an_emitter_has_negative_layers, "emitter.layers");
    io_assert_load_refused(a_contact_has_an_unknown_solid, "contacts/0: there is no solid 4");
    io_assert_load_refused(a_contact_has_an_unknown_material, "contacts/0: there is no material 2");
    io_assert_load_refused(a_contact_is_infinitely_sticky, "contacts/0: contact.stickiness");
    io_assert_load_refused(solids_are_missing, "'solids' is missing");
    io_assert_load_refused(sinks_are_an_array, "'sinks' is not a group");
    io_assert_load_refused(state_is_missing, "'state' is missing");
    io_assert_load_refused(time_is_nan, "file.time");
    io_assert_load_refused(step_is_negative, "file.step");
    io_assert_load_refused(the_version_has_control_characters, "not printable");
}

/* A file of an older version may lack a newer parameter: it then has its default. */
static void convection_is_missing(hid_t file)
{
    hid_t group = H5Gopen2(file, "materials/0", H5P_DEFAULT);
    assert_true(H5Adelete(group, "convection") >= 0);
    H5Gclose(group);
}

static void a_missing_parameter_has_its_default(void **state)
{
    (void)state;
    IoBytes good = io_read_file("good.dollop");
    io_forge("older.dollop", good, DLP_FILE_CHECKPOINT, convection_is_missing);
    free(good.data);
    dlp_World *world = NULL;
    dlp_MaterialDef material;
    assert_int_equal(dlp_world_load("older.dollop", NULL, &world, NULL), DLP_OK);
    assert_int_equal(dlp_world_get_material(world, 0, &material), DLP_OK);
    assert_true(material.convection == dlp_default_material_def().convection);
    dlp_world_destroy(world);
}

/* Frames, as read by dlp_file_info. */

static void a_field_has_a_strange_name(hid_t file)
{
    io_put_array(file, "VTKHDF/PointData/\x1b[31m", H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT);
}
static void there_are_too_many_fields(hid_t file)
{
    for (int i = 0; i < 60; i++) {
        char name[64];
        snprintf(name, sizeof name, "VTKHDF/PointData/another_field_%d", i);
        io_put_array(file, name, H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT);
    }
}
static void point_data_is_a_link(hid_t file)
{
    io_erase(file, "VTKHDF/PointData");
    assert_true(H5Lcreate_soft("/VTKHDF/PointData", file, "VTKHDF/PointData", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void the_grid_is_missing(hid_t file)
{
    io_erase(file, "VTKHDF");
}
static void the_box_is_nan(hid_t file)
{
    double values[3] = {0, NAN, 0};
    io_put_attribute(file, "/", "lower", H5T_IEEE_F64LE, 3, values);
}

static void assert_info(IoChange change, const char *words)
{
    IoBytes good = io_read_file("good.vtkhdf");
    io_forge("bad.vtkhdf", good, DLP_FILE_FRAME, change);
    free(good.data);
    int64_t ids = io_open_ids();
    dlp_FileInfo info;
    dlp_Error error = {DLP_OK, ""};
    dlp_Result result = dlp_file_info("bad.vtkhdf", &info, &error);
    if (result != (words == NULL ? DLP_OK : DLP_ERROR_FORMAT) || (words != NULL && !strstr(error.text, words))) {
        fail_msg("expected '%s', got %d: %s", words != NULL ? words : "success", (int)result, error.text);
    }
    assert_int_equal(io_open_ids(), ids);
}

static void invalid_frame_summaries_are_rejected(void **state)
{
    (void)state;
    assert_info(io_change_nothing, NULL);
    assert_info(a_field_has_a_strange_name, "list of fields");
    assert_info(there_are_too_many_fields, "list of fields");
    assert_info(point_data_is_a_link, "'PointData' is a link");
    assert_info(the_grid_is_missing, "'VTKHDF' is missing");
    assert_info(the_box_is_nan, "file.lower");
    assert_info(the_version_has_control_characters, "not printable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(invalid_parameters_are_rejected),
        cmocka_unit_test(a_missing_parameter_has_its_default),
        cmocka_unit_test(invalid_frame_summaries_are_rejected),
    };
    return cmocka_run_group_tests(tests, io_make_good_files, NULL);
}
