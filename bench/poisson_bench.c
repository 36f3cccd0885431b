/* Preconditioners of the pressure equation side by side: iterations, time to set up and to solve, and how they grow with the number
 * of unknowns.
 *
 *     build/release/bin/poisson_bench [--threads N] [--support S] [--repeat N] [PARTICLES...]      by default 10000 100000 1000000
 *
 * A block of jittered particles, w = r_e / r - 1 with r_e = 2.1 spacings, closed walls, a free surface on top. Right sides: that of
 * hydrostatic pressure, and noise; the initial guess is zero. `--support` is the radius of the neighbour search, and so the size of
 * cells, in spacings: 3.1 as in method mps, whose lists for pressure are selected from longer ones. Preconditioners take turns within
 * each repetition, and the best time of each is shown. Results: bench/README.md. */
#include "support/poisson_fixture.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZES_MOST = 8, SOLVERS = 4, SOURCES = 2, TOLERANCES = 2, ITERATIONS = 5000 };

static const struct {
    const char *name;
    dlp__PoissonPreconditioner preconditioner;
} SOLVER[SOLVERS] = {{"diagonal", DLP_POISSON_DIAGONAL},
                     {"multigrid", DLP_POISSON_MULTIGRID},
                     {"automatic", DLP_POISSON_AUTOMATIC},
                     {"hypre", DLP_POISSON_HYPRE}};
static const char *const SOURCE[SOURCES] = {"hydrostatic", "noise"};
static const double TOLERANCE[TOLERANCES] = {1e-3, 1e-6};

typedef struct Options {
    int threads, repeat, sizes;
    double support;
    int64_t particles[SIZES_MOST];
} Options;

typedef struct Figure {
    bool done;
    int64_t particles, iterations;
    int levels;
    double setup, solve, residual; /* s, s, true relative residual */
} Figure;

static Figure figures[SIZES_MOST][SOURCES][TOLERANCES][SOLVERS];

static bool measure(PoissonSystem *system, int source, double tolerance, int solver, Figure *figure)
{
    const dlp__PoissonParams params = {
        .tolerance = tolerance, .iterations = ITERATIONS, .preconditioner = (int32_t)SOLVER[solver].preconditioner};
    poisson_begin(system);
    if (source == 0) {
        poisson_set_source(system, poisson_depth);
    } else {
        poisson_set_noise(system, 7);
    }
    const double started = dlp__clock();
    const dlp__PoissonReport report = dlp__poisson_solve(&system->domains, &params);
    const double seconds = dlp__clock() - started;
    if (!dlp__step_is_ok(&system->domains)) {
        return false;
    }
    const double solve = seconds - report.setup;
    figure->setup = !figure->done || report.setup < figure->setup ? report.setup : figure->setup;
    figure->solve = !figure->done || solve < figure->solve ? solve : figure->solve;
    figure->iterations = report.converged ? report.iterations : -1;
    figure->levels = report.levels;
    figure->particles = dlp__domains_particles(&system->domains);
    figure->residual = figure->done ? figure->residual : poisson_true_residual(system);
    figure->done = true;
    return true;
}

static bool measure_size(const Options *options, int size)
{
    const int side = (int)lround(cbrt((double)options->particles[size]));
    const PoissonSetup setup = {.count = {side, side, side},
                                .reach = 2.1,
                                .support = options->support,
                                .near = options->support > 2.1,
                                .jitter = 0.2,
                                .threads = options->threads,
                                .width = 16};
    PoissonSystem *system = poisson_create(&setup);
    if (system == NULL) {
        fprintf(stderr, "poisson_bench: no memory for %d^3 particles\n", side);
        return false;
    }
    for (int repeat = 0; repeat < options->repeat; repeat++) {
        for (int source = 0; source < SOURCES; source++) {
            for (int t = 0; t < TOLERANCES; t++) {
                for (int solver = 0; solver < SOLVERS; solver++) {
                    Figure *figure = &figures[size][source][t][solver];
                    if (!measure(system, source, TOLERANCE[t], solver, figure) && repeat == 0 && source + t == 0) {
                        printf("%s: %s\n", SOLVER[solver].name, system->error.text);
                    }
                }
            }
        }
    }
    poisson_destroy(system);
    return true;
}

static void print_rows(const Options *options, int size)
{
    for (int source = 0; source < SOURCES; source++) {
        for (int t = 0; t < TOLERANCES; t++) {
            for (int solver = 0; solver < SOLVERS; solver++) {
                const Figure *f = &figures[size][source][t][solver];
                if (f->done) {
                    printf("| %lld | %s | %.0e | %s | %lld | %.4f | %.4f | %.4f | %.1e |\n", (long long)f->particles,
                           SOURCE[source], TOLERANCE[t], SOLVER[solver].name, (long long)f->iterations, f->setup,
                           f->solve, f->setup + f->solve, f->residual);
                }
            }
        }
    }
    (void)options;
}

/* Slope of a straight line through the logarithms of all sizes. */
static double exponent_of(const Options *options, int source, int t, int solver, bool time)
{
    double n = 0.0, sx = 0.0, sy = 0.0, sxx = 0.0, sxy = 0.0;
    for (int size = 0; size < options->sizes; size++) {
        const Figure *f = &figures[size][source][t][solver];
        const double x = log((double)f->particles), y = log(time ? f->setup + f->solve : (double)f->iterations);
        n += 1.0;
        sx += x;
        sy += y;
        sxx += x * x;
        sxy += x * y;
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static void print_exponents(const Options *options)
{
    printf("\n| right side | tolerance | preconditioner | exponent of iterations | exponent of time |\n"
           "| --- | --- | --- | --- | --- |\n");
    for (int source = 0; source < SOURCES; source++) {
        for (int t = 0; t < TOLERANCES; t++) {
            for (int solver = 0; solver < SOLVERS; solver++) {
                if (figures[0][source][t][solver].done) {
                    printf("| %s | %.0e | %s | %.2f | %.2f |\n", SOURCE[source], TOLERANCE[t], SOLVER[solver].name,
                           exponent_of(options, source, t, solver, false),
                           exponent_of(options, source, t, solver, true));
                }
            }
        }
    }
}

static bool read_options(int argc, char **argv, Options *options)
{
    *options = (Options){.threads = 1, .repeat = 2, .support = 2.1};
    for (int n = 1; n < argc; n++) {
        const bool has_value = n + 1 < argc;
        if (strcmp(argv[n], "--threads") == 0 && has_value) {
            options->threads = atoi(argv[++n]);
        } else if (strcmp(argv[n], "--repeat") == 0 && has_value) {
            options->repeat = atoi(argv[++n]);
        } else if (strcmp(argv[n], "--support") == 0 && has_value) {
            options->support = atof(argv[++n]);
        } else if (atoll(argv[n]) >= 27 && options->sizes < SIZES_MOST) {
            options->particles[options->sizes++] = atoll(argv[n]);
        } else {
            return false;
        }
    }
    if (options->sizes == 0) {
        memcpy(options->particles, (int64_t[]){10000, 100000, 1000000}, 3 * sizeof(int64_t));
        options->sizes = 3;
    }
    return options->threads >= 1 && options->repeat >= 1 && options->support >= 2.1;
}

int main(int argc, char **argv)
{
    Options options;
    if (!read_options(argc, argv, &options)) {
        fprintf(stderr, "usage: poisson_bench [--threads N] [--support S] [--repeat N] [PARTICLES...]\n");
        return 2;
    }
    for (int size = 0; size < options.sizes; size++) {
        if (!measure_size(&options, size)) {
            return 1;
        }
    }
    printf(
        "| unknowns | right side | tolerance | preconditioner | iterations | set-up s | solve s | total s | true residual |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int size = 0; size < options.sizes; size++) {
        print_rows(&options, size);
    }
    if (options.sizes > 1) {
        print_exponents(&options);
    }
    return 0;
}
