/* Benchmarks of viscoelastic fluids. */
#ifndef DOLLOP_BENCH_VISCOELASTIC_H
#define DOLLOP_BENCH_VISCOELASTIC_H

#include "bench_report.h"

/* Iterations per second of each projection, for different threads and lanes. */
ExitCode bench_projections(const BenchOptions *options);

/* Iterations per second of the physical solver. */
ExitCode bench_coupled(const BenchOptions *options);

/* Frame times of a scene with the size of the interactive scenes of Barreiro et al. (2017, Table 1). */
ExitCode bench_interactive(const BenchOptions *options);
/* The same with the physical solver and its default parameters. */
ExitCode bench_playable(const BenchOptions *options);
/* The same with method springs, at the size of the larger scenes of Clavet et al. (2005): a liquid, and clay with elastic springs. */
ExitCode bench_springs(const BenchOptions *options);
ExitCode bench_clay(const BenchOptions *options);
/* The same with method links, at the size of the smaller scenes of Takahashi et al. (2014, Table 1). */
ExitCode bench_links(const BenchOptions *options);

#endif
