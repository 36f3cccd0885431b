/* Benchmarks of viscoelastic fluid. */
#ifndef DOLLOP_BENCH_VISCOELASTIC_H
#define DOLLOP_BENCH_VISCOELASTIC_H

#include "bench_report.h"

/* Iterations of each kind a second, for threads and lanes. */
ExitCode bench_projections(const BenchOptions *options);

/* Iterations of the physical solver a second. */
ExitCode bench_coupled(const BenchOptions *options);

/* Time of a frame that a player would wait for, at the size of the interactive scenes of Barreiro et al. (2017, Table 1). */
ExitCode bench_interactive(const BenchOptions *options);
/* The same by the physical solver as it is. */
ExitCode bench_playable(const BenchOptions *options);
/* The same by method springs, at the size of the larger scenes of Clavet et al. (2005): a liquid, and one with springs in it. */
ExitCode bench_springs(const BenchOptions *options);
ExitCode bench_clay(const BenchOptions *options);
/* The same by method links, at the size of the smaller scenes of Takahashi et al. (2014, Table 1). */
ExitCode bench_links(const BenchOptions *options);

#endif
