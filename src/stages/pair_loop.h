/* Loops over the neighbour lists of DLP_WIDTH particles at a time:
 *
 *     for (int64_t i = begin; i < end; i += DLP_WIDTH) {
 *         dlp__WideRow at = dlp__own_rows(context->rows[0], i);
 *         dlp__Lanes lanes = dlp__lanes(context->fluid, i);
 *         for (int32_t k = 0; k < lanes.longest; k++) {
 *             dlp__Pair pair = dlp__pair(&lanes, k, context->rows[0], &at);
 *             sum += dlp__wide_where(pair.there, ...);
 *         }
 *     }
 *
 * Lanes whose list has ended are paired with themselves, and `there` is false. */
#ifndef DLP_STAGES_PAIR_LOOP_H
#define DLP_STAGES_PAIR_LOOP_H

#include "base/simd.h"
#include "stages/stage_runner.h"

typedef struct dlp__Lanes {
    const int32_t *entry; /* of the first lane; the next entries are DLP_GROUP apart */
    dlp__WideInt count;
    int32_t longest;
} dlp__Lanes;

DLP_INLINE dlp__Lanes dlp__lanes(const dlp__NeighborList *list, int64_t i)
{
    dlp__Lanes lanes = {list->entry + list->start[i / DLP_GROUP] * DLP_GROUP + i % DLP_GROUP,
                        dlp__wide_load_int(list->count + i), 0};
    for (int lane = 0; lane < DLP_WIDTH; lane++) {
        int32_t count = list->count[i + lane];
        lanes.longest = count > lanes.longest ? count : lanes.longest;
    }
    return lanes;
}

/* Rows of four floats of the particles i, i + 1, ... themselves. */
DLP_INLINE dlp__WideRow dlp__own_rows(const float *rows, int64_t i)
{
    int32_t index[DLP_WIDTH];
    for (int lane = 0; lane < DLP_WIDTH; lane++) {
        index[lane] = (int32_t)i + lane;
    }
    return dlp__wide_rows(rows, index);
}

/* A pair of particles, i and its k-th neighbour. */
typedef struct dlp__Pair {
    const int32_t *index; /* of the neighbours                                     */
    dlp__WideMask there;  /* whether the lane has a k-th neighbour                 */
    dlp__Wide x, y, z;    /* m, x_i - x_j                                          */
    dlp__Wide r;          /* m                                                     */
    dlp__Wide w;          /* the fourth component of the neighbour's position row  */
} dlp__Pair;

DLP_INLINE dlp__Pair dlp__pair(const dlp__Lanes *lanes, int32_t k, const float *rows, const dlp__WideRow *at)
{
    dlp__Pair pair;
    pair.index = lanes->entry + (int64_t)k * DLP_GROUP;
    pair.there = dlp__wide_int_less(dlp__wide_int(k), lanes->count);
    dlp__WideRow other = dlp__wide_rows(rows, pair.index);
    pair.x = at->x - other.x;
    pair.y = at->y - other.y;
    pair.z = at->z - other.z;
    pair.r = dlp__wide_sqrt(pair.x * pair.x + pair.y * pair.y + pair.z * pair.z);
    pair.w = other.w;
    return pair;
}

/* The indices of the particles i, i + 1, ... in an array that begins with i. */
static const int32_t DLP_LANES[16] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/* Joined rows of particles i, i + 1, ... themselves. */
DLP_INLINE void dlp__own_joined_rows(const float *rows, int64_t i, dlp__WideRow *first, dlp__WideRow *second)
{
    dlp__wide_joined_rows(rows + 8 * i, DLP_LANES, first, second);
}

/* Stored pair weights: those of the first pair of particles i, i + 1, ...; the next pairs follow DLP_GROUP apart. */
DLP_INLINE float *dlp__pair_weights(const dlp__StageContext *context, int64_t i)
{
    const dlp__NeighborList *list = context->fluid;
    return context->pair_weights + list->start[i / DLP_GROUP] * DLP_GROUP + i % DLP_GROUP;
}

/* Mirror images in walls of particles i, i + 1, ...: the first of each; the next follow DLP_IMAGE_STEP apart. */
#define DLP_IMAGE_STEP (DLP_IMAGE_VALUES * DLP_GROUP)

DLP_INLINE const float *dlp__images(const dlp__StageContext *context, int64_t i)
{
    const dlp__Mirror *mirror = context->mirror;
    return mirror->values + mirror->list.start[i / DLP_GROUP] * DLP_IMAGE_STEP + i % DLP_GROUP;
}

/* One part of an image, or one component of a part. */
DLP_INLINE dlp__Wide dlp__image_part(const float *image, int part)
{
    return dlp__wide_load(image + (int64_t)part * DLP_GROUP);
}

#endif
