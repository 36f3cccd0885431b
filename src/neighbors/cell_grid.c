/* Positions to cells, and the parallel sort of particles by (cell, id). */
#include "neighbors/cell_grid.h"

#include <math.h>
#include <string.h>

/* Cells are a little larger than the support, so that rounding can never put a neighbour two cells away. */
static const double CELL_MARGIN = 1.0 + 1e-5;

bool dlp__cell_frame_init(dlp__CellFrame *frame, double support, const double lower[3], const double size[3])
{
    double cell = support * CELL_MARGIN;
    frame->shear = (dlp__Shear){0};
    for (int a = 0; a < 3; a++) {
        frame->origin[a] = 0.0;
        frame->per_cell[a] = 1.0 / cell;
        frame->periodic[a] = 0;
        frame->period[a] = size[a];
        if (size[a] > 0.0) {
            /* With fewer than two cells a particle would be its own neighbour across the boundary. */
            double cells = floor(size[a] / cell);
            if (!(cells >= 2.0 && cells < DLP_CELL_LIMIT)) {
                return false;
            }
            frame->origin[a] = lower[a];
            frame->per_cell[a] = cells / size[a];
            frame->periodic[a] = (int64_t)cells;
        }
    }
    return true;
}

void dlp__cell_frame_shear(dlp__CellFrame *frame, double rate, double strain)
{
    const double height = frame->period[2];
    frame->shear = (dlp__Shear){
        .rate = rate, .strain = strain, .offset = remainder(strain * height, frame->period[0]), .jump = rate * height};
}

/* Truncation instead of floor(), which is a library call on machines without SSE4.1; clamping first gives the same number. */
static int32_t cell_between(const dlp__CellFrame *frame, int axis, double x, double least, double most)
{
    const double c = (x - frame->origin[axis]) * frame->per_cell[axis];
    /* also for NaN, which the world's own check reports */
    const double clamped = !(c >= least) ? least : c > most ? most : c;
    const int32_t truncated = (int32_t)clamped;
    return truncated - ((double)truncated > clamped);
}

static int32_t cell_coordinate(const dlp__CellFrame *frame, int axis, float x)
{
    const bool is_periodic = frame->periodic[axis] > 0;
    return cell_between(frame, axis, (double)x, is_periodic ? 0.0 : -DLP_CELL_LIMIT,
                        is_periodic ? (double)(frame->periodic[axis] - 1) : DLP_CELL_LIMIT);
}

dlp__Cell dlp__cell_at(const dlp__CellFrame *frame, float x, float y, float z)
{
    return (dlp__Cell){cell_coordinate(frame, 0, x), cell_coordinate(frame, 1, y), cell_coordinate(frame, 2, z)};
}

int32_t dlp__image_cell(const dlp__CellFrame *frame, int axis, double position)
{
    return cell_between(frame, axis, position, -DLP_CELL_LIMIT, DLP_CELL_LIMIT);
}

/* Sorting: a stable radix sort, DIGIT_BITS of the key at a time, each digit in parallel over blocks. */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS, SORT_BLOCK = 16384 };

/* Compact keys: cell coordinates relative to the smallest. */
typedef struct KeyPacking {
    dlp__Cell least;
    int bits_x, bits_y, bits;
} KeyPacking;

static int bits_for(int32_t least, int32_t most)
{
    int bits = 0;
    for (uint32_t range = (uint32_t)(most - least); range != 0; range >>= 1) {
        bits++;
    }
    return bits;
}

static uint64_t pack_key(const KeyPacking *packing, uint64_t key)
{
    dlp__Cell cell = dlp__cell_of_key(key);
    return ((uint64_t)(cell.z - packing->least.z) << (packing->bits_x + packing->bits_y)) |
           ((uint64_t)(cell.y - packing->least.y) << packing->bits_x) | (uint64_t)(cell.x - packing->least.x);
}

static uint64_t unpack_key(const KeyPacking *packing, uint64_t packed)
{
    const uint64_t row = packed >> packing->bits_x, layer = row >> packing->bits_y;
    const uint64_t mask_x = ((uint64_t)1 << packing->bits_x) - 1, mask_y = ((uint64_t)1 << packing->bits_y) - 1;
    return dlp__cell_key((dlp__Cell){packing->least.x + (int32_t)(packed & mask_x),
                                     packing->least.y + (int32_t)(row & mask_y), packing->least.z + (int32_t)layer});
}

static int32_t smaller(int32_t a, int32_t b)
{
    return a < b ? a : b;
}

static int32_t larger(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

static KeyPacking find_packing(const uint64_t *keys, int64_t count)
{
    dlp__Cell least = {INT32_MAX, INT32_MAX, INT32_MAX}, most = {INT32_MIN, INT32_MIN, INT32_MIN};
    for (int64_t i = 0; i < count; i++) {
        if (keys[i] != DLP_CELL_DEAD) {
            dlp__Cell c = dlp__cell_of_key(keys[i]);
            least = (dlp__Cell){smaller(least.x, c.x), smaller(least.y, c.y), smaller(least.z, c.z)};
            most = (dlp__Cell){larger(most.x, c.x), larger(most.y, c.y), larger(most.z, c.z)};
        }
    }
    if (least.x > most.x) {
        return (KeyPacking){.bits = 0};
    }
    KeyPacking packing = {least, bits_for(least.x, most.x), bits_for(least.y, most.y), 0};
    packing.bits = packing.bits_x + packing.bits_y + bits_for(least.z, most.z);
    return packing;
}

typedef struct DigitPass {
    const uint64_t *from_key;
    const int32_t *from_order;
    uint64_t *to_key;
    int32_t *to_order;
    int32_t *counts; /* per block and digit: counts, then destinations */
    int64_t count;
    int shift;
} DigitPass;

static int64_t block_end(const DigitPass *pass, int64_t block)
{
    int64_t end = (block + 1) * SORT_BLOCK;
    return end < pass->count ? end : pass->count;
}

static void count_digits(void *context, int64_t begin, int64_t end)
{
    const DigitPass *pass = context;
    for (int64_t block = begin; block < end; block++) {
        int32_t *counts = pass->counts + block * DIGITS;
        memset(counts, 0, DIGITS * sizeof *counts);
        for (int64_t i = block * SORT_BLOCK; i < block_end(pass, block); i++) {
            counts[pass->from_key[i] >> pass->shift & (DIGITS - 1)]++;
        }
    }
}

static void place_digits(void *context, int64_t begin, int64_t end)
{
    const DigitPass *pass = context;
    for (int64_t block = begin; block < end; block++) {
        int32_t *next = pass->counts + block * DIGITS;
        for (int64_t i = block * SORT_BLOCK; i < block_end(pass, block); i++) {
            int32_t to = next[pass->from_key[i] >> pass->shift & (DIGITS - 1)]++;
            pass->to_key[to] = pass->from_key[i];
            pass->to_order[to] = pass->from_order[i];
        }
    }
}

static void sort_digit(DigitPass *pass, const dlp__Parallel *parallel)
{
    int64_t blocks = (pass->count + SORT_BLOCK - 1) / SORT_BLOCK;
    dlp__parallel_for(parallel, blocks, 1, count_digits, pass);
    int32_t total = 0;
    for (int digit = 0; digit < DIGITS; digit++) {
        for (int64_t block = 0; block < blocks; block++) {
            int32_t here = pass->counts[block * DIGITS + digit];
            pass->counts[block * DIGITS + digit] = total;
            total += here;
        }
    }
    dlp__parallel_for(parallel, blocks, 1, place_digits, pass);
}

typedef struct IdPass {
    const uint64_t *key;
    const uint64_t *id;
    int32_t *order;
    int64_t count;
} IdPass;

/* Shell sort of one cell's particles by id: usually few and nearly sorted, but any number must work. */
static void sort_run_by_id(const uint64_t *id, int32_t *order, int64_t count)
{
    static const int gaps[] = {1968301, 835387, 354594, 150460, 63789, 27085, 11501, 4833, 2057,
                               858,     361,    149,    57,     23,    10,    4,     1};
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++) {
        for (int64_t i = gaps[g]; i < count; i++) {
            int32_t moving = order[i];
            int64_t j = i;
            for (; j >= gaps[g] && id[order[j - gaps[g]]] > id[moving]; j -= gaps[g]) {
                order[j] = order[j - gaps[g]];
            }
            order[j] = moving;
        }
    }
}

/* Handles the cells whose first particle is in the range. */
static void sort_ids(void *context, int64_t begin, int64_t end)
{
    const IdPass *pass = context;
    int64_t i = begin;
    while (i < end && i > 0 && pass->key[i] == pass->key[i - 1]) {
        i++;
    }
    while (i < end) {
        int64_t last = i + 1;
        while (last < pass->count && pass->key[last] == pass->key[i]) {
            last++;
        }
        sort_run_by_id(pass->id, pass->order + i, last - i);
        i = last;
    }
}

/* Arrays of the sort, one after the other in its scratch memory. */
typedef struct SortArrays {
    uint64_t *keys;    /* packed; the other array of packed keys is the caller's */
    int32_t *order[2]; /* indices of particles */
    int32_t *counts;   /* of DigitPass */
} SortArrays;

static bool reserve_arrays(SortArrays *arrays, dlp__Memory *memory, dlp__Buffer *scratch, int64_t count)
{
    const int64_t blocks = (count + SORT_BLOCK - 1) / SORT_BLOCK;
    if (!dlp__buffer_reserve(memory, scratch, 4 * count + blocks * DIGITS, sizeof(int32_t))) {
        return false;
    }
    arrays->keys = scratch->data;
    arrays->order[0] = count > 0 ? (int32_t *)(arrays->keys + count) : NULL;
    arrays->order[1] = count > 0 ? arrays->order[0] + count : NULL;
    arrays->counts = count > 0 ? arrays->order[1] + count : NULL;
    return true;
}

/* Pack the keys of living particles in place and list their indices; returns their number. */
static int64_t pack_living(const KeyPacking *packing, uint64_t *keys, int64_t count, int32_t *order)
{
    int64_t alive = 0;
    for (int64_t i = 0; i < count; i++) {
        if (keys[i] != DLP_CELL_DEAD) {
            keys[alive] = pack_key(packing, keys[i]);
            order[alive++] = (int32_t)i;
        }
    }
    return alive;
}

bool dlp__cell_sort(dlp__Buffer *scratch, dlp__Particles *particles, const dlp__Parallel *parallel, uint64_t *keys)
{
    const int64_t count = particles->count;
    SortArrays arrays;
    if (!reserve_arrays(&arrays, particles->memory, scratch, count)) {
        return false;
    }
    const KeyPacking packing = find_packing(keys, count);
    const int64_t alive = pack_living(&packing, keys, count, arrays.order[0]);
    uint64_t *const packed[2] = {keys, arrays.keys};
    int current = 0;
    for (int shift = 0; shift < packing.bits; shift += DIGIT_BITS, current = 1 - current) {
        DigitPass pass = {packed[current],
                          arrays.order[current],
                          packed[1 - current],
                          arrays.order[1 - current],
                          arrays.counts,
                          alive,
                          shift};
        sort_digit(&pass, parallel);
    }
    IdPass ids = {packed[current], particles->id[0], arrays.order[current], alive};
    dlp__parallel_for(parallel, alive, DLP_SUM_BLOCK, sort_ids, &ids);
    for (int64_t i = 0; i < alive; i++) {
        keys[i] = unpack_key(&packing, packed[current][i]);
    }
    return dlp__particles_reorder(particles, parallel, arrays.order[current], alive);
}
