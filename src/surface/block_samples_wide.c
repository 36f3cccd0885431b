/* Adds ellipsoids to the samples of a block, row by row, in vectors along x. */
#include "base/simd.h"
#include "surface/block_samples.h"

/* The samples of the block along one axis that an ellipsoid may reach; empty if last < first. They are computed from
 * global sample indices, so that two blocks agree on their shared samples. */
typedef struct SampleRange {
    int first, last;
} SampleRange;

static SampleRange find_range(const dlp__BlockSamples *block, const dlp__Ellipsoid *e, int axis)
{
    double low = ceil(((double)e->center[axis] - (double)e->extent[axis]) / block->cell) - (double)block->first[axis];
    double high = floor(((double)e->center[axis] + (double)e->extent[axis]) / block->cell) - (double)block->first[axis];
    const double last = DLP_BLOCK_SIDE - 1;
    return (SampleRange){low > last + 1 ? DLP_BLOCK_SIDE
                         : low > 0      ? (int)low
                                        : 0,
                         high < 0      ? -1
                         : high < last ? (int)high
                                       : (int)last};
}

/* Terms that are constant along a row of samples. */
typedef struct Row {
    int64_t sample;     /* index of its first sample */
    float dy, dz;       /* m */
    float linear, rest; /* of the quadratic form: d A d = x (A_xx x + linear) + rest */
} Row;

DLP_INLINE void add_to(float *sum, dlp__Wide value)
{
    dlp__wide_store(sum, dlp__wide_load(sum) + value);
}

DLP_INLINE void add_row(const dlp__BlockSamples *block, const dlp__Ellipsoid *e, const Row *row, dlp_SurfaceField field)
{
    const dlp__Wide zero = dlp__wide(0.0f), one = dlp__wide(1.0f), center = dlp__wide(e->center[0]);
    for (int64_t n = 0; n < DLP_BLOCK_SIDE; n += DLP_WIDTH) {
        float *sum = block->sum + row->sample + n;
        dlp__Wide x = dlp__wide_load(block->at[0] + n) - center;
        dlp__Wide squared_distance = x * (dlp__wide(e->matrix[0]) * x + dlp__wide(row->linear)) + dlp__wide(row->rest);
        if (field == DLP_SURFACE_BLOBS) {
            dlp__Wide remaining = dlp__wide_max(one - dlp__wide_sqrt(dlp__wide_max(squared_distance, zero)), zero);
            add_to(sum, remaining * remaining);
            continue;
        }
        dlp__Wide remaining = dlp__wide_max(one - squared_distance, zero),
                  weight = dlp__wide(e->weight) * (remaining * remaining * remaining);
        add_to(sum, weight);
        if (field == DLP_SURFACE_AVERAGED) {
            add_to(block->offset[0] + row->sample + n, weight * x);
            add_to(block->offset[1] + row->sample + n, weight * dlp__wide(row->dy));
            add_to(block->offset[2] + row->sample + n, weight * dlp__wide(row->dz));
        }
    }
}

DLP_INLINE void add_range(const dlp__BlockSamples *block, int32_t begin, int32_t end, dlp_SurfaceField field)
{
    for (int32_t i = begin; i < end; i++) {
        const dlp__Ellipsoid *e = &block->ellipsoids[i];
        SampleRange range[3];
        for (int a = 0; a < 3; a++) {
            range[a] = find_range(block, e, a);
        }
        if (range[0].last < range[0].first) {
            continue;
        }
        for (int z = range[2].first; z <= range[2].last; z++) {
            float dz = block->at[2][z] - e->center[2];
            for (int y = range[1].first; y <= range[1].last; y++) {
                float dy = block->at[1][y] - e->center[1];
                Row row = {.sample = (z * DLP_BLOCK_SIDE + y) * DLP_BLOCK_SIDE,
                           .dy = dy,
                           .dz = dz,
                           .linear = 2.0f * (e->matrix[3] * dy + e->matrix[4] * dz),
                           .rest = dy * (e->matrix[1] * dy + 2.0f * e->matrix[5] * dz) + e->matrix[2] * dz * dz};
                const bool cuts_ellipsoid = 4.0f * e->matrix[0] * (row.rest - 1.0f) < row.linear * row.linear;
                if (cuts_ellipsoid) {
                    add_row(block, e, &row, field);
                }
            }
        }
    }
}

void DLP_WIDE(dlp__block_add)(void *context, int32_t begin, int32_t end)
{
    add_range(context, begin, end, DLP_SURFACE_ANISOTROPIC);
}

void DLP_WIDE(dlp__block_add_blobs)(void *context, int32_t begin, int32_t end)
{
    add_range(context, begin, end, DLP_SURFACE_BLOBS);
}

void DLP_WIDE(dlp__block_add_offsets)(void *context, int32_t begin, int32_t end)
{
    add_range(context, begin, end, DLP_SURFACE_AVERAGED);
}
