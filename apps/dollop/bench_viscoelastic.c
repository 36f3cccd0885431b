/* Benchmarks of viscoelastic fluids: iterations per second of each projection, and frame times of interactive scenes with 15,000
 * particles, or 20,000 with springs and links. */
#include "bench_viscoelastic.h"

#include "bench_grid.h"

#include <math.h>
#include <string.h>

/* A projection and the stages of one of its iterations. */
typedef struct Projection {
    const char *name;
    const char *stages[4];
} Projection;

static const Projection projections[] = {
    {"velocity projection", {"velocity strain", "velocity push"}},
    {"position projection", {"position strain", "position shift"}},
    {"density constraint", {"density", "density move"}},
    {"position and density", {"position strain", "position shift", "density", "density move"}},
    {"coupled operator", {"physical flux", "physical divergence"}},
};
enum { PROJECTIONS = sizeof projections / sizeof projections[0], STAGES_MAX = 4 };

/* Seconds per iteration; 0 if it was not measured. */
static double iteration_seconds(const BenchTimes *times, const Projection *projection)
{
    double sum = 0;
    for (int k = 0; k < STAGES_MAX && projection->stages[k]; k++) {
        int i = 0;
        while (i < times->stage_count && strcmp(times->stages[i].name, projection->stages[k]) != 0) {
            i++;
        }
        if (i == times->stage_count || !isfinite(times->stages[i].seconds)) {
            return 0;
        }
        sum += times->stages[i].seconds;
    }
    return sum;
}

static void print_projections(const BenchOptions *options, const char *bench, const BenchGrid *grid, int t, int w)
{
    for (int i = 0; i < PROJECTIONS; i++) {
        const Projection *projection = &projections[i];
        const double seconds = iteration_seconds(&grid->times[t][w], projection);
        if (seconds > 0) {
            const double one_lane = iteration_seconds(&grid->times[t][0], projection);
            const double one_thread = iteration_seconds(&grid->times[0][w], projection);
            bench_print_row(options, &(BenchRow){.bench = bench,
                                                 .name = projection->name,
                                                 .particles = grid->particles,
                                                 .threads = grid->threads[t],
                                                 .simd = bench_widths[w],
                                                 .seconds = seconds,
                                                 .rate = (double)grid->particles / seconds,
                                                 .unit = "particle-iterations/s",
                                                 .over_one_lane = bench_ratio(one_lane, seconds),
                                                 .over_one_thread = bench_ratio(one_thread, seconds)});
        }
    }
}

/* Few iterations per step and many steps, so that some steps are not disturbed by other programs. */
ExitCode bench_projections(const BenchOptions *options)
{
    static const BenchValue material[] = {{"viscosity", 1000}, {"relaxation_time", 0.1}, {NULL, 0}};
    static const BenchValue solver[] = {
        {"velocity_iterations", 2}, {"position_iterations", 2}, {"density_iterations", 2}, {NULL, 0}};
    const BenchPlan plan = {.bench = "projections",
                            .setup = {.particles = options->particles ? options->particles
                                                   : options->quick   ? 4000
                                                                      : 32 * 32 * 32,
                                      .method = "conformation",
                                      .material = material,
                                      .solver = solver},
                            .warm_up = 2,
                            .steps = options->quick ? 2 : 40,
                            .print = print_projections};
    return bench_grid(options, &plan);
}

/* Always eight iterations per step, because the tolerance is 0. */
ExitCode bench_coupled(const BenchOptions *options)
{
    static const BenchValue material[] = {{"viscosity", 1000}, {NULL, 0}};
    static const BenchValue solver[] = {{"tolerance", 0}, {"iterations", 8}, {NULL, 0}};
    const BenchPlan plan = {.bench = "coupled",
                            .setup = {.particles = options->particles ? options->particles
                                                   : options->quick   ? 4000
                                                                      : 32 * 32 * 32,
                                      .method = "physical",
                                      .with_gravity = true,
                                      .material = material,
                                      .solver = solver},
                            .warm_up = 2,
                            .steps = options->quick ? 2 : 20,
                            .print = print_projections};
    return bench_grid(options, &plan);
}

/* Three steps per frame with eight iterations each: four of velocities and four of positions. */
static const BenchValue interactive_material[] = {{"viscosity", 100}, {"relaxation_time", 0.1}, {NULL, 0}};
static const BenchValue interactive_solver[] = {
    {"velocity_iterations", 4}, {"position_iterations", 4}, {"density_iterations", 4}, {NULL, 0}};
enum { FRAMES = 60, LONG_FRAMES = 15 };

/* An interactive scene: number and length of the steps of a frame. */
typedef struct FramePlan {
    const char *bench, *method;
    int64_t particles;
    bool with_gravity;
    int frames, steps; /* steps: of a frame */
    double time_step;  /* s */
    const BenchValue *material, *solver;
} FramePlan;

/* Frame times for one number of threads and lanes. */
typedef struct FrameCell {
    int64_t threads;
    int simd;
    BenchFrames times;
} FrameCell;

static ExitCode measure_frames(const BenchOptions *options, const FramePlan *plan, const BenchSetup *setup,
                               FrameCell *cell)
{
    dlp_Error error = {0};
    dlp_WorldStats stats = {0};
    dlp_World *world = bench_world_make(setup, &error);
    if (!world) {
        return bench_failed(error.code, error.text);
    }
    dlp_Result result = bench_world_frames(world, plan->steps, plan->time_step, options->quick ? 3 : plan->frames,
                                           options->progress, &cell->times);
    if (result == DLP_OK) {
        result = dlp_world_stats(world, &stats);
    }
    cell->threads = stats.threads;
    cell->simd = stats.simd;
    const ExitCode code = result == DLP_OK ? EXIT_DONE : bench_failed(result, dlp_world_error(world));
    dlp_world_destroy(world);
    return code;
}

static void print_frames(const BenchOptions *options, const char *bench, int64_t particles, FrameCell cells[2][2],
                         int t, int w)
{
    const FrameCell *cell = &cells[t][w];
    BenchRow row = {
        .bench = bench, .particles = particles, .threads = cell->threads, .simd = cell->simd, .unit = "frames/s"};
    row.name = "frame, least";
    row.seconds = cell->times.minimum;
    row.rate = 1 / row.seconds;
    row.over_one_lane = bench_ratio(cells[t][0].times.minimum, row.seconds);
    row.over_one_thread = bench_ratio(cells[0][w].times.minimum, row.seconds);
    bench_print_row(options, &row);
    row.name = "frame, median";
    row.seconds = cell->times.median;
    row.rate = 1 / row.seconds;
    row.over_one_lane = bench_ratio(cells[t][0].times.median, row.seconds);
    row.over_one_thread = bench_ratio(cells[0][w].times.median, row.seconds);
    bench_print_row(options, &row);
}

static ExitCode bench_frames(const BenchOptions *options, const FramePlan *plan)
{
    BenchSetup setup = {.particles = options->particles ? options->particles
                                     : options->quick   ? 4000
                                                        : plan->particles,
                        .method = plan->method,
                        .with_gravity = plan->with_gravity,
                        .material = plan->material,
                        .solver = plan->solver};
    const int64_t threads[2] = {1, options->threads};
    const int64_t lanes[2] = {1, options->lanes};
    FrameCell cells[2][2] = {0};
    bench_print_head(options, plan->bench, setup.particles);
    for (int t = options->compare && threads[1] > 1 ? 0 : 1; t < 2; t++) {
        for (int w = options->compare && lanes[1] > 1 ? 0 : 1; w < 2; w++) {
            setup.threads = threads[t];
            setup.simd = lanes[w];
            const ExitCode code = measure_frames(options, plan, &setup, &cells[t][w]);
            if (code != EXIT_DONE) {
                return code;
            }
            print_frames(options, plan->bench, setup.particles, cells, t, w);
        }
    }
    return EXIT_DONE;
}

ExitCode bench_interactive(const BenchOptions *options)
{
    const FramePlan plan = {"interactive",        "conformation",    15000, true, FRAMES, 3, 0.005,
                            interactive_material, interactive_solver};
    return bench_frames(options, &plan);
}

ExitCode bench_playable(const BenchOptions *options)
{
    const FramePlan plan = {"playable", "physical", 15000, true, FRAMES, 3, 0.005, interactive_material, NULL};
    return bench_frames(options, &plan);
}

/* One step per frame, as in the films of Clavet et al. 2005. Such a long step is stable only for a fluid so soft that it would be
 * compressed in a deep tank, so this is a drop without gravity. */
ExitCode bench_springs(const BenchOptions *options)
{
    static const BenchValue liquid[] = {{"viscosity", 0.5}, {NULL, 0}};
    const FramePlan plan = {"springs", "springs", 20000, false, FRAMES, 1, 1.0 / 60, liquid, NULL};
    return bench_frames(options, &plan);
}

ExitCode bench_clay(const BenchOptions *options)
{
    static const BenchValue clay[] = {{"modulus", 50}, {"plasticity", 20}, {"yield_ratio", 0.1}, {NULL, 0}};
    const FramePlan plan = {"clay", "springs", 20000, false, FRAMES, 1, 1.0 / 60, clay, NULL};
    return bench_frames(options, &plan);
}

/* A block that slumps in a tank, at 30 frames per second. */
ExitCode bench_links(const BenchOptions *options)
{
    static const BenchValue chocolate[] = {{"extension_rate", 3}, {NULL, 0}};
    const FramePlan plan = {"links", "links", 24800, true, LONG_FRAMES, 8, 1.0 / 240, chocolate, NULL};
    return bench_frames(options, &plan);
}
