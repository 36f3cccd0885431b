/* Benchmark of surface tension. */
#ifndef DOLLOP_BENCH_TENSION_H
#define DOLLOP_BENCH_TENSION_H

#include "bench_report.h"

/* Time of a step with surface tension and wetting over that of a step without, in method physical. */
ExitCode bench_tension(const BenchOptions *options);

#endif
