/* The cost of surface tension in method physical: a block of fluid that collapses in a tank, without surface tension, with it, and with it in a
 * tank that the fluid wets. */
#include "bench_tension.h"

#include "bench_compare.h"

#include <stdio.h>

enum { WORLDS = 3 };

typedef struct Fluid {
    const char *name;
    double density, viscosity, relaxation_time, tension; /* kg/m3, Pa s, s, N/m */
} Fluid;

static const Fluid fluids[] = {
    {"water", 998, 0.001, 0, 0.0728}, {"honey", 1420, 19, 0, 0.05}, {"slime", 1050, 500, 0.5, 0.05}};
enum { FLUIDS = sizeof fluids / sizeof fluids[0] };

typedef struct Wetting {
    const char *name;
    double tension; /* of that of the fluid */
    double angle;   /* rad */
} Wetting;

static const Wetting wettings[WORLDS] = {
    {"without", 0, 1.5707963267948966}, {"tension", 1, 1.5707963267948966}, {"wetting", 1, 0.5235987755982988}};

static ExitCode measure_fluid(const BenchOptions *options, const BenchBlock *block, const Fluid *fluid)
{
    BenchVariant variants[WORLDS];
    BenchComparison times = {0};
    for (int w = 0; w < WORLDS; w++) {
        variants[w] = (BenchVariant){wettings[w].name,
                                     {{"density", fluid->density},
                                      {"viscosity", fluid->viscosity},
                                      {"relaxation_time", fluid->relaxation_time},
                                      {"surface_tension", wettings[w].tension * fluid->tension},
                                      {"contact_angle", wettings[w].angle}}};
    }
    const ExitCode code = bench_compare(options, block, variants, WORLDS, &times);
    for (int w = 0; code == EXIT_DONE && w < WORLDS; w++) {
        char name[64];
        snprintf(name, sizeof name, "%s, %s", fluid->name, variants[w].name);
        bench_print_row(options, &(BenchRow){.bench = "tension",
                                             .name = name,
                                             .particles = block->particles,
                                             .threads = times.threads,
                                             .simd = times.simd,
                                             .seconds = times.step[w].median,
                                             .rate = times.step[w].median / times.step[0].median,
                                             .unit = "of a step without tension"});
    }
    return code;
}

ExitCode bench_tension(const BenchOptions *options)
{
    const BenchBlock block = {.particles = options->particles ? options->particles
                                           : options->quick   ? 4000
                                                              : 32 * 32 * 32,
                              .warm_up = 3};
    ExitCode code = EXIT_DONE;
    bench_print_head(options, "tension", block.particles);
    for (int f = 0; code == EXIT_DONE && f < FLUIDS; f++) {
        code = measure_fluid(options, &block, &fluids[f]);
    }
    return code;
}
