/* The stages of a step of methods physical and pbf: time, work, and the fractions of triad bandwidth and arithmetic peak, measured just
 * before, that they reach. Bytes come from the descriptors of the stages (dlp_StageTime), floating-point operations from the table below. */
#include "bench_stages.h"

#include "bench_machine.h"
#include "bench_world.h"

#include <stdlib.h>
#include <string.h>

/* Work that no descriptor states. Operations are those of one neighbour and of one particle, in the interior of a fluid without surface
 * tension; a comparison, minimum, square root and division count as one each. The sums agree to 10 % with the arithmetic instructions that callgrind
 * counts at 4 lanes, which also work on the padding of lists; wider vectors repeat some. Correct a row when its loop changes. */
typedef struct StageCost {
    const char *name;
    double pair_flops, particle_flops;
    double pair_bytes, particle_bytes; /* only of what is not a stage; stages declare theirs */
    const char *reason;                /* of the operations of a pair, and of bytes          */
} StageCost;

/* clang-format off */
static const StageCost costs[] = {
    {"physical flux", 27, 190, 0, 0, "u_j - u_i 3, x_i - x_j 3, times slope 3, nine products added 18"},
    {"physical start stress", 27, 540, 0, 0, "as flux"},
    {"physical update stress", 27, 370, 0, 0, "as flux"},
    {"physical divergence", 56, 30, 0, 0, "x_i - x_j and slope 8; 16 components of a row: sum of two, times gradient, added 48"},
    {"physical right side", 56, 40, 0, 0, "as divergence"},
    {"physical memory update", 59, 120, 0, 0, "as divergence; weight 3"},
    {"physical memory redistribution", 9, 16, 0, 0, "weight 3, three products subtracted 6"},
    {"physical shape", 62, 70, 0, 0, "distance 9, kernel and slope 21, moments 20, gradient and sums 12"},
    {"physical shift", 11, 220, 0, 0, "factor 2, x_i - x_j 3, three products subtracted 6"},
    {"physical blocks", 59, 100, 0, 0, "gradient 6, K g 15, block 26, sums 12"},
    {"physical precondition", 0, 15, 0, 0, "product with a symmetric matrix"},
    {"density", 47, 60, 0, 0, "distance 9, kernel and slope 21, six sums 17"},
    {"density move", 37, 25, 0, 0, "distance 9, slope and pressure 19, three products added 9"},
    {"density guess", 41, 40, 0, 0, "as move; artificial pressure"},
    {"density before", 28, 5, 0, 0, "distance 9, kernel 17, added 2"},
    {"smooth", 45, 20, 0, 0, "distance 9, kernel 17, velocities and sums 19"},
    {"neighbors", 46, 0, 4, 12, "6 candidates for each neighbour, 8 for a distance; bytes of positions and lists"},
    {"exact sums", 0, 0, 0, 20, "two vectors, or one and the mobility: 24 and 16 B in turn; integer arithmetic"},
    {"solver vectors", 0, 9, 0, 54, "change and residual: 72 B, 12 operations; search: 36 B, 6 operations; in turn"},
};
/* clang-format on */
enum {
    COSTS = sizeof costs / sizeof costs[0],
    LEAST_SHARE = 200
}; /* the table omits stages below 1 / LEAST_SHARE of a step */

static const StageCost *find_cost(const char *name)
{
    static const StageCost unknown = {0};
    for (int i = 0; i < COSTS; i++) {
        if (strcmp(costs[i].name, name) == 0) {
            return &costs[i];
        }
    }
    return &unknown;
}

/* The peak rates of the machine with the threads and lanes of the case. */
typedef struct Peaks {
    double bandwidth, flops; /* B/s, flop/s; flops is 0 for one lane */
} Peaks;

static Peaks measure_peaks(const BenchOptions *options)
{
    const Peaks peaks = {machine_triad((int)options->threads, options->quick),
                         machine_flops((int)options->threads, (int)options->lanes, options->quick)};
    bench_print_row(
        options,
        &(BenchRow){
            .bench = "stages", .name = "triad", .threads = options->threads, .rate = peaks.bandwidth, .unit = "B/s"});
    if (peaks.flops > 0) {
        bench_print_row(options, &(BenchRow){.bench = "stages",
                                             .name = "multiply and add",
                                             .threads = options->threads,
                                             .simd = options->lanes,
                                             .rate = peaks.flops,
                                             .unit = "flop/s"});
    }
    return peaks;
}

/* What is measured of one method. */
typedef struct StageRun {
    const BenchOptions *options;
    const char *bench;
    Peaks peaks;
    double particles, neighbors; /* neighbors: of a particle, on average */
    double step_seconds;         /* the stages of a typical step together */
} StageRun;

static void print_stage(const StageRun *run, const BenchStage *stage)
{
    const BenchOptions *options = run->options;
    const StageCost *cost = find_cost(stage->name);
    const double bytes = stage->bytes / run->particles + cost->particle_bytes + run->neighbors * cost->pair_bytes;
    const double flops = cost->particle_flops + run->neighbors * cost->pair_flops;
    const double rate = run->particles / stage->seconds;
    bench_print_row(options, &(BenchRow){.bench = run->bench,
                                         .name = stage->name,
                                         .particles = (int64_t)run->particles,
                                         .threads = options->threads,
                                         .simd = options->lanes,
                                         .seconds = stage->seconds,
                                         .rate = rate,
                                         .unit = "particles/s",
                                         .calls = stage->calls,
                                         .of_step = stage->calls * stage->seconds / run->step_seconds,
                                         .bytes = bytes,
                                         .flops = flops,
                                         .of_bandwidth = bytes * rate / run->peaks.bandwidth,
                                         .of_flops = run->peaks.flops > 0 ? flops * rate / run->peaks.flops : 0});
}

static int compare_shares(const void *a, const void *b)
{
    const BenchStage *x = a, *y = b;
    const double x_share = x->calls * x->seconds, y_share = y->calls * y->seconds;
    return (x_share < y_share) - (x_share > y_share);
}

static void print_stages(StageRun *run, BenchTimes *times)
{
    run->step_seconds = times->step_seconds;
    qsort(times->stages, (size_t)times->stage_count, sizeof times->stages[0], compare_shares);
    if (!run->options->json) {
        printf("  %-30s %6s   %10s  %7s  %8s  %5s  %11s  %5s\n", "stage", "calls", "a particle", "of step", "moved",
               "triad", "computed", "peak");
    }
    for (int i = 0; i < times->stage_count; i++) {
        const BenchStage *stage = &times->stages[i];
        const bool is_small = LEAST_SHARE * stage->calls * stage->seconds < run->step_seconds;
        if (stage->calls > 0 && (run->options->json || !is_small)) {
            print_stage(run, stage);
        }
    }
}

static ExitCode measure_method(const BenchOptions *options, const char *bench, const BenchSetup *setup, Peaks peaks)
{
    dlp_Error error = {0};
    dlp_WorldStats stats;
    BenchTimes times;
    dlp_World *world = bench_world_make(setup, &error);
    if (!world) {
        return bench_failed(error.code, error.text);
    }
    bench_print_head(options, bench, setup->particles);
    dlp_Result result = bench_world_time(world, 3, options->quick ? 2 : 8, options->progress, &times);
    if (result == DLP_OK) {
        result = dlp_world_stats(world, &stats);
    }
    if (result == DLP_OK) {
        StageRun run = {.options = options,
                        .bench = bench,
                        .peaks = peaks,
                        .particles = (double)stats.particles,
                        .neighbors = stats.neighbors};
        print_stages(&run, &times);
    }
    const ExitCode code = result == DLP_OK ? EXIT_DONE : bench_failed(result, dlp_world_error(world));
    dlp_world_destroy(world);
    return code;
}

/* A fluid of 1000 Pa s with elastic memory that collapses in a tank: every main stage of method physical has work. */
ExitCode bench_stages(const BenchOptions *options)
{
    static const BenchValue material[] = {{"viscosity", 1000}, {"relaxation_time", 0.1}, {NULL, 0}};
    BenchSetup setup = {.particles = options->particles ? options->particles
                                     : options->quick   ? 4000
                                                        : 100000,
                        .threads = options->threads,
                        .simd = options->lanes,
                        .method = "physical",
                        .with_gravity = true,
                        .material = material};
    if (!options->json) {
        bench_progress_clear(options->progress);
        printf("stages: what the machine reaches with all threads\n");
    }
    const Peaks peaks = measure_peaks(options);
    ExitCode code = measure_method(options, "stages of physical", &setup, peaks);
    if (code == EXIT_DONE) {
        setup.method = "pbf";
        setup.material = NULL;
        code = measure_method(options, "stages of pbf", &setup, peaks);
    }
    return code;
}
