/* The samples of one block; one version per vector width. */
#ifndef DLP_SURFACE_BLOCK_SAMPLES_H
#define DLP_SURFACE_BLOCK_SAMPLES_H

#include "surface/level_blocks.h"

/* A block being sampled: the positions of its samples, and their sums so far. */
typedef struct dlp__BlockSamples {
    const dlp__Ellipsoid *ellipsoids;
    int64_t first[3];            /* index of its first sample along each axis */
    double cell;                 /* m */
    float at[3][DLP_BLOCK_SIDE]; /* m, coordinates of its samples */
    float *sum;                  /* DLP_BLOCK_SAMPLES, x fastest */
    float *offset[3];            /* the same, for DLP_SURFACE_AVERAGED only: weighted distances to points, by axis */
} dlp__BlockSamples;

/* Add the ellipsoids of a range of points to the sums, for each kind of field:
 *     weight (1 - d A d)^3         anisotropic, isotropic
 *     (1 - sqrt(d A d))^2          blobs (Clavet et al. 2005, eq. 13, whose root is taken by the table of levels)
 *     (1 - d A d)^3 times 1 and d  averaged
 * dlp__RowVisitors whose context is a dlp__BlockSamples. */
#define DLP_BLOCK_ADD(width) \
    void dlp__block_add_w##width(void *context, int32_t begin, int32_t end); \
    void dlp__block_add_blobs_w##width(void *context, int32_t begin, int32_t end); \
    void dlp__block_add_offsets_w##width(void *context, int32_t begin, int32_t end);

DLP_BLOCK_ADD(1)
DLP_BLOCK_ADD(4)
DLP_BLOCK_ADD(8)
DLP_BLOCK_ADD(16)

#endif
