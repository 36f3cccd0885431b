/* Companions in checkpoints: invalid data is rejected or harmless, and never crashes. */
#include "support/io_fixture.h"
#include "support/world_fixture.h"

#include <hdf5.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const GOOD = "good_companions.dlp", *const BAD = "bad_companions.dlp";

static int write_good_file(void **state)
{
    (void)state;
    dlp_WorldDef def = dlp_default_world_def();
    snprintf(def.method, sizeof def.method, "pbf");
    def.threads = 1;
    dlp_World *world = make_world(&def);
    dlp_MaterialDef material = dlp_default_material_def();
    assert_int_equal(dlp_world_add_material(world, &material, NULL), DLP_OK);
    dlp_CompanionDef block = dlp_default_companion_def();
    block.shape.size = (dlp_Vec3){0.03, 0.03, 0.03};
    assert_int_equal(dlp_world_add_companion(world, &block, NULL), DLP_OK);
    block.shape.position.x = 0.1;
    block.hold = DLP_HOLD_SOFT;
    assert_int_equal(dlp_world_add_companion(world, &block, NULL), DLP_OK);
    step_or_fail(world, 0.001);
    const int result = dlp_world_save(world, GOOD) == DLP_OK ? 0 : -1;
    dlp_world_destroy(world);
    return result;
}

/* Change one number of an array. */
static void change_number(const char *path, hid_t type, hsize_t row, hsize_t column, const void *value)
{
    IoBytes good = io_read_file(GOOD);
    io_write_file(BAD, good.data, good.size);
    free(good.data);
    hid_t file = H5Fopen(BAD, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t array = H5Dopen2(file, path, H5P_DEFAULT), all = H5Dget_space(array), one = H5Screate(H5S_SCALAR);
    const hsize_t position[2] = {row, column};
    assert_true(H5Sselect_elements(all, H5S_SELECT_SET, 1, position) >= 0);
    assert_true(H5Dwrite(array, type, one, all, H5P_DEFAULT, value) >= 0);
    H5Sclose(one);
    H5Sclose(all);
    H5Dclose(array);
    assert_true(H5Fclose(file) >= 0);
    io_write_header(BAD, DLP_FILE_CHECKPOINT);
}

static void rename_or_erase(const char *path, const char *to)
{
    IoBytes good = io_read_file(GOOD);
    io_write_file(BAD, good.data, good.size);
    free(good.data);
    hid_t file = H5Fopen(BAD, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true((to != NULL ? H5Lmove(file, path, file, to, H5P_DEFAULT, H5P_DEFAULT)
                            : H5Ldelete(file, path, H5P_DEFAULT)) >= 0);
    assert_true(H5Fclose(file) >= 0);
    io_write_header(BAD, DLP_FILE_CHECKPOINT);
}

static void assert_refused(const char *words)
{
    const int64_t ids = io_open_ids();
    dlp_World *world = NULL;
    dlp_Error error = {DLP_OK, ""};
    const dlp_Result result = dlp_world_load(BAD, NULL, &world, &error);
    if (result != DLP_ERROR_FORMAT || strstr(error.text, words) == NULL || world != NULL) {
        fail_msg("expected '%s', got %d: %s", words, (int)result, error.text);
    }
    assert_int_equal(io_open_ids(), ids);
}

static void particles_must_belong_to_existing_companions(void **state)
{
    (void)state;
    const uint16_t third = 3;
    change_number("particles/companion", H5T_NATIVE_UINT16, 5, 0, &third);
    assert_refused("companion 2, but there are only 2 companions");
    const float nowhere = NAN;
    change_number("particles/rest", H5T_NATIVE_FLOAT, 7, 2, &nowhere);
    assert_refused("rest of particle");
    rename_or_erase("particles/rest", NULL);
    assert_refused("fields");
    rename_or_erase("companions", NULL); /* then there are unused fields, and bonds without an owner */
    assert_refused("there should be 7 fields, but there are 9");
}

static void bonds_must_connect_existing_ids(void **state)
{
    (void)state;
    const uint64_t far = 1u << 20;
    change_number("bonds/pairs", H5T_NATIVE_UINT64, 3, 1, &far);
    assert_refused("particles that never existed");
    uint64_t own = 0;
    hid_t file = H5Fopen(GOOD, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t array = H5Dopen2(file, "bonds/pairs", H5P_DEFAULT), all = H5Dget_space(array), one = H5Screate(H5S_SCALAR);
    const hsize_t position[2] = {3, 0};
    assert_true(H5Sselect_elements(all, H5S_SELECT_SET, 1, position) >= 0);
    assert_true(H5Dread(array, H5T_NATIVE_UINT64, one, all, H5P_DEFAULT, &own) >= 0);
    H5Sclose(one);
    H5Sclose(all);
    H5Dclose(array);
    H5Fclose(file);
    change_number("bonds/pairs", H5T_NATIVE_UINT64, 3, 1, &own);
    assert_refused("to itself");
    const float lengths[] = {NAN, INFINITY, 0.0f, -1.0f, 1e30f};
    for (int n = 0; n < 5; n++) {
        change_number("bonds/lengths", H5T_NATIVE_FLOAT, 11, 0, &lengths[n]);
        assert_refused("lengths");
    }
    rename_or_erase("bonds/lengths", "bonds/length");
    assert_refused("lengths");
}

/* Values that no check can tell from a valid state may make a step fail, but with a message. */
static void extreme_values_do_not_crash(void **state)
{
    (void)state;
    const float values[] = {1e30f, -1e38f, 1e-38f};
    const uint16_t others[] = {0, 1, 2};
    for (int n = 0; n < 3; n++) {
        for (int what = 0; what < 3; what++) {
            if (what == 0) {
                change_number("particles/rest", H5T_NATIVE_FLOAT, 7, 1, &values[n]);
            } else if (what == 1) {
                change_number("bonds/lengths", H5T_NATIVE_FLOAT, 5, 0, &(float){n == 0 ? 1e9f : 1e-30f});
            } else {
                change_number("particles/companion", H5T_NATIVE_UINT16, 40, 0, &others[n]);
            }
            dlp_World *world = NULL;
            assert_int_equal(dlp_world_load(BAD, NULL, &world, NULL), DLP_OK);
            for (int step = 0; step < 5; step++) {
                const dlp_Result result = dlp_world_step(world, 0.002);
                if (result != DLP_OK) {
                    assert_true(strlen(dlp_world_error(world)) > 20);
                    break;
                }
            }
            dlp_world_destroy(world);
        }
    }
}

/* Positions that are not finite are detected before a step uses them. */
static void a_position_that_is_nan_is_reported(void **state)
{
    (void)state;
    dlp_World *world = NULL;
    assert_int_equal(dlp_world_load(GOOD, NULL, &world, NULL), DLP_OK);
    world->domains.part[0].particles.rest[0][3] = NAN;
    assert_int_equal(dlp_world_step(world, 0.002), DLP_ERROR_NOT_FINITE);
    assert_non_null(strstr(dlp_world_error(world), "rest of particle"));
    assert_int_equal(dlp_world_save(world, "never.dlp"), DLP_ERROR_NOT_FINITE);
    dlp_world_destroy(world);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_must_belong_to_existing_companions),
        cmocka_unit_test(bonds_must_connect_existing_ids),
        cmocka_unit_test(extreme_values_do_not_crash),
        cmocka_unit_test(a_position_that_is_nan_is_reported),
    };
    return cmocka_run_group_tests(tests, write_good_file, NULL);
}
