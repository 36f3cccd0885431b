/* Barreiro et al. 2017, section 6: on a falling cube of 32^3 particles with tau = 0.015 s the stress-based model is stable at
 * steps of 0.1 ms, the constraint-based one at 6 ms 'and of similar accuracy', and 7 times faster.
 *
 * The rival, an explicit stress solver (stress_solver.h), runs at its largest stable step; at a quarter of that step it is the
 * reference. Our method runs at 6 ms and fractions of it, with increasing numbers of iterations, as long as it is cheaper than
 * the rival. Then all are timed in turn. Accuracy is measured by the height of the centre and the width of the cube over time. */
#include "stress_cube.h"
#include "stress_solver.h"
#include "stress_wave.h"

#include "studies/study_output.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double ACCURATE = 0.01 * CUBE_SIDE; /* m: errors up to this count as equal accuracy */
static const double CLAIM = 7.0;                 /* times faster                                 */

enum {
    RUNS_MOST = 40, /* per comparison    */
    REPEATS = 5,    /* of each timing    */
};

static bool is_accurate(const CubeTrace *trace)
{
    return trace->stable && trace->height_error <= ACCURATE && trace->width_error <= ACCURATE;
}

/* All runs of one cube and one material. */
typedef struct Comparison {
    int count;
    CubeTrace trace[RUNS_MOST]; /* the rival at a quarter, half and all of its largest stable step, then ours */
    double rebuilt_cost;        /* s per simulated second of the rival, with new neighbour lists in each step */
} Comparison;

enum { REFERENCE, HALF, RIVAL, OURS };

/* Approximate steps of the rival from sample to sample: limited by the time sound takes to cross a spacing. */
static double expected_parts(int n, double viscosity)
{
    return 120.0 * (n / 32.0) * sqrt(viscosity / 1e6);
}

static bool try_rival(StudyRun *run, CubeSetup *setup, int parts, CubeTrace *best)
{
    static CubeTrace trace;
    setup->parts = parts;
    study_case(run, "%d^3, %.0f Pa.s: is the rival stable at %.4g ms?", setup->n, setup->viscosity,
               1e3 * cube_step(setup));
    cube_simulate(run, setup, &trace);
    if (trace.stable) {
        *best = trace;
    }
    return trace.stable;
}

/* The rival at its largest stable step, within 3 % or one integer fraction of the sample interval. */
static void find_largest_step(StudyRun *run, CubeSetup setup, CubeTrace *best)
{
    enum { PARTS_MOST = 2000 };
    int stable = (int)ceil(1.15 * expected_parts(setup.n, setup.viscosity)), unstable = 0;
    while (study_going(run) && stable < PARTS_MOST && !try_rival(run, &setup, stable, best)) {
        unstable = stable;
        stable = (int)ceil(1.3 * stable);
    }
    while (study_going(run) && stable - unstable > 1 + stable / 33) {
        int middle = unstable > 0 ? (stable + unstable) / 2 : (int)floor(0.8 * stable);
        if (try_rival(run, &setup, middle, best)) {
            stable = middle;
        } else {
            unstable = middle;
        }
    }
    if (stable >= PARTS_MOST) {
        study_fail(run, DLP_ERROR_NOT_FINITE, "the rival is not stable at any step");
    }
}

static void add_run(StudyRun *run, Comparison *comparison, const CubeSetup *setup)
{
    CubeTrace *trace = &comparison->trace[comparison->count];
    study_case(run, "%d^3, %.0f Pa.s: %s at %.4g ms", setup->n, setup->viscosity, setup->rival ? "rival" : "ours",
               1e3 * cube_step(setup));
    cube_simulate(run, setup, trace);
    cube_compare(trace, &comparison->trace[REFERENCE]);
    comparison->count++;
}

/* Our method, from the paper's step down, until it is accurate or more expensive than the rival. */
static void add_ours(StudyRun *run, Comparison *comparison, CubeSetup setup)
{
    static const struct {
        int iterations;
        bool fresh;
    } kinds[] = {{20, false}, {20, true}, {8, false}, {8, true}, {60, false}, {200, false}};
    setup.rival = false;
    const int count = (int)(sizeof kinds / sizeof kinds[0]) - (run->quick ? 1 : 0); /* the last takes longest */
    for (int i = 0; i < count; i++) {
        setup.iterations = kinds[i].iterations;
        setup.fresh = kinds[i].fresh;
        const CubeTrace *last = NULL;
        for (setup.parts = 2; study_going(run) && comparison->count < RUNS_MOST; setup.parts *= 2) {
            if (last != NULL && (is_accurate(last) || 2.0 * last->seconds > comparison->trace[RIVAL].seconds)) {
                break;
            }
            last = &comparison->trace[comparison->count];
            add_run(run, comparison, &setup);
        }
    }
}

/* Time all in turn, several times, and keep the minimum. */
static void time_all(StudyRun *run, Comparison *comparison)
{
    CubeSetup rebuilt = comparison->trace[RIVAL].setup;
    rebuilt.skin = 0.0;
    comparison->rebuilt_cost = INFINITY;
    for (int repeat = 0; repeat < REPEATS && study_going(run); repeat++) {
        study_case(run, "%d^3, %.0f Pa.s: timing, round %d", rebuilt.n, rebuilt.viscosity, repeat + 1);
        comparison->rebuilt_cost = fmin(comparison->rebuilt_cost, cube_cost(run, &rebuilt));
        for (int i = RIVAL; i < comparison->count; i++) {
            CubeTrace *trace = &comparison->trace[i];
            double cost = cube_cost(run, &trace->setup);
            trace->cost = repeat == 0 ? cost : fmin(trace->cost, cost);
        }
    }
}

static void compare_solvers(StudyRun *run, Comparison *comparison, int n, double viscosity)
{
    CubeSetup setup = {.n = n, .viscosity = viscosity, .rival = true, .skin = dlp__stress_default_def().skin};
    memset(comparison, 0, sizeof *comparison);
    find_largest_step(run, setup, &comparison->trace[RIVAL]);
    int parts = comparison->trace[RIVAL].setup.parts;
    setup.parts = 4 * parts;
    add_run(run, comparison, &setup);
    setup.parts = 2 * parts;
    add_run(run, comparison, &setup);
    cube_compare(&comparison->trace[RIVAL], &comparison->trace[REFERENCE]);
    comparison->count = OURS;
    add_ours(run, comparison, setup);
    time_all(run, comparison);
}

static const char *name_of(int index)
{
    return index == REFERENCE ? "stress, reference" : index < OURS ? "stress" : "conformation";
}

static StudyTable *start_table(StudyRun *run)
{
    StudyTable *table = study_table(run, "contest", "A falling cube: explicit stress against conformation constraints");
    study_column(table, "cube", "");
    study_column(table, "viscosity", "Pa.s");
    study_column(table, "solver", "");
    study_column(table, "step", "ms");
    study_column(table, "iterations", "");
    study_column(table, "stress kept", "");
    study_column(table, "rebound", "mm");
    study_column(table, "height error", "mm");
    study_column(table, "width error", "mm");
    study_column(table, "s per simulated s", "");
    study_column(table, "faster", "");
    return table;
}

static void add_rows(StudyTable *table, const Comparison *comparison)
{
    double rival = comparison->trace[RIVAL].cost;
    for (int i = 0; i < comparison->count; i++) {
        const CubeTrace *trace = &comparison->trace[i];
        study_word(table, "%d^3", trace->setup.n);
        study_number(table, trace->setup.viscosity);
        study_word(table, "%s", name_of(i));
        study_number(table, 1e3 * cube_step(&trace->setup));
        study_number(table, i < OURS ? NAN : trace->setup.iterations);
        study_word(table, "%s", i < OURS ? "-" : trace->setup.fresh ? "no" : "yes");
        study_number(table, trace->stable ? 1e3 * trace->rebound : NAN);
        study_number(table, trace->stable ? 1e3 * trace->height_error : NAN);
        study_number(table, trace->stable ? 1e3 * trace->width_error : NAN);
        study_number(table, i < RIVAL ? NAN : trace->cost);
        study_number(table, i < RIVAL ? NAN : rival / trace->cost);
    }
}

/* Our cheapest run that is accurate enough; null if there is none. */
static const CubeTrace *cheapest(const Comparison *comparison, bool by_width_alone)
{
    const CubeTrace *best = NULL;
    for (int i = OURS; i < comparison->count; i++) {
        const CubeTrace *trace = &comparison->trace[i];
        bool good = by_width_alone ? trace->stable && trace->width_error <= ACCURATE : is_accurate(trace);
        best = good && (best == NULL || trace->cost < best->cost) ? trace : best;
    }
    return best;
}

static StudyTable *start_summary(StudyRun *run)
{
    StudyTable *table = study_table(run, "speed", "Speedup over the stress solver at its largest stable step");
    study_column(table, "cube", "");
    study_column(table, "viscosity", "Pa.s");
    study_column(table, "stress solver's step", "ms");
    study_column(table, "with new lists each step", "");
    study_column(table, "ours at 6 ms", "");
    study_column(table, "with the right width", "");
    study_column(table, "and the right height", "");
    return table;
}

static double speed_up(const Comparison *comparison, const CubeTrace *trace)
{
    return trace != NULL ? comparison->trace[RIVAL].cost / trace->cost : NAN;
}

static void add_summary(StudyTable *table, const Comparison *comparison)
{
    const CubeTrace *rival = &comparison->trace[RIVAL];
    study_word(table, "%d^3", rival->setup.n);
    study_number(table, rival->setup.viscosity);
    study_number(table, 1e3 * cube_step(&rival->setup));
    study_number(table, rival->cost / comparison->rebuilt_cost);
    study_number(table, speed_up(comparison, &comparison->trace[OURS]));
    study_number(table, speed_up(comparison, cheapest(comparison, true)));
    study_number(table, speed_up(comparison, cheapest(comparison, false)));
}

static void add_curve(StudyPlot *plot, const CubeTrace *trace, const double *values, const char *name, int color)
{
    double ms = 1e3 * cube_step(&trace->setup);
    StudySeries *series = trace->setup.rival
                              ? study_series(plot, "%s, %.3g ms", name, ms)
                              : study_series(plot, "%s, %.3g ms, %d iterations%s", name, ms, trace->setup.iterations,
                                             trace->setup.fresh ? ", fresh" : "");
    study_style(series, color, color == 1 ? STUDY_DASHED : STUDY_LINE);
    for (int i = 0; i <= CUBE_SAMPLES && trace->stable; i++) {
        study_point(series, i * CUBE_SAMPLE, values[i]);
    }
}

/* The reference, the rival, ours at the paper's step, and our run with the smallest error in height. */
static void draw_curves(StudyRun *run, const Comparison *comparison)
{
    StudyPlot *height = study_plot(run, "height", "Centre of the falling cube", "time, s", "height, m");
    StudyPlot *width = study_plot(run, "width", "Width of the falling cube", "time, s", "width, m");
    int closest = OURS;
    for (int i = OURS; i < comparison->count; i++) {
        closest = comparison->trace[i].height_error < comparison->trace[closest].height_error ? i : closest;
    }
    for (int i = 0, color = 0; i < comparison->count; i++) {
        const CubeTrace *trace = &comparison->trace[i];
        if (i == HALF || (i >= OURS && trace->setup.parts > 2 && i != closest)) {
            continue;
        }
        add_curve(height, trace, trace->height, name_of(i), color);
        add_curve(width, trace, trace->width, name_of(i), color);
        color = (color + 1) % STUDY_COLORS;
    }
}

/* Error over cost: a dot for each run; runs that differ only in the step are connected. */
static void draw_costs(StudyRun *run, const Comparison *comparison)
{
    StudyPlot *plot = study_plot(run, "accuracy", "Accuracy and cost", "computing time per simulated second, s",
                                 "largest error of height and width, % of the side");
    StudySeries *series = NULL;
    study_scales(plot, STUDY_LOG, STUDY_LOG);
    for (int i = RIVAL, color = 0; i < comparison->count; i++) {
        const CubeTrace *trace = &comparison->trace[i];
        if (i <= OURS || trace->setup.parts == 2) {
            series = i == RIVAL ? study_series(plot, "stress")
                                : study_series(plot, "conformation, %d iterations%s", trace->setup.iterations,
                                               trace->setup.fresh ? ", fresh" : "");
            study_style(series, color++ % STUDY_COLORS, STUDY_DOTS);
        }
        double worst = fmax(trace->height_error, trace->width_error);
        study_point(series, trace->cost, trace->stable ? 100.0 * worst / CUBE_SIDE : NAN);
    }
}

static void judge(StudyRun *run, const Comparison *comparison)
{
    const CubeTrace *reference = &comparison->trace[REFERENCE], *rival = &comparison->trace[RIVAL];
    const CubeTrace *ours = &comparison->trace[OURS], *equal = cheapest(comparison, false);
    char found[160] = "none of our runs that cost less than the stress solver is as accurate";
    if (equal != NULL) {
        snprintf(found, sizeof found, "%.2g times faster at equal accuracy, with %d iterations at %.3g ms",
                 speed_up(comparison, equal), equal->setup.iterations, 1e3 * cube_step(&equal->setup));
    }
    study_verdict(
        run, equal != NULL && speed_up(comparison, equal) >= CLAIM,
        "%s; the stress solver is stable up to %.3g ms; at %g ms and %d iterations ours is %.2g times faster, %.1f mm "
        "off in width, and rebounds by %.0f mm instead of %.0f mm",
        found, 1e3 * cube_step(&rival->setup), 1e3 * cube_step(&ours->setup), ours->setup.iterations,
        speed_up(comparison, ours), 1e3 * ours->width_error, 1e3 * ours->rebound, 1e3 * reference->rebound);
}

/* Cubes and materials; the verdict uses the last, the paper's. */
typedef struct Case {
    int n;
    double viscosity; /* Pa.s */
} Case;

static const Case quick_cases[] = {{10, 1e4}, {10, 1e6}};
static const Case full_cases[] = {{16, 1e4}, {16, 1e5}, {16, 1e6}, {32, 1e6}}; /* the last is large */

static double work_of(const Case *c)
{
    enum { RUNS = 20 }; /* estimate, in runs of the rival */
    return (double)c->n * c->n * c->n * expected_parts(c->n, c->viscosity) * CUBE_SAMPLES * RUNS;
}

static void run_study(StudyRun *run)
{
    static Comparison comparison; /* too large for the stack */
    const Case *cases = run->quick ? quick_cases : full_cases;
    const int full_count = (int)(sizeof full_cases / sizeof full_cases[0]) - (run->large ? 0 : 1);
    const int count = run->quick ? (int)(sizeof quick_cases / sizeof quick_cases[0]) : full_count;
    double work = 0.0;
    for (int i = 0; i < count; i++) {
        work += work_of(&cases[i]);
    }
    study_plan(run, work);
    stress_wave_check(run);
    StudyTable *table = start_table(run), *summary = start_summary(run);
    for (int i = 0; i < count && study_going(run); i++) {
        compare_solvers(run, &comparison, cases[i].n, cases[i].viscosity);
        add_rows(table, &comparison);
        add_summary(summary, &comparison);
    }
    draw_curves(run, &comparison);
    draw_costs(run, &comparison);
    judge(run, &comparison);
}

const Study barreiro_stress_study = {
    .name = "barreiro-stress",
    .paper = "Barreiro et al. 2017, section 6",
    .claim =
        "On a falling cube of 32^3 particles with a relaxation time of 0.015 s a stress-based model is stable at steps "
        "of 0.1 ms, conformation constraints at 6 ms with similar accuracy, and 7 times faster.",
    .large = "the cube of 32^3 particles as well; about an hour",
    .run = run_study,
};
