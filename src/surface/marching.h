/* From a level set to triangles: marching cubes over the kept blocks. A vertex lies on an edge of the grid and belongs to the
 * block that has the edge's first sample among its own; all cells around the edge share it. */
#ifndef DLP_SURFACE_MARCHING_H
#define DLP_SURFACE_MARCHING_H

#include "surface/level_blocks.h"
#include "surface/marching_table.h"

typedef struct dlp__MarchedMesh {
    dlp__Memory *memory;
    dlp__MarchingTable table;
    int64_t vertex_count, triangle_count;
    float *position; /* m, three for each vertex */
    float *normal;
    uint32_t *triangle;
    dlp__Buffer position_buffer, normal_buffer, triangle_buffer;
    dlp__Buffer block_buffer; /* work space */
} dlp__MarchedMesh;

void dlp__marching_init(dlp__MarchedMesh *mesh, dlp__Memory *memory);
void dlp__marching_release(dlp__MarchedMesh *mesh);
/* False without memory, or with more vertices than 32 bits can number. */
bool dlp__marching_run(dlp__MarchedMesh *mesh, const dlp__LevelBlocks *blocks, const dlp__Parallel *parallel);

#endif
