/* Measures a block with one and with many threads, for each number of lanes. */
#ifndef DOLLOP_BENCH_GRID_H
#define DOLLOP_BENCH_GRID_H

#include "bench_report.h"
#include "bench_world.h"

enum { BENCH_WIDTHS = 4, BENCH_THREAD_COUNTS = 2 };
extern const int bench_widths[BENCH_WIDTHS];

/* Times of the block; step_seconds is 0 if not measured yet, or if the machine does not support the width. */
typedef struct BenchGrid {
    int64_t particles;
    int64_t threads[BENCH_THREAD_COUNTS];
    BenchTimes times[BENCH_THREAD_COUNTS][BENCH_WIDTHS];
} BenchGrid;

typedef struct BenchPlan {
    const char *bench;
    BenchSetup setup; /* except threads and lanes */
    int warm_up, steps;
    /* Print the result for grid->threads[t] threads and bench_widths[w] lanes, the latest cell. */
    void (*print)(const BenchOptions *options, const char *bench, const BenchGrid *grid, int t, int w);
} BenchPlan;

ExitCode bench_grid(const BenchOptions *options, const BenchPlan *plan);

#endif
