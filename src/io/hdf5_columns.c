/* A chunk is made as the HDF5 filters would make it: `shuffle` stores byte 0 of all items, then byte 1 and so on, and `deflate` compresses
 * that. Items are little-endian in files. */
#include "io/hdf5_columns.h"

#include "base/error.h"

#include <string.h>
#include <zlib.h>

#define CONTIGUOUS_ROWS 4096 /* up to this many rows, chunks cost more than they save */

enum { BATCH_MOST = 16, BLOCK_ROWS = 4096 };

static const uint32_t NOT_DEFLATED = 2; /* filter mask: the second filter was not applied */

/* A chunk of one column: rows first <= i < first + rows, padded with zeros to `space` rows. */
typedef struct Chunk {
    const dlp__Hdf5Columns *columns;
    int column;
    int64_t first, rows, space;
    unsigned char *shuffled, *deflated;
    uLongf bytes; /* of `deflated` */
    int status;   /* of zlib */
} Chunk;

typedef struct Batch {
    const dlp__ParticleParts *parts;
    int count, most;
    Chunk chunk[BATCH_MOST];
} Batch;

dlp__ParticleParts dlp__particle_parts(const dlp__Domains *domains)
{
    dlp__ParticleParts parts = {.count = domains->count};
    for (int p = 0; p < domains->count; p++) {
        parts.part[p] = &domains->part[p].particles;
    }
    return parts;
}

bool dlp__hdf5_is_compressed(int64_t rows)
{
    return rows > CONTIGUOUS_ROWS && H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0;
}

static int64_t chunk_space(const dlp__Hdf5Columns *columns)
{
    return columns->rows < DLP_CHUNK_ROWS ? columns->rows : DLP_CHUNK_ROWS;
}

/* Items to rows `at` and following of the chunk. */
#define SHUFFLE(type) \
    for (int64_t i = 0; i < count; i++) { \
        type item; \
        memcpy(&item, (const char *)items + (size_t)i * sizeof item, sizeof item); \
        for (int b = 0; b < (int)sizeof item; b++) { \
            planes[b * chunk->space + i] = (unsigned char)(item >> (8 * b)); \
        } \
    }
static void shuffle(const Chunk *chunk, int64_t at, const void *items, int64_t count)
{
    unsigned char *planes = chunk->shuffled + at;
    switch (chunk->columns->size) {
    case 1: memcpy(planes, items, (size_t)count); break;
    case 2: SHUFFLE(uint16_t) break;
    case 4: SHUFFLE(uint32_t) break;
    case 8: SHUFFLE(uint64_t) break;
    default: break;
    }
}

static void shuffle_field(const Chunk *chunk, const dlp__ParticleParts *parts)
{
    int64_t before = 0;
    for (int p = 0; p < parts->count; before += parts->part[p++]->count) {
        const int64_t count = parts->part[p]->count, last = chunk->first + chunk->rows;
        const int64_t begin = chunk->first > before ? chunk->first : before;
        const int64_t end = last < before + count ? last : before + count;
        if (begin < end) {
            const char *items = dlp__field_array(parts->part[p], chunk->columns->field, chunk->column);
            shuffle(chunk, begin - chunk->first, items + (size_t)(begin - before) * chunk->columns->size, end - begin);
        }
    }
}

static void shuffle_generated(const Chunk *chunk)
{
    int64_t block[BLOCK_ROWS]; /* enough for the widest type */
    for (int64_t at = 0; at < chunk->rows; at += BLOCK_ROWS) {
        const int64_t count = at + BLOCK_ROWS < chunk->rows ? BLOCK_ROWS : chunk->rows - at;
        chunk->columns->fill(block, chunk->first + at, chunk->first + at + count);
        shuffle(chunk, at, block, count);
    }
}

static void compress_chunks(void *context, int64_t begin, int64_t end)
{
    Batch *batch = context;
    for (int64_t n = begin; n < end; n++) {
        Chunk *chunk = &batch->chunk[n];
        const size_t bytes = (size_t)chunk->space * chunk->columns->size;
        if (chunk->rows < chunk->space) {
            memset(chunk->shuffled, 0, bytes);
        }
        if (chunk->columns->field != DLP_FIELD_NONE) {
            shuffle_field(chunk, batch->parts);
        } else {
            shuffle_generated(chunk);
        }
        chunk->bytes = compressBound(bytes);
        chunk->status = compress2(chunk->deflated, &chunk->bytes, chunk->shuffled, bytes, DLP_DEFLATE_LEVEL);
    }
}

static dlp_Result store_chunk(const Chunk *chunk, dlp_Error *error)
{
    const size_t bytes = (size_t)chunk->space * chunk->columns->size;
    const hsize_t offset[2] = {(hsize_t)chunk->first, (hsize_t)chunk->column};
    if (chunk->status != Z_OK) {
        return dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to compress %lld bytes", (long long)bytes);
    }
    const bool is_smaller = chunk->bytes < bytes;
    const herr_t stored = H5Dwrite_chunk(chunk->columns->dataset, H5P_DEFAULT, is_smaller ? 0 : NOT_DEFLATED, offset,
                                         is_smaller ? chunk->bytes : bytes,
                                         is_smaller ? chunk->deflated : chunk->shuffled);
    return stored >= 0 ? DLP_OK : dlp__fail(error, DLP_ERROR_FORMAT, "HDF5 could not write a chunk");
}

static dlp_Result finish_batch(Batch *batch, const dlp__Parallel *parallel, dlp_Error *error)
{
    dlp_Result result = DLP_OK;
    dlp__parallel_for(parallel, batch->count, 1, compress_chunks, batch);
    for (int n = 0; n < batch->count && result == DLP_OK; n++) {
        result = store_chunk(&batch->chunk[n], error);
    }
    batch->count = 0;
    return result;
}

static dlp_Result fill_columns(Batch *batch, const dlp__Hdf5Columns *columns, const dlp__Parallel *parallel,
                               dlp_Error *error)
{
    const int64_t space = chunk_space(columns);
    dlp_Result result = DLP_OK;
    for (int c = 0; c < columns->columns; c++) {
        for (int64_t first = 0; first < columns->rows && result == DLP_OK; first += space) {
            Chunk *chunk = &batch->chunk[batch->count++];
            chunk->columns = columns;
            chunk->column = c;
            chunk->first = first;
            chunk->rows = columns->rows - first < space ? columns->rows - first : space;
            chunk->space = space;
            result = batch->count == batch->most ? finish_batch(batch, parallel, error) : DLP_OK;
        }
    }
    return result;
}

/* Memory for the chunks of a batch, each with its shuffled and its compressed bytes. */
static bool reserve_batch(Batch *batch, const dlp__Hdf5Pending *pending, const dlp__Parallel *parallel,
                          dlp__Memory *memory, dlp__Buffer *buffer)
{
    size_t most = 0;
    for (int n = 0; n < pending->count; n++) {
        const size_t bytes = (size_t)chunk_space(&pending->columns[n]) * pending->columns[n].size;
        most = bytes > most ? bytes : most;
    }
    const size_t each = most + compressBound(most);
    batch->most = parallel->threads < BATCH_MOST ? parallel->threads : BATCH_MOST;
    if (!dlp__buffer_reserve(memory, buffer, batch->most, each)) {
        return false;
    }
    for (int n = 0; n < batch->most; n++) {
        batch->chunk[n].shuffled = (unsigned char *)buffer->data + (size_t)n * each;
        batch->chunk[n].deflated = batch->chunk[n].shuffled + most;
    }
    return true;
}

void dlp__hdf5_drop(dlp__Hdf5Pending *pending)
{
    while (pending->count > 0) {
        const dlp__Hdf5Columns *columns = &pending->columns[--pending->count];
        if (columns->dataset >= 0) {
            H5Dclose(columns->dataset);
        }
        dlp__memory_release(pending->memory, columns->data, columns->data_rows,
                            columns->size * (size_t)columns->columns);
    }
}

dlp_Result dlp__hdf5_detach(dlp__Hdf5Pending *pending, dlp_Error *error)
{
    bool ok = true;
    for (int n = 0; n < pending->count; n++) {
        dlp__Hdf5Columns *columns = &pending->columns[n];
        const ssize_t length = H5Iget_name(columns->dataset, columns->name, sizeof columns->name);
        ok = H5Dclose(columns->dataset) >= 0 && length > 0 && (size_t)length < sizeof columns->name && ok;
        columns->dataset = -1;
    }
    return ok ? DLP_OK : dlp__fail(error, DLP_ERROR_FORMAT, "HDF5 could not close the datasets");
}

dlp_Result dlp__hdf5_fill(dlp__Hdf5Pending *pending, const dlp__ParticleParts *parts, const dlp__Parallel *parallel,
                          dlp__Memory *memory, dlp_Error *error)
{
    if (pending->count == 0) {
        return DLP_OK;
    }
    Batch batch = {.parts = parts};
    dlp__Buffer buffer = {NULL, 0};
    dlp_Result result = reserve_batch(&batch, pending, parallel, memory, &buffer)
                            ? DLP_OK
                            : dlp__fail(error, DLP_ERROR_MEMORY, "out of memory to compress a file");
    for (int n = 0; n < pending->count && result == DLP_OK; n++) {
        result = fill_columns(&batch, &pending->columns[n], parallel, error);
    }
    result = result == DLP_OK ? finish_batch(&batch, parallel, error) : result;
    dlp__buffer_release(memory, &buffer);
    dlp__hdf5_drop(pending);
    return result;
}
