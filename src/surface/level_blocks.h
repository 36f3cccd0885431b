/* A level set near the surface only: blocks of 16^3 samples, of which those are kept that the surface passes through. The
 * samples at a face, edge or corner of a block are the first ones of the next block too, bit for bit, so a block is meshed
 * without looking at its neighbours. Sample (i, j, k) is at (i, j, k) times the cell from the origin: grids do not move from
 * frame to frame. */
#ifndef DLP_SURFACE_LEVEL_BLOCKS_H
#define DLP_SURFACE_LEVEL_BLOCKS_H

#include "surface/ellipsoids.h"

#define DLP_BLOCK_SIDE    16                   /* samples */
#define DLP_BLOCK_CELLS   (DLP_BLOCK_SIDE - 1) /* cells, and samples that are its own */
#define DLP_BLOCK_SAMPLES (DLP_BLOCK_SIDE * DLP_BLOCK_SIDE * DLP_BLOCK_SIDE)

typedef struct dlp__LevelBlocks {
    dlp__Memory *memory;
    double cell; /* m */
    int64_t count;
    uint64_t *key; /* dlp__cell_key of the block's place, in rising order          */
    float *level;  /* m, about the distance from the surface, negative inside      */
    dlp__Buffer key_buffer, level_buffer, asked_buffer, batch_buffer;
} dlp__LevelBlocks;

/* How the sum over ellipsoids becomes a level: a table of distances from a flat surface for sums from 0 on in equal steps, so
 * that levels are straight across the surface and a mesh may be cut by interpolation. */
#define DLP_LEVEL_STEPS 256
typedef struct dlp__LevelPlan {
    dlp_SurfaceField field;
    double cell;                      /* m                                           */
    double radius;                    /* m, of a point inside the fluid */
    double farthest;                  /* m, from a point to the end of its ellipsoid */
    float per_step;                   /* steps of the table for a unit of the sum    */
    float level[DLP_LEVEL_STEPS + 1]; /* m */
    int simd;
} dlp__LevelPlan;

void dlp__level_blocks_init(dlp__LevelBlocks *blocks, dlp__Memory *memory);
void dlp__level_blocks_release(dlp__LevelBlocks *blocks);
/* `cut` (may be null) changes the levels of a block at a place before it is looked at. */
typedef void (*dlp__LevelCut)(const void *context, dlp__Cell place, double cell, float *level);
bool dlp__level_blocks_fill(dlp__LevelBlocks *blocks, const dlp__SurfacePoints *points,
                            const dlp__Ellipsoid *ellipsoids, const dlp__Parallel *parallel, const dlp__LevelPlan *plan,
                            dlp__LevelCut cut, const void *cut_context);

/* The sums of the block at a place, before they become levels: DLP_BLOCK_SAMPLES of them, which fall from the inside of the fluid to
 * 0 outside. */
void dlp__level_block_sums(const dlp__SurfacePoints *points, const dlp__Ellipsoid *ellipsoids,
                           const dlp__LevelPlan *plan, dlp__Cell place, float *sum);

/* The block at a place, or -1. */
int64_t dlp__level_blocks_find(const dlp__LevelBlocks *blocks, dlp__Cell place);

#endif
