/* What all benchmarks share: the options of the command and the form of a figure. */
#ifndef DOLLOP_BENCH_REPORT_H
#define DOLLOP_BENCH_REPORT_H

#include "apps/shared/exit_codes.h"

typedef struct BenchOptions {
    const char *method, *output;
    int64_t particles, threads;
    bool json, quick;
} BenchOptions;

/* Threads to compare with one: as asked, or all that the machine has. */
int64_t bench_thread_count(const BenchOptions *options);

/* A figure: a line of a table or a JSON object. What is 0 is left out or null. */
typedef struct BenchRow {
    const char *bench, *name;
    int64_t particles, threads, simd;
    double seconds, rate;
    const char *unit; /* of the rate */
    double over_one_lane, over_one_thread;
} BenchRow;

void bench_print_head(const BenchOptions *options, const char *bench, int64_t particles);
void bench_print_row(const BenchOptions *options, const BenchRow *row);

/* Tell what went wrong, and return the exit code for it. */
ExitCode bench_failed(dlp_Result result, const char *text);

/* Times faster: `before` over `now`, or 0 if one of them is not known. */
double bench_ratio(double before, double now);

#endif
