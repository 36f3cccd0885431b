#include "surface/level_blocks.h"

#include "base/simd.h"
#include "surface/block_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024 }; /* blocks that are sampled before those without surface are dropped */

void dlp__level_blocks_init(dlp__LevelBlocks *blocks, dlp__Memory *memory)
{
    memset(blocks, 0, sizeof *blocks);
    blocks->memory = memory;
}

void dlp__level_blocks_release(dlp__LevelBlocks *blocks)
{
    dlp__buffer_release(blocks->memory, &blocks->batch_buffer);
    dlp__buffer_release(blocks->memory, &blocks->asked_buffer);
    dlp__buffer_release(blocks->memory, &blocks->level_buffer);
    dlp__buffer_release(blocks->memory, &blocks->key_buffer);
}

int64_t dlp__level_blocks_find(const dlp__LevelBlocks *blocks, dlp__Cell place)
{
    const uint64_t key = dlp__cell_key(place);
    const int64_t found = dlp__key_lower_bound(blocks->key, blocks->count, key);
    return found < blocks->count && blocks->key[found] == key ? found : -1;
}

/* Boxes of cells or blocks, along one axis: those that touch a stretch of space. */
static int32_t place_of(double x, double side)
{
    double place = floor(x / side);
    return (int32_t)fmin(fmax(place, -DLP_CELL_LIMIT), DLP_CELL_LIMIT);
}

static dlp__Cell places_of(const double x[3], const double side[3])
{
    return (dlp__Cell){place_of(x[0], side[0]), place_of(x[1], side[1]), place_of(x[2], side[2])};
}

static int compare_keys(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* A box of blocks. */
typedef struct Box {
    dlp__Cell first, last;
} Box;

/* Those that the points of a cell may reach. */
static Box box_of_cell(const dlp__SurfacePoints *points, const dlp__LevelPlan *plan, int64_t cell)
{
    const double side = plan->cell * DLP_BLOCK_CELLS, sides[3] = {side, side, side};
    dlp__Cell at = dlp__cell_of_key(points->grid.key[cell]);
    const int32_t coordinate[3] = {at.x, at.y, at.z};
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = coordinate[a] / points->frame.per_cell[a] - plan->farthest - plan->cell;
        high[a] = (coordinate[a] + 1) / points->frame.per_cell[a] + plan->farthest;
    }
    return (Box){places_of(low, sides), places_of(high, sides)};
}

/* Write the keys of a box, unless `keys` is null; returns how many there are. */
static int64_t keys_of_box(const Box *box, uint64_t *keys)
{
    int64_t count = 0;
    for (int32_t z = box->first.z; z <= box->last.z; z++) {
        for (int32_t y = box->first.y; y <= box->last.y; y++) {
            for (int32_t x = box->first.x; x <= box->last.x; x++, count++) {
                if (keys != NULL) {
                    keys[count] = dlp__cell_key((dlp__Cell){x, y, z});
                }
            }
        }
    }
    return count;
}

/* The keys of all cells, some of them many times; returns how many. Cells in a row mostly reach the same box, which counts once. */
static int64_t keys_of_cells(const dlp__SurfacePoints *points, const dlp__LevelPlan *plan, uint64_t *keys)
{
    Box last = {{0, 0, 0}, {-1, -1, -1}};
    int64_t count = 0;
    for (int64_t cell = 0; cell < points->grid.count; cell++) {
        const Box box = box_of_cell(points, plan, cell);
        count += memcmp(&box, &last, sizeof box) == 0 ? 0 : keys_of_box(&box, keys != NULL ? keys + count : NULL);
        last = box;
    }
    return count;
}

/* Keys of all blocks that any point reaches, in rising order; -1 without memory. Those deep inside the fluid are sampled too:
 * that costs less than to know beforehand that there is no bubble in them. */
static int64_t ask_for_blocks(dlp__LevelBlocks *blocks, const dlp__SurfacePoints *points, const dlp__LevelPlan *plan)
{
    const int64_t count = keys_of_cells(points, plan, NULL);
    int64_t kept = 0;
    if (count == 0) {
        return 0;
    }
    if (!dlp__buffer_reserve(blocks->memory, &blocks->asked_buffer, count, sizeof(uint64_t))) {
        return -1;
    }
    uint64_t *keys = blocks->asked_buffer.data;
    keys_of_cells(points, plan, keys);
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    for (int64_t n = 0; n < count; n++) {
        if (n == 0 || keys[n] != keys[n - 1]) {
            keys[kept++] = keys[n];
        }
    }
    return kept;
}

static dlp__RowVisitor adder_of(const dlp__LevelPlan *plan)
{
    static const dlp__RowVisitor plain[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__block_add);
    static const dlp__RowVisitor blobs[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__block_add_blobs);
    static const dlp__RowVisitor offsets[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__block_add_offsets);
    const dlp__RowVisitor *versions = plan->field == DLP_SURFACE_BLOBS      ? blobs
                                      : plan->field == DLP_SURFACE_AVERAGED ? offsets
                                                                            : plain;
    return versions[dlp__width_index(plan->simd)];
}

/* From weights and weighted distances to how near a sample is to the mean of its points: 1 there, 0 at the end of their reach. */
static void weights_to_nearness(float *sum, float offset[3][DLP_BLOCK_SAMPLES], double radius)
{
    const float per_radius = (float)(1.0 / radius);
    for (int n = 0; n < DLP_BLOCK_SAMPLES; n++) {
        float x = offset[0][n], y = offset[1][n], z = offset[2][n];
        float distance = sum[n] > 0.0f ? sqrtf(x * x + y * y + z * z) / sum[n] : (float)radius;
        sum[n] = fmaxf(1.0f - distance * per_radius, 0.0f);
    }
}

void dlp__level_block_sums(const dlp__SurfacePoints *points, const dlp__Ellipsoid *ellipsoids,
                           const dlp__LevelPlan *plan, dlp__Cell place, float *sum)
{
    const int32_t places[3] = {place.x, place.y, place.z};
    float offset[3][DLP_BLOCK_SAMPLES];
    dlp__BlockSamples block = {.ellipsoids = ellipsoids, .cell = plan->cell, .sum = sum};
    double low[3], high[3], sides[3];
    for (int a = 0; a < 3; a++) {
        block.first[a] = (int64_t)places[a] * DLP_BLOCK_CELLS;
        block.offset[a] = offset[a];
        for (int k = 0; k < DLP_BLOCK_SIDE; k++) {
            block.at[a][k] = (float)((double)(block.first[a] + k) * plan->cell);
        }
        low[a] = (double)block.at[a][0] - plan->farthest;
        high[a] = (double)block.at[a][DLP_BLOCK_SIDE - 1] + plan->farthest;
        sides[a] = 1.0 / points->frame.per_cell[a];
    }
    memset(sum, 0, DLP_BLOCK_SAMPLES * sizeof *sum);
    if (plan->field == DLP_SURFACE_AVERAGED) {
        memset(offset, 0, sizeof offset);
    }
    dlp__surface_points_visit(points, places_of(low, sides), places_of(high, sides), adder_of(plan), &block);
    if (plan->field == DLP_SURFACE_AVERAGED) {
        weights_to_nearness(sum, offset, plan->radius);
    }
}

/* A batch of blocks at work. */
typedef struct Batch {
    const dlp__SurfacePoints *points;
    const dlp__Ellipsoid *ellipsoids;
    const dlp__LevelPlan *plan;
    dlp__LevelCut cut;
    const void *cut_context;
    const uint64_t *key;
    float *level;
    bool crossed[BATCH]; /* by the surface */
} Batch;

static void sum_to_level(float *level, const dlp__LevelPlan *plan)
{
    const float most = (float)DLP_LEVEL_STEPS * (1.0f - 1e-6f);
    for (int n = 0; n < DLP_BLOCK_SAMPLES; n++) {
        if (!(level[n] > 0.0f)) { /* most samples of a splash are far from all points */
            level[n] = plan->level[0];
            continue;
        }
        float at = level[n] * plan->per_step;
        at = at < most ? at : most;
        int step = (int)at;
        level[n] = plan->level[step] + (at - (float)step) * (plan->level[step + 1] - plan->level[step]);
    }
}

static bool has_surface(const float *level)
{
    int inside = 0;
    for (int n = 0; n < DLP_BLOCK_SAMPLES; n++) {
        inside += level[n] < 0.0f;
    }
    return inside > 0 && inside < DLP_BLOCK_SAMPLES;
}

static void sample_blocks(void *context, int64_t begin, int64_t end)
{
    Batch *batch = context;
    for (int64_t n = begin; n < end; n++) {
        float *level = batch->level + n * DLP_BLOCK_SAMPLES;
        dlp__level_block_sums(batch->points, batch->ellipsoids, batch->plan, dlp__cell_of_key(batch->key[n]), level);
        sum_to_level(level, batch->plan);
        if (batch->cut != NULL) {
            batch->cut(batch->cut_context, dlp__cell_of_key(batch->key[n]), batch->plan->cell, level);
        }
        batch->crossed[n] = has_surface(level);
    }
}

/* Room for one more block behind those that are kept. */
static bool grow(dlp__LevelBlocks *blocks)
{
    const int64_t count = blocks->count, ok = count + count / 2 + BATCH;
    const int64_t block = DLP_BLOCK_SAMPLES * (int64_t)sizeof(float);
    if (blocks->level_buffer.capacity >= (count + 1) * block &&
        blocks->key_buffer.capacity >= (count + 1) * (int64_t)sizeof(uint64_t)) {
        return true;
    }
    bool grown = dlp__buffer_grow(blocks->memory, &blocks->level_buffer, count * block, ok, (size_t)block) &&
                 dlp__buffer_grow(blocks->memory, &blocks->key_buffer, count * (int64_t)sizeof(uint64_t), ok,
                                  sizeof(uint64_t));
    blocks->level = blocks->level_buffer.data;
    blocks->key = blocks->key_buffer.data;
    return grown;
}

static bool keep_surface(dlp__LevelBlocks *blocks, const Batch *batch, int64_t count)
{
    for (int64_t n = 0; n < count; n++) {
        const float *level = batch->level + n * DLP_BLOCK_SAMPLES;
        if (batch->crossed[n]) {
            if (!grow(blocks)) {
                return false;
            }
            memcpy(blocks->level + blocks->count * DLP_BLOCK_SAMPLES, level, DLP_BLOCK_SAMPLES * sizeof(float));
            blocks->key[blocks->count++] = batch->key[n];
        }
    }
    return true;
}

bool dlp__level_blocks_fill(dlp__LevelBlocks *blocks, const dlp__SurfacePoints *points,
                            const dlp__Ellipsoid *ellipsoids, const dlp__Parallel *parallel, const dlp__LevelPlan *plan,
                            dlp__LevelCut cut, const void *cut_context)
{
    int64_t asked = ask_for_blocks(blocks, points, plan);
    blocks->count = 0;
    blocks->cell = plan->cell;
    blocks->level = blocks->level_buffer.data;
    blocks->key = blocks->key_buffer.data;
    if (asked < 0 || !dlp__buffer_reserve(blocks->memory, &blocks->batch_buffer, (int64_t)BATCH * DLP_BLOCK_SAMPLES,
                                          sizeof(float))) {
        return false;
    }
    for (int64_t first = 0; first < asked; first += BATCH) {
        int64_t count = asked - first < BATCH ? asked - first : BATCH;
        Batch batch = {.points = points,
                       .ellipsoids = ellipsoids,
                       .plan = plan,
                       .cut = cut,
                       .cut_context = cut_context,
                       .key = (const uint64_t *)blocks->asked_buffer.data + first,
                       .level = blocks->batch_buffer.data};
        dlp__parallel_for(parallel, count, 1, sample_blocks, &batch);
        if (!keep_surface(blocks, &batch, count)) {
            return false;
        }
    }
    return true;
}
