/* Compares steps of the same block of fluid with different materials in method physical. */
#ifndef DOLLOP_BENCH_COMPARE_H
#define DOLLOP_BENCH_COMPARE_H

#include "bench_report.h"
#include "bench_world.h"

enum { BENCH_VARIANTS_MOST = 4, BENCH_VARIANT_VALUES = 8 };

typedef struct BenchVariant {
    const char *name;
    BenchValue material[BENCH_VARIANT_VALUES]; /* ends with a null name */
} BenchVariant;

typedef struct BenchBlock {
    int64_t particles;
    int warm_up; /* steps before those that are timed */
} BenchBlock;

typedef struct BenchComparison {
    int64_t threads;
    int simd;
    BenchFrames step[BENCH_VARIANTS_MOST];
} BenchComparison;

/* Time steps of a block that collapses in a tank, once with each material. The worlds take their steps in turn, so that the load of the machine
 * affects all alike. */
ExitCode bench_compare(const BenchOptions *options, const BenchBlock *block, const BenchVariant *variants, int count,
                       BenchComparison *result);

#endif
