/* Shared by all benchmarks: the options of the command and the output of figures. */
#ifndef DOLLOP_BENCH_REPORT_H
#define DOLLOP_BENCH_REPORT_H

#include "apps/shared/exit_codes.h"

typedef struct BenchOptions {
    const char *method, *output;
    int64_t particles, threads, lanes;
    bool json, quick;
} BenchOptions;

/* Number of threads to compare with one: by option, or one per core. */
int64_t bench_thread_count(const BenchOptions *options);

/* Whether a number of lanes is to be measured: by option, or all. */
bool bench_measures_lanes(const BenchOptions *options, int64_t lanes);
/* Print an error if the machine does not have the lanes that the option asks for. */
ExitCode bench_check_lanes(const BenchOptions *options);

/* A figure: a line of a table or a JSON object. Values of 0 are omitted or null. */
typedef struct BenchRow {
    const char *bench, *name;
    int64_t particles, threads, simd;
    double seconds, rate;
    const char *unit; /* of the rate */
    double over_one_lane, over_one_thread;
} BenchRow;

void bench_print_head(const BenchOptions *options, const char *bench, int64_t particles);
void bench_print_row(const BenchOptions *options, const BenchRow *row);

/* Print an error and return its exit code. */
ExitCode bench_failed(dlp_Result result, const char *text);

/* The ratio `before` / `now`, or 0 if one of them is unknown. */
double bench_ratio(double before, double now);

#endif
