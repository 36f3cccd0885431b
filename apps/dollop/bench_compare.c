/* Compares steps of the same block of fluid with different materials in method physical. */
#include "bench_compare.h"

#include "apps/shared/wall_clock.h"

#include <assert.h>
#include <stdlib.h>

enum { STEPS = 12 };

/* Least and median time of a step of each world. */
static ExitCode time_steps(const BenchOptions *options, int warm_up, dlp_World *const worlds[], int count,
                           BenchFrames times[])
{
    const int steps = options->quick ? 3 : STEPS;
    double *seconds = calloc((size_t)count * (size_t)steps, sizeof *seconds);
    ExitCode code = EXIT_DONE;
    if (!seconds) {
        return bench_failed(DLP_ERROR_MEMORY, "there is not enough memory for the times");
    }
    for (int step = -warm_up; code == EXIT_DONE && step < steps; step++) {
        for (int w = 0; code == EXIT_DONE && w < count; w++) {
            const double start = clock_seconds();
            const dlp_Result result = dlp_world_step(worlds[w], BENCH_TIME_STEP);
            if (result != DLP_OK) {
                code = bench_failed(result, dlp_world_error(worlds[w]));
            } else if (step >= 0) {
                seconds[w * steps + step] = clock_seconds() - start;
            }
            bench_progress_draw(options->progress);
        }
    }
    for (int w = 0; code == EXIT_DONE && w < count; w++) {
        double *own = seconds + (size_t)w * (size_t)steps;
        const double median = bench_median(own, steps);
        times[w] = (BenchFrames){.minimum = own[0], .median = median};
    }
    free(seconds);
    return code;
}

ExitCode bench_compare(const BenchOptions *options, const BenchBlock *block, const BenchVariant *variants, int count,
                       BenchComparison *result)
{
    dlp_World *worlds[BENCH_VARIANTS_MOST] = {NULL};
    dlp_WorldStats stats = {0};
    dlp_Error error = {0};
    ExitCode code = EXIT_DONE;
    assert(count <= BENCH_VARIANTS_MOST);
    for (int w = 0; code == EXIT_DONE && w < count; w++) {
        const BenchSetup setup = {.particles = block->particles,
                                  .threads = options->threads,
                                  .simd = options->lanes,
                                  .method = "physical",
                                  .with_gravity = true,
                                  .material = variants[w].material};
        worlds[w] = bench_world_make(&setup, &error);
        if (!worlds[w]) {
            code = bench_failed(error.code, error.text);
        }
    }
    if (code == EXIT_DONE) {
        code = time_steps(options, block->warm_up, worlds, count, result->step);
    }
    if (code == EXIT_DONE && dlp_world_stats(worlds[0], &stats) != DLP_OK) {
        code = bench_failed(DLP_ERROR_MEMORY, dlp_world_error(worlds[0]));
    }
    result->threads = stats.threads;
    result->simd = stats.simd;
    for (int w = 0; w < count; w++) {
        dlp_world_destroy(worlds[w]);
    }
    return code;
}
