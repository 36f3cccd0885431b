/* Small typed operations on HDF5 files: open and close, groups, particle fields, and parameter structs as attributes.
 * HDF5 prints nothing, and all its ids are released on every path. Everything read is checked: types, shapes, storage,
 * and that links are hard links. */
#ifndef DLP_IO_HDF5_TOOLS_H
#define DLP_IO_HDF5_TOOLS_H

#include "io/atomic_file.h"
#include "io/hdf5_columns.h"
#include "io/hdf5_driver.h"

#include <dollop/params.h>

/* The host's error handlers. Ours replaces them while we use HDF5, and prints nothing; afterwards they are restored. */
typedef struct dlp__Hdf5ErrorHandler {
    unsigned is_v2;
    H5E_auto2_t report;
#ifndef H5_NO_DEPRECATED_SYMBOLS
    H5E_auto1_t report_v1;
#endif
    void *data;
} dlp__Hdf5ErrorHandler;

typedef struct dlp__Hdf5File {
    hid_t file;
    hid_t driver, access; /* the driver: negative for a file that ranks share */
    dlp__Hdf5Disk disk;
    dlp__Hdf5ErrorHandler errors;
    bool out_of_memory; /* in some call of HDF5, which may have been taken for a missing or damaged item */
    char path[512];     /* for messages */
} dlp__Hdf5File;

/* Create an HDF5 file on an empty descriptor, leaving space for our header, or open a verified one. After success it
 * must be closed. Closing fails if the disk failed or HDF5 ran out of memory at any time; `action` is what the file was open for,
 * such as "read". */
dlp_Result dlp__hdf5_create(dlp__Hdf5File *file, int descriptor, const char *path, dlp_Error *error);
dlp_Result dlp__hdf5_open(dlp__Hdf5File *file, int descriptor, int64_t length, const char *path, dlp_Error *error);
dlp_Result dlp__hdf5_close(dlp__Hdf5File *file, const char *action, dlp_Error *error);
/* Open a file that exists for writing by all ranks together, through MPI instead of our driver. */
dlp_Result dlp__hdf5_open_shared(dlp__Hdf5File *file, dlp_Ranks *ranks, const char *path, dlp_Error *error);
/* Between these two calls the file is open, but not in use: the error handlers are the host's, and another thread may continue. */
void dlp__hdf5_pause(dlp__Hdf5File *file);
dlp_Result dlp__hdf5_continue(dlp__Hdf5File *file, dlp_Error *error);

/* "HDF5 could not ...": for failures without a more specific message. */
dlp_Result dlp__hdf5_fail(dlp_Error *error, const char *what, const char *name);

hid_t dlp__hdf5_make_group(hid_t parent, const char *name);
/* Negative, with a message in `error`, unless `name` is a group or dataset of this file. */
hid_t dlp__hdf5_open_group(hid_t parent, const char *name, dlp_Error *error);
hid_t dlp__hdf5_open_dataset(hid_t parent, const char *name, dlp_Error *error);
/* The number of links in a group; negative on failure. */
int64_t dlp__hdf5_group_size(hid_t group);
bool dlp__hdf5_has(hid_t group, const char *name);

/* One field of all subdomains in sequence, as a dataset of shape (particles) or (particles, components). A large one is added to
 * `pending` instead of being filled. */
dlp_Result dlp__hdf5_write_field(dlp__Hdf5Pending *pending, hid_t group, const char *name, const dlp__Domains *domains,
                                 int field, dlp_Error *error);
/* The number of particles of a stored field, after checking its type and storage; `file_bytes` limits its size. */
dlp_Result dlp__hdf5_field_count(hid_t group, const char *name, const dlp__Particles *particles, int field,
                                 int64_t file_bytes, int64_t *count, dlp_Error *error);
/* Fill the field's arrays with the particles from row `first` on of a dataset of exactly `expected` particles. */
dlp_Result dlp__hdf5_read_field(hid_t group, const char *name, int field, int64_t file_bytes, int64_t first,
                                int64_t expected, dlp__Particles *particles, dlp_Error *error);

/* A dataset of `count` numbers that are generated block by block, likewise. */
dlp_Result dlp__hdf5_write_generated(dlp__Hdf5Pending *pending, hid_t group, const char *name, hid_t type,
                                     int64_t count, dlp__FillFunction fill, dlp_Error *error);
dlp_Result dlp__hdf5_write_number(hid_t group, const char *name, hid_t type, const void *value, dlp_Error *error);

/* Rows of a few numbers that are adjacent in memory. What is read is checked like a field and belongs to the caller:
 * rows of dlp__hdf5_row_size() bytes, to be released even if reading fails. */
typedef enum dlp__RowType {
    DLP_ROWS_FLOAT_3,  /* positions */
    DLP_ROWS_UINT32_3, /* triangles */
    DLP_ROWS_DOUBLE_7, /* dlp_PoseKey as it is in memory */
    DLP_ROWS_DOUBLE_2, /* dlp_FlowKey, dlp_ViscosityKey */
    DLP_ROWS_UINT64_2, /* ids of a bond */
    DLP_ROWS_FLOAT_1,
    DLP_ROWS_DOUBLE_1,
} dlp__RowType;
size_t dlp__hdf5_row_size(dlp__RowType type);
dlp_Result dlp__hdf5_write_rows(hid_t group, const char *name, dlp__RowType type, int64_t rows, const void *data,
                                dlp_Error *error);
dlp_Result dlp__hdf5_read_rows(hid_t group, const char *name, dlp__RowType type, int64_t file_bytes,
                               dlp__Memory *memory, int64_t *rows, void **data, dlp_Error *error);
/* A dataset of the rows of all ranks, `rows` in total, of which this one has `own`. It takes over their memory, also on failure. */
dlp_Result dlp__hdf5_write_own_rows(dlp__Hdf5Pending *pending, hid_t group, const char *name, dlp__RowType type,
                                    int64_t rows, int64_t own, void *data, dlp_Error *error);

/* The number of rows of a dataset, and some of them, into memory of the caller. */
dlp_Result dlp__hdf5_count_rows(hid_t group, const char *name, dlp__RowType type, int64_t file_bytes, int64_t *rows,
                                dlp_Error *error);
dlp_Result dlp__hdf5_read_some_rows(hid_t group, const char *name, dlp__RowType type, int64_t file_bytes, int64_t first,
                                    int64_t count, void *data, dlp_Error *error);

/* A struct described by a table. A group may contain the members of several structs. Without a def the members may be in the group,
 * but are neither written nor read. */
typedef struct dlp__Record {
    const dlp_ParamTable *table;
    void *def;
} dlp__Record;

dlp_Result dlp__hdf5_write_records(hid_t group, const dlp__Record *records, int count, dlp_Error *error);
/* Members that the file does not have keep their defaults. Unknown attributes are an error, because ignoring a value
 * would change the simulation. */
dlp_Result dlp__hdf5_read_records(hid_t group, const dlp__Record *records, int count, dlp_Error *error);

/* A single attribute, with its types in the file and in memory; `count` 0 writes a scalar. */
dlp_Result dlp__hdf5_write_attribute(hid_t object, const char *name, hid_t type, hid_t memory, int count,
                                     const void *data, dlp_Error *error);
dlp_Result dlp__hdf5_write_text(hid_t object, const char *name, const char *text, dlp_Error *error);

/* One parameter of a group, which must have it. */
dlp_Result dlp__hdf5_read_param(hid_t group, const dlp_Param *param, void *member, dlp_Error *error);

#endif
