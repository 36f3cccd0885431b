/* Forged files for tests: a good file is changed through HDF5 and gets a valid header again. */
#ifndef DLP_TESTS_IO_FORGE_H
#define DLP_TESTS_IO_FORGE_H

#include "support/io_fixture.h"

#include <hdf5.h>

typedef void (*IoChange)(hid_t file);

/* A group setup of cmocka: writes good.dollop and good.vtkhdf. */
int io_make_good_files(void **state);

/* Write a changed copy of a good file with a valid header. */
void io_forge(const char *path, IoBytes good, dlp_FileKind kind, IoChange change);
/* Change good.dollop; loading it must fail with a message that contains `words`, and without leaked ids. */
void io_assert_load_refused(IoChange change, const char *words);

/* Changes of a file. */
void io_change_nothing(hid_t file);
void io_erase(hid_t file, const char *path);
void io_put_array(hid_t file, const char *path, hid_t type, int rank, const hsize_t *shape, hid_t creation);
void io_put_element(hid_t file, const char *path, hid_t type, hsize_t row, const void *value);
void io_put_attribute(hid_t file, const char *group, const char *name, hid_t type, hsize_t count, const void *data);
void io_put_real(hid_t file, const char *group, const char *name, double value);
void io_put_integer(hid_t file, const char *group, const char *name, int64_t value);
void io_put_text(hid_t file, const char *group, const char *name, const char *text);

#endif
