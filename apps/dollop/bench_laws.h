/* Benchmark of material laws. */
#ifndef DOLLOP_BENCH_LAWS_H
#define DOLLOP_BENCH_LAWS_H

#include "bench_report.h"

/* Time of a step with a yield stress and with a fluid that thins over that of a step of a Newtonian fluid, in method physical. */
ExitCode bench_laws(const BenchOptions *options);

#endif
