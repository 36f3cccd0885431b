/* Marching cubes over the blocks of a level set. A vertex lies on an edge of the grid and belongs to the block that
 * owns the first sample of the edge; all cells around the edge share it. */
#ifndef DLP_SURFACE_MARCHING_CUBES_H
#define DLP_SURFACE_MARCHING_CUBES_H

#include "surface/level_blocks.h"
#include "surface/marching_cubes_table.h"

typedef struct dlp__MarchedMesh {
    dlp__Memory *memory;
    dlp__MarchingTable table;
    int64_t vertex_count, triangle_count;
    float *position; /* m, three for each vertex */
    float *normal;
    uint32_t *triangle;
    dlp__Buffer position_buffer, normal_buffer, triangle_buffer;
    dlp__Buffer block_buffer; /* scratch */
} dlp__MarchedMesh;

void dlp__marching_init(dlp__MarchedMesh *mesh, dlp__Memory *memory);
void dlp__marching_release(dlp__MarchedMesh *mesh);
/* False when out of memory, or with more vertices than 32-bit indices allow. */
bool dlp__marching_run(dlp__MarchedMesh *mesh, const dlp__LevelBlocks *blocks, const dlp__Parallel *parallel);

#endif
