/* Changing good files through HDF5, for tests of malicious files. */
#include "support/io_forge.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { GOOD_BLOCK = 17 }; /* particles along an edge: enough for chunked arrays */

void io_forge(const char *path, IoBytes good, dlp_FileKind kind, IoChange change)
{
    io_write_file(path, good.data, good.size);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    assert_true(file >= 0);
    change(file);
    assert_true(H5Fclose(file) >= 0);
    io_write_header(path, kind);
}

void io_assert_load_refused(IoChange change, const char *words)
{
    IoBytes good = io_read_file("good.dollop");
    io_forge("bad.dollop", good, DLP_FILE_CHECKPOINT, change);
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

void io_erase(hid_t file, const char *path)
{
    assert_true(H5Ldelete(file, path, H5P_DEFAULT) >= 0);
}

void io_put_array(hid_t file, const char *path, hid_t type, int rank, const hsize_t *shape, hid_t creation)
{
    const hsize_t unlimited[2] = {H5S_UNLIMITED, H5S_UNLIMITED};
    bool may_grow = creation != H5P_DEFAULT && H5Pget_layout(creation) == H5D_CHUNKED;
    hid_t space = rank > 0 ? H5Screate_simple(rank, shape, may_grow ? unlimited : NULL) : H5Screate(H5S_SCALAR);
    hid_t dataset = H5Dcreate2(file, path, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    assert_true(dataset >= 0);
    H5Dclose(dataset);
    H5Sclose(space);
}

void io_put_element(hid_t file, const char *path, hid_t type, hsize_t row, const void *value)
{
    hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(dataset), one = H5Screate(H5S_SCALAR);
    hsize_t position[2] = {row, 0};
    assert_true(H5Sselect_elements(space, H5S_SELECT_SET, 1, position) >= 0);
    assert_true(H5Dwrite(dataset, type, one, space, H5P_DEFAULT, value) >= 0);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(dataset);
}

void io_put_attribute(hid_t file, const char *group, const char *name, hid_t type, hsize_t count, const void *data)
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

void io_put_real(hid_t file, const char *group, const char *name, double value)
{
    io_put_attribute(file, group, name, H5T_IEEE_F64LE, 0, &value);
}

void io_put_integer(hid_t file, const char *group, const char *name, int64_t value)
{
    io_put_attribute(file, group, name, H5T_STD_I64LE, 0, &value);
}

void io_put_text(hid_t file, const char *group, const char *name, const char *text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text));
    io_put_attribute(file, group, name, type, 0, text);
    H5Tclose(type);
}

void io_change_nothing(hid_t file)
{
    (void)file;
}

int io_make_good_files(void **state)
{
    (void)state;
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    dlp_World *world = io_block_world(GOOD_BLOCK, 3);
    bool made = dlp_world_save(world, "good.dollop") == DLP_OK && dlp_world_write_frame(world, "good.vtkhdf") == DLP_OK;
    dlp_world_destroy(world);
    return made ? 0 : -1;
}
