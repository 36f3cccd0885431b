/* Malicious files: the header is valid, but arrays or particles are not. Each is rejected with a message that names the
 * fault, without a crash, without a leaked id or block of memory. Parameters are in test_io_hostile_params.c. */
#include "support/io_forge.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static hsize_t particle_count(hid_t file)
{
    hid_t dataset = H5Dopen2(file, "particles/id", H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset);
    hsize_t count = (hsize_t)H5Sget_simple_extent_npoints(space);
    H5Sclose(space);
    H5Dclose(dataset);
    return count;
}

/* Replace particles/density by a new array of zeros. */
static void replace_density(hid_t file, hid_t type, int rank, hsize_t rows, hid_t creation)
{
    hsize_t shape[2] = {rows, 2};
    io_erase(file, "particles/density");
    io_put_array(file, "particles/density", type, rank, shape, creation);
}

/* Arrays. */

static void density_is_missing(hid_t file)
{
    io_erase(file, "particles/density");
}
static void density_has_another_name(hid_t file)
{
    assert_true(H5Lmove(file, "particles/density", file, "particles/dense", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void there_is_an_extra_array(hid_t file)
{
    io_put_array(file, "particles/more", H5T_IEEE_F32LE, 0, NULL, H5P_DEFAULT);
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
    io_erase(file, "particles/density");
    H5Gclose(H5Gcreate2(file, "particles/density", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
}
static void density_has_no_bytes(hid_t file)
{
    replace_density(file, H5T_IEEE_F32LE, 1, particle_count(file), H5P_DEFAULT);
}
static void density_is_in_another_file(hid_t file)
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
    io_erase(file, "particles/density");
    assert_true(H5Lcreate_soft("/particles/pressure", file, "particles/density", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void particles_are_in_another_file(hid_t file)
{
    io_erase(file, "particles");
    assert_true(H5Lcreate_external("good.dollop", "/particles", file, "particles", H5P_DEFAULT, H5P_DEFAULT) >= 0);
}
static void every_array_claims(hid_t file, hsize_t rows, hsize_t chunk)
{
    io_erase(file, "particles/id");
    hid_t creation = chunked(chunk);
    io_put_array(file, "particles/id", H5T_STD_U64LE, 1, &rows, creation);
    H5Pclose(creation);
    io_put_integer(file, "/", "particles", (int64_t)rows);
}
static void there_are_two_thousand_million_particles(hid_t file)
{
    every_array_claims(file, INT32_MAX, 65536);
}
static void there_are_more_particles_than_indices(hid_t file)
{
    every_array_claims(file, (hsize_t)1 << 40, 65536);
}

static void arrays_with_an_unexpected_layout_are_rejected(void **state)
{
    (void)state;
    io_assert_load_refused(density_is_missing, "fields, but there are");
    io_assert_load_refused(density_has_another_name, "'density' is missing");
    io_assert_load_refused(there_is_an_extra_array, "fields, but there are");
    io_assert_load_refused(density_is_double, "'density' has the wrong type");
    io_assert_load_refused(density_is_text, "'density' has the wrong type");
    io_assert_load_refused(density_is_big_endian, "'density' has the wrong type");
    io_assert_load_refused(density_is_shorter, "particles, but another field has");
    io_assert_load_refused(density_has_two_columns, "'density' has the wrong shape");
    io_assert_load_refused(density_is_a_single_number, "'density' has the wrong shape");
    io_assert_load_refused(density_is_a_group, "'density' is not an array");
    io_assert_load_refused(density_has_no_bytes, "'density' does not have as many bytes");
    io_assert_load_refused(density_is_in_another_file, "'density' is stored in another file");
    io_assert_load_refused(density_is_virtual, "'density' is stored in a way");
    io_assert_load_refused(density_is_compact, "'density' is stored in a way");
    io_assert_load_refused(density_has_another_filter, "'density' is compressed in a way");
    io_assert_load_refused(density_has_a_filter_from_a_plugin, "'density' is compressed in a way");
    io_assert_load_refused(density_has_a_huge_chunk, "'density' has chunks");
    io_assert_load_refused(density_has_no_chunks, "'density' does not have as many bytes");
    io_assert_load_refused(density_is_a_soft_link, "'density' is a link");
    io_assert_load_refused(particles_are_in_another_file, "'particles' is a link");
    io_assert_load_refused(there_are_two_thousand_million_particles, "'id' does not have as many bytes");
    io_assert_load_refused(there_are_more_particles_than_indices, "'id' has more rows");
}

/* Values of particles. */

static void a_position_is_nan(hid_t file)
{
    io_put_element(file, "particles/position", H5T_NATIVE_FLOAT, 7, &(float){NAN});
}
static void a_velocity_is_infinite(hid_t file)
{
    io_put_element(file, "particles/velocity", H5T_NATIVE_FLOAT, 7, &(float){-INFINITY});
}
static void two_ids_are_equal(hid_t file)
{
    io_put_element(file, "particles/id", H5T_NATIVE_UINT64, 7, &(uint64_t){3});
    io_put_element(file, "particles/id", H5T_NATIVE_UINT64, 70, &(uint64_t){3});
}
static void an_id_is_too_large(hid_t file)
{
    io_put_element(file, "particles/id", H5T_NATIVE_UINT64, 7, &(uint64_t){UINT64_MAX});
}
static void a_material_does_not_exist(hid_t file)
{
    io_put_element(file, "particles/material", H5T_NATIVE_UINT16, 7, &(uint16_t){2});
}
static void next_id_is_zero(hid_t file)
{
    io_put_integer(file, "state", "next_id", 0);
}
static void next_id_is_negative(hid_t file)
{
    io_put_integer(file, "state", "next_id", -1);
}
static void the_particle_count_is_wrong(hid_t file)
{
    io_put_integer(file, "/", "particles", 12);
}

static void invalid_particle_values_are_rejected(void **state)
{
    (void)state;
    io_assert_load_refused(a_position_is_nan, "position of particle");
    io_assert_load_refused(a_velocity_is_infinite, "velocity of particle");
    io_assert_load_refused(two_ids_are_equal, "two particles have the id 3");
    io_assert_load_refused(an_id_is_too_large, "a particle has the id 18446744073709551615");
    io_assert_load_refused(a_material_does_not_exist, "has material 2");
    io_assert_load_refused(next_id_is_zero, "but the next is 0");
    io_assert_load_refused(next_id_is_negative, "state.next_id");
    io_assert_load_refused(the_particle_count_is_wrong, "there should be 12 particles");
}

/* A checkpoint with the header of a frame, and vice versa. */
static void a_header_of_the_wrong_kind_is_rejected(void **state)
{
    (void)state;
    dlp_World *world = NULL;
    dlp_FileInfo info;
    IoBytes good = io_read_file("good.dollop");
    io_forge("masked.vtkhdf", good, DLP_FILE_FRAME, io_change_nothing);
    free(good.data);
    assert_int_equal(dlp_file_info("masked.vtkhdf", &info, NULL), DLP_ERROR_FORMAT);
    good = io_read_file("good.vtkhdf");
    io_forge("masked.dollop", good, DLP_FILE_CHECKPOINT, io_change_nothing);
    free(good.data);
    assert_int_equal(dlp_world_load("masked.dollop", NULL, &world, NULL), DLP_ERROR_FORMAT);
    assert_int_equal(dlp_file_info("masked.dollop", &info, NULL), DLP_ERROR_FORMAT);
}

static void a_header_without_hdf5_data_is_rejected(void **state)
{
    (void)state;
    char zeros[2048] = {0};
    dlp_World *world = NULL;
    for (size_t size = 512; size <= sizeof zeros; size *= 2) {
        io_write_file("nothing.dollop", zeros, size);
        io_write_header("nothing.dollop", DLP_FILE_CHECKPOINT);
        assert_int_equal(dlp_world_load("nothing.dollop", NULL, &world, NULL), DLP_ERROR_FORMAT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_with_an_unexpected_layout_are_rejected),
        cmocka_unit_test(invalid_particle_values_are_rejected),
        cmocka_unit_test(a_header_of_the_wrong_kind_is_rejected),
        cmocka_unit_test(a_header_without_hdf5_data_is_rejected),
    };
    return cmocka_run_group_tests(tests, io_make_good_files, NULL);
}
