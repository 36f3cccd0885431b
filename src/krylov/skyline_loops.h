/* Factorization and solution of skyline matrices, one version per vector width. */
#ifndef DLP_KRYLOV_SKYLINE_LOOPS_H
#define DLP_KRYLOV_SKYLINE_LOOPS_H

#include "base/simd.h"
#include "krylov/skyline.h"

typedef struct dlp__SkylineLoops {
    bool (*factor)(dlp__Skyline *a, const dlp__Parallel *parallel);
    void (*solve)(const dlp__Skyline *l, double *x);
} dlp__SkylineLoops;

extern const dlp__SkylineLoops dlp__skyline_loops_w1, dlp__skyline_loops_w4, dlp__skyline_loops_w8,
    dlp__skyline_loops_w16;

#endif
