/* Files made to do harm: the seal is right, but what it covers is not. Each is refused with words that name the fault,
 * without a crash, without an id or a block of memory left behind. */
#include "support/io_fixture.h"

#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define GOOD_BLOCK 17 /* particles along an edge: enough for chunked arrays */

typedef void (*Change)(hid_t file);

/* Takes a good file, changes it through HDF5 and seals it again. */
static void forge(const char *path, IoBytes good, dlp_FileKind kind, Change change)
{
    io_write_file(path, good.data, good.size);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    change(file);
    assert_true(H5Fclose(file) >= 0);
    io_reseal(path, kind);
}

static void assert_load_refused(Change change, const char *words)
{
    IoBytes good = io_read_file("good.dollop");
    forge("bad.dollop", good, DLP_FILE_CHECKPOINT, change);
    free(good.data);
    int64_t ids = io_open_ids();
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    dlp_Result result = dlp_world_load("bad.dollop", NULL, &world, &error);
    if (result != DLP_ERROR_FORMAT || strstr(error.text, words) == NULL || world != NULL) {
        fail_msg("expected '%s', got %d: %s", words, (int)result, error.text);
    }
    assert_int_equal(io_open_ids(), ids);
}

/* Tools to change a file with. */

static void erase(hid_t file, const char *path)
{
    assert_true(H5Ldelete(file, path, H5P_DEFAULT) >= 0);
}

static void put_array(hid_t file, const char *path, hid_t type, int rank, const hsize_t *shape, hid_t creation)
{
    const hsize_t unlimited[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
    bool may_grow = creation != H5P_DEFAULT && H5Pget_layout(creation) == H5D_CHUNKED;
    hid_t space = rank > 0 ? H5Screate_simple(rank, shape, may_grow ? unlimited : NULL) : H5Screate(H5S_SCALAR);
    hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(dataset >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
}

static hsize_t particle_count(hid_t file)
{
    hid_t dataset = H5Dopen2(file, "particles/id", H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    hsize_t count = (hsize_t)H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Dclose(dataset);
    return count;
}

/* A new, zero-filled array in the place of particles/density. */
static void replace_density(hid_t file, hid_t type, int rank, hsize_t rows, hid_t creation)
{
    hsize_t shape[2] = {rows, 2};
    erase(file, "particles/density");
    put_array(file, "particles/density", type, rank, shape, creation);
}

static void put_element(hid_t file, const char *path, hid_t type, hsize_t row, const void *value)
{
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset), one = H5Screate(H5S_SCALAR);
    hsize_t place[2] = {row, 0};
    assert_true(H5Sselect_elements(space, H5S_SELECT_SET, 1, place) >= 0);
    assert_true(H5Dwrite(dataset, type, one, space, H5P_DEFAULT, value) >= 0);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(dataset);
}

static void put_attribute(hid_t file, const char *group, const char *name, hid_t type, hsize_t count, const void *data)
{
    hid_t object = H5Gopen2(file, group, H5P_DEFAULT);
    hid_t space = count > 0 ? H5Screate_simple(1, &count, NULL) : H5Screate(H5S_SCALAR);
    assert_true(object >= 0);
    if (H5Aexists(object, name) > 0) {
        H5Adelete(object, name);
    }
    hid_t attribute = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    assert_true(attribute >= 0 && H5Awrite(attribute, type, data) >= 0);
    H5Aclose(attribute);
    H5Sclose(space);
    H5Gclose(object);
}

static void put_real(hid_t file, const char *group, const char *name, double value)
{
    put_attribute(file, group, name, H5T_IEEE_F64LE, 0, &value);
}

static void put_integer(hid_t file, const char *group, const char *name, int64_t value)
{
    put_attribute(file, group, name, H5T_STD_I64LE, 0, &value);
}

static void put_text(hid_t file, const char *group, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text));
    put_attribute(file, group, name, type, 0, text);
    H5Tclose(type);
}

/* Arrays. */

static void density_is_missing(hid_t file)
{
    erase(file, "particles/density");
}
static void density_is_called_otherwise(hid_t file)
{
    assert_true(H5Lmove(file, "particles/density", file, "particles/dense", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void there_is_one_array_more(hid_t file)
{
    put_array(file, "particles/more", H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT);
}
static void density_is_double(hid_t file)
{
    replace_density(file, H5T_IEEE_F64LE, 1, particle_count(file), H5P_DEFAULT);
}
static void density_is_text(hid_t file)
{
    replace_density(file, H5T_C_S1, 1, particle_count(file), H5P_DEFAULT);
}
static void density_is_big_endian(hid_t file)
{
    replace_density(file, H5T_IEEE_F32BE, 1, particle_count(file), H5P_DEFAULT);
}
static void density_is_shorter(hid_t file)
{
    hid_t early = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_alloc_time(early, H5D_ALLOC_TIME_EARLY);
    replace_density(file, H5T_IEEE_F32LE, 1, particle_count(file) - 1, early);
    H5Pclose(early);
}
static void density_has_two_columns(hid_t file)
{
    replace_density(file, H5T_IEEE_F32LE, 2, particle_count(file), H5P_DEFAULT);
}
static void density_is_a_single_number(hid_t file)
{
    replace_density(file, H5T_IEEE_F32LE, 0, 0, H5P_DEFAULT);
}
static void density_is_a_group(hid_t file)
{
    erase(file, "particles/density");
    H5Gclose(H5Gcreate2(file, "particles/density", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}
static void density_has_no_bytes(hid_t file)
{
    replace_density(file, H5T_IEEE_F32LE, 1, particle_count(file), H5P_DEFAULT);
}
static void density_lies_in_another_file(hid_t file)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_external(creation, "/etc/passwd", 0, particle_count(file) * sizeof(float));
    replace_density(file, H5T_IEEE_F32LE, 1, particle_count(file), creation);
    H5Pclose(creation);
}
static void density_is_virtual(hid_t file)
{
    hsize_t count = particle_count(file);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &count, NULL);
    H5Pset_virtual(creation, space, "good.dollop", "particles/density", space);
    replace_density(file, H5T_IEEE_F32LE, 1, count, creation);
    H5Sclose(space);
    H5Pclose(creation);
}
static void density_is_compact(hid_t file)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(creation, H5D_COMPACT);
    replace_density(file, H5T_IEEE_F32LE, 1, particle_count(file), creation);
    H5Pclose(creation);
}
static hid_t chunked(hsize_t rows)
{
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_chunk(creation, 1, &rows);
    return creation;
}
static void density_has_another_filter(hid_t file)
{
    hid_t creation = chunked(1024);
    H5Pset_fletcher32(creation);
    replace_density(file, H5T_IEEE_F32LE, 1, particle_count(file), creation);
    H5Pclose(creation);
}
static void density_has_a_filter_from_a_plugin(hid_t file)
{
    hid_t creation = chunked(1024);
    H5Pset_filter(creation, 32015, H5Z_FLAG_OPTIONAL, 0, NULL);
    replace_density(file, H5T_IEEE_F32LE, 1, particle_count(file), creation);
    H5Pclose(creation);
}
static void density_has_a_huge_chunk(hid_t file)
{
    hid_t creation = chunked((hsize_t)1 << 29);
    replace_density(file, H5T_IEEE_F32LE, 1, particle_count(file), creation);
    H5Pclose(creation);
}
static void density_has_no_chunks(hid_t file)
{
    hid_t creation = chunked(1024);
    replace_density(file, H5T_IEEE_F32LE, 1, particle_count(file), creation);
    H5Pclose(creation);
}
static void density_is_a_soft_link(hid_t file)
{
    erase(file, "particles/density");
    assert_true(H5Lcreate_soft("/particles/pressure", file, "particles/density", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void particles_are_in_another_file(hid_t file)
{
    erase(file, "particles");
    assert_true(H5Lcreate_external("good.dollop", "/particles", file, "particles", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void every_array_claims(hid_t file, hsize_t rows, hsize_t chunk)
{
    erase(file, "particles/id");
    hid_t creation = chunked(chunk);
    put_array(file, "particles/id", H5T_STD_U64LE, 1, &rows, creation);
    H5Pclose(creation);
    put_integer(file, "/", "particles", (int64_t)rows);
}
static void there_are_two_thousand_million_particles(hid_t file)
{
    every_array_claims(file, INT32_MAX, 65536);
}
static void there_are_more_particles_than_indices(hid_t file)
{
    every_array_claims(file, (hsize_t)1 << 40, 65536);
}

static void arrays_are_believed_only_if_they_are_ours(void **state)
{
    (void)state;
    assert_load_refused(density_is_missing, "fields, but there are");
    assert_load_refused(density_is_called_otherwise, "'density' is missing");
    assert_load_refused(there_is_one_array_more, "fields, but there are");
    assert_load_refused(density_is_double, "'density' has the wrong type");
    assert_load_refused(density_is_text, "'density' has the wrong type");
    assert_load_refused(density_is_big_endian, "'density' has the wrong type");
    assert_load_refused(density_is_shorter, "particles, but another field has");
    assert_load_refused(density_has_two_columns, "'density' has the wrong shape");
    assert_load_refused(density_is_a_single_number, "'density' has the wrong shape");
    assert_load_refused(density_is_a_group, "'density' is not an array");
    assert_load_refused(density_has_no_bytes, "'density' does not have as many bytes");
    assert_load_refused(density_lies_in_another_file, "'density' lies in another file");
    assert_load_refused(density_is_virtual, "'density' is stored in a way");
    assert_load_refused(density_is_compact, "'density' is stored in a way");
    assert_load_refused(density_has_another_filter, "'density' is compressed in a way");
    assert_load_refused(density_has_a_filter_from_a_plugin, "'density' is compressed in a way");
    assert_load_refused(density_has_a_huge_chunk, "'density' is cut into chunks");
    assert_load_refused(density_has_no_chunks, "'density' does not have as many bytes");
    assert_load_refused(density_is_a_soft_link, "'density' is a link");
    assert_load_refused(particles_are_in_another_file, "'particles' is a link");
    assert_load_refused(there_are_two_thousand_million_particles, "'id' does not have as many bytes");
    assert_load_refused(there_are_more_particles_than_indices, "'id' has more rows");
}

/* Values of particles. */

static void a_position_is_nan(hid_t file)
{
    put_element(file, "particles/position", H5T_NATIVE_FLOAT, 7, &(float){NAN});
}
static void a_velocity_is_infinite(hid_t file)
{
    put_element(file, "particles/velocity", H5T_NATIVE_FLOAT, 7, &(float){-INFINITY});
}
static void two_ids_are_alike(hid_t file)
{
    put_element(file, "particles/id", H5T_NATIVE_UINT64, 7, &(uint64_t){3});
    put_element(file, "particles/id", H5T_NATIVE_UINT64, 70, &(uint64_t){3});
}
static void an_id_is_in_the_future(hid_t file)
{
    put_element(file, "particles/id", H5T_NATIVE_UINT64, 7, &(uint64_t){UINT64_MAX});
}
static void a_material_does_not_exist(hid_t file)
{
    put_element(file, "particles/material", H5T_NATIVE_UINT16, 7, &(uint16_t){2});
}
static void next_id_is_zero(hid_t file)
{
    put_integer(file, "state", "next_id", 0);
}
static void next_id_is_negative(hid_t file)
{
    put_integer(file, "state", "next_id", -1);
}
static void the_count_is_another(hid_t file)
{
    put_integer(file, "/", "particles", 12);
}

static void particles_must_make_sense(void **state)
{
    (void)state;
    assert_load_refused(a_position_is_nan, "position of particle");
    assert_load_refused(a_velocity_is_infinite, "velocity of particle");
    assert_load_refused(two_ids_are_alike, "two particles have the id 3");
    assert_load_refused(an_id_is_in_the_future, "a particle has the id 18446744073709551615");
    assert_load_refused(a_material_does_not_exist, "is of material 2");
    assert_load_refused(next_id_is_zero, "but the next is 0");
    assert_load_refused(next_id_is_negative, "state.next_id");
    assert_load_refused(the_count_is_another, "there should be 12 particles");
}

/* Parameters. */

static void spacing_is_negative(hid_t file)
{
    put_real(file, "world", "spacing", -1.0);
}
static void spacing_is_nan(hid_t file)
{
    put_real(file, "world", "spacing", NAN);
}
static void spacing_is_an_integer(hid_t file)
{
    put_integer(file, "world", "spacing", 1);
}
static void spacing_is_a_list(hid_t file)
{
    double values[3] = {0.01, 0.01, 0.01};
    put_attribute(file, "world", "spacing", H5T_IEEE_F64LE, 3, values);
}
static void gravity_has_two_components(hid_t file)
{
    double values[2] = {0, -9.81};
    put_attribute(file, "world", "gravity", H5T_IEEE_F64LE, 2, values);
}
static void gravity_is_infinite(hid_t file)
{
    double values[3] = {0, INFINITY, 0};
    put_attribute(file, "world", "gravity", H5T_IEEE_F64LE, 3, values);
}
static void the_method_is_unknown(hid_t file)
{
    put_text(file, "world", "method", "alchemy");
}
static void the_method_is_a_pointer(hid_t file)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    const char *text = "pbf";
    H5Tset_size(type, H5T_VARIABLE);
    put_attribute(file, "world", "method", type, 0, &text);
    H5Tclose(type);
}
static void the_method_is_endless(hid_t file)
{
    char text[3000];
    memset(text, 'm', sizeof text);
    text[sizeof text - 1] = 0;
    put_text(file, "world", "method", text);
}
static void the_method_fills_its_place_to_the_brim(hid_t file)
{
    char text[DLP_NAME_SIZE + 1];
    memset(text, 'm', sizeof text);
    text[DLP_NAME_SIZE] = 0;
    put_text(file, "world", "method", text);
}
static void the_kernel_is_unknown(hid_t file)
{
    put_text(file, "world", "kernel", "triangle");
}
static void the_kernel_is_a_number(hid_t file)
{
    put_integer(file, "world", "kernel", 1);
}
static void the_world_has_one_parameter_more(hid_t file)
{
    put_real(file, "world", "colour", 1.0);
}
static void the_period_is_absurd(hid_t file)
{
    double values[3] = {1e9, 1e9, 1e9};
    put_attribute(file, "world", "periodic_size", H5T_IEEE_F64LE, 3, values);
}
static void a_method_parameter_is_nan(hid_t file)
{
    put_real(file, "method", "tolerance", NAN);
}
static void a_material_weighs_nothing(hid_t file)
{
    put_real(file, "materials/1", "density", 0.0);
}
static void a_material_is_skipped(hid_t file)
{
    assert_true(H5Lmove(file, "materials/1", file, "materials/2", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void a_solid_has_no_radius(hid_t file)
{
    put_real(file, "solids/0", "radius", -3.0);
}
static void a_solid_is_a_soft_link(hid_t file)
{
    assert_true(H5Lcreate_soft("/solids/0", file, "solids/1", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void an_emitter_pours_what_does_not_exist(hid_t file)
{
    put_attribute(file, "emitters/0", "material", H5T_STD_I32LE, 0, &(int32_t){9});
}
static void an_emitter_has_poured_less_than_nothing(hid_t file)
{
    put_integer(file, "emitters/0", "layers", -5);
}
static void a_contact_is_with_what_does_not_exist(hid_t file)
{
    put_attribute(file, "contacts/0", "solid", H5T_STD_I32LE, 0, &(int32_t){4});
}
static void a_contact_is_of_nothing(hid_t file)
{
    put_attribute(file, "contacts/0", "material", H5T_STD_I32LE, 0, &(int32_t){2});
}
static void a_contact_holds_without_end(hid_t file)
{
    put_real(file, "contacts/0", "stickiness", INFINITY);
}
static void solids_are_missing(hid_t file)
{
    erase(file, "solids");
}
static void sinks_are_an_array(hid_t file)
{
    erase(file, "sinks");
    put_array(file, "sinks", H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT);
}
static void state_is_missing(hid_t file)
{
    erase(file, "state");
}
static void time_is_nan(hid_t file)
{
    put_real(file, "/", "time", NAN);
}
static void step_is_negative(hid_t file)
{
    put_integer(file, "/", "step", INT64_MIN);
}
static void the_version_rings_a_bell(hid_t file)
{
    put_text(file, "/", "version", "\x1b[2J\a");
}

static void parameters_meet_the_checks_of_the_public_calls(void **state)
{
    (void)state;
    assert_load_refused(spacing_is_negative, "world.spacing");
    assert_load_refused(spacing_is_nan, "world.spacing");
    assert_load_refused(spacing_is_an_integer, "'spacing' has the wrong type");
    assert_load_refused(spacing_is_a_list, "'spacing' has the wrong number of values");
    assert_load_refused(gravity_has_two_components, "'gravity' has the wrong number of values");
    assert_load_refused(gravity_is_infinite, "world.gravity");
    assert_load_refused(the_method_is_unknown, "alchemy");
    assert_load_refused(the_method_is_a_pointer, "'method' has the wrong type");
    assert_load_refused(the_method_is_endless, "'method' is too long a name");
    assert_load_refused(the_method_fills_its_place_to_the_brim, "'method' is too long a name");
    assert_load_refused(the_kernel_is_unknown, "'kernel' is a choice that this version does not have");
    assert_load_refused(the_kernel_is_a_number, "'kernel' has the wrong type");
    assert_load_refused(the_world_has_one_parameter_more, "'colour' is a parameter that this version does not have");
    assert_load_refused(the_period_is_absurd, "periodic");
    assert_load_refused(a_method_parameter_is_nan, "tolerance");
    assert_load_refused(a_material_weighs_nothing, "materials/1: material.density");
    assert_load_refused(a_material_is_skipped, "'1' is missing");
    assert_load_refused(a_solid_has_no_radius, "solid.radius");
    assert_load_refused(a_solid_is_a_soft_link, "'1' is a link");
    assert_load_refused(an_emitter_pours_what_does_not_exist, "material 9");
    assert_load_refused(an_emitter_has_poured_less_than_nothing, "emitter.layers");
    assert_load_refused(a_contact_is_with_what_does_not_exist, "contacts/0: there is no solid 4");
    assert_load_refused(a_contact_is_of_nothing, "contacts/0: there is no material 2");
    assert_load_refused(a_contact_holds_without_end, "contacts/0: contact.stickiness");
    assert_load_refused(solids_are_missing, "'solids' is missing");
    assert_load_refused(sinks_are_an_array, "'sinks' is not a group");
    assert_load_refused(state_is_missing, "'state' is missing");
    assert_load_refused(time_is_nan, "file.time");
    assert_load_refused(step_is_negative, "file.step");
    assert_load_refused(the_version_rings_a_bell, "not readable");
}

/* A file of an older version may lack a parameter that came later: it has its default then. */
static void smoothing_is_missing(hid_t file)
{
    hid_t group = H5Gopen2(file, "materials/0", H5P_DEFAULT);
    assert_true(H5Adelete(group, "smoothing") >= 0);
    H5Gclose(group);
}

static void a_missing_parameter_has_its_default(void **state)
{
    (void)state;
    IoBytes good = io_read_file("good.dollop");
    forge("older.dollop", good, DLP_FILE_CHECKPOINT, smoothing_is_missing);
    free(good.data);
    dlp_World *world = NULL;
    dlp_MaterialDef material;
    assert_int_equal(dlp_world_load("older.dollop", NULL, &world, NULL), DLP_OK);
    assert_int_equal(dlp_world_get_material(world, 0, &material), DLP_OK);
    assert_true(material.smoothing == dlp_default_material_def().smoothing);
    dlp_world_destroy(world);
}

/* Frames, as dlp_file_info reads them. */

static void nothing_is_changed(hid_t file)
{
    (void)file;
}
static void a_field_has_a_strange_name(hid_t file)
{
    put_array(file, "VTKHDF/PointData/\x1b[31m", H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT);
}
static void there_are_endless_fields(hid_t file)
{
    for (int i = 0; i < 60; i++) {
        char name[64];
        snprintf(name, sizeof name, "VTKHDF/PointData/another_field_%d", i);
        put_array(file, name, H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT);
    }
}
static void point_data_is_a_link(hid_t file)
{
    erase(file, "VTKHDF/PointData");
    assert_true(H5Lcreate_soft("/VTKHDF/PointData", file, "VTKHDF/PointData", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void the_grid_is_missing(hid_t file)
{
    erase(file, "VTKHDF");
}
static void the_box_is_nan(hid_t file)
{
    double values[3] = {0, NAN, 0};
    put_attribute(file, "/", "lower", H5T_IEEE_F64LE, 3, values);
}

static void assert_info(Change change, const char *words)
{
    IoBytes good = io_read_file("good.vtkhdf");
    forge("bad.vtkhdf", good, DLP_FILE_FRAME, change);
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

static void what_a_frame_says_is_checked(void **state)
{
    (void)state;
    assert_info(nothing_is_changed, NULL);
    assert_info(a_field_has_a_strange_name, "list of fields");
    assert_info(there_are_endless_fields, "list of fields");
    assert_info(point_data_is_a_link, "'PointData' is a link");
    assert_info(the_grid_is_missing, "'VTKHDF' is missing");
    assert_info(the_box_is_nan, "file.lower");
    assert_info(the_version_rings_a_bell, "not readable");
}

/* A checkpoint sealed as a frame, and the other way round. */
static void a_file_under_the_wrong_seal_is_refused(void **state)
{
    (void)state;
    dlp_World *world = NULL;
    dlp_FileInfo info;
    IoBytes good = io_read_file("good.dollop");
    forge("masked.vtkhdf", good, DLP_FILE_FRAME, nothing_is_changed);
    free(good.data);
    assert_int_equal(dlp_file_info("masked.vtkhdf", &info, NULL), DLP_ERROR_FORMAT);
    good = io_read_file("good.vtkhdf");
    forge("masked.dollop", good, DLP_FILE_CHECKPOINT, nothing_is_changed);
    free(good.data);
    assert_int_equal(dlp_world_load("masked.dollop", NULL, &world, NULL), DLP_ERROR_FORMAT);
    assert_int_equal(dlp_file_info("masked.dollop", &info, NULL), DLP_ERROR_FORMAT);
}

static void a_seal_around_nothing_is_refused(void **state)
{
    (void)state;
    char zeros[2048] = {0};
    dlp_World *world = NULL;
    for (size_t size = 512; size <= sizeof zeros; size *= 2) {
        io_write_file("nothing.dollop", zeros, size);
        io_reseal("nothing.dollop", DLP_FILE_CHECKPOINT);
        assert_int_equal(dlp_world_load("nothing.dollop", NULL, &world, NULL), DLP_ERROR_FORMAT);
    }
}

static int make_good_files(void **state)
{
    (void)state;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    dlp_World *world = io_block_world(GOOD_BLOCK, 3);
    bool made = dlp_world_save(world, "good.dollop") == DLP_OK && dlp_world_write_frame(world, "good.vtkhdf") == DLP_OK;
    dlp_world_destroy(world);
    return made ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_are_believed_only_if_they_are_ours),
        cmocka_unit_test(particles_must_make_sense),
        cmocka_unit_test(parameters_meet_the_checks_of_the_public_calls),
        cmocka_unit_test(a_missing_parameter_has_its_default),
        cmocka_unit_test(what_a_frame_says_is_checked),
        cmocka_unit_test(a_file_under_the_wrong_seal_is_refused),
        cmocka_unit_test(a_seal_around_nothing_is_refused),
    };
    return cmocka_run_group_tests(tests, make_good_files, NULL);
}
