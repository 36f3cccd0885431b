/* dollop bench: how fast this build is on this machine. Cases stand in one table; every figure is the best of several
 * repetitions, and ratios are taken within one run, because machines are rarely quiet. */
#include "bench_machine.h"
#include "bench_world.h"
#include "human.h"
#include "json_out.h"
#include "messages.h"
#include "open_scene.h"
#include "run_folder.h"
#include "subcommands.h"
#include "suggest.h"
#include "wall_clock.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct BenchOptions {
    const char *method, *output;
    int64_t particles, threads;
    bool json, quick;
} BenchOptions;

enum { WIDTHS = 4, THREAD_COUNTS = 2 };
static const int widths[WIDTHS] = {1, 4, 8, 16};

/* Times of one block for each number of threads and each width; step_seconds is 0 where the machine lacks a width. */
typedef struct BenchGrid {
    int64_t particles;
    int64_t threads[THREAD_COUNTS];
    BenchTimes times[THREAD_COUNTS][WIDTHS];
} BenchGrid;

typedef struct BenchCase {
    const char *name;
    const char *summary;
    ExitCode (*run)(const BenchOptions *options);
} BenchCase;

static int64_t thread_count(const BenchOptions *options)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return options->threads ? options->threads : cores > 1 ? cores : 1;
}

/* A figure: a line of a table or a JSON object. What is 0 is left out or null. */
typedef struct BenchRow {
    const char *bench, *name;
    int64_t particles, threads, simd;
    double seconds, rate;
    const char *unit;
    double over_one_lane, over_one_thread;
} BenchRow;

static double known(double value)
{
    return value > 0 ? value : NAN;
}

static void print_row(const BenchOptions *options, const BenchRow *row)
{
    if (options->json) {
        Json json = json_begin(stdout);
        json_text(&json, "case", row->bench);
        json_text(&json, "name", row->name);
        json_integer(&json, "particles", row->particles);
        json_integer(&json, "threads", row->threads);
        json_integer(&json, "simd", row->simd);
        json_real(&json, "seconds", known(row->seconds));
        json_real(&json, "rate", row->rate);
        json_text(&json, "unit", row->unit);
        json_real(&json, "over_one_lane", known(row->over_one_lane));
        json_real(&json, "over_one_thread", known(row->over_one_thread));
        json_end(&json);
        return;
    }
    printf("  %-18s %2" PRId64 " thread%s", row->name, row->threads, row->threads == 1 ? " " : "s");
    if (row->simd > 0) {
        printf("  %2" PRId64 " lane%s", row->simd, row->simd == 1 ? " " : "s");
    } else {
        printf("  %8s", "");
    }
    printf("  %9s", row->seconds > 0 ? human_seconds(row->seconds).text : "");
    printf("  %9s %s", human_rate(row->rate).text, row->unit);
    if (row->over_one_lane > 0 && row->simd > 1) {
        printf("  %.2f x 1 lane", row->over_one_lane);
    }
    if (row->over_one_thread > 0 && row->threads > 1) {
        printf("  %.2f x 1 thread", row->over_one_thread);
    }
    fputc('\n', stdout);
    fflush(stdout);
}

static ExitCode failed(dlp_Result result, const char *text)
{
    message_error("%s", text);
    return exit_code_of(result);
}

/* Measure one cell of the grid; a width that the machine lacks is left at 0. */
static ExitCode measure_cell(const BenchSetup *setup, int warm_up, int steps, BenchTimes *times)
{
    dlp_Error error = {0};
    dlp_World *world = bench_world_make(setup, &error);
    if (!world) {
        return error.code == DLP_ERROR_UNSUPPORTED ? EXIT_DONE : failed(error.code, error.text);
    }
    const dlp_Result result = bench_world_time(world, warm_up, steps, times);
    ExitCode code = EXIT_DONE;
    if (result != DLP_OK) {
        code = failed(result, dlp_world_error(world));
    }
    dlp_world_destroy(world);
    return code;
}

static double ratio(double before, double now)
{
    return before > 0 && now > 0 ? before / now : 0;
}

static void print_stages(const BenchOptions *options, const char *bench, const BenchGrid *grid, int t, int w)
{
    const BenchTimes *times = &grid->times[t][w];
    for (int i = 0; i < times->stage_count; i++) {
        const BenchStage *stage = &times->stages[i];
        if ((!strstr(stage->name, "neighbor") && !strstr(stage->name, "density")) || stage->seconds > 1e6) {
            continue;
        }
        print_row(options, &(BenchRow){.bench = bench,
                                       .name = stage->name,
                                       .particles = grid->particles,
                                       .threads = grid->threads[t],
                                       .simd = widths[w],
                                       .seconds = stage->seconds,
                                       .rate = (double)grid->particles / stage->seconds,
                                       .unit = "particles/s",
                                       .over_one_lane = ratio(grid->times[t][0].stages[i].seconds, stage->seconds),
                                       .over_one_thread = ratio(grid->times[0][w].stages[i].seconds, stage->seconds)});
    }
}

static void print_step(const BenchOptions *options, const char *bench, const BenchGrid *grid, int t, int w)
{
    const BenchTimes *times = &grid->times[t][w];
    print_row(options, &(BenchRow){.bench = bench,
                                   .name = "step",
                                   .particles = grid->particles,
                                   .threads = grid->threads[t],
                                   .simd = widths[w],
                                   .seconds = times->step_seconds,
                                   .rate = times->rate,
                                   .unit = "particle-iterations/s",
                                   .over_one_lane = ratio(times->rate, grid->times[t][0].rate),
                                   .over_one_thread = ratio(times->rate, grid->times[0][w].rate)});
}

typedef struct BenchPlan {
    const char *bench;
    int64_t particles;
    bool falls, stages; /* stages: print the stages about neighbours and density too */
    int warm_up, steps;
} BenchPlan;

static ExitCode measure_grid(const BenchOptions *options, const BenchPlan *plan)
{
    BenchGrid grid = {.particles = plan->particles, .threads = {1, thread_count(options)}};
    if (!options->json) {
        printf("%s: %s particles\n", plan->bench, human_count(plan->particles).text);
    }
    for (int t = 0; t < (grid.threads[1] > 1 ? 2 : 1); t++) {
        for (int w = 0; w < WIDTHS; w++) {
            const BenchSetup setup = {plan->particles, grid.threads[t], widths[w], options->method, plan->falls};
            const ExitCode code = measure_cell(&setup, plan->warm_up, plan->steps, &grid.times[t][w]);
            if (code != EXIT_DONE) {
                return code;
            }
            if (grid.times[t][w].step_seconds == 0) {
                continue;
            }
            if (plan->stages) {
                print_stages(options, plan->bench, &grid, t, w);
            }
            print_step(options, plan->bench, &grid, t, w);
        }
    }
    return EXIT_DONE;
}

static ExitCode bench_machine(const BenchOptions *options)
{
    const int cores = (int)thread_count(options);
    if (!options->json) {
        printf("machine: triad bandwidth, and single-precision multiply and add in registers\n");
    }
    for (int count = 1; count <= cores; count = count < cores ? cores : cores + 1) {
        print_row(options, &(BenchRow){.bench = "machine",
                                       .name = "triad",
                                       .threads = count,
                                       .simd = 0,
                                       .rate = machine_triad(count, options->quick),
                                       .unit = "B/s"});
        for (int w = 1; w < WIDTHS; w++) {
            const double rate = machine_flops(count, widths[w], options->quick);
            if (rate > 0) {
                print_row(options, &(BenchRow){.bench = "machine",
                                               .name = "multiply and add",
                                               .threads = count,
                                               .simd = widths[w],
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
    return measure_grid(options, &(BenchPlan){"neighbors", particles, false, true, 1, options->quick ? 2 : 4});
}

static ExitCode bench_step(const BenchOptions *options)
{
    static const int64_t sizes[] = {32 * 32 * 32, 100000};
    const int steps = options->quick ? 2 : 20;
    if (options->particles || options->quick) {
        return measure_grid(
            options, &(BenchPlan){"step", options->particles ? options->particles : 8000, true, false, steps, steps});
    }
    ExitCode code = EXIT_DONE;
    for (int i = 0; code == EXIT_DONE && i < 2; i++) {
        code = measure_grid(options, &(BenchPlan){"step", sizes[i], true, false, 5, steps});
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
    const double begun = clock_seconds();
    const dlp_Result result = dlp_world_save(world, file.text);
    row->name = "checkpoint save";
    row->seconds = clock_seconds() - begun;
    row->rate = (double)row->particles / row->seconds;
    row->unit = "particles/s";
    unlink(file.text);
    folder_close(&folder);
    if (result != DLP_OK) {
        return failed(result, dlp_world_error(world));
    }
    print_row(options, row);
    return EXIT_DONE;
}

static ExitCode bench_memory(const BenchOptions *options)
{
    const int64_t particles = options->particles ? options->particles : options->quick ? 20000 : 1000000;
    const BenchSetup setup = {particles, thread_count(options), 0, options->method, true};
    dlp_Error error = {0};
    dlp_WorldStats stats;
    BenchTimes times;
    struct rusage usage;
    dlp_World *world = bench_world_make(&setup, &error);
    if (!options->json) {
        printf("memory: %s particles\n", human_count(particles).text);
    }
    if (!world) {
        return failed(error.code, error.text);
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
        print_row(options, &row);
        row.name = "world at most";
        row.rate = (double)stats.memory_peak / (double)particles;
        print_row(options, &row);
        getrusage(RUSAGE_SELF, &usage);
        row.name = "process at most";
        row.rate = (double)usage.ru_maxrss * 1024 / (double)particles;
        print_row(options, &row);
        if (options->output) {
            code = time_checkpoint(options, world, &row);
        }
    }
    dlp_world_destroy(world);
    return code;
}

/* Memory comes first, while the most that the process has held is still its own. */
static const BenchCase cases[] = {
    {"memory", "bytes per particle; with -o also the time to save a checkpoint", bench_memory},
    {"machine", "memory bandwidth and arithmetic rate of the machine itself", bench_machine},
    {"neighbors", "neighbour search and density of a million particles", bench_neighbors},
    {"step", "whole steps of a dam break with 32,768 and 100,000 particles", bench_step},
};
enum { CASES = sizeof cases / sizeof cases[0] };

static ExitCode unknown_case(const char *name)
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
    ExitCode code = EXIT_DONE;
    bool found = false;
    if (options->method && !dlp_method_params(options->method)) {
        return method_unknown(options->method);
    }
    for (int i = 0; code == EXIT_DONE && i < CASES; i++) {
        if (count > 0 && strcmp(operands[0], cases[i].name) != 0) {
            continue;
        }
        found = true;
        code = cases[i].run(options);
    }
    return found ? code : unknown_case(operands[0]);
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
     .help = "particles of the block instead of the case's own number"},
    {.name = "threads",
     .letter = 'j',
     .argument = "N",
     .kind = OPTION_INTEGER,
     .offset = offsetof(BenchOptions, threads),
     .least = 1,
     .most = 1024,
     .group = "Cases",
     .help = "compare 1 thread with N (unless said: with all that the machine has)"},
    {.name = "method",
     .argument = "NAME",
     .kind = OPTION_TEXT,
     .offset = offsetof(BenchOptions, method),
     .group = "Cases",
     .help = "measure this method"},
    {.name = "output",
     .letter = 'o',
     .argument = "DIR",
     .kind = OPTION_TEXT,
     .offset = offsetof(BenchOptions, output),
     .group = "Cases",
     .help = "memory: save a checkpoint in this folder, time it and delete it"},
    {.name = "quick",
     .kind = OPTION_FLAG,
     .offset = offsetof(BenchOptions, quick),
     .group = "Cases",
     .help = "small blocks and few repetitions: shows that it works, not how fast"},
    {.name = "json",
     .kind = OPTION_FLAG,
     .offset = offsetof(BenchOptions, json),
     .group = "Messages",
     .help = "print a JSON object per figure instead of a table"},
};

static const Example bench_examples[] = {
    {"dollop bench", "all cases; takes some minutes"},
    {"dollop bench step", "only whole steps, for each number of lanes and threads"},
    {"dollop bench memory -n 10000000 -o /tmp/bench", "do ten million particles fit, and how long does saving take?"},
    {NULL, NULL},
};

const Command bench_command = {
    .name = "bench",
    .operands = "[memory | machine | neighbors | step]",
    .summary = "measure how fast this build is on this machine",
    .description = "Every figure is the best of several repetitions. Times of stages are those of one call.",
    .examples = bench_examples,
    .options = bench_options,
    .option_count = OPTION_COUNT(bench_options),
    .least_operands = 0,
    .most_operands = 1,
    .options_size = sizeof(BenchOptions),
    .run = run_bench,
};
