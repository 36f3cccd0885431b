/* Lists the blocks near any point, samples them in batches and keeps those that the surface crosses. */
#include "surface/level_blocks.h"

#include "base/simd.h"
#include "surface/block_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH_BLOCKS = 1024 }; /* blocks sampled at once, before those without surface are dropped */

void dlp__level_blocks_init(dlp__LevelBlocks *blocks, dlp__Memory *memory)
{
    memset(blocks, 0, sizeof *blocks);
    blocks->memory = memory;
}

void dlp__level_blocks_release(dlp__LevelBlocks *blocks)
{
    dlp__buffer_release(blocks->memory, &blocks->batch_buffer);
    dlp__buffer_release(blocks->memory, &blocks->candidate_buffer);
    dlp__buffer_release(blocks->memory, &blocks->level_buffer);
    dlp__buffer_release(blocks->memory, &blocks->key_buffer);
}

int64_t dlp__level_blocks_find(const dlp__LevelBlocks *blocks, dlp__Cell block)
{
    const uint64_t key = dlp__cell_key(block);
    const int64_t found = dlp__key_lower_bound(blocks->key, blocks->count, key);
    return found < blocks->count && blocks->key[found] == key ? found : -1;
}

/* The index of the cell or block at a coordinate, along one axis. */
static int32_t cell_index(double x, double side)
{
    double block = floor(x / side);
    return (int32_t)fmin(fmax(block, -DLP_CELL_LIMIT), DLP_CELL_LIMIT);
}

static dlp__Cell cell_at_point(const double x[3], const double side[3])
{
    return (dlp__Cell){cell_index(x[0], side[0]), cell_index(x[1], side[1]), cell_index(x[2], side[2])};
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

/* The blocks that the points of a cell may reach. */
static Box blocks_near_cell(const dlp__SurfacePoints *points, const dlp__LevelPlan *plan, int64_t cell)
{
    const double side = plan->cell * DLP_BLOCK_CELLS, sides[3] = {side, side, side};
    dlp__Cell position = dlp__cell_of_key(points->grid.key[cell]);
    const int32_t coordinate[3] = {position.x, position.y, position.z};
    double low[3], high[3];
    for (int a = 0; a < 3; a++) {
        low[a] = coordinate[a] / points->frame.per_cell[a] - plan->max_extent - plan->cell;
        high[a] = (coordinate[a] + 1) / points->frame.per_cell[a] + plan->max_extent;
    }
    return (Box){cell_at_point(low, sides), cell_at_point(high, sides)};
}

/* Write the keys of a box, unless `keys` is null; returns the count. */
static int64_t list_box_keys(const Box *box, uint64_t *keys)
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

/* The keys of the blocks near all cells, with duplicates; returns the count. Consecutive cells often have the same box,
 * which is listed once. */
static int64_t list_keys(const dlp__SurfacePoints *points, const dlp__LevelPlan *plan, uint64_t *keys)
{
    Box last = {{0, 0, 0}, {-1, -1, -1}};
    int64_t count = 0;
    for (int64_t cell = 0; cell < points->grid.count; cell++) {
        const Box box = blocks_near_cell(points, plan, cell);
        count += memcmp(&box, &last, sizeof box) == 0 ? 0 : list_box_keys(&box, keys != NULL ? keys + count : NULL);
        last = box;
    }
    return count;
}

/* The keys of all blocks that any point reaches, in ascending order; -1 when out of memory. Blocks deep inside the
 * fluid are included: sampling them costs less than proving that they contain no bubble. */
static int64_t list_candidates(dlp__LevelBlocks *blocks, const dlp__SurfacePoints *points, const dlp__LevelPlan *plan)
{
    const int64_t count = list_keys(points, plan, NULL);
    int64_t kept = 0;
    if (count == 0) {
        return 0;
    }
    if (!dlp__buffer_reserve(blocks->memory, &blocks->candidate_buffer, count, sizeof(uint64_t))) {
        return -1;
    }
    uint64_t *keys = blocks->candidate_buffer.data;
    list_keys(points, plan, keys);
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    for (int64_t n = 0; n < count; n++) {
        if (n == 0 || keys[n] != keys[n - 1]) {
            keys[kept++] = keys[n];
        }
    }
    return kept;
}

static dlp__RowVisitor sample_function(const dlp__LevelPlan *plan)
{
    static const dlp__RowVisitor plain[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__block_add);
    static const dlp__RowVisitor blobs[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__block_add_blobs);
    static const dlp__RowVisitor offsets[DLP_WIDTHS] = DLP_WIDE_TABLE(dlp__block_add_offsets);
    const dlp__RowVisitor *versions = plan->field == DLP_SURFACE_BLOBS      ? blobs
                                      : plan->field == DLP_SURFACE_AVERAGED ? offsets
                                                                            : plain;
    return versions[dlp__width_index(plan->simd)];
}

/* From sums of weights and weighted distances to a value that is 1 at the mean of the points and 0 at their radius. */
static void averages_to_sums(float *sum, float offset[3][DLP_BLOCK_SAMPLES], double radius)
{
    const float per_radius = (float)(1.0 / radius);
    for (int n = 0; n < DLP_BLOCK_SAMPLES; n++) {
        float x = offset[0][n], y = offset[1][n], z = offset[2][n];
        float distance = sum[n] > 0.0f ? sqrtf(x * x + y * y + z * z) / sum[n] : (float)radius;
        sum[n] = fmaxf(1.0f - distance * per_radius, 0.0f);
    }
}

void dlp__level_block_sums(const dlp__SurfacePoints *points, const dlp__Ellipsoid *ellipsoids,
                           const dlp__LevelPlan *plan, dlp__Cell block, float *sum)
{
    const int32_t block_index[3] = {block.x, block.y, block.z};
    float offset[3][DLP_BLOCK_SAMPLES];
    dlp__BlockSamples samples = {.ellipsoids = ellipsoids, .cell = plan->cell, .sum = sum};
    double low[3], high[3], sides[3];
    for (int a = 0; a < 3; a++) {
        samples.first[a] = (int64_t)block_index[a] * DLP_BLOCK_CELLS;
        samples.offset[a] = offset[a];
        for (int k = 0; k < DLP_BLOCK_SIDE; k++) {
            samples.at[a][k] = (float)((double)(samples.first[a] + k) * plan->cell);
        }
        low[a] = (double)samples.at[a][0] - plan->max_extent;
        high[a] = (double)samples.at[a][DLP_BLOCK_SIDE - 1] + plan->max_extent;
        sides[a] = 1.0 / points->frame.per_cell[a];
    }
    memset(sum, 0, DLP_BLOCK_SAMPLES * sizeof *sum);
    if (plan->field == DLP_SURFACE_AVERAGED) {
        memset(offset, 0, sizeof offset);
    }
    dlp__surface_points_visit(points, cell_at_point(low, sides), cell_at_point(high, sides), sample_function(plan),
                              &samples);
    if (plan->field == DLP_SURFACE_AVERAGED) {
        averages_to_sums(sum, offset, plan->radius);
    }
}

/* A batch of blocks being sampled. */
typedef struct Batch {
    const dlp__SurfacePoints *points;
    const dlp__Ellipsoid *ellipsoids;
    const dlp__LevelPlan *plan;
    dlp__LevelClip clip;
    const void *clip_context;
    const uint64_t *key;
    float *level;
    bool crossed[BATCH_BLOCKS]; /* the surface crosses the block */
} Batch;

static void sums_to_levels(float *level, const dlp__LevelPlan *plan)
{
    const float max_step = (float)DLP_LEVEL_STEPS * (1.0f - 1e-6f);
    for (int n = 0; n < DLP_BLOCK_SAMPLES; n++) {
        if (!(level[n] > 0.0f)) { /* most samples of a splash are far from all points */
            level[n] = plan->level[0];
            continue;
        }
        float step_position = level[n] * plan->per_step;
        step_position = step_position < max_step ? step_position : max_step;
        int step = (int)step_position;
        level[n] = plan->level[step] + (step_position - (float)step) * (plan->level[step + 1] - plan->level[step]);
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
        sums_to_levels(level, batch->plan);
        if (batch->clip != NULL) {
            batch->clip(batch->clip_context, dlp__cell_of_key(batch->key[n]), batch->plan->cell, level);
        }
        batch->crossed[n] = has_surface(level);
    }
}

/* Reserve memory for one more block. */
static bool reserve_block(dlp__LevelBlocks *blocks)
{
    const int64_t count = blocks->count, capacity = count + count / 2 + BATCH_BLOCKS;
    const int64_t block = DLP_BLOCK_SAMPLES * (int64_t)sizeof(float);
    if (blocks->level_buffer.capacity >= (count + 1) * block &&
        blocks->key_buffer.capacity >= (count + 1) * (int64_t)sizeof(uint64_t)) {
        return true;
    }
    bool grown = dlp__buffer_grow(blocks->memory, &blocks->level_buffer, count * block, capacity, (size_t)block) &&
                 dlp__buffer_grow(blocks->memory, &blocks->key_buffer, count * (int64_t)sizeof(uint64_t), capacity,
                                  sizeof(uint64_t));
    blocks->level = blocks->level_buffer.data;
    blocks->key = blocks->key_buffer.data;
    return grown;
}

static bool keep_crossed(dlp__LevelBlocks *blocks, const Batch *batch, int64_t count)
{
    for (int64_t n = 0; n < count; n++) {
        const float *level = batch->level + n * DLP_BLOCK_SAMPLES;
        if (batch->crossed[n]) {
            if (!reserve_block(blocks)) {
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
                            dlp__LevelClip clip, const void *clip_context)
{
    int64_t candidates = list_candidates(blocks, points, plan);
    blocks->count = 0;
    blocks->cell = plan->cell;
    blocks->level = blocks->level_buffer.data;
    blocks->key = blocks->key_buffer.data;
    if (candidates < 0 || !dlp__buffer_reserve(blocks->memory, &blocks->batch_buffer,
                                               (int64_t)BATCH_BLOCKS * DLP_BLOCK_SAMPLES, sizeof(float))) {
        return false;
    }
    for (int64_t first = 0; first < candidates; first += BATCH_BLOCKS) {
        int64_t count = candidates - first < BATCH_BLOCKS ? candidates - first : BATCH_BLOCKS;
        Batch batch = {.points = points,
                       .ellipsoids = ellipsoids,
                       .plan = plan,
                       .clip = clip,
                       .clip_context = clip_context,
                       .key = (const uint64_t *)blocks->candidate_buffer.data + first,
                       .level = blocks->batch_buffer.data};
        dlp__parallel_for(parallel, count, 1, sample_blocks, &batch);
        if (!keep_crossed(blocks, &batch, count)) {
            return false;
        }
    }
    return true;
}
