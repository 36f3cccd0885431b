/* Block Jacobi preconditioner of the operator, for each vector width. */
#ifndef DLP_METHODS_PHYSICAL_BLOCKS_H
#define DLP_METHODS_PHYSICAL_BLOCKS_H

#include "methods/physical/physical_stages.h"

typedef struct dlp__PhysicalBlockStages {
    dlp__Stage
        invert; /* inverse diagonal blocks into velocity_gradient, xx yy zz xy xz yz, which is free until the end of the step */
    dlp__Stage apply; /* product = inverse block times residual */
} dlp__PhysicalBlockStages;

extern const dlp__PhysicalBlockStages dlp__physical_block_stages_w1, dlp__physical_block_stages_w4,
    dlp__physical_block_stages_w8, dlp__physical_block_stages_w16;

#endif
