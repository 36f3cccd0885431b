/* The cost of material laws in method physical: a block of fluid that collapses in a tank, Newtonian, with a law that thins and with a yield
 * stress. All have the same stress at 5 1/s, about the rate of the collapse. */
#include "bench_laws.h"

#include "bench_compare.h"

#include <stdio.h>

static const BenchVariant laws[] = {
    {"Newtonian", {{"viscosity", 50}}},
    {"Carreau-Yasuda",
     {{"flow_law", DLP_FLOW_CARREAU},
      {"viscosity", 112},
      {"thinning_time", 1},
      {"flow_index", 0.5},
      {"transition", 2}}},
    {"Bingham", {{"flow_law", DLP_FLOW_BINGHAM}, {"yield_stress", 150}, {"viscosity", 20}}},
    {"Herschel-Bulkley",
     {{"flow_law", DLP_FLOW_HERSCHEL_BULKLEY}, {"yield_stress", 150}, {"consistency", 44.7}, {"flow_index", 0.5}}},
};
enum { LAWS = sizeof laws / sizeof laws[0] };

static void print_law(const BenchOptions *options, const BenchBlock *block, const BenchComparison *times, int law,
                      const char *which, double seconds, double newtonian)
{
    char name[64];
    snprintf(name, sizeof name, "%s, %s", laws[law].name, which);
    bench_print_row(options, &(BenchRow){.bench = "laws",
                                         .name = name,
                                         .particles = block->particles,
                                         .threads = times->threads,
                                         .simd = times->simd,
                                         .seconds = seconds,
                                         .rate = seconds / newtonian,
                                         .unit = "of a Newtonian step"});
}

ExitCode bench_laws(const BenchOptions *options)
{
    BenchComparison times = {0};
    /* until the block flows: a Newtonian fluid takes 7 iterations until step 70, then 12 */
    const BenchBlock block = {.particles = options->particles ? options->particles
                                           : options->quick   ? 4000
                                                              : 24 * 24 * 24,
                              .warm_up = options->quick ? 3 : 100};
    bench_print_head(options, "laws", block.particles);
    const ExitCode code = bench_compare(options, &block, laws, LAWS, &times);
    for (int law = 0; code == EXIT_DONE && law < LAWS; law++) {
        const BenchFrames *step = &times.step[law];
        print_law(options, &block, &times, law, "least", step->minimum, times.step[0].minimum);
        print_law(options, &block, &times, law, "median", step->median, times.step[0].median);
    }
    return code;
}
