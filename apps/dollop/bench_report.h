/* Shared by all benchmarks: the options of the command and the output of figures. */
#ifndef DOLLOP_BENCH_REPORT_H
#define DOLLOP_BENCH_REPORT_H

#include "apps/shared/exit_codes.h"
#include "apps/shared/run_folder.h"
#include "bench_progress.h"

#include <stdio.h>

typedef struct BenchOptions {
    const char *method, *output;
    int64_t particles;
    int64_t threads; /* 0 until bench_complete_options(): as many as the library chooses */
    int64_t lanes;   /* the same: the widest                                             */
    bool compare, json, quick;
    BenchProgress *progress;
    const RunFolder *folder; /* null without -o */
    FILE *record;            /* gets each figure as a JSON object; may be null */
} BenchOptions;

/* Replace 0 threads and lanes by what the library chooses on this machine; print an error if it does not have those of the options. */
ExitCode bench_complete_options(BenchOptions *options);

/* Whether a number of lanes is to be measured. */
bool bench_measures_lanes(const BenchOptions *options, int64_t lanes);

/* A figure: a line of a table or a JSON object. Values of 0 are omitted or null. */
typedef struct BenchRow {
    const char *bench, *name;
    int64_t particles, threads, simd;
    double seconds, rate;
    const char *unit; /* of the rate */
    double over_one_lane, over_one_thread;
    double calls, bytes, flops;    /* of stages: calls per step; per particle and call               */
    double of_step;                /* fraction of the time of a step                                 */
    double of_bandwidth, of_flops; /* fraction of what the machine reached in the same run           */
} BenchRow;

/* The machine and the build that the figures belong to: the first JSON object. */
void bench_print_machine(const BenchOptions *options);
void bench_print_head(const BenchOptions *options, const char *bench, int64_t particles);
void bench_print_row(const BenchOptions *options, const BenchRow *row);

/* Print an error and return its exit code. */
ExitCode bench_failed(dlp_Result result, const char *text);

/* The ratio `before` / `now`, or 0 if one of them is unknown. */
double bench_ratio(double before, double now);

#endif
