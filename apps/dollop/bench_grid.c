/* Measures a block for different numbers of threads and lanes. Ratios are taken within one run, because the load of the machine varies. */
#include "bench_grid.h"

const int bench_widths[BENCH_WIDTHS] = {1, 4, 8, 16};

/* Measure one cell of the grid; it stays 0 if the machine does not support the width. */
static ExitCode measure_cell(const BenchOptions *options, const BenchPlan *plan, int64_t threads, int simd,
                             BenchTimes *times)
{
    dlp_Error error = {0};
    BenchSetup setup = plan->setup;
    setup.threads = threads;
    setup.simd = simd;
    dlp_World *world = bench_world_make(&setup, &error);
    if (!world) {
        return error.code == DLP_ERROR_UNSUPPORTED ? EXIT_DONE : bench_failed(error.code, error.text);
    }
    const dlp_Result result = bench_world_time(world, plan->warm_up, plan->steps, options->progress, times);
    ExitCode code = EXIT_DONE;
    if (result != DLP_OK) {
        code = bench_failed(result, dlp_world_error(world));
    }
    dlp_world_destroy(world);
    return code;
}

ExitCode bench_grid(const BenchOptions *options, const BenchPlan *plan)
{
    BenchGrid grid = {.particles = plan->setup.particles, .threads = {1, options->threads}};
    bench_print_head(options, plan->bench, grid.particles);
    for (int t = 0; t < (grid.threads[1] > 1 ? 2 : 1); t++) {
        for (int w = 0; w < BENCH_WIDTHS; w++) {
            if (!bench_measures_lanes(options, bench_widths[w])) {
                continue;
            }
            const ExitCode code = measure_cell(options, plan, grid.threads[t], bench_widths[w], &grid.times[t][w]);
            if (code != EXIT_DONE) {
                return code;
            }
            if (grid.times[t][w].step_seconds > 0) {
                plan->print(options, plan->bench, &grid, t, w);
            }
        }
    }
    return EXIT_DONE;
}
