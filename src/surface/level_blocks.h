/* A sparse level set: blocks of 16^3 samples, of which only those that the surface crosses are kept. Adjacent blocks
 * share the samples on their common face, edge or corner bit for bit, so that a block can be meshed without its
 * neighbors. Sample (i, j, k) is at (i, j, k) times the cell size from the origin: the grid does not move from frame to
 * frame. */
#ifndef DLP_SURFACE_LEVEL_BLOCKS_H
#define DLP_SURFACE_LEVEL_BLOCKS_H

#include "surface/ellipsoids.h"

#define DLP_BLOCK_SIDE    16                   /* samples */
#define DLP_BLOCK_CELLS   (DLP_BLOCK_SIDE - 1) /* cells, and samples owned by a block */
#define DLP_BLOCK_SAMPLES (DLP_BLOCK_SIDE * DLP_BLOCK_SIDE * DLP_BLOCK_SIDE)

typedef struct dlp__LevelBlocks {
    dlp__Memory *memory;
    double cell; /* m */
    int64_t count;
    uint64_t *key; /* dlp__cell_key of each block, in ascending order */
    float *level;  /* m, approximate signed distance from the surface, negative inside */
    dlp__Buffer key_buffer, level_buffer, candidate_buffer, batch_buffer;
} dlp__LevelBlocks;

/* Maps the sum over ellipsoids to a level: a table of distances from a flat surface for sums from 0 in equal steps. So
 * levels vary linearly across the surface and vertices can be interpolated. */
#define DLP_LEVEL_STEPS 256
typedef struct dlp__LevelPlan {
    dlp_SurfaceField field;
    double cell;                      /* m */
    double radius;                    /* m, of a point inside the fluid */
    double max_extent;                /* m, from a point to the end of its ellipsoid */
    float per_step;                   /* table steps per unit of the sum */
    float level[DLP_LEVEL_STEPS + 1]; /* m */
    int simd;
} dlp__LevelPlan;

void dlp__level_blocks_init(dlp__LevelBlocks *blocks, dlp__Memory *memory);
void dlp__level_blocks_release(dlp__LevelBlocks *blocks);
/* `clip` (may be null) changes the levels of a block before it is tested for the surface. */
typedef void (*dlp__LevelClip)(const void *context, dlp__Cell block, double cell, float *level);
bool dlp__level_blocks_fill(dlp__LevelBlocks *blocks, const dlp__SurfacePoints *points,
                            const dlp__Ellipsoid *ellipsoids, const dlp__Parallel *parallel, const dlp__LevelPlan *plan,
                            dlp__LevelClip clip, const void *clip_context);

/* The sums of one block before they become levels: DLP_BLOCK_SAMPLES values that decrease from the inside of the fluid
 * to 0 outside. */
void dlp__level_block_sums(const dlp__SurfacePoints *points, const dlp__Ellipsoid *ellipsoids,
                           const dlp__LevelPlan *plan, dlp__Cell block, float *sum);

/* The index of a block, or -1. */
int64_t dlp__level_blocks_find(const dlp__LevelBlocks *blocks, dlp__Cell block);

#endif
