/* Collective writes, block by block: the components of a field are arrays in memory, but rows in the file. */
#include "io/rank_rows.h"

#include "distributed/rank_files.h"

#include <string.h>

enum { BLOCK_BYTES = 32 << 20, GRAIN = 65536 /* rows */ };

typedef struct Writer {
    dlp_Ranks *ranks;
    const dlp__ParticleParts *parts;
    const dlp__Parallel *parallel;
    hid_t file, transfer;
    char *block;
} Writer;

/* Rows first <= i < first + count of an array are those of this rank. */
typedef struct Share {
    int64_t first, count;
} Share;

static Share own_share(const Writer *writer, const dlp__Hdf5Columns *columns)
{
    Share share;
    if (columns->fill != NULL) {
        const int64_t ranks = writer->ranks->count, rank = writer->ranks->rank;
        share.first = columns->rows * rank / ranks;
        share.count = columns->rows * (rank + 1) / ranks - share.first;
    } else {
        share.count = columns->field != DLP_FIELD_NONE ? writer->parts->part[0]->count : columns->data_rows;
        share.first = dlp__ranks_prefix_sum(writer->ranks, share.count);
    }
    return share;
}

/* Some rows of this rank, from number `first` on, which is row `first_in_file` of the array, to a block. */
typedef struct Packing {
    const dlp__Hdf5Columns *columns;
    const dlp__Particles *particles;
    int64_t first, first_in_file;
    char *block;
} Packing;

static void pack_rows(void *context, int64_t begin, int64_t end)
{
    const Packing *packing = context;
    const dlp__Hdf5Columns *columns = packing->columns;
    const size_t size = columns->size, row = size * (size_t)columns->columns;
    char *to = packing->block + (size_t)begin * row;
    if (columns->fill != NULL) {
        columns->fill(to, packing->first_in_file + begin, packing->first_in_file + end);
    } else if (columns->field == DLP_FIELD_NONE) {
        memcpy(to, (const char *)columns->data + (size_t)(packing->first + begin) * row, (size_t)(end - begin) * row);
    } else {
        for (int c = 0; c < columns->columns; c++) {
            const char *from = dlp__field_array(packing->particles, columns->field, c);
            from += (size_t)(packing->first + begin) * size;
            char *next = to + (size_t)c * size;
            for (int64_t i = begin; i < end; i++, from += size, next += row) {
                memcpy(next, from, size);
            }
        }
    }
}

/* All ranks write at the same time, those whose rows are finished none. */
static bool write_block(const Writer *writer, hid_t dataset, const dlp__Hdf5Columns *columns, int64_t first,
                        int64_t count)
{
    const hsize_t start[2] = {(hsize_t)first, 0};
    const hsize_t shape[2] = {count > 0 ? (hsize_t)count : 1, (hsize_t)columns->columns};
    hid_t file_space = H5Dget_space(dataset);
    hid_t memory_space = H5Screate_simple(columns->columns > 1 ? 2 : 1, shape, NULL);
    bool ok = file_space >= 0 && memory_space >= 0;
    if (ok && count > 0) {
        ok = H5Sselect_hyperslab(file_space, H5S_SELECT_SET, start, NULL, shape, NULL) >= 0;
    } else if (ok) {
        ok = H5Sselect_none(file_space) >= 0 && H5Sselect_none(memory_space) >= 0;
    }
    ok = ok && H5Dwrite(dataset, columns->type, memory_space, file_space, writer->transfer, writer->block) >= 0;
    H5Sclose(memory_space);
    H5Sclose(file_space);
    return ok;
}

static bool write_columns(const Writer *writer, const dlp__Hdf5Columns *columns)
{
    const Share share = own_share(writer, columns);
    const int64_t most = BLOCK_BYTES / (int64_t)(columns->size * (size_t)columns->columns);
    const int64_t own = (share.count + most - 1) / most, blocks = (int64_t)dlp__ranks_most(writer->ranks, (double)own);
    hid_t dataset = blocks > 0 ? H5Dopen2(writer->file, columns->name, H5P_DEFAULT) : -1;
    bool ok = blocks == 0 || dataset >= 0;
    for (int64_t block = 0; block < blocks && ok; block++) {
        const int64_t first = block * most < share.count ? block * most : share.count;
        const int64_t count = share.count - first < most ? share.count - first : most;
        Packing packing = {columns, writer->parts->part[0], first, share.first + first, writer->block};
        dlp__parallel_for(writer->parallel, count, GRAIN, pack_rows, &packing);
        ok = write_block(writer, dataset, columns, share.first + first, count);
    }
    return (dataset < 0 || H5Dclose(dataset) >= 0) && ok;
}

static bool write_all(Writer *writer, const dlp__Hdf5Pending *pending)
{
    writer->transfer = H5Pcreate(H5P_DATASET_XFER);
    bool ok = writer->transfer >= 0 && dlp__hdf5_set_collective(writer->transfer);
    for (int n = 0; n < pending->count && ok; n++) {
        ok = write_columns(writer, &pending->columns[n]);
    }
    H5Pclose(writer->transfer);
    return ok;
}

/* The first step that fails ends all ranks: the others may wait for this one. */
static dlp_Result write_together(Writer *writer, const dlp__Hdf5Pending *pending, const char *path, dlp_Error *error)
{
    dlp__Hdf5File file;
    dlp_Result result = dlp__hdf5_open_shared(&file, writer->ranks, path, error);
    if (result == DLP_OK) {
        writer->file = file.file;
        if (!write_all(writer, pending)) {
            result = dlp__fail(error, DLP_ERROR_FILE,
                               "cannot write '%.512s': MPI or HDF5 could not write the particles of this rank; check "
                               "that its disk has space and no limit on file sizes",
                               path);
        } else {
            result = dlp__hdf5_close(&file, "write", error);
        }
    }
    if (result != DLP_OK) {
        dlp__ranks_fail(writer->ranks, error->text);
    }
    return result;
}

dlp_Result dlp__rank_rows_write(const dlp__Hdf5Pending *pending, const char *path, const dlp__ParticleParts *parts,
                                const dlp__Parallel *parallel, dlp__Memory *memory, dlp_Error *error)
{
    dlp_Error reason = {DLP_OK, ""};
    dlp__Buffer buffer = {NULL, 0};
    dlp_Result result = dlp__buffer_reserve(memory, &buffer, BLOCK_BYTES, 1)
                            ? DLP_OK
                            : dlp__fail(&reason, DLP_ERROR_MEMORY, "out of memory to write '%.512s'", path);
    result = dlp__ranks_agree(pending->ranks, result, &reason);
    if (result == DLP_OK) {
        Writer writer = {
            .ranks = pending->ranks, .parts = parts, .parallel = parallel, .block = buffer.data, .file = -1};
        result = write_together(&writer, pending, path, &reason);
    }
    dlp__buffer_release(memory, &buffer);
    return result == DLP_OK ? DLP_OK : dlp__fail(error, result, "%s", reason.text);
}
