/* Benchmark of the stages of a step against the bandwidth and the arithmetic rate of the machine. */
#ifndef DOLLOP_BENCH_STAGES_H
#define DOLLOP_BENCH_STAGES_H

#include "bench_report.h"

ExitCode bench_stages(const BenchOptions *options);

#endif
