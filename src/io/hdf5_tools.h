/* Small typed steps on HDF5 files: open and close, groups, particle fields, and parameter structs as attributes. HDF5
 * prints nothing and its ids are all given back on every path. What is read is checked against what we would have
 * written: types, shapes, storage and plain links. */
#ifndef DLP_IO_HDF5_TOOLS_H
#define DLP_IO_HDF5_TOOLS_H

#include "io/hdf5_driver.h"
#include "io/safe_file.h"
#include "neighbors/domain.h"

#include <dollop/params.h>
#include <hdf5.h>

/* HDF5 would print each failure; off while we work, and afterwards as the host had it. */
typedef struct dlp__Hdf5Quiet {
    unsigned is_v2;
    H5E_auto2_t report;
#ifndef H5_NO_DEPRECATED_SYMBOLS
    H5E_auto1_t report_v1;
#endif
    void *data;
} dlp__Hdf5Quiet;

typedef struct dlp__Hdf5File {
    hid_t file;
    hid_t driver, access;
    dlp__Hdf5Disk disk;
    dlp__Hdf5Quiet quiet;
    char path[512]; /* for messages */
} dlp__Hdf5File;

/* Begin an HDF5 file on an empty descriptor, leaving room for the seal, or open a verified one. After success the close
 * must follow. It fails when something could not be written. */
dlp_Result dlp__hdf5_create(dlp__Hdf5File *file, int descriptor, const char *path, dlp_Error *error);
dlp_Result dlp__hdf5_open(dlp__Hdf5File *file, int descriptor, int64_t length, const char *path, dlp_Error *error);
dlp_Result dlp__hdf5_close(dlp__Hdf5File *file, dlp_Error *error);

/* "HDF5 could not ...": for failures that have no better words. */
dlp_Result dlp__hdf5_fail(dlp_Error *error, const char *what, const char *name);

hid_t dlp__hdf5_make_group(hid_t parent, const char *name);
/* Negative, with words in `error`, unless `name` is a group or dataset of this very file. */
hid_t dlp__hdf5_open_group(hid_t parent, const char *name, dlp_Error *error);
hid_t dlp__hdf5_open_dataset(hid_t parent, const char *name, dlp_Error *error);
/* How many things are in a group; negative on failure. */
int64_t dlp__hdf5_group_size(hid_t group);
bool dlp__hdf5_has(hid_t group, const char *name);

/* One field of all parts, part after part, as a dataset of shape (particles) or (particles, components). */
dlp_Result dlp__hdf5_write_field(hid_t group, const char *name, const dlp__Domains *domains, int field,
                                 dlp_Error *error);
/* How many particles a stored field has, after checking that it is what the table says and can be read safely;
 * `file_bytes` bounds what may be claimed. */
dlp_Result dlp__hdf5_field_count(hid_t group, const char *name, int field, int64_t file_bytes, int64_t *count,
                                 dlp_Error *error);
/* Fill the field's arrays from a dataset of exactly `particles->count` particles. */
dlp_Result dlp__hdf5_read_field(hid_t group, const char *name, int field, int64_t file_bytes, dlp__Particles *particles,
                                dlp_Error *error);

/* A dataset of `count` numbers that are made block by block: `fill` writes items begin <= i < end. */
typedef void (*dlp__FillFunction)(void *block, int64_t begin, int64_t end);
dlp_Result dlp__hdf5_write_made(hid_t group, const char *name, hid_t type, int64_t count, dlp__FillFunction fill,
                                dlp_Error *error);
dlp_Result dlp__hdf5_write_number(hid_t group, const char *name, hid_t type, const void *value, dlp_Error *error);

/* Rows of a few numbers, side by side in memory. What is read is checked like a field, and belongs to the caller: rows of
 * dlp__hdf5_row_size() bytes, to be released even if reading fails. */
typedef enum dlp__RowType {
    DLP_ROWS_FLOAT,  /* three floats                                  */
    DLP_ROWS_UINT32, /* three integers                                */
    DLP_ROWS_POSE,   /* seven doubles: dlp_PoseKey as it is in memory */
    DLP_ROWS_PAIRS,  /* two doubles: dlp_FlowKey, dlp_ViscosityKey    */
    DLP_ROWS_PAIR,   /* two 64-bit integers                           */
    DLP_ROWS_NUMBER, /* one float                                     */
    DLP_ROWS_DOUBLE, /* one                                           */
} dlp__RowType;
size_t dlp__hdf5_row_size(dlp__RowType type);
dlp_Result dlp__hdf5_write_rows(hid_t group, const char *name, dlp__RowType type, int64_t rows, const void *data,
                                dlp_Error *error);
dlp_Result dlp__hdf5_read_rows(hid_t group, const char *name, dlp__RowType type, int64_t file_bytes,
                               dlp__Memory *memory, int64_t *rows, void **data, dlp_Error *error);

/* A struct that a table describes. Groups may hold the members of several. */
typedef struct dlp__Record {
    const dlp_ParamTable *table;
    void *def;
} dlp__Record;

dlp_Result dlp__hdf5_write_records(hid_t group, const dlp__Record *records, int count, dlp_Error *error);
/* Members that the file does not have keep their defaults; attributes that no table has are refused, for a value that
 * is left out would change what the world does. */
dlp_Result dlp__hdf5_read_records(hid_t group, const dlp__Record *records, int count, dlp_Error *error);

/* Attributes by themselves: of that type in the file and in memory; `count` 0 makes a single value. */
dlp_Result dlp__hdf5_write_attribute(hid_t object, const char *name, hid_t type, hid_t memory, int count,
                                     const void *data, dlp_Error *error);
dlp_Result dlp__hdf5_write_text(hid_t object, const char *name, const char *text, dlp_Error *error);

#endif
