/* dollop bench: measures the performance of this build on this machine. Every figure is the best of several repetitions. */
#include "apps/shared/folder_files.h"
#include "apps/shared/messages.h"
#include "apps/shared/run_folder.h"
#include "apps/shared/suggest.h"
#include "apps/shared/wall_clock.h"
#include "bench_grid.h"
#include "bench_laws.h"
#include "bench_machine.h"
#include "bench_stages.h"
#include "bench_tension.h"
#include "bench_viscoelastic.h"
#include "open_scene.h"
#include "subcommands.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct BenchCase {
    const char *name;
    const char *summary;
    ExitCode (*run)(const BenchOptions *options);
    double expected; /* s, on two cores of a server of 2023; for the remaining time */
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
    const int cores = (int)options->threads;
    if (!options->json) {
        bench_progress_clear(options->progress);
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
    const int64_t particles = options->particles ? options->particles : options->quick ? 20000 : 300000;
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
    const int steps = options->quick ? 2 : 12;
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
    const FolderPath file = folder_file(options->folder, "bench_checkpoint.h5");
    const double start = clock_seconds();
    const dlp_Result result = dlp_world_save(world, file.text);
    row->name = "checkpoint save";
    row->seconds = clock_seconds() - start;
    row->rate = (double)row->particles / row->seconds;
    row->unit = "particles/s";
    unlink(file.text);
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
                              .threads = options->threads,
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
    dlp_Result result = bench_world_time(world, 1, 2, options->progress, &times);
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
        if (options->folder) {
            code = time_checkpoint(options, world, &row);
        }
    }
    dlp_world_destroy(world);
    return code;
}

/* Memory is first, because the peak memory of the process includes all cases before it. */
static const BenchCase cases[] = {
    {"memory", "bytes per particle; with -o, also the time to save a checkpoint", bench_memory, 12},
    {"machine", "memory bandwidth and arithmetic rate of the machine", bench_machine, 6},
    {"stages", "the stages of a step against bandwidth and arithmetic rate of the machine", bench_stages, 8},
    {"neighbors", "neighbour search and density with 300,000 particles", bench_neighbors, 4},
    {"step", "steps of a dam break with 32,768 and 100,000 particles", bench_step, 9},
    {"projections", "solver iterations of a viscoelastic block of 32,768 particles", bench_projections, 5},
    {"interactive", "frames of 15,000 viscoelastic particles, three steps of 5 ms each", bench_interactive, 6},
    {"coupled", "iterations of the physical solver with 32,768 particles", bench_coupled, 4},
    {"playable", "the frames of interactive with the physical solver", bench_playable, 9},
    {"tension", "steps with surface tension and wetting, over steps without", bench_tension, 10},
    {"laws", "steps of fluids that thin and of yield-stress fluids, over steps of a Newtonian fluid", bench_laws, 12},
    {"springs", "frames of 20,000 particles with method springs, one step each", bench_springs, 1},
    {"clay", "the same with elastic springs between particles", bench_clay, 3},
    {"links", "frames of 24,800 particles with method links, eight steps each", bench_links, 13},
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

/* Runs the cases with this name, or all. */
static ExitCode run_cases(BenchOptions options, const char *name)
{
    double expected = 0;
    for (int i = 0; i < CASES; i++) {
        expected += !name || strcmp(name, cases[i].name) == 0 ? cases[i].expected : 0;
    }
    if (expected == 0) {
        return report_unknown_case(name);
    }
    BenchProgress progress = bench_progress_begin(expected, !(options.json && isatty(STDOUT_FILENO)));
    ExitCode code = EXIT_DONE;
    options.progress = &progress;
    bench_print_machine(&options);
    for (int i = 0; code == EXIT_DONE && i < CASES; i++) {
        if (!name || strcmp(name, cases[i].name) == 0) {
            bench_progress_case(&progress, cases[i].name, cases[i].expected);
            code = cases[i].run(&options);
            bench_progress_clear(&progress);
        }
    }
    return code;
}

/* The same, with a copy of the figures in the file bench.jsonl of the output folder. */
static ExitCode run_recorded(BenchOptions options, const char *name)
{
    RunFolder folder;
    ExitCode code = folder_open(&folder, options.output);
    if (code != EXIT_DONE) {
        return code;
    }
    const FolderPath file = folder_file(&folder, "bench.jsonl");
    options.folder = &folder;
    options.record = file_open(file.text, FILE_CREATE);
    if (options.record) {
        code = run_cases(options, name);
        const bool failed = ferror(options.record) != 0;
        if ((fclose(options.record) != 0 || failed) && code == EXIT_DONE) {
            code = file_fail("write", file.text, errno);
        }
    } else {
        code = file_fail("write", file.text, errno);
    }
    folder_close(&folder);
    return code;
}

static ExitCode run_bench(const char *const *operands, int count, const void *given)
{
    BenchOptions options = *(const BenchOptions *)given;
    const char *name = count > 0 ? operands[0] : NULL;
    if (options.method && !dlp_method_params(options.method)) {
        return report_unknown_method(options.method);
    }
    const ExitCode code = bench_complete_options(&options);
    if (code != EXIT_DONE) {
        return code;
    }
    return options.output ? run_recorded(options, name) : run_cases(options, name);
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
     .help = "number of threads, which most cases compare with 1 thread (default: one per core)"},
    {.name = "lanes",
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(BenchOptions, lanes),
     .least = 1,
     .most = 16,
     .group = "Cases",
     .help = "number of vector lanes: 1, 4, 8 or 16 (default: as many as the machine has)"},
    {.name = "compare",
     .kind = OPTION_FLAG,
     .offset = offsetof(BenchOptions, compare),
     .group = "Cases",
     .help = "also measure all smaller numbers of lanes, and frames with 1 thread; takes several times as long"},
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
     .help =
         "write the figures to bench.jsonl in this folder, as --json prints them; memory also saves a checkpoint there, measures the time "
         "and deletes it"},
    {.name = "quick",
     .kind = OPTION_FLAG,
     .offset = offsetof(BenchOptions, quick),
     .group = "Cases",
     .help = "few particles and repetitions: only checks that the benchmark works"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(BenchOptions, json),
     .group = "Messages",
     .help = "print JSON instead of a table: a line for the machine, and one for each figure"},
};

static const Example bench_examples[] = {
    {"dollop bench -o results/workstation", "all cases, in less than two minutes, and a file of the figures to keep"},
    {"dollop bench stages", "which stages of a step are limited by memory, and which by arithmetic"},
    {"dollop bench step --compare", "only steps, for all numbers of lanes"},
    {"dollop bench interactive", "frame times of an interactive scene with 15,000 viscoelastic particles"},
    {"dollop bench memory -n 10000000 -o /tmp/bench", "memory and checkpoint time of ten million particles"},
    {NULL, NULL},
};

const Command bench_command = {
    .name = "bench",
    .operands = "[CASE]",
    .summary = "measure the performance of this build on this machine",
    .description =
        "The cases are memory, machine, stages, neighbors, step, projections, interactive, coupled, playable, tension, laws, springs, clay and links. Every figure "
        "except a median and the times of tension is the best of several repetitions. Times of stages and iterations are per call.",
    .examples = bench_examples,
    .options = bench_options,
    .option_count = OPTION_COUNT(bench_options),
    .least_operands = 0,
    .most_operands = 1,
    .options_size = sizeof(BenchOptions),
    .run = run_bench,
};
