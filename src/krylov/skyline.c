/* Skyline Cholesky: layout, and the versions of factorization and solution for all vector widths. */
#include "krylov/skyline_loops.h"

int64_t dlp__skyline_layout(dlp__Skyline *a)
{
    int64_t count = 0;
    for (int32_t i = 0; i < a->rows; i++) {
        a->start[i] = count - a->first[i];
        count += i + 1 - a->first[i];
    }
    return count;
}

static const dlp__SkylineLoops *loops_of(const dlp__Skyline *a)
{
    static const dlp__SkylineLoops *const versions[DLP_WIDTHS] = DLP_WIDE_TABLE(&dlp__skyline_loops);
    return versions[dlp__width_index(a->width)];
}

bool dlp__skyline_factor(dlp__Skyline *a, const dlp__Parallel *parallel)
{
    return loops_of(a)->factor(a, parallel);
}

void dlp__skyline_solve(const dlp__Skyline *l, double *x)
{
    loops_of(l)->solve(l, x);
}
