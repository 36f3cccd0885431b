/* dollop bench: measures the performance of this build on this machine. Every figure is the best of several repetitions. */
#include "apps/shared/messages.h"
#include "apps/shared/run_folder.h"
#include "apps/shared/suggest.h"
#include "apps/shared/wall_clock.h"
#include "bench_grid.h"
#include "bench_machine.h"
#include "bench_tension.h"
#include "bench_viscoelastic.h"
#include "open_scene.h"
#include "subcommands.h"

#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct BenchCase {
    const char *name;
    const char *summary;
    ExitCode (*run)(const BenchOptions *options);
} BenchCase;

static void print_step(const BenchOptions *options, const char *bench, const BenchGrid *grid, int t, int w)
{
    const BenchTimes *times = &grid->times[t][w];
    bench_print_row(options, &(BenchRow){.bench = bench,
                                         .name = "step",
                                         .particles = grid->particles,
                                         .threads = grid->threads[t],
                                         .simd = bench_widths[w],
                                         .seconds = times->step_seconds,
                                         .rate = times->rate,
                                         .unit = "particle-iterations/s",
                                         .over_one_lane = bench_ratio(times->rate, grid->times[t][0].rate),
                                         .over_one_thread = bench_ratio(times->rate, grid->times[0][w].rate)});
}

/* The stages of neighbour search and density, and the complete step. */
static void print_stages(const BenchOptions *options, const char *bench, const BenchGrid *grid, int t, int w)
{
    const BenchTimes *times = &grid->times[t][w];
    for (int i = 0; i < times->stage_count; i++) {
        const BenchStage *stage = &times->stages[i];
        if ((!strstr(stage->name, "neighbor") && !strstr(stage->name, "density")) || stage->seconds > 1e6) {
            continue;
        }
        bench_print_row(
            options, &(BenchRow){.bench = bench,
                                 .name = stage->name,
                                 .particles = grid->particles,
                                 .threads = grid->threads[t],
                                 .simd = bench_widths[w],
                                 .seconds = stage->seconds,
                                 .rate = (double)grid->particles / stage->seconds,
                                 .unit = "particles/s",
                                 .over_one_lane = bench_ratio(grid->times[t][0].stages[i].seconds, stage->seconds),
                                 .over_one_thread = bench_ratio(grid->times[0][w].stages[i].seconds, stage->seconds)});
    }
    print_step(options, bench, grid, t, w);
}

static ExitCode bench_machine(const BenchOptions *options)
{
    const int cores = (int)bench_thread_count(options);
    if (!options->json) {
        printf("machine: triad bandwidth, and single-precision multiply-add in registers\n");
    }
    for (int count = 1; count <= cores; count = count < cores ? cores : cores + 1) {
        bench_print_row(options, &(BenchRow){.bench = "machine",
                                             .name = "triad",
                                             .threads = count,
                                             .simd = 0,
                                             .rate = machine_triad(count, options->quick),
                                             .unit = "B/s"});
        for (int w = 1; w < BENCH_WIDTHS; w++) {
            const bool wanted = bench_measures_lanes(options, bench_widths[w]);
            const double rate = wanted ? machine_flops(count, bench_widths[w], options->quick) : 0;
            if (rate > 0) {
                bench_print_row(options, &(BenchRow){.bench = "machine",
                                                     .name = "multiply and add",
                                                     .threads = count,
                                                     .simd = bench_widths[w],
                                                     .rate = rate,
                                                     .unit = "flop/s"});
            }
        }
    }
    return EXIT_DONE;
}

static ExitCode bench_neighbors(const BenchOptions *options)
{
    const int64_t particles = options->particles ? options->particles : options->quick ? 20000 : 1000000;
    const BenchPlan plan = {.bench = "neighbors",
                            .setup = {.particles = particles, .method = options->method},
                            .warm_up = 1,
                            .steps = options->quick ? 2 : 4,
                            .print = print_stages};
    return bench_grid(options, &plan);
}

static ExitCode bench_step(const BenchOptions *options)
{
    const int64_t sizes[] = {options->particles ? options->particles : options->quick ? 8000 : 32 * 32 * 32, 100000};
    const bool one = options->particles || options->quick;
    const int steps = options->quick ? 2 : 20;
    BenchPlan plan = {.bench = "step",
                      .setup = {.method = options->method, .with_gravity = true},
                      .warm_up = one ? steps : 5,
                      .steps = steps,
                      .print = print_step};
    ExitCode code = EXIT_DONE;
    for (int i = 0; code == EXIT_DONE && i < (one ? 1 : 2); i++) {
        plan.setup.particles = sizes[i];
        code = bench_grid(options, &plan);
    }
    return code;
}

static ExitCode time_checkpoint(const BenchOptions *options, dlp_World *world, BenchRow *row)
{
    RunFolder folder;
    const ExitCode code = folder_open(&folder, options->output);
    if (code != EXIT_DONE) {
        return code;
    }
    const FolderPath file = folder_file(&folder, "bench_checkpoint.h5");
    const double start = clock_seconds();
    const dlp_Result result = dlp_world_save(world, file.text);
    row->name = "checkpoint save";
    row->seconds = clock_seconds() - start;
    row->rate = (double)row->particles / row->seconds;
    row->unit = "particles/s";
    unlink(file.text);
    folder_close(&folder);
    if (result != DLP_OK) {
        return bench_failed(result, dlp_world_error(world));
    }
    bench_print_row(options, row);
    return EXIT_DONE;
}

static ExitCode bench_memory(const BenchOptions *options)
{
    const int64_t particles = options->particles ? options->particles : options->quick ? 20000 : 1000000;
    const BenchSetup setup = {.particles = particles,
                              .threads = bench_thread_count(options),
                              .simd = options->lanes,
                              .method = options->method,
                              .with_gravity = true};
    dlp_Error error = {0};
    dlp_WorldStats stats;
    BenchTimes times;
    struct rusage usage;
    dlp_World *world = bench_world_make(&setup, &error);
    bench_print_head(options, "memory", particles);
    if (!world) {
        return bench_failed(error.code, error.text);
    }
    dlp_Result result = bench_world_time(world, 1, 2, &times);
    if (result == DLP_OK) {
        result = dlp_world_stats(world, &stats);
    }
    ExitCode code = exit_code_of(result);
    if (result != DLP_OK) {
        message_error("%s", dlp_world_error(world));
    } else {
        BenchRow row = {.bench = "memory",
                        .particles = particles,
                        .threads = stats.threads,
                        .simd = stats.simd,
                        .unit = "B/particle"};
        row.name = "world now";
        row.rate = (double)stats.memory / (double)particles;
        bench_print_row(options, &row);
        row.name = "world at most";
        row.rate = (double)stats.memory_peak / (double)particles;
        bench_print_row(options, &row);
        getrusage(RUSAGE_SELF, &usage);
        row.name = "process at most";
        row.rate = (double)usage.ru_maxrss * 1024 / (double)particles;
        bench_print_row(options, &row);
        if (options->output) {
            code = time_checkpoint(options, world, &row);
        }
    }
    dlp_world_destroy(world);
    return code;
}

/* Memory is first, because the peak memory of the process includes all cases before it. */
static const BenchCase cases[] = {
    {"memory", "bytes per particle; with -o, also the time to save a checkpoint", bench_memory},
    {"machine", "memory bandwidth and arithmetic rate of the machine", bench_machine},
    {"neighbors", "neighbour search and density with a million particles", bench_neighbors},
    {"step", "steps of a dam break with 32,768 and 100,000 particles", bench_step},
    {"projections", "solver iterations of a viscoelastic block of 32,768 particles", bench_projections},
    {"interactive", "frames of 15,000 viscoelastic particles, three steps of 5 ms each", bench_interactive},
    {"coupled", "iterations of the physical solver with 32,768 particles", bench_coupled},
    {"playable", "the frames of interactive with the physical solver", bench_playable},
    {"tension", "steps with surface tension and wetting, over steps without", bench_tension},
    {"springs", "frames of 20,000 particles with method springs, one step each", bench_springs},
    {"clay", "the same with elastic springs between particles", bench_clay},
    {"links", "frames of 24,800 particles with method links, eight steps each", bench_links},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static ExitCode report_unknown_case(const char *name)
{
    Suggestion suggestion = suggest_begin(name);
    for (int i = 0; i < CASES; i++) {
        suggest_consider(&suggestion, cases[i].name);
    }
    const char *best = suggest_end(&suggestion);
    message_error("there is no benchmark '%s'%s%s%s", name, best ? "; did you mean '" : "", best ? best : "",
                  best ? "'?" : "");
    for (int i = 0; i < CASES; i++) {
        message_note("%s: %s", cases[i].name, cases[i].summary);
    }
    return EXIT_USAGE;
}

static ExitCode run_bench(const char *const *operands, int count, const void *given)
{
    const BenchOptions *options = given;
    bool found = false;
    if (options->method && !dlp_method_params(options->method)) {
        return report_unknown_method(options->method);
    }
    ExitCode code = bench_check_lanes(options);
    if (code != EXIT_DONE) {
        return code;
    }
    for (int i = 0; code == EXIT_DONE && i < CASES; i++) {
        if (count > 0 && strcmp(operands[0], cases[i].name) != 0) {
            continue;
        }
        found = true;
        code = cases[i].run(options);
    }
    return found ? code : report_unknown_case(operands[0]);
}

static const Option bench_options[] = {
    {.name = "particles",
     .letter = 'n',
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(BenchOptions, particles),
     .least = 1,
     .most = 2000000000,
     .group = "Cases",
     .help = "number of particles (default: depends on the case)"},
    {.name = "threads",
     .letter = 'j',
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(BenchOptions, threads),
     .least = 1,
     .most = 1024,
     .group = "Cases",
     .help = "compare 1 thread with N threads (default: one per core)"},
    {.name = "lanes",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(BenchOptions, lanes),
     .least = 1,
     .most = 16,
     .group = "Cases",
     .help = "measure this number of vector lanes only: 1, 4, 8 or 16 (default: compare all that the machine has)"},
    {.name = "method",
     .argument = "NAME",
     .kind = OPTION_TEXT,
     .offset = offsetof(BenchOptions, method),
     .group = "Cases",
     .help = "method of memory, neighbors and step; the other cases have a fixed method"},
    {.name = "output",
     .letter = 'o',
     .argument = "DIR",
     .kind = OPTION_TEXT,
     .offset = offsetof(BenchOptions, output),
     .group = "Cases",
     .help = "for memory: save a checkpoint to this folder, measure the time and delete it"},
    {.name = "quick",
     .kind = OPTION_FLAG,
     .offset = offsetof(BenchOptions, quick),
     .group = "Cases",
     .help = "few particles and repetitions: only checks that the benchmark works"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(BenchOptions, json),
     .group = "Messages",
     .help = "print one JSON object per figure instead of a table"},
};

static const Example bench_examples[] = {
    {"dollop bench", "all cases; takes several minutes"},
    {"dollop bench step", "only steps, for all numbers of lanes and threads"},
    {"dollop bench neighbors --lanes 16", "one number of lanes only: a quarter of the time, no comparison"},
    {"dollop bench interactive", "frame times of an interactive scene with 15,000 viscoelastic particles"},
    {"dollop bench memory -n 10000000 -o /tmp/bench", "memory and checkpoint time of ten million particles"},
    {NULL, NULL},
};

const Command bench_command = {
    .name = "bench",
    .operands = "[CASE]",
    .summary = "measure the performance of this build on this machine",
    .description =
        "The cases are memory, machine, neighbors, step, projections, interactive, coupled, playable, tension, springs, clay and links. Every figure "
        "except a median and the times of tension is the best of several repetitions. Times of stages and iterations are per call.",
    .examples = bench_examples,
    .options = bench_options,
    .option_count = OPTION_COUNT(bench_options),
    .least_operands = 0,
    .most_operands = 1,
    .options_size = sizeof(BenchOptions),
    .run = run_bench,
};
