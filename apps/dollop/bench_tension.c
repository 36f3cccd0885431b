/* The cost of surface tension in method physical: a block of fluid that collapses in a tank, without surface tension, with it, and with it in a
 * tank that the fluid wets. The three worlds take their steps in turn, so that the load of the machine affects all alike. */
#include "bench_tension.h"

#include "apps/shared/wall_clock.h"
#include "bench_world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WORLDS = 3, WARM_UP = 3, STEPS = 12 };

typedef struct Fluid {
    const char *name;
    double density, viscosity, relaxation_time, tension; /* kg/m3, Pa s, s, N/m */
} Fluid;

static const Fluid fluids[] = {
    {"water", 998, 0.001, 0, 0.0728}, {"honey", 1420, 19, 0, 0.05}, {"slime", 1050, 500, 0.5, 0.05}};
enum { FLUIDS = sizeof fluids / sizeof fluids[0] };

typedef struct Variant {
    const char *name;
    double tension; /* of that of the fluid */
    double angle;   /* rad */
} Variant;

static const Variant variants[WORLDS] = {
    {"without", 0, 1.5707963267948966}, {"tension", 1, 1.5707963267948966}, {"wetting", 1, 0.5235987755982988}};

static dlp_World *make_variant(const BenchOptions *options, const Fluid *fluid, const Variant *variant,
                               int64_t particles, dlp_Error *error)
{
    const BenchValue material[] = {{"density", fluid->density},
                                   {"viscosity", fluid->viscosity},
                                   {"relaxation_time", fluid->relaxation_time},
                                   {"surface_tension", variant->tension * fluid->tension},
                                   {"contact_angle", variant->angle},
                                   {NULL, 0}};
    const BenchSetup setup = {.particles = particles,
                              .threads = options->threads,
                              .simd = options->lanes,
                              .method = "physical",
                              .with_gravity = true,
                              .material = material};
    return bench_world_make(&setup, error);
}

/* Median time of a step of each world. */
static ExitCode time_steps(const BenchOptions *options, dlp_World *worlds[WORLDS], double medians[WORLDS])
{
    const int steps = options->quick ? 3 : STEPS;
    double *seconds = calloc((size_t)WORLDS * (size_t)steps, sizeof *seconds);
    ExitCode code = seconds ? EXIT_DONE : bench_failed(DLP_ERROR_MEMORY, "there is not enough memory for the times");
    for (int step = -WARM_UP; code == EXIT_DONE && step < steps; step++) {
        for (int w = 0; code == EXIT_DONE && w < WORLDS; w++) {
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
    for (int w = 0; code == EXIT_DONE && w < WORLDS; w++) {
        medians[w] = bench_median(seconds + (size_t)w * (size_t)steps, steps);
    }
    free(seconds);
    return code;
}

static void print_costs(const BenchOptions *options, const Fluid *fluid, dlp_World *worlds[WORLDS],
                        const double medians[WORLDS])
{
    for (int w = 0; w < WORLDS; w++) {
        char name[64];
        dlp_WorldStats stats;
        snprintf(name, sizeof name, "%s, %s", fluid->name, variants[w].name);
        if (dlp_world_stats(worlds[w], &stats) == DLP_OK) {
            bench_print_row(options, &(BenchRow){.bench = "tension",
                                                 .name = name,
                                                 .particles = stats.particles,
                                                 .threads = stats.threads,
                                                 .simd = stats.simd,
                                                 .seconds = medians[w],
                                                 .rate = medians[w] / medians[0],
                                                 .unit = "of a step without tension"});
        }
    }
}

static ExitCode measure_fluid(const BenchOptions *options, const Fluid *fluid, int64_t particles)
{
    dlp_World *worlds[WORLDS] = {NULL};
    double medians[WORLDS];
    dlp_Error error = {0};
    ExitCode code = EXIT_DONE;
    for (int w = 0; code == EXIT_DONE && w < WORLDS; w++) {
        worlds[w] = make_variant(options, fluid, &variants[w], particles, &error);
        if (!worlds[w]) {
            code = bench_failed(error.code, error.text);
        }
    }
    if (code == EXIT_DONE) {
        code = time_steps(options, worlds, medians);
    }
    if (code == EXIT_DONE) {
        print_costs(options, fluid, worlds, medians);
    }
    for (int w = 0; w < WORLDS; w++) {
        dlp_world_destroy(worlds[w]);
    }
    return code;
}

ExitCode bench_tension(const BenchOptions *options)
{
    const int64_t particles = options->particles ? options->particles : options->quick ? 4000 : 32 * 32 * 32;
    ExitCode code = EXIT_DONE;
    bench_print_head(options, "tension", particles);
    for (int f = 0; code == EXIT_DONE && f < FLUIDS; f++) {
        code = measure_fluid(options, &fluids[f], particles);
    }
    return code;
}
