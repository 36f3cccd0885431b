/* Particle fields as HDF5 datasets. A component is a column of the dataset and chunks are one column wide: component
 * arrays are written and read without a copy, while other programs see the usual shape (particles, components). */
#include "io/hdf5_tools.h"

#include <assert.h>
#include <string.h>

#define MAX_CHUNK_BYTES   (16 << 20) /* limit when reading: HDF5 holds a whole chunk in memory */
#define MAX_DEFLATE_RATIO 1040       /* zlib's maximum is 1032 */
#define BLOCK_ROWS        8192

static hid_t file_type(dlp__FieldType type)
{
    switch (type) {
    case DLP_FIELD_TYPE_float: return H5T_IEEE_F32LE;
    case DLP_FIELD_TYPE_uint16_t: return H5T_STD_U16LE;
    case DLP_FIELD_TYPE_uint64_t: return H5T_STD_U64LE;
    }
    return -1;
}

static hid_t memory_type(dlp__FieldType type)
{
    switch (type) {
    case DLP_FIELD_TYPE_float: return H5T_NATIVE_FLOAT;
    case DLP_FIELD_TYPE_uint16_t: return H5T_NATIVE_UINT16;
    case DLP_FIELD_TYPE_uint64_t: return H5T_NATIVE_UINT64;
    }
    return -1;
}

static hid_t create_dataset(hid_t group, const char *name, hid_t type, int64_t rows, int columns, bool compressed)
{
    hsize_t shape[2] = {(hsize_t)rows, (hsize_t)columns};
    hsize_t chunk[2] = {rows < DLP_CHUNK_ROWS ? (hsize_t)rows : DLP_CHUNK_ROWS, 1};
    int rank = columns > 1 ? 2 : 1;
    hid_t space = H5Screate_simple(rank, shape, NULL);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t dataset = -1;
    bool ready = space >= 0 && creation >= 0 && H5Pset_obj_track_times(creation, false) >= 0;
    if (ready && compressed) {
        ready = H5Pset_chunk(creation, rank, chunk) >= 0 && H5Pset_shuffle(creation) >= 0 &&
                H5Pset_deflate(creation, DLP_DEFLATE_LEVEL) >= 0;
    } else if (ready) { /* allocate all bytes in the file now, even without particles */
        ready = H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) >= 0;
    }
    if (ready) {
        dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    }
    H5Pclose(creation);
    H5Sclose(space);
    return dataset;
}

/* Transfer `rows` items between memory and one column of a dataset, starting at row `begin`. */
static bool transfer_column(hid_t dataset, hid_t type, int column, int64_t begin, int64_t rows, void *target,
                            const void *source)
{
    if (rows == 0) {
        return true;
    }
    hsize_t start[2] = {(hsize_t)begin, (hsize_t)column};
    hsize_t count[2] = {(hsize_t)rows, 1};
    hid_t file_space = H5Dget_space(dataset);
    /* With the same rank as the file space, otherwise HDF5 copies item by item. */
    hid_t memory_space = H5Screate_simple(H5Sget_simple_extent_ndims(file_space), count, NULL);
    bool ok = file_space >= 0 && memory_space >= 0 &&
              H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, count, NULL) >= 0;
    if (ok && target != NULL) {
        ok = H5Dread(dataset, type, memory_space, file_space, H5P_DEFAULT, target) >= 0;
    } else if (ok) {
        ok = H5Dwrite(dataset, type, memory_space, file_space, H5P_DEFAULT, source) >= 0;
    }
    H5Sclose(memory_space);
    H5Sclose(file_space);
    return ok;
}

static dlp_Result close_written(hid_t dataset, bool written, const char *name, dlp_Error *error)
{
    written = (dataset < 0 || H5Dclose(dataset) >= 0) && written;
    return written ? DLP_OK : dlp__hdf5_fail(error, "write", name);
}

/* The dataset is filled and closed later. */
static dlp_Result add_pending(dlp__Hdf5Pending *pending, const dlp__Hdf5Columns *columns, const char *name,
                              dlp_Error *error)
{
    if (columns->dataset < 0) {
        dlp__memory_release(pending->memory, columns->data, columns->data_rows,
                            columns->size * (size_t)columns->columns);
        return dlp__hdf5_fail(error, "create", name);
    }
    assert(pending->count < DLP_PENDING_MOST);
    pending->columns[pending->count++] = *columns;
    return DLP_OK;
}

dlp_Result dlp__hdf5_write_field(dlp__Hdf5Pending *pending, hid_t group, const char *name, const dlp__Domains *domains,
                                 int field, dlp_Error *error)
{
    const dlp__FieldInfo *info = dlp__field_info(&domains->part[0].particles, field);
    const int64_t rows = dlp__domains_particles(domains);
    const bool compressed = pending->ranks == NULL && dlp__hdf5_is_compressed(rows);
    hid_t dataset = create_dataset(group, name, file_type(info->type), rows, info->components, compressed);
    if (compressed || pending->ranks != NULL) {
        const dlp__Hdf5Columns columns = {.dataset = dataset,
                                          .type = memory_type(info->type),
                                          .rows = rows,
                                          .columns = info->components,
                                          .size = info->size,
                                          .field = field};
        return add_pending(pending, &columns, name, error);
    }
    bool written = dataset >= 0;
    for (int c = 0; c < info->components; c++) {
        int64_t row = 0;
        for (int p = 0; p < domains->count && written; p++) {
            const dlp__Particles *particles = &domains->part[p].particles;
            written = transfer_column(dataset, memory_type(info->type), c, row, particles->count, NULL,
                                      dlp__field_array(particles, field, c));
            row += particles->count;
        }
    }
    return close_written(dataset, written, name, error);
}

dlp_Result dlp__hdf5_write_generated(dlp__Hdf5Pending *pending, hid_t group, const char *name, hid_t type,
                                     int64_t count, dlp__FillFunction fill, dlp_Error *error)
{
    const bool compressed = pending->ranks == NULL && dlp__hdf5_is_compressed(count);
    hid_t dataset = create_dataset(group, name, type, count, 1, compressed);
    if (compressed || pending->ranks != NULL) {
        const dlp__Hdf5Columns columns = {.dataset = dataset,
                                          .type = type,
                                          .rows = count,
                                          .columns = 1,
                                          .size = H5Tget_size(type),
                                          .field = DLP_FIELD_NONE,
                                          .fill = fill};
        return add_pending(pending, &columns, name, error);
    }
    int64_t block[BLOCK_ROWS]; /* enough for the widest type */
    bool written = dataset >= 0;
    for (int64_t begin = 0; begin < count && written; begin += BLOCK_ROWS) {
        int64_t end = begin + BLOCK_ROWS < count ? begin + BLOCK_ROWS : count;
        fill(block, begin, end);
        written = transfer_column(dataset, type, 0, begin, end - begin, NULL, block);
    }
    return close_written(dataset, written, name, error);
}

dlp_Result dlp__hdf5_write_number(hid_t group, const char *name, hid_t type, const void *value, dlp_Error *error)
{
    hid_t dataset = create_dataset(group, name, type, 1, 1, false);
    bool written = dataset >= 0 && transfer_column(dataset, type, 0, 0, 1, NULL, value);
    return close_written(dataset, written, name, error);
}

/* Only shuffle and deflate: for any other filter HDF5 would search folders for plugins. */
static bool has_known_filters(hid_t creation)
{
    int count = H5Pget_nfilters(creation);
    for (int i = 0; i < count; i++) {
        unsigned flags = 0, config = 0, values[8];
        size_t value_count = 8;
        H5Z_filter_t filter = H5Pget_filter2(creation, (unsigned)i, &flags, &value_count, values, 0, NULL, &config);
        if (filter != H5Z_FILTER_SHUFFLE && filter != H5Z_FILTER_DEFLATE) {
            return false;
        }
    }
    return count >= 0 && count <= 2;
}

/* Whether a dataset's bytes are in this file, in chunks of a reasonable size; otherwise what is wrong with it. */
static const char *storage_fault(hid_t dataset, int64_t bytes, size_t item, int64_t file_bytes)
{
    const char *fault = NULL;
    hid_t creation = H5Dget_create_plist(dataset);
    H5D_layout_t layout = H5Pget_layout(creation);
    hsize_t chunk[2] = {1, 1};
    if (creation < 0 || (layout != H5D_CONTIGUOUS && layout != H5D_CHUNKED)) {
        fault = "is stored in a way that dollop never uses";
    } else if (H5Pget_external_count(creation) != 0) {
        fault = "is stored in another file";
    } else if (!has_known_filters(creation)) {
        fault = "is compressed in a way that dollop never uses";
    } else if (layout == H5D_CHUNKED && (H5Pget_chunk(creation, 2, chunk) < 1 || chunk[0] > MAX_CHUNK_BYTES ||
                                         chunk[1] > MAX_CHUNK_BYTES || chunk[0] * chunk[1] * item > MAX_CHUNK_BYTES)) {
        fault = "has chunks that are too large";
    }
    H5Pclose(creation);
    if (fault != NULL) {
        return fault;
    }
    hsize_t file_space = H5Dget_storage_size(dataset);
    if (file_space > (hsize_t)file_bytes) {
        return "claims more bytes than the file has";
    }
    if (layout == H5D_CONTIGUOUS ? file_space != (hsize_t)bytes : (hsize_t)bytes / MAX_DEFLATE_RATIO > file_space) {
        return "does not have as many bytes as it claims";
    }
    return NULL;
}

/* The expected layout of a dataset. */
typedef struct Layout {
    hid_t type; /* in the file */
    size_t size;
    int columns;
} Layout;

/* Returns null and the number of rows if type, shape and storage are right; otherwise what is wrong. */
static const char *layout_fault(hid_t dataset, Layout layout, int64_t file_bytes, int64_t *rows)
{
    const char *fault = NULL;
    hsize_t shape[2] = {0, 1};
    hid_t type = H5Dget_type(dataset);
    hid_t space = H5Dget_space(dataset);
    if (type < 0 || H5Tequal(type, layout.type) <= 0) {
        fault = "has the wrong type";
    } else if (H5Sget_simple_extent_type(space) != H5S_SIMPLE ||
               H5Sget_simple_extent_ndims(space) != (layout.columns > 1 ? 2 : 1) ||
               H5Sget_simple_extent_dims(space, shape, NULL) < 0 || shape[1] != (hsize_t)layout.columns) {
        fault = "has the wrong shape";
    } else if (shape[0] > INT32_MAX) {
        fault = "has more rows than one machine can hold";
    } else {
        *rows = (int64_t)shape[0];
        size_t row = layout.size * (size_t)layout.columns;
        fault = storage_fault(dataset, *rows * (int64_t)row, layout.size, file_bytes);
    }
    H5Sclose(space);
    H5Tclose(type);
    return fault;
}

static hid_t open_rows(hid_t group, const char *name, Layout layout, int64_t file_bytes, int64_t *rows,
                       dlp_Error *error)
{
    hid_t dataset = dlp__hdf5_open_dataset(group, name, error);
    if (dataset < 0) {
        return -1;
    }
    const char *fault = layout_fault(dataset, layout, file_bytes, rows);
    if (fault != NULL) {
        dlp__fail(error, DLP_ERROR_FORMAT, "'%s' %s", name, fault);
        H5Dclose(dataset);
        return -1;
    }
    return dataset;
}

static hid_t open_field(hid_t group, const char *name, const dlp__FieldInfo *info, int64_t file_bytes, int64_t *rows,
                        dlp_Error *error)
{
    return open_rows(group, name, (Layout){file_type(info->type), info->size, info->components}, file_bytes, rows,
                     error);
}

dlp_Result dlp__hdf5_field_count(hid_t group, const char *name, const dlp__Particles *particles, int field,
                                 int64_t file_bytes, int64_t *count, dlp_Error *error)
{
    hid_t dataset = open_field(group, name, dlp__field_info(particles, field), file_bytes, count, error);
    if (dataset < 0) {
        return DLP_ERROR_FORMAT;
    }
    H5Dclose(dataset);
    return DLP_OK;
}

dlp_Result dlp__hdf5_read_field(hid_t group, const char *name, int field, int64_t file_bytes, int64_t first,
                                int64_t expected, dlp__Particles *particles, dlp_Error *error)
{
    const dlp__FieldInfo *info = dlp__field_info(particles, field);
    int64_t rows = 0;
    hid_t dataset = open_field(group, name, info, file_bytes, &rows, error);
    if (dataset < 0) {
        return DLP_ERROR_FORMAT;
    }
    dlp_Result result = DLP_OK;
    if (rows != expected) {
        result = dlp__fail(error, DLP_ERROR_FORMAT, "'%s' has %lld particles, but another field has %lld", name,
                           (long long)rows, (long long)expected);
    }
    for (int c = 0; c < info->components && result == DLP_OK; c++) {
        if (!transfer_column(dataset, memory_type(info->type), c, first, particles->count,
                             dlp__field_array(particles, field, c), NULL)) {
            result = dlp__hdf5_fail(error, "read", name);
        }
    }
    H5Dclose(dataset);
    return result;
}

static Layout row_layout(dlp__RowType type, hid_t *memory)
{
    switch (type) {
    case DLP_ROWS_FLOAT_3: *memory = H5T_NATIVE_FLOAT; return (Layout){H5T_IEEE_F32LE, 4, 3};
    case DLP_ROWS_UINT32_3: *memory = H5T_NATIVE_UINT32; return (Layout){H5T_STD_U32LE, 4, 3};
    case DLP_ROWS_DOUBLE_2: *memory = H5T_NATIVE_DOUBLE; return (Layout){H5T_IEEE_F64LE, 8, 2};
    case DLP_ROWS_UINT64_2: *memory = H5T_NATIVE_UINT64; return (Layout){H5T_STD_U64LE, 8, 2};
    case DLP_ROWS_FLOAT_1: *memory = H5T_NATIVE_FLOAT; return (Layout){H5T_IEEE_F32LE, 4, 1};
    case DLP_ROWS_DOUBLE_7:
    case DLP_ROWS_DOUBLE_1: break;
    }
    *memory = H5T_NATIVE_DOUBLE;
    return (Layout){H5T_IEEE_F64LE, 8, type == DLP_ROWS_DOUBLE_7 ? 7 : 1};
}

size_t dlp__hdf5_row_size(dlp__RowType type)
{
    hid_t memory;
    const Layout layout = row_layout(type, &memory);
    return layout.size * (size_t)layout.columns;
}

dlp_Result dlp__hdf5_write_rows(hid_t group, const char *name, dlp__RowType type, int64_t rows, const void *data,
                                dlp_Error *error)
{
    hid_t memory;
    Layout layout = row_layout(type, &memory);
    hid_t dataset = create_dataset(group, name, layout.type, rows, layout.columns, dlp__hdf5_is_compressed(rows));
    bool written = dataset >= 0 && H5Dwrite(dataset, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
    return close_written(dataset, written, name, error);
}

dlp_Result dlp__hdf5_write_own_rows(dlp__Hdf5Pending *pending, hid_t group, const char *name, dlp__RowType type,
                                    int64_t rows, int64_t own, void *data, dlp_Error *error)
{
    hid_t memory;
    const Layout layout = row_layout(type, &memory);
    const dlp__Hdf5Columns columns = {.dataset = create_dataset(group, name, layout.type, rows, layout.columns, false),
                                      .type = memory,
                                      .rows = rows,
                                      .columns = layout.columns,
                                      .size = layout.size,
                                      .field = DLP_FIELD_NONE,
                                      .data = data,
                                      .data_rows = own};
    return add_pending(pending, &columns, name, error);
}

dlp_Result dlp__hdf5_read_rows(hid_t group, const char *name, dlp__RowType type, int64_t file_bytes,
                               dlp__Memory *memory, int64_t *rows, void **data, dlp_Error *error)
{
    hid_t memory_space;
    Layout layout = row_layout(type, &memory_space);
    *data = NULL;
    hid_t dataset = open_rows(group, name, layout, file_bytes, rows, error);
    if (dataset < 0) {
        *rows = 0;
        return DLP_ERROR_FORMAT;
    }
    dlp_Result result = DLP_OK;
    *data = dlp__memory_get(memory, *rows, dlp__hdf5_row_size(type));
    if (*data == NULL) {
        result = *rows == 0 ? dlp__fail(error, DLP_ERROR_FORMAT, "'%s' is empty", name)
                            : dlp__fail(error, DLP_ERROR_MEMORY, "out of memory for %lld rows", (long long)*rows);
    } else if (H5Dread(dataset, memory_space, H5S_ALL, H5S_ALL, H5P_DEFAULT, *data) < 0) {
        result = dlp__hdf5_fail(error, "read", name);
    }
    H5Dclose(dataset);
    return result;
}

dlp_Result dlp__hdf5_count_rows(hid_t group, const char *name, dlp__RowType type, int64_t file_bytes, int64_t *rows,
                                dlp_Error *error)
{
    hid_t memory;
    const hid_t dataset = open_rows(group, name, row_layout(type, &memory), file_bytes, rows, error);
    if (dataset < 0) {
        *rows = 0;
        return DLP_ERROR_FORMAT;
    }
    H5Dclose(dataset);
    return DLP_OK;
}

dlp_Result dlp__hdf5_read_some_rows(hid_t group, const char *name, dlp__RowType type, int64_t file_bytes, int64_t first,
                                    int64_t count, void *data, dlp_Error *error)
{
    hid_t memory;
    int64_t rows;
    const Layout layout = row_layout(type, &memory);
    const hid_t dataset = open_rows(group, name, layout, file_bytes, &rows, error);
    if (dataset < 0) {
        return DLP_ERROR_FORMAT;
    }
    const hsize_t start[2] = {(hsize_t)first, 0}, shape[2] = {(hsize_t)count, (hsize_t)layout.columns};
    hid_t file_space = H5Dget_space(dataset);
    hid_t memory_space = H5Screate_simple(layout.columns > 1 ? 2 : 1, shape, NULL);
    const bool ok = file_space >= 0 && memory_space >= 0 &&
                    H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, shape, NULL) >= 0 &&
                    H5Dread(dataset, memory, memory_space, file_space, H5P_DEFAULT, data) >= 0;
    H5Sclose(memory_space);
    H5Sclose(file_space);
    H5Dclose(dataset);
    return ok ? DLP_OK : dlp__hdf5_fail(error, "read", name);
}
